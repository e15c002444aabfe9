import { memo } from 'react';
import type { Factor, Levels } from '../../../../../../shared/model/experiment.ts';
import { plainLevel, plainLevels } from '../../../../../../shared/util/format.ts';
import classes from './cells.module.css';
import { type Area, type CellState, type Grid, type GridCell, type GridRow, inArea } from './grid-model.ts';

/**
 * Content of a cell: its number, or its measured figure. Must remain the same object while nothing changes: rows are rendered again
 * otherwise.
 */
export interface CellStyle {
  /** Number of its data set, from 0, if there are several. */
  data(levels: Levels): number | undefined;
  /** Figure of a session, as words, and its position in the range of all figures. Absent: numbers are shown. */
  result?(levels: Levels): { readonly words: string; readonly share: number } | undefined;
}

export interface RowHeads {
  readonly widths: readonly number[];
  readonly lefts: readonly number[];
  readonly width: number;
}

export function rowHeads(widths: readonly number[]): RowHeads {
  const lefts: number[] = [];
  let width = 0;
  for (const each of widths) {
    lefts.push(width);
    width += each;
  }
  return { widths, lefts, width };
}

interface Properties {
  id: string;
  row: GridRow;
  index: number;
  /** Levels of the row above: equal ones are not repeated. */
  above: Levels | undefined;
  down: readonly Factor[];
  top: number;
  heads: RowHeads;
  width: number;
  from: number;
  to: number;
  total: number;
  look: CellStyle;
  /** Column with the focus. */
  active: number | undefined;
  marked: Area | undefined;
}

const STATE_WORDS = { 'left-out': 'excluded', 'not-selected': 'not selected', measured: '', wrong: 'has a problem' };

export const CellRow = memo(function CellRow(properties: Properties) {
  const { id, row, index, above, down, top, heads, width, from, to, total, look, active, marked } = properties;
  const cellAt = (cell: GridCell, column: number, size: number) => (
    <Cell
      key={column}
      id={`${id}-${index}-${column}`}
      cell={cell}
      row={index}
      column={column}
      columnIndex={down.length + column + 1}
      left={heads.width + column * width}
      width={size}
      look={look}
      active={active === column}
      marked={marked !== undefined && inArea(marked, { row: index, column })}
    />
  );
  let same = above !== undefined;
  return (
    <tr aria-rowindex={index + 2} className={classes.row} style={{ top, width: total }}>
      {down.map(({ name }, depth) => {
        const level = row.levels[name];
        same = same && above?.[name] === level;
        const column = depth - down.length;
        const words = level === undefined ? '–' : plainLevel(level) || '(empty)';
        return (
          <th
            key={name}
            id={`${id}-${index}-${column}`}
            scope="row"
            className={classes.rowHead}
            data-row={index}
            data-column={column}
            data-same={same || undefined}
            data-active={active === column || undefined}
            style={{ left: heads.lefts[depth], width: heads.widths[depth] }}
            title={`${plainLevels(firstOf(row.levels, down, depth))}: all of its cells`}
          >
            {words}
          </th>
        );
      })}
      {row.whole
        ? cellAt(row.whole, 0, total - heads.width)
        : row.cells.slice(from, to).map((cell, offset) => cell && cellAt(cell, from + offset, width))}
    </tr>
  );
});

const firstOf = (levels: Levels, down: readonly Factor[], depth: number): Levels =>
  Object.fromEntries(
    down.slice(0, depth + 1).flatMap(({ name }) => {
      const level = levels[name];
      return level === undefined ? [] : [[name, level]];
    }),
  );

interface CellProperties {
  id: string;
  cell: GridCell;
  row: number;
  column: number;
  columnIndex: number;
  left: number;
  width: number;
  look: CellStyle;
  active: boolean;
  marked: boolean;
}

const DATA_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const dataLetter = (data: number): string => DATA_LETTERS[data] ?? String(data + 1);

function Cell({
  id,
  cell: { levels, state, number },
  row,
  column,
  columnIndex,
  left,
  width,
  look,
  active,
  marked,
}: CellProperties) {
  const result = look.result?.(levels);
  const data = state === 'measured' ? look.data(levels) : undefined;
  const name = plainLevels(levels);
  const is = [
    number === undefined ? '' : `cell ${number}`,
    STATE_WORDS[state],
    result?.words ?? '',
    data === undefined ? '' : `data ${dataLetter(data)}`,
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <td
      id={id}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a grid is interactive.
      role="gridcell"
      tabIndex={-1}
      aria-colindex={columnIndex}
      aria-selected={marked}
      aria-label={`${name}: ${is}`}
      title={`${name}: ${is}`}
      className={classes.cell}
      data-row={row}
      data-column={column}
      data-state={state}
      data-active={active || undefined}
      data-marked={marked || undefined}
      data-data={data === undefined ? undefined : data % 6}
      data-result={result ? Math.round(result.share * 8) : undefined}
      style={{ left, width }}
    >
      <span>
        {look.result
          ? (result?.words ?? (state === 'left-out' ? '×' : '–'))
          : number === undefined
            ? '×'
            : `#${number}`}
      </span>
    </td>
  );
}

const WORDS: readonly (readonly [CellState, string])[] = [
  ['measured', 'measured'],
  ['left-out', 'excluded'],
  ['not-selected', 'not selected'],
  ['wrong', 'has a problem'],
];

interface LegendProperties {
  grid: Grid;
  data: ReadonlyMap<string, number>;
  /** Unit of the figures of a session, if they are shown. */
  unit: string | undefined;
}

/** Legend for the kinds of fields that occur in the grid. */
export function Legend({ grid, data, unit }: LegendProperties) {
  const states = new Set(
    grid.rows.flatMap(({ cells, whole }) => [...cells, whole].flatMap((cell) => cell?.state ?? [])),
  );
  const groups = [...new Set(data.values())].sort((a, b) => a - b);
  return (
    <ul className={classes.legend} aria-label="Key">
      {unit !== undefined && <li>in {unit}, the stronger the colour the higher</li>}
      {unit === undefined && states.has('measured') && <li># number of the cell</li>}
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
