import { expect, it } from 'vitest';
import { heading, table, withHeading } from './parts.ts';

it('keeps a heading with a small table on one page, but not a table taller than a page', () => {
  const ofRows = (count: number) =>
    table(
      [{ title: 'Cell' }],
      Array.from({ length: count }, (_, row) => [`threads ${row}`]),
    );
  const kinds = (count: number) => withHeading(heading('Cells'), [ofRows(count)]).map(({ kind }) => kind);
  expect(kinds(3)).toEqual(['together']);
  expect(kinds(60)).toEqual(['heading', 'table']);
  expect(withHeading(heading('Cells'), [])).toEqual([]);
});
