import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Levels } from '../../../../../../shared/model/experiment.ts';
import { plainLevel } from '../../../../../../shared/util/format.ts';
import { CellRow, type CellStyle, rowHeads } from './CellRow.tsx';
import classes from './cells.module.css';
import { type Area, type Grid, headPattern, inArea, type Place } from './grid-model.ts';

interface Properties {
  grid: Grid;
  look: CellStyle;
  area: Area | undefined;
  onArea(area: Area | undefined): void;
  /** Excludes the cells of these patterns, or includes them again if all are excluded. */
  onToggle(patterns: readonly Levels[]): void;
  /** The same for the selected area. */
  onToggleArea(): void;
}

const ROW = 28;
const CELL = 58;
const MOST_HEIGHT = 480;
const LETTER = 7.5;
const WIDEST = 230;
const NARROWEST = 48;

const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Width of a column of words, pixels. */
const widthOf = (words: readonly string[]): number =>
  Math.min(WIDEST, Math.max(NARROWEST, ...words.map((word) => word.length * LETTER + 16)));

/**
 * Every combination as a small field; only visible ones are rendered. A click or Space excludes or includes a cell, or with a head its row
 * or column; dragging, or Shift and an arrow key, selects an area.
 */
export function CellGrid({ grid, look, area, onArea, onToggle, onToggleArea }: Properties) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const heads = useMemo(() => {
    const widths = grid.down.map(({ name, levels }) =>
      widthOf([name, ...levels.map((level) => plainLevel(typeof level === 'object' ? level.name : level))]),
    );
    return rowHeads(widths);
  }, [grid.down]);
  const width = useMemo(
    () => Math.max(CELL, Math.min(120, widthOf(grid.columns.map((level) => plainLevel(level))))),
    [grid.columns],
  );
  const rowsInSight = grid.rows.length > FEW_ROWS;
  const columnsInSight = grid.columns.length > FEW_COLUMNS;
  const rows = useVirtualizer({
    count: grid.rows.length,
    enabled: rowsInSight,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: grid.columns.length,
    enabled: columnsInSight,
    getScrollElement: () => scroller.current,
    estimateSize: () => width,
    overscan: 6,
  });
  const last: Place = { row: grid.rows.length - 1, column: grid.columns.length - 1 };
  const now: Place = { row: Math.min(active.row, last.row), column: Math.min(active.column, last.column) };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the width is what is measured.
  useLayoutEffect(() => columns.measure(), [columns, width]);

  const handlers = useMarks(
    { grid, area, onArea, onToggle, onToggleArea },
    {
      now,
      setActive,
      sight: (place) => {
        if (place.row >= 0) reach(scroller.current, 'scrollTop', place.row * ROW, ROW, ROW);
        if (place.column >= 0)
          reach(scroller.current, 'scrollLeft', heads.width + place.column * width, width, heads.width);
      },
    },
  );

  const shown = columnsInSight ? columns.getVirtualItems() : all(grid.columns.length, width);
  const lines = rowsInSight ? rows.getVirtualItems() : all(grid.rows.length, ROW);
  const total = heads.width + grid.columns.length * width;
  // The first visible row shows all of its levels, whatever is above it.
  const top = rowsInSight ? Math.ceil((rows.scrollOffset ?? 0) / ROW) : 0;
  return (
    <div ref={scroller} className={classes.scroller} style={{ maxHeight: MOST_HEIGHT }}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: keys exclude and include cells, as in any grid.
        role="grid"
        className={classes.grid}
        style={{ width: total, height: (grid.rows.length + 1) * ROW }}
        aria-label="Cells of the matrix"
        aria-rowcount={grid.rows.length + 1}
        aria-colcount={grid.columns.length + grid.down.length}
        aria-multiselectable="true"
        tabIndex={0}
        aria-activedescendant={`${id}-${now.row}-${now.column}`}
        {...handlers}
      >
        <ColumnHeads
          id={id}
          grid={grid}
          heads={heads}
          shown={shown}
          width={width}
          active={now.row === -1 ? now.column : undefined}
        />
        <tbody>
          {lines.map(({ index, start }) => {
            const row = grid.rows[index];
            return (
              row && (
                <CellRow
                  key={index}
                  id={id}
                  row={row}
                  index={index}
                  above={index === top ? undefined : grid.rows[index - 1]?.levels}
                  down={grid.down}
                  top={start + ROW}
                  heads={heads}
                  width={width}
                  from={shown[0]?.index ?? 0}
                  to={(shown.at(-1)?.index ?? -1) + 1}
                  total={total}
                  look={look}
                  active={now.row === index ? now.column : undefined}
                  marked={area && inArea(area, { row: index, column: area.from.column }) ? area : undefined}
                />
              )
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface Cursor {
  readonly now: Place;
  setActive(place: Place): void;
  /** Scrolls until it is visible. */
  sight(place: Place): void;
}

/** Keys and pointer of the grid: they move, select an area, and exclude or include cells. */
function useMarks(
  { grid, area, onArea, onToggle, onToggleArea }: Omit<Properties, 'look'>,
  { now, setActive, sight }: Cursor,
) {
  const drag = useRef<{ readonly from: Place; readonly marked: boolean }>(undefined);
  const last: Place = { row: grid.rows.length - 1, column: grid.columns.length - 1 };
  const go = (place: Place, marking: boolean): void => {
    const fits =
      place.row >= -1 && place.row <= last.row && place.column >= -grid.down.length && place.column <= last.column;
    if (!fits || (place.row < 0 && place.column < 0)) return;
    const isCell = place.row >= 0 && place.column >= 0;
    if (marking && !isCell) return;
    onArea(marking ? { from: area?.from ?? now, to: place } : undefined);
    setActive(place);
    sight(place);
  };
  const act = (place: Place): void => {
    if (place.row >= 0 && place.column >= 0) {
      const row = grid.rows[place.row];
      const cell = row?.whole ?? row?.cells[place.column];
      if (cell) onToggle([cell.levels]);
      return;
    }
    const pattern = headPattern(grid, place);
    if (pattern) onToggle([pattern]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      go({ row: now.row + step[0], column: now.column + step[1] }, event.shiftKey);
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (area) onToggleArea();
      else act(now);
    } else if (event.key === 'Escape' && area) onArea(undefined);
  };
  const onPointerDown = (event: PointerEvent): void => {
    const place = placeOf(event.target);
    if (!place || event.button !== 0) return;
    setActive(place);
    if (event.shiftKey && place.row >= 0 && place.column >= 0) {
      drag.current = { from: place, marked: true };
      onArea({ from: area?.from ?? now, to: place });
      return;
    }
    onArea(undefined);
    drag.current = { from: place, marked: false };
  };
  const onPointerMove = (event: PointerEvent): void => {
    const { current } = drag;
    const to = placeOf(event.target);
    if (event.buttons !== 1 || !current || !to) return;
    const { from } = current;
    if (from.row < 0 || from.column < 0 || to.row < 0 || to.column < 0) return;
    if (!current.marked && from.row === to.row && from.column === to.column) return;
    drag.current = { from, marked: true };
    onArea({ from, to });
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const place = placeOf(event.target);
    // The grid handles keys, even if the clicked cell is no longer rendered.
    event.currentTarget.focus();
    if (place && !drag.current?.marked) act(place);
  };
  return { onKeyDown, onPointerDown, onPointerMove, onClick };
}

interface ColumnHeadsProperties extends Pick<Properties, 'grid'> {
  id: string;
  heads: ReturnType<typeof rowHeads>;
  /** Visible columns. */
  shown: readonly { readonly index: number; readonly start: number }[];
  width: number;
  active: number | undefined;
}

function ColumnHeads({ id, grid, heads, shown, width, active }: ColumnHeadsProperties) {
  return (
    <thead className={classes.columnHeads} style={{ width: heads.width + grid.columns.length * width }}>
      <tr aria-rowindex={1}>
        {grid.down.map(({ name }, depth) => (
          <th
            key={name}
            scope="col"
            className={classes.corner}
            style={{ left: heads.lefts[depth], width: heads.widths[depth] }}
            title={name}
          >
            {name}
          </th>
        ))}
        {shown.map(({ index, start }) => {
          const level = plainLevel(grid.columns[index]) || '(empty)';
          return (
            <th
              key={index}
              id={`${id}--1-${index}`}
              scope="col"
              className={classes.columnHead}
              data-row={-1}
              data-column={index}
              data-active={active === index || undefined}
              style={{ left: heads.width + start, width }}
              aria-colindex={grid.down.length + index + 1}
              title={`${grid.across.name} ${level}: whole column`}
            >
              {level}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** With fewer rows, all are rendered: for find in page and printing. */
const FEW_ROWS = 24;
const FEW_COLUMNS = 40;
const all = (count: number, size: number): { index: number; start: number }[] =>
  Array.from({ length: count }, (_, index) => ({ index, start: index * size }));

/** Scrolls until a cell is visible, after heads of the size `before`. */
function reach(
  element: HTMLElement | null,
  way: 'scrollTop' | 'scrollLeft',
  start: number,
  size: number,
  before: number,
): void {
  if (!element) return;
  const room = way === 'scrollTop' ? element.clientHeight : element.clientWidth;
  const from = way === 'scrollTop' ? start : start - before;
  if (from < element[way]) element[way] = from;
  else if (start + size + (way === 'scrollTop' ? before : 0) > element[way] + room)
    element[way] = start + size + (way === 'scrollTop' ? before : 0) - room;
}

function placeOf(target: EventTarget): Place | undefined {
  if (!(target instanceof Element)) return undefined;
  const element = target.closest<HTMLElement>('[data-row][data-column]');
  return element ? { row: Number(element.dataset.row), column: Number(element.dataset.column) } : undefined;
}
