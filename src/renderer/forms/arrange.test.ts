import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { arrange, canFold, MAIN_GROUP } from './arrange.ts';
import { readFields } from './fields.ts';

const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`o${index}`, index]));

/** Every third option is in group B, the first two of each group are main options. */
const fieldsOf = (count: number) =>
  readFields(
    z.toJSONSchema(
      z.object(
        Object.fromEntries(
          Object.entries(named(count)).map(([name, index]) => [
            name,
            z
              .number()
              .default(1)
              .meta({
                group: index % 3 === 2 ? 'B' : 'A',
                description: `Help ${index}.`,
                ...(index < 3 && { main: true }),
              }),
          ]),
        ),
      ),
    ) as Record<string, unknown>,
  );

const shape = (sections: ReturnType<typeof arrange>) =>
  sections.map(({ group, fields, fold }) => [
    group,
    fields.map(({ name }) => name).join(' '),
    fold?.hides,
    fold?.folded,
  ]);
const start = { query: '', folds: true, unfolded: new Set<string>(), isVisible: () => false };

describe('many options', () => {
  const fields = fieldsOf(14);

  test('start with the important ones, the others collapsed with their number', () => {
    expect(shape(arrange(fields, start))).toEqual([
      [MAIN_GROUP, 'o0 o1 o2', undefined, undefined],
      ['A', '', 8, true],
      ['B', '', 3, true],
    ]);
  });

  test('keep important ones visible in place in a collapsed group', () => {
    const sections = arrange(fields, { ...start, isVisible: ({ name }) => name === 'o5' || name === 'o0' });
    expect(shape(sections)[2]).toEqual(['B', 'o5', 2, true]);
    expect(shape(arrange(fields, { ...start, unfolded: new Set(['B']) }))[2]).toEqual(['B', 'o5 o8 o11', 3, false]);
  });

  test('are found by their help, in expanded groups', () => {
    expect(shape(arrange(fields, { ...start, query: 'help 13' }))).toEqual([['A', 'o13', undefined, undefined]]);
    expect(arrange(fields, { ...start, query: 'nothing' })).toEqual([]);
  });

  test('are not collapsed if they are few', () => {
    expect([canFold(fieldsOf(12)), canFold(fields)]).toEqual([false, true]);
    expect(shape(arrange(fieldsOf(12), { ...start, folds: false })).map(([group]) => group)).toEqual(['A', 'B']);
  });
});
