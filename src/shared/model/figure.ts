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

/** Facts of a cell that caveats are found in. */
interface CellFacts {
  readonly partial: boolean;
  readonly means: readonly number[];
  readonly stalls?: StallFigures | undefined;
  /** Its metric excludes stalled time: a latency. */
  readonly excludesStalls?: boolean | undefined;
  readonly errors: number;
  readonly failures?: readonly { readonly events: number; readonly seconds: number }[] | undefined;
  readonly bound?: FigureBound | undefined;
  readonly excluded?:
    | readonly { readonly trial: number; readonly reason: string; readonly replacedBy?: number | undefined }[]
    | undefined;
}

/** As `Caveat`. */
interface Found {
  readonly words?: string;
  readonly short?: string;
  readonly evidence?: string;
  readonly leavesOut?: number;
}

interface CaveatKind {
  /** For a narrow place; the words of the caveat too, where it has none of its own. */
  readonly mark: string;
  /** warn: wherever the figure is ranked or compared. note: beside the figure where there is room. */
  readonly severity: 'warn' | 'note';
  /** Tables have a column for it, and need no mark. */
  readonly column?: true;
  /** Leads from a cell to the words: “threads 8 had 12 errors”. */
  readonly verb?: 'had' | 'was';
  /** The figure is neither ranked nor judged: why, as a sentence and behind “the figure of the baseline”. */
  readonly bars?: { readonly ranking: string; readonly verdict: string };
  /** Why cells are not ranked that have more of it than others (`leavesOut`), behind their names. */
  readonly apart?: string;
  /** Why the first of a ranking is not called the best. */
  readonly open?: string;
  /** What to do about it: it is a finding of the session. */
  readonly next?: string;
  /** Undefined if a cell does not have it. */
  readonly find: (cell: CellFacts) => Found | undefined;
}

const boundBy = ({ bound }: CellFacts, isNetwork: boolean): Found | undefined =>
  bound && LOAD_VERDICTS.includes(bound.verdict) && (bound.verdict === 'network') === isNetwork
    ? { words: `bound by ${boundTitle(bound.verdict)}, not by the system under test`, evidence: bound.sentence }
    : undefined;
const LOAD = { mark: 'bound by generator or network', severity: 'warn', verb: 'was' } as const;
const NOT_OF_SERVER = 'Do not rank or compare these figures as those of the server.';

/** All that a figure may have to be read with, in the order in which it is listed. A new caveat is a line here. */
const CAVEATS = {
  partial: {
    ...{ mark: 'partial', severity: 'note' },
    bars: { ranking: 'Its runs ended early.', verdict: 'is of runs that failed or ended early' },
    find: ({ partial }) => (partial ? {} : undefined),
  },
  stalled: {
    ...{ mark: 'stalled', severity: 'note', apart: 'which stalled for longer. A latency excludes that time.' },
    find: ({ stalls, excludesStalls }) =>
      stalls && stalls.count > 0
        ? {
            words: `${formatCount(stalls.count, 'stall')}, ${formatPercent(stalls.share, 1)} of the time, longest ${formatNumber(stalls.longest, 1)} s`,
            ...(excludesStalls && { leavesOut: stalls.share }),
          }
        : undefined,
  },
  errors: {
    ...{ mark: 'errors', severity: 'warn', column: true, verb: 'had' },
    find: (cell) =>
      cell.errors > 0 ? { words: errorWords(cell), short: formatCount(cell.errors, 'error') } : undefined,
  },
  'bound-by-generator': {
    ...{ ...LOAD, next: `${NOT_OF_SERVER} Use more or larger generators.` },
    find: (cell) => boundBy(cell, false),
  },
  'bound-by-network': {
    ...{ ...LOAD, next: `${NOT_OF_SERVER} Use a faster network, or less traffic per operation.` },
    find: (cell) => boundBy(cell, true),
  },
  excluded: {
    ...{ mark: 'runs excluded', severity: 'note', column: true },
    find: ({ excluded = [] }) => (excluded.length > 0 ? { words: excludedWords(excluded) } : undefined),
  },
  'one-repeat': {
    ...{ mark: 'measured once', severity: 'note', column: true, open: 'One repeat: variance unknown' },
    find: ({ means }) => (means.length === 1 ? {} : undefined),
  },
} as const satisfies Readonly<Record<string, CaveatKind>>;

export type CaveatId = keyof typeof CAVEATS;
const IDS = Object.keys(CAVEATS) as [CaveatId, ...CaveatId[]];
const kindOf = ({ id }: Caveat): CaveatKind => CAVEATS[id];

/** Something that a figure has to be read with, as it was found. */
export const Caveat = z.object({
  id: z.enum(IDS),
  /** Behind the figure; absent: those of its kind. */
  words: z.string().optional(),
  /** The same in a word or two. */
  short: z.string().optional(),
  /** What it was found by, a sentence. */
  evidence: z.string().optional(),
  /** Share of the time that the figure excludes, 0 … 1. Figures that exclude unlike shares are not ranked against each other. */
  leavesOut: z.number().optional(),
});
export type Caveat = z.infer<typeof Caveat>;
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
  const found = IDS.flatMap((id): Caveat[] => {
    const caveat = CAVEATS[id].find(cell);
    return caveat ? [{ id, ...caveat }] : [];
  });
  return found.length > 0 ? { caveats: found } : {};
}

const wordsOf = (caveat: Caveat): string => caveat.words ?? kindOf(caveat).mark;

/** “Bound by the network, not by the system under test.” */
export const caveatSentence = (caveat: Caveat): string => `${capital(wordsOf(caveat))}.`;

/** Those that warn, but for those that tables have a column for: they are marked beside the figure, and named below tables and pictures. */
export const warningsOf = ({ caveats = [] }: Figured = {}): Caveat[] =>
  caveats.filter((caveat) => kindOf(caveat).severity === 'warn' && !kindOf(caveat).column);

/** In a table of words, for those without a column: “partial; 2 stalls, 20 % of the time, longest 2.0 s”; empty: there is none. */
export const columnWords = ({ caveats = [] }: Figured): string =>
  caveats
    .filter((caveat) => !kindOf(caveat).column)
    .map(wordsOf)
    .join('; ');

/** The same of those that warn. */
export const warningWords = (figure?: Figured): string => warningsOf(figure).map(wordsOf).join('; ');

/** “bound by generator or network”, “12 errors” */
export const markOf = (caveat: Caveat): string => caveat.short ?? kindOf(caveat).mark;

/** Few words of all that warns, for a bar or a point: “12 errors, bound by generator or network”; empty: nothing does. */
export const warningMarks = ({ caveats = [] }: Figured): string =>
  caveats
    .filter((caveat) => kindOf(caveat).severity === 'warn')
    .map(markOf)
    .join(', ');

/** The same of those that tables have a column for, where there is no such table. */
export const countMarks = ({ caveats = [] }: Figured): string =>
  caveats
    .filter((caveat) => kindOf(caveat).severity === 'warn' && kindOf(caveat).column)
    .map(markOf)
    .join(', ');

/** What is to be known of a figure and does not warn: “2 runs excluded (trial 32: its link was cut)”. */
export const noteWords = ({ caveats = [] }: Figured): string[] =>
  caveats.filter((caveat) => kindOf(caveat).severity === 'note').map(wordsOf);

/** Behind a figure in a sentence: “, with 12 errors, bound by the network, not by the system under test”; empty: nothing warns. */
export const behindFigure = ({ caveats = [] }: Figured): string =>
  caveats
    .filter((caveat) => kindOf(caveat).severity === 'warn')
    .map((caveat) => `, ${kindOf(caveat).verb === 'had' ? 'with ' : ''}${caveat.short ?? wordsOf(caveat)}`)
    .join('');

/** Behind the name of a cell: “had 12 errors, and was bound by the network, not by the system under test”; empty: nothing warns. */
export const behindName = ({ caveats = [] }: Figured): string =>
  caveats
    .flatMap((caveat) => {
      const { severity, verb = 'was' } = kindOf(caveat);
      return severity === 'warn' ? [`${verb} ${wordsOf(caveat)}`] : [];
    })
    .join(', and ');

/** Why a figure is neither ranked nor judged, and the mark of that; undefined: it is. */
export const barOf = ({ caveats = [] }: Figured): (CaveatKind['bars'] & { mark: string }) | undefined =>
  caveats.flatMap((caveat) => {
    const { bars, mark } = kindOf(caveat);
    return bars ? [{ ...bars, mark }] : [];
  })[0];

/** Why the first of a ranking is not called the best, and the mark of that; undefined: it may be. */
export const openOf = ({ caveats = [] }: Figured): { open: string; mark: string } | undefined =>
  caveats.flatMap((caveat) => {
    const { open, mark } = kindOf(caveat);
    return open === undefined ? [] : [{ open, mark }];
  })[0];

/** Where a table has no line for it: what a note adds that is more than a mark, a sentence each. */
export const noteSentences = ({ caveats = [] }: Figured): string[] =>
  caveats.flatMap((caveat) => {
    const { severity, column } = kindOf(caveat);
    return severity === 'note' && !column && caveat.words !== undefined ? [`${caveat.words}.`] : [];
  });

/** Shares that differ by less than this, 0 … 1, do not make figures incomparable. */
const UNLIKE = 0.01;

const leftOut = ({ caveats = [] }: Figured): number =>
  caveats.reduce((most, { leavesOut = 0 }) => Math.max(most, leavesOut), 0);

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

/** Why a cell is not ranked that `alikeOf` omits, behind its name. */
export const apartWords = ({ caveats = [] }: Figured): string =>
  caveats.flatMap((caveat) => kindOf(caveat).apart ?? [])[0] ?? '';

type Cell = Figured & { readonly levels: Levels };
interface Compared {
  readonly cells: readonly { readonly baseline?: Cell | undefined; readonly other?: Cell | undefined }[];
  readonly findings: readonly { readonly code: string }[];
}

interface CaveatGroup {
  readonly id: CaveatId;
  /** Which cells, in a sentence. */
  readonly message: string;
  /** Of the first of them. */
  readonly evidence: string;
  /** What to do about it. */
  readonly next: string | undefined;
}

/** The warnings of these cells, with the cells that have the same one together. */
export function warningGroups(cells: readonly Cell[]): CaveatGroup[] {
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

/** The warnings of both sides of a comparison that no finding of it is about, a sentence each. */
export function comparedWarnings({ cells, findings }: Compared): string[] {
  const sides = {
    Baseline: cells.flatMap(({ baseline }) => baseline ?? []),
    Compared: cells.flatMap(({ other }) => other ?? []),
  };
  return Object.entries(sides).flatMap(([side, of]) =>
    warningGroups(of)
      .filter(({ id }) => findings.every(({ code }) => code !== id))
      .map(({ message }) => `${side}: ${message}`),
  );
}

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
