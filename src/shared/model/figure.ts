import { z } from 'zod';
import { capital, formatCount, formatLevels, formatNumber, formatPercent, formatShort, named } from '../util/format.ts';
import { boundTitle, type FigureBound, LOAD_VERDICTS } from './analysis.ts';
import type { Levels } from './experiment.ts';
import { ChosenPick } from './measure.ts';

/**
 * Source of a figure. histogram: all events, counted by latency. tool: the tool's own final report. seconds: the values of the seconds.
 * computed: other figures.
 */
export const FigureSource = z.enum(['histogram', 'tool', 'seconds', 'computed']);
export type FigureSource = z.infer<typeof FigureSource>;

/**
 * `wholeRun`: it covers the run from its start, including the warm-up that is cut from other figures. `pick`: the repeat that represents
 * the cell; absent: all of them together.
 */
export const FigureBasis = z.object({
  from: FigureSource,
  wholeRun: z.literal(true).optional(),
  pick: ChosenPick.optional(),
});
export type FigureBasis = z.infer<typeof FigureBasis>;

/** How long runs stalled after the cut. */
export const StallFigures = z.object({
  /** Periods in which no event completed. */
  count: z.number(),
  /** Length of the longest, seconds. */
  longest: z.number(),
  /** Share of the time, 0 … 1. */
  share: z.number(),
});
export type StallFigures = z.infer<typeof StallFigures>;

/** Operations behind a percentile of latencies. */
export interface Tail {
  /** Operations of the run, or of the second, that had the fewest; of all runs if they were counted by latency. */
  readonly operations: number;
  /** Expected number of these that are slower than the percentile. */
  readonly slower: number;
  readonly bySecond: boolean;
}

/** With fewer slower operations, a few of them decide a percentile: their number varies by a third from run to run. */
const LEAST_SLOWER = 10;

/** Facts of a cell that caveats are derived from. */
interface CellFacts {
  readonly partial: boolean;
  readonly means: readonly number[];
  readonly stalls?: StallFigures | undefined;
  /** Its metric excludes stalled time: a latency. */
  readonly excludesStalls?: boolean;
  readonly errors: number;
  readonly failures?: readonly { readonly events: number; readonly seconds: number }[] | undefined;
  readonly bound?: FigureBound | undefined;
  /** Its percentile is at the end of the tool's scale. */
  readonly clipped?: boolean;
  readonly tail?: Tail | undefined;
  readonly excluded?:
    | readonly { readonly trial: number; readonly reason: string; readonly replacedBy?: number | undefined }[]
    | undefined;
}

const Found = z.object({
  /** Text behind the figure; absent: the mark. */
  words: z.string().optional(),
  /** The same in one or two words. */
  short: z.string().optional(),
  /** A sentence. */
  evidence: z.string().optional(),
  /** Share of the time that the figure excludes, 0 … 1. Figures that exclude different shares are not ranked against each other. */
  leavesOut: z.number().optional(),
});

interface CaveatKind {
  /** For narrow places. */
  readonly mark: string;
  /** warn: wherever the figure is ranked or compared. note: next to the figure where there is room. */
  readonly severity: 'warn' | 'note';
  /** Tables have a column for it and need no mark. */
  readonly column?: true;
  /** CSV has columns of its own for it. */
  readonly csv?: true;
  /** Joins a cell and the words: “threads 8 had 12 errors”. */
  readonly verb?: 'had' | 'was';
  /** Why the figure is neither ranked nor judged: in a word, as a sentence, and as the end of “the figure of the baseline”. */
  readonly bars?: { readonly mark: string; readonly ranking: string; readonly verdict: string };
  /** Why cells with more of it than others (`leavesOut`) are not ranked, as the end of a sentence that begins with their names. */
  readonly apart?: string;
  /** Why the first of a ranking is not called the best. */
  readonly open?: string;
  /** Remedy: it makes this a finding of the session. */
  readonly next?: string;
  /** Undefined if a cell does not have it. */
  readonly find: (cell: CellFacts) => z.infer<typeof Found> | undefined;
}

const boundBy = ({ bound }: CellFacts, isNetwork: boolean) =>
  bound && LOAD_VERDICTS.includes(bound.verdict) && (bound.verdict === 'network') === isNetwork
    ? { words: `limited by ${boundTitle(bound.verdict)}, not by the system under test`, evidence: bound.sentence }
    : undefined;
const LOAD = { mark: 'limited by generator or network', severity: 'warn', csv: true, verb: 'was' } as const;
const NOT_OF_SERVER = 'Do not rank or compare these figures as server performance.';

/** All caveats that a figure may have, in the order in which they are listed. A new caveat is an entry here. */
const CAVEATS = {
  partial: {
    ...{ mark: 'partial', severity: 'note', csv: true },
    bars: { mark: 'partial', ranking: 'Its runs ended early.', verdict: 'includes runs that failed or ended early' },
    find: ({ partial }) => (partial ? {} : undefined),
  },
  stalled: {
    ...{ mark: 'stalled', severity: 'note', csv: true },
    apart: 'which stalled for longer. Latency excludes stalled time.',
    find: ({ stalls, excludesStalls }) =>
      stalls?.count ? { words: stallWords(stalls), ...(excludesStalls && { leavesOut: stalls.share }) } : undefined,
  },
  errors: {
    ...{ mark: 'errors', severity: 'warn', column: true, csv: true, verb: 'had' },
    find: (cell) => (cell.errors ? { words: errorWords(cell), short: formatCount(cell.errors, 'error') } : undefined),
  },
  'bound-by-generator': {
    ...{ ...LOAD, next: `${NOT_OF_SERVER} Use more or larger generators.` },
    find: (cell) => boundBy(cell, false),
  },
  'bound-by-network': {
    ...{ ...LOAD, next: `${NOT_OF_SERVER} Use a faster network, or less traffic per operation.` },
    find: (cell) => boundBy(cell, true),
  },
  clipped: {
    ...{ mark: 'end of the scale', severity: 'warn', verb: 'was' },
    next: 'Compare the maximum of these cells, and find out why operations take so long.',
    find: ({ clipped }) =>
      clipped ? { words: 'at the end of the tool’s scale, so the true value is this or more' } : undefined,
  },
  'few-operations': {
    ...{ mark: 'few operations', severity: 'note' },
    find: ({ tail }) => (tail && tail.slower < LEAST_SLOWER ? { words: tailWords(tail) } : undefined),
  },
  excluded: {
    ...{ mark: 'runs excluded', severity: 'note', column: true, csv: true },
    find: ({ excluded }) => (excluded?.length ? { words: excludedWords(excluded) } : undefined),
  },
  'one-repeat': {
    ...{
      mark: 'measured once',
      severity: 'note',
      column: true,
      csv: true,
      open: 'measured once, variance unknown',
    },
    find: ({ means }) => (means.length === 1 ? {} : undefined),
  },
} as const satisfies Readonly<Record<string, CaveatKind>>;

type CaveatId = keyof typeof CAVEATS;
const IDS = Object.keys(CAVEATS) as [CaveatId, ...CaveatId[]];
const kindOf = ({ id }: Caveat): CaveatKind => CAVEATS[id];

/** A caveat as found. */
const Caveat = Found.extend({ id: z.enum(IDS) });
type Caveat = z.infer<typeof Caveat>;
export const Caveats = z.array(Caveat).optional();

/** Measured value of a metric, in a run, a cell or several, with its caveats. */
export const Figure = z.object({
  /** Absent: none was measured, or the figure is that of each repeat. */
  value: z.number().optional(),
  basis: FigureBasis.optional(),
  /** Smallest and largest figure of its complete runs, if the value shown is not their mean: for percentiles, maxima, minima and picks. */
  range: z.object({ low: z.number(), high: z.number() }).optional(),
  /** 95 % interval of the mean over repeats (Student's t on their logarithms, so never below zero); absent with fewer than two. */
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  /** Absent: no caveats. */
  caveats: Caveats,
});
export type Figure = z.infer<typeof Figure>;

/** Anything with a figure that may have caveats. */
export interface Figured {
  readonly caveats?: readonly Caveat[] | undefined;
}

/** Returns the caveats of a cell; an empty object if it has none. */
export function caveatsOf(cell: CellFacts): { caveats?: Caveat[] } {
  const caveats = IDS.flatMap((id): Caveat[] =>
    [CAVEATS[id].find(cell) ?? []].flat().map((found) => ({ id, ...found })),
  );
  return caveats.length > 0 ? { caveats } : {};
}

const warns = ({ severity }: CaveatKind): boolean => severity === 'warn';
const wordsOf = (caveat: Caveat): string => caveat.words ?? kindOf(caveat).mark;

/** “Limited by the network, not by the system under test.” */
export const caveatSentence = (caveat: Caveat): string => `${capital(wordsOf(caveat))}.`;

/** “limited by generator or network”, “12 errors” */
export const markOf = (caveat: Caveat): string => caveat.short ?? kindOf(caveat).mark;

const isMarked = (kind: CaveatKind): boolean => warns(kind) && !kind.column;

/**
 * The caveats that warn, except those that tables have a column for: they are marked next to the figure, and named below tables and charts.
 */
export const warningsOf = ({ caveats = [] }: Figured = {}): Caveat[] =>
  caveats.filter((caveat) => isMarked(kindOf(caveat)));

type Place = readonly [
  has: (kind: CaveatKind, caveat: Caveat) => unknown,
  as: (caveat: Caveat) => string,
  between: string,
];

/** Places that name caveats: which caveats, in which words, and the separator. */
const PLACES = {
  /** In a table of words, those without a column: “partial; 2 stalls, 20 % of the time, longest 2.0 s” */
  table: [({ column }) => !column, wordsOf, '; '],
  /** In a list, those that warn. */
  list: [isMarked, wordsOf, '; '],
  /** Those that warn and whose column the place lacks, such as counts. */
  counts: [(kind) => warns(kind) && kind.column, markOf, ', '],
  /** In CSV, those that have no columns of their own. */
  csv: [({ csv }) => !csv, caveatSentence, ' '],
  /** At a bar or point: “12 errors, limited by generator or network” */
  chart: [warns, markOf, ', '],
  /** In a tooltip, those that do not warn: “2 runs excluded (trial 32: its link was cut)” */
  tooltip: [(kind) => !warns(kind), wordsOf, '\n'],
  /** In a note below a table, those that it has no room for: more than a mark, without a warning. */
  note: [(kind, { words }) => words && !warns(kind) && !kind.column, caveatSentence, ' '],
  /** After a figure in a sentence: “, with 12 errors, limited by the network, not by the system under test” */
  figure: [warns, (one) => `, ${kindOf(one).verb === 'had' ? 'with ' : ''}${one.short ?? wordsOf(one)}`, ''],
  /** After the name of a cell: “had 12 errors, and was limited by the network, not by the system under test” */
  name: [warns, (caveat) => `${kindOf(caveat).verb ?? 'was'} ${wordsOf(caveat)}`, ', and '],
} as const satisfies Readonly<Record<string, Place>>;

/** Empty if there are none. */
export function caveatWords(place: keyof typeof PLACES, { caveats = [] }: Figured = {}): string {
  const [has, as, between]: Place = PLACES[place];
  return caveats
    .filter((caveat) => has(kindOf(caveat), caveat))
    .map(as)
    .join(between);
}

/** The parts of the load that bound a figure, in words: “the load generator”, “the network”. Empty if it measures the system under test. */
export const loadLimitsOf = ({ caveats = [] }: Figured): string[] =>
  caveats.flatMap(({ id }) =>
    id === 'bound-by-generator' ? ['the load generator'] : id === 'bound-by-network' ? ['the network'] : [],
  );

const first = <Value>({ caveats = [] }: Figured, of: (kind: CaveatKind) => Value | undefined): Value | undefined =>
  caveats.map((caveat) => of(kindOf(caveat))).find((value) => value !== undefined);

/** Why a figure is neither ranked nor judged; undefined if it is. */
export const barOf = (figure: Figured): CaveatKind['bars'] => first(figure, ({ bars }) => bars);

/** Why the first of a ranking is not called the best; undefined if it may be. */
export const openRanking = (figure: Figured): string | undefined => first(figure, ({ open }) => open);

/** Why a cell that `comparableOf` omits is not ranked, worded to follow its name. */
export const unrankedReason = (figure: Figured): string | undefined => first(figure, ({ apart }) => apart);

/** Shares that differ by less than this, 0 … 1, leave figures comparable. */
const LEAST_DIFFERENCE = 0.01;
const omittedShare = ({ caveats = [] }: Figured): number =>
  Math.max(0, ...caveats.map(({ leavesOut = 0 }) => leavesOut));

/** Whether one of two figures excludes more of the time than the other, so that they are not comparable. */
export const omitDifferently = (one: Figured, other: Figured): boolean =>
  Math.abs(omittedShare(one) - omittedShare(other)) >= LEAST_DIFFERENCE;

/** Cells that exclude no more of the time than the others; the rest are not ranked. */
export function comparableOf<Of extends Figured>(figures: readonly Of[]): Of[] {
  const least = Math.min(...figures.map(omittedShare));
  return figures.filter((figure) => omittedShare(figure) - least < LEAST_DIFFERENCE);
}

/** Only the figures that may be ranked or judged. */
export const rankable = <Of extends Figured>(figures: readonly Of[]): Of[] =>
  comparableOf(figures).filter((figure) => !barOf(figure));

/** Warnings of these cells, grouped by equal ones: the cells in a sentence, and the evidence of the first. */
export function warningGroups(cells: readonly (Figured & { readonly levels: Levels })[]) {
  const groups = new Map<string, { caveat: Caveat; levels: Levels[] }>();
  for (const cell of cells)
    for (const caveat of warningsOf(cell)) {
      const group = groups.get(wordsOf(caveat)) ?? { caveat, levels: [] };
      groups.set(wordsOf(caveat), group);
      group.levels.push(cell.levels);
    }
  return [...groups].map(([words, { caveat, levels }]) => {
    const { verb = 'was', next } = kindOf(caveat);
    const does = verb === 'was' && levels.length > 1 ? 'were' : verb;
    const which = cells.length === 1 ? 'The only cell' : `${formatCount(levels.length, 'cell')} of ${cells.length}`;
    const names = named(levels.map(formatLevels).filter((name) => name !== ''));
    const message = `${which} ${does} ${words}${names && `: ${names}`}.`;
    return { id: caveat.id, message, evidence: caveat.evidence ?? '', next };
  });
}

const tailWords = ({ operations, slower, bySecond }: Tail): string =>
  `percentile of ${formatCount(Math.round(operations), 'operation')}${bySecond ? ' in each second' : ''}: only ${formatNumber(Math.floor(slower))} slower; a reliable percentile needs ${LEAST_SLOWER}`;

const stallWords = ({ count, share, longest }: StallFigures): string =>
  `${formatCount(count, 'stall')}, ${formatPercent(share, 1)} of the time, longest ${formatNumber(longest, 1)} s`;

/** Errors of a cell per second, over its complete runs; undefined if the tool counts none or no run is complete. */
export function errorRate({ failures = [] }: Pick<CellFacts, 'failures'>): number | undefined {
  const seconds = failures.reduce((sum, count) => sum + count.seconds, 0);
  return seconds > 0 ? failures.reduce((sum, { events }) => sum + events, 0) / seconds : undefined;
}

/** "30,000 errors (500 per s)" */
export function errorWords(cell: Pick<CellFacts, 'errors' | 'failures'>): string {
  const rate = errorRate(cell);
  return `${formatCount(cell.errors, 'error')}${rate ? ` (${formatShort(rate)} per s)` : ''}`;
}

/** “2 runs excluded (trial 32: its link was cut; trial 40, replaced by trial 41: …)”, with the reasons that users gave. */
export function excludedWords(runs: NonNullable<CellFacts['excluded']>): string {
  const each = runs.map(({ trial, reason, replacedBy }) => {
    const by = replacedBy === undefined ? '' : `, replaced by trial ${replacedBy + 1}`;
    return `trial ${trial + 1}${by}: ${reason.replace(/\.$/, '')}`;
  });
  return `${formatCount(runs.length, 'run')} excluded (${each.join('; ')})`;
}
