import { type KeyboardEvent, useRef, useState } from 'react';
import { type Pivot, ratioTiles, type Tile, titleOf, valueTiles } from '../../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../../shared/metrics/index.ts';
import { caveatSentence, warningsOf } from '../../../../../shared/model/figure.ts';
import type { CellResult, FactorRatios, SessionResult, Verdict } from '../../../../../shared/model/result.ts';
import { againstWords, VERDICT_WORDS, valueWords } from '../../../../../shared/model/result-words.ts';
import { figureTitle } from '../../../../../shared/stats/index.ts';
import { columnDigits, formatLevel, formatTimes, NO_VALUE } from '../../../../../shared/util/format.ts';
import { Warnings } from '../../../../domain/index.ts';

interface Properties {
  result: SessionResult;
  pivot: Pivot;
  rows: string;
  columns: string | undefined;
  /** Ratios shown instead of values. */
  against: FactorRatios | undefined;
  onCell: (cell: number) => void;
}

/** Content of a place of the table. */
interface Shown {
  readonly text: string;
  /** For screen readers, and on hover. */
  readonly words: string;
  readonly below?: string | undefined;
  readonly tile?: Tile | undefined;
  readonly cell?: CellResult | undefined;
}

/** Keys that move by rows and columns. */
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** A table with a single tab stop; arrow keys move inside it, Home and End go to the ends of a row. */
export function PivotTable({ result, pivot, rows, columns, against, onCell }: Properties) {
  const [place, setPlace] = useState<readonly [number, number]>([0, 0]);
  const table = useRef<HTMLTableElement>(null);
  const shown = shownIn(result, pivot, against);
  const last = [pivot.rows.length - 1, pivot.columns.length - 1] as const;
  const within = (to: number, most: number): number => Math.min(Math.max(0, to), most);
  const move = (event: KeyboardEvent): void => {
    const [row, column] = place;
    const [down, right] = STEPS[event.key] ?? [0, 0];
    const across = event.key === 'Home' ? 0 : event.key === 'End' ? last[1] : column + right;
    const next = [within(row + down, last[0]), within(across, last[1])] as const;
    if (!STEPS[event.key] && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    setPlace(next);
    table.current?.querySelector<HTMLElement>(`[data-place="${next.join()}"]`)?.focus();
  };
  const measure = metricOf(result.metric);
  const caption = against
    ? `${measure.label}, ratio ${againstWords(against)}`
    : `${titleOf(measure)}, ${figureTitle(result.metric, result.pick).toLowerCase()}`;
  return (
    <div className="kp-pivot-place">
      <table className="kp-pivot" ref={table} onKeyDown={move}>
        <caption className="kp-small">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{columns === undefined ? rows : `${rows} \\ ${columns}`}</th>
            {pivot.columns.map((column) => (
              <th key={String(column)} scope="col">
                {columns === undefined ? measure.unit : formatLevel(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pivot.rows.map((row, down) => (
            <tr key={String(row)}>
              <th scope="row">{formatLevel(row)}</th>
              {pivot.columns.map((column, across) => {
                const here = `${Math.min(place[0], last[0])},${Math.min(place[1], last[1])}` === `${down},${across}`;
                return (
                  <td key={String(column)}>
                    <PlaceButton
                      shown={shown[down]?.[across]}
                      place={`${down},${across}`}
                      entered={here}
                      onEnter={() => setPlace([down, across])}
                      onCell={onCell}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PlaceProperties {
  shown: Shown | undefined;
  place: string;
  /** Whether this is the tab stop. */
  entered: boolean;
  onEnter: () => void;
  onCell: (cell: number) => void;
}

function PlaceButton({ shown, place, entered, onEnter, onCell }: PlaceProperties) {
  const { cell, tile, text = NO_VALUE, words = 'not measured', below } = shown ?? {};
  return (
    <button
      type="button"
      className="kp-pivot-cell"
      data-place={place}
      tabIndex={entered ? 0 : -1}
      aria-disabled={cell === undefined}
      aria-label={words}
      title={words}
      onFocus={onEnter}
      onClick={() => cell && onCell(cell.cell)}
      {...(tile && { style: { background: tile.ground, color: tile.ink } })}
    >
      {text}
      <Warnings of={cell} onTile />
      {below ? <small>{below}</small> : null}
    </button>
  );
}

function shownIn(result: SessionResult, { cells }: Pivot, against: FactorRatios | undefined): (Shown | undefined)[][] {
  const flat = cells.flat();
  const plain = against ? ratiosShown(flat, against) : valuesShown(flat, result);
  const all = plain.map((shown): Shown | undefined => {
    const warnings = warningsOf(shown?.cell).map(caveatSentence);
    return shown && warnings.length > 0 ? { ...shown, words: [`${shown.words}.`, ...warnings].join(' ') } : shown;
  });
  const width = cells[0]?.length ?? 0;
  return cells.map((_, row) => all.slice(row * width, (row + 1) * width));
}

function valuesShown(cells: readonly (CellResult | undefined)[], { metric: id }: SessionResult): (Shown | undefined)[] {
  const metric = metricOf(id);
  const values = cells.map((cell) => cell?.value);
  const digits = columnDigits(metric, values);
  const tiles = valueTiles(values);
  return cells.map((cell, index): Shown | undefined => {
    if (!cell) return undefined;
    const text = valueWords(cell, digits);
    const few = cell.means.length === 1 ? ', one repeat' : `, ${cell.means.length} repeats`;
    return { text, cell, tile: tiles[index], words: `${text} ${metric.unit}${few}` };
  });
}

const CONCLUSIVE: readonly Verdict[] = ['better', 'worse', 'higher', 'lower', 'too-small', 'no-difference'];

function ratiosShown(cells: readonly (CellResult | undefined)[], against: FactorRatios): (Shown | undefined)[] {
  const found = cells.map((cell) => against.cells.find((each) => each.cell === cell?.cell));
  // Inconclusive ratios have no colour: only significant differences are coloured.
  const tiles = ratioTiles(found.map((each) => (each && CONCLUSIVE.includes(each.verdict) ? each.ratio : undefined)));
  return cells.map((cell, index): Shown | undefined => {
    if (!cell) return undefined;
    const each = found[index];
    if (each?.ratio !== undefined)
      return {
        ...{ text: formatTimes(each.ratio), below: VERDICT_WORDS[each.verdict], words: each.sentence },
        ...{ cell, tile: tiles[index] },
      };
    const isBaseline = String(cell.levels[against.factor]) === String(against.level);
    const words = isBaseline ? 'the baseline' : (each?.sentence ?? 'no matching baseline cell');
    return { text: isBaseline ? 'baseline' : NO_VALUE, words, cell };
  });
}
