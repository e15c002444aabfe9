import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import { USUAL_MARGIN } from '../../../shared/stats/index.ts';

/** The comparison that the address requests. */
export interface Question {
  readonly baseline: readonly number[];
  readonly other: readonly number[];
  /** Level of a factor that is the baseline within one session. */
  readonly against: { readonly factor?: string; readonly level?: string };
  /** Cell of the baseline that all others are compared with; undefined: those with the same levels. */
  readonly cell: number | undefined;
  readonly metric: string | undefined;
  /** Seconds cut at the start of each run of both sides; undefined: as planned. */
  readonly warmup: number | undefined;
  /** Share below which a difference does not matter. */
  readonly margin: number;
}

const idsOf = (text: string | null): number[] => [
  ...new Set((text ?? '').split(',').flatMap((id) => (/^\d+$/.test(id) ? [Number(id)] : []))),
];

/** `baseline=7,8&other=9`, `metric`, `warmup` in seconds, `margin` as a share, with one session on both sides `factor` and `level`, and `cell` from 1. */
export function questionOf(parameters: URLSearchParams): Question {
  const [factor, level] = [parameters.get('factor'), parameters.get('level')];
  const cell = Number(parameters.get('cell'));
  const cut = parameters.get('warmup');
  const warmup = cut === null || cut.trim() === '' || !(Number(cut) >= 0) ? undefined : Number(cut);
  const margin = Number(parameters.get('margin') ?? USUAL_MARGIN);
  return {
    baseline: idsOf(parameters.get('baseline')),
    other: idsOf(parameters.get('other')),
    against: { ...(factor !== null && { factor }), ...(level !== null && { level }) },
    cell: Number.isInteger(cell) && cell > 0 ? cell - 1 : undefined,
    metric: parameters.get('metric') ?? undefined,
    warmup: warmup === Number.POSITIVE_INFINITY ? undefined : warmup,
    margin: margin > 0 && margin <= 1 ? margin : USUAL_MARGIN,
  };
}

/** Whether the session's own cells are compared. */
export const isOneSession = ({ baseline, other }: Question): boolean =>
  baseline.length === 1 && other.length === 1 && baseline[0] === other[0];

/** The part of the address with the sessions of a side. */
export const withSide = (side: 'baseline' | 'other', ids: readonly number[]): Record<string, string | undefined> => ({
  [side]: ids.length > 0 ? ids.join(',') : undefined,
});

const MOST_RUNS = 50;

export const runsOf = (cell: Pick<CellResult, 'runs'> | undefined): number[] =>
  (cell?.runs ?? []).slice(0, MOST_RUNS).map(({ runId }) => runId);

/** Cells with runs on both sides, the one with the largest difference first. */
export const pairsOf = (cells: readonly ComparedCell[]): ComparedCell[] =>
  cells
    .filter(({ baseline, other }) => runsOf(baseline).length > 0 && runsOf(other).length > 0)
    .sort((one, another) => distance(another) - distance(one));

const distance = ({ ratio = 1 }: ComparedCell): number => Math.abs(Math.log(ratio > 0 ? ratio : 1));
