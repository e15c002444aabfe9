import { formatCount, formatLevels } from '../util/format.ts';
import { named } from '../util/named.ts';
import { type BoundVerdict, boundTitle, type FigureBound, LOAD_VERDICTS } from './analysis.ts';
import type { Levels } from './experiment.ts';

/** A cell with what bounds it, as far as that is known. */
export interface BoundedCell {
  readonly levels: Levels;
  readonly bound?: FigureBound | undefined;
}

const NOT_THE_SYSTEM = 'not by the system under test';

/** Whether a figure says how much load there was, and not what the system under test can do. */
export const isLoadBound = <Bound extends Pick<FigureBound, 'verdict'>>(bound: Bound | undefined): bound is Bound =>
  bound !== undefined && LOAD_VERDICTS.includes(bound.verdict);

/** "bound by the network, not by the system under test", to stand behind a figure; undefined of any other bound. */
export const loadBoundWords = (bound: Pick<FigureBound, 'verdict'> | undefined): string | undefined =>
  isLoadBound(bound) ? `bound by ${boundTitle(bound.verdict)}, ${NOT_THE_SYSTEM}` : undefined;

/** The same as a sentence of its own. */
export const loadBoundSentence = (bound: Pick<FigureBound, 'verdict'> | undefined): string | undefined =>
  isLoadBound(bound) ? `Bound by ${boundTitle(bound.verdict)}, ${NOT_THE_SYSTEM}.` : undefined;

interface LoadBoundGroup {
  readonly verdict: BoundVerdict;
  /** Which cells, in a sentence. */
  readonly message: string;
  /** Of the first of them. */
  readonly evidence: string;
}

/** The cells whose figure tells of the load alone, together for each of the ways. */
export function loadBoundGroups(cells: readonly BoundedCell[]): LoadBoundGroup[] {
  const groups = new Map<BoundVerdict, BoundedCell[]>();
  for (const cell of cells)
    if (isLoadBound(cell.bound)) {
      const { verdict } = cell.bound;
      groups.set(verdict, [...(groups.get(verdict) ?? []), cell]);
    }
  return [...groups].map(([verdict, bounded]) => {
    const which = cells.length === 1 ? 'The only cell' : `${formatCount(bounded.length, 'cell')} of ${cells.length}`;
    const names = named(bounded.map(({ levels }) => formatLevels(levels)).filter((words) => words !== ''));
    return {
      verdict,
      message: `${which} ${bounded.length === 1 ? 'was' : 'were'} bound by ${boundTitle(verdict)}, ${NOT_THE_SYSTEM}${names && `: ${names}`}.`,
      evidence: bounded[0]?.bound?.sentence ?? '',
    };
  });
}
