import { z } from 'zod';
import { capital, formatCount, formatLevels, formatNumber, formatPercent, formatShort } from '../util/format.ts';
import { named } from '../util/named.ts';
import { boundTitle, type FigureBound, LOAD_VERDICTS } from './analysis.ts';
import type { Levels } from './experiment.ts';
import { ChosenPick } from './pick.ts';

/**
 * What a figure is calculated from. histogram: all events, counted by latency. tool: the tool's own final report. seconds: the values of the
 * seconds. computed: other figures.
 */
export const FigureSource = z.enum(['histogram', 'tool', 'seconds', 'computed']);
export type FigureSource = z.infer<typeof FigureSource>;

/**
 * `wholeRun`: it covers the run from its start, the warm-up that is cut from other figures included. `pick`: which of the repeats represents
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
  /** Stretches in which no event ended. */
  count: z.number(),
  /** Seconds of the longest. */
  longest: z.number(),
  /** Of the time, 0 … 1. */
  share: z.number(),
});
export type StallFigures = z.infer<typeof StallFigures>;

/** The operations that a percentile of latencies was taken from. */
export interface Tail {
  /** Operations of the run, or of the second, that had the fewest; of all runs where they were counted by latency. */
  readonly operations: number;
  /** The number of these that are expected to be slower than the percentile. */
  readonly slower: number;
  readonly bySecond: boolean;
}

/** With fewer slower operations a percentile is decided by a few of them: their number varies by a third from run to run. */
const LEAST_SLOWER = 10;

/** Facts of a cell that caveats are found in. */
interface CellFacts {
  readonly partial: boolean;
  readonly means: readonly number[];
  readonly stalls?: StallFigures | undefined;
  /** Its metric excludes stalled time: a latency. */
  readonly excludesStalls?: boolean;
  readonly errors: number;
  readonly failures?: readonly { readonly events: number; readonly seconds: number }[] | undefined;
  readonly bound?: FigureBound | undefined;
  /** Its percentile is where the scale of the tool ends. */
  readonly clipped?: boolean;
  readonly tail?: Tail | undefined;
  readonly excluded?:
    | readonly { readonly trial: number; readonly reason: string; readonly replacedBy?: number | undefined }[]
    | undefined;
}

const Found = z.object({
  /** Behind the figure; absent: the mark. */
  words: z.string().optional(),
  /** The same in a word or two. */
  short: z.string().optional(),
  /** A sentence. */
  evidence: z.string().optional(),
  /** Share of the time that the figure excludes, 0 … 1. Figures that exclude unlike shares are not ranked against each other. */
  leavesOut: z.number().optional(),
});

interface CaveatKind {
  /** For a narrow place. */
  readonly mark: string;
  /** warn: wherever the figure is ranked or compared. note: beside the figure where there is room. */
  readonly severity: 'warn' | 'note';
  /** Tables have a column for it, and need no mark. */
  readonly column?: true;
  /** CSV states it in columns of its own. */
  readonly csv?: true;
  /** Leads from a cell to the words: “threads 8 had 12 errors”. */
  readonly verb?: 'had' | 'was';
  /** The figure is neither ranked nor judged: why, in a word, as a sentence and behind “the figure of the baseline”. */
  readonly bars?: { readonly mark: string; readonly ranking: string; readonly verdict: string };
  /** Why cells are not ranked that have more of it than others (`leavesOut`), behind their names. */
  readonly apart?: string;
  /** Why the first of a ranking is not called the best. */
  readonly open?: string;
  /** What to do about it: it is a finding of the session. */
  readonly next?: string;
  /** Undefined if a cell does not have it. */
  readonly find: (cell: CellFacts) => z.infer<typeof Found> | undefined;
}

const boundBy = ({ bound }: CellFacts, isNetwork: boolean) =>
  bound && LOAD_VERDICTS.includes(bound.verdict) && (bound.verdict === 'network') === isNetwork
    ? { words: `bound by ${boundTitle(bound.verdict)}, not by the system under test`, evidence: bound.sentence }
    : undefined;
const LOAD = { mark: 'bound by generator or network', severity: 'warn', csv: true, verb: 'was' } as const;
const NOT_OF_SERVER = 'Do not rank or compare these figures as server performance.';

/** All that a figure may have to be read with, in the order in which it is listed. A new caveat is an entry here. */
const CAVEATS = {
  partial: {
    ...{ mark: 'partial', severity: 'note', csv: true },
    bars: { mark: 'partial', ranking: 'Its runs ended early.', verdict: 'includes runs that failed or ended early' },
    find: ({ partial }) => (partial ? {} : undefined),
  },
  stalled: {
    ...{ mark: 'stalled', severity: 'note', csv: true },
    apart: 'which stalled for longer. A latency excludes that time.',
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

/** Something that a figure has to be read with, as it was found. */
const Caveat = Found.extend({ id: z.enum(IDS) });
type Caveat = z.infer<typeof Caveat>;
export const Caveats = z.array(Caveat).optional();

/** What was measured of a metric, in a run, a cell or several, and what it has to be read with. */
export const Figure = z.object({
  /** Absent: none was measured, or each repeat represents itself. */
  value: z.number().optional(),
  basis: FigureBasis.optional(),
  /** Smallest and largest figure of its complete runs, where their mean is not what is shown: of percentiles, maxima and minima, and of picks. */
  range: z.object({ low: z.number(), high: z.number() }).optional(),
  /** 95 % interval of the mean over repeats (Student's t on their logarithms, so never below zero); absent with fewer than two. */
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  /** Absent: none. */
  caveats: Caveats,
});
export type Figure = z.infer<typeof Figure>;

/** Anything with a figure that may have caveats. */
export interface Figured {
  readonly caveats?: readonly Caveat[] | undefined;
}

/** The caveats of a cell by its facts; nothing where it has none. */
export function caveatsOf(cell: CellFacts): { caveats?: Caveat[] } {
  const caveats = IDS.flatMap((id): Caveat[] =>
    [CAVEATS[id].find(cell) ?? []].flat().map((found) => ({ id, ...found })),
  );
  return caveats.length > 0 ? { caveats } : {};
}

const warns = ({ severity }: CaveatKind): boolean => severity === 'warn';
const wordsOf = (caveat: Caveat): string => caveat.words ?? kindOf(caveat).mark;

/** “Bound by the network, not by the system under test.” */
export const caveatSentence = (caveat: Caveat): string => `${capital(wordsOf(caveat))}.`;

/** “bound by generator or network”, “12 errors” */
export const markOf = (caveat: Caveat): string => caveat.short ?? kindOf(caveat).mark;

const isMarked = (kind: CaveatKind): boolean => warns(kind) && !kind.column;

/** Those that warn, but for those that tables have a column for: they are marked beside the figure, and named below tables and pictures. */
export const warningsOf = ({ caveats = [] }: Figured = {}): Caveat[] =>
  caveats.filter((caveat) => isMarked(kindOf(caveat)));

type Place = readonly [
  has: (kind: CaveatKind, caveat: Caveat) => unknown,
  as: (caveat: Caveat) => string,
  between: string,
];

/** Where caveats are named: which, as what, and what is between two of them. */
const PLACES = {
  /** In a table of words, those without a column: “partial; 2 stalls, 20 % of the time, longest 2.0 s” */
  table: [({ column }) => !column, wordsOf, '; '],
  /** Of a list, those that warn. */
  list: [isMarked, wordsOf, '; '],
  /** Those that warn and have no column in it, as those of counts. */
  counts: [(kind) => warns(kind) && kind.column, markOf, ', '],
  /** In CSV, those that its other columns do not state. */
  csv: [({ csv }) => !csv, caveatSentence, ' '],
  /** At a bar or a point: “12 errors, bound by generator or network” */
  chart: [warns, markOf, ', '],
  /** In a tooltip, those that do not warn: “2 runs excluded (trial 32: its link was cut)” */
  tooltip: [(kind) => !warns(kind), wordsOf, '\n'],
  /** In a note below a table, those that it has no place for: more than a mark, without a warning. */
  note: [(kind, { words }) => words && !warns(kind) && !kind.column, caveatSentence, ' '],
  /** Behind a figure in a sentence: “, with 12 errors, bound by the network, not by the system under test” */
  figure: [warns, (one) => `, ${kindOf(one).verb === 'had' ? 'with ' : ''}${one.short ?? wordsOf(one)}`, ''],
  /** Behind the name of a cell: “had 12 errors, and was bound by the network, not by the system under test” */
  name: [warns, (caveat) => `${kindOf(caveat).verb ?? 'was'} ${wordsOf(caveat)}`, ', and '],
} as const satisfies Readonly<Record<string, Place>>;

/** Empty: there are none. */
export function caveatWords(place: keyof typeof PLACES, { caveats = [] }: Figured = {}): string {
  const [has, as, between]: Place = PLACES[place];
  return caveats
    .filter((caveat) => has(kindOf(caveat), caveat))
    .map(as)
    .join(between);
}

/** The parts of the load that bound a figure, in words: “the load generator”, “the network”. Empty: what was measured is the system under test. */
export const loadLimitsOf = ({ caveats = [] }: Figured): string[] =>
  caveats.flatMap(({ id }) =>
    id === 'bound-by-generator' ? ['the load generator'] : id === 'bound-by-network' ? ['the network'] : [],
  );

const first = <Value>({ caveats = [] }: Figured, of: (kind: CaveatKind) => Value | undefined): Value | undefined =>
  caveats.map((caveat) => of(kindOf(caveat))).find((value) => value !== undefined);

/** Why a figure is neither ranked nor judged; undefined: it is. */
export const barOf = (figure: Figured): CaveatKind['bars'] => first(figure, ({ bars }) => bars);

/** Why the first of a ranking is not called the best; undefined: it may be. */
export const openOf = (figure: Figured): string | undefined => first(figure, ({ open }) => open);

/** Why a cell is not ranked that `alikeOf` omits, behind its name. */
export const apartOf = (figure: Figured): string | undefined => first(figure, ({ apart }) => apart);

/** Shares that differ by less than this, 0 … 1, do not make figures incomparable. */
const UNLIKE = 0.01;
const leftOut = ({ caveats = [] }: Figured): number => Math.max(0, ...caveats.map(({ leavesOut = 0 }) => leavesOut));

/** Whether one of two figures excludes more of the time than the other, so that they say nothing of the same thing. */
export const areUnlike = (one: Figured, other: Figured): boolean => Math.abs(leftOut(one) - leftOut(other)) >= UNLIKE;

/** Cells that exclude no more of the time than the others; the rest is not ranked. */
export function alikeOf<Of extends Figured>(figures: readonly Of[]): Of[] {
  const least = Math.min(...figures.map(leftOut));
  return figures.filter((figure) => leftOut(figure) - least < UNLIKE);
}

/** The only figures that may be ranked or judged among these. */
export const rankable = <Of extends Figured>(figures: readonly Of[]): Of[] =>
  alikeOf(figures).filter((figure) => !barOf(figure));

/** The warnings of these cells, those with the same one together: which cells, in a sentence, and the evidence of the first. */
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
  `percentile of ${formatCount(Math.round(operations), 'operation')}${bySecond ? ' by the second' : ''}: ${formatNumber(Math.floor(slower))} slower, a reliable one needs ${LEAST_SLOWER}`;

const stallWords = ({ count, share, longest }: StallFigures): string =>
  `${formatCount(count, 'stall')}, ${formatPercent(share, 1)} of the time, longest ${formatNumber(longest, 1)} s`;

/** Errors of a cell by the second, over its complete runs; undefined where the tool counts none or no run is complete. */
export function errorRate({ failures = [] }: Pick<CellFacts, 'failures'>): number | undefined {
  const seconds = failures.reduce((sum, count) => sum + count.seconds, 0);
  return seconds > 0 ? failures.reduce((sum, { events }) => sum + events, 0) / seconds : undefined;
}

/** "30,000 errors (500 per s)" */
export function errorWords(cell: Pick<CellFacts, 'errors' | 'failures'>): string {
  const rate = errorRate(cell);
  return `${formatCount(cell.errors, 'error')}${rate ? ` (${formatShort(rate)} per s)` : ''}`;
}

/** “2 runs excluded (trial 32: its link was cut; trial 40, replaced by trial 41: …)”, the reasons that people gave. */
export function excludedWords(runs: NonNullable<CellFacts['excluded']>): string {
  const each = runs.map(({ trial, reason, replacedBy }) => {
    const by = replacedBy === undefined ? '' : `, replaced by trial ${replacedBy + 1}`;
    return `trial ${trial + 1}${by}: ${reason.replace(/\.$/, '')}`;
  });
  return `${formatCount(runs.length, 'run')} excluded (${each.join('; ')})`;
}
