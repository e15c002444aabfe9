import { dataLetter } from './CellRow.tsx';
import classes from './cells.module.css';
import type { CellState, Grid } from './grid-model.ts';

const WORDS: readonly (readonly [CellState, string])[] = [
  ['measured', 'measured'],
  ['left-out', 'excluded'],
  ['not-selected', 'not selected'],
  ['wrong', 'has a problem'],
];

interface Properties {
  grid: Grid;
  data: ReadonlyMap<string, number>;
  /** Unit of the figures of a session, if they are shown. */
  unit: string | undefined;
}

/** Legend for the kinds of fields that occur in the grid. */
export function Legend({ grid, data, unit }: Properties) {
  const states = new Set(
    grid.rows.flatMap(({ cells, whole }) => [...cells, whole].flatMap((cell) => cell?.state ?? [])),
  );
  const groups = [...new Set(data.values())].sort((a, b) => a - b);
  return (
    <ul className={classes.legend} aria-label="Key">
      {unit !== undefined && <li>in {unit}, the stronger the colour the higher</li>}
      {WORDS.filter(([state]) => states.has(state)).map(([state, words]) => (
        <li key={state}>
          <i data-state={state} aria-hidden="true" />
          {words}
        </li>
      ))}
      {groups.length > 1 &&
        groups.slice(0, 6).map((group) => (
          <li key={group}>
            <i data-state="measured" data-data={group % 6} aria-hidden="true" />
            data {dataLetter(group)}
          </li>
        ))}
    </ul>
  );
}
