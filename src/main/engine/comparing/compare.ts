import { comparedFacts } from '../../../shared/captures/index.ts';
import { type ComparedSide, comparedFindings } from '../../../shared/checks/index.ts';
import { isLatency, metricOf } from '../../../shared/metrics/index.ts';
import { LEAST_VARYING, type Scalar } from '../../../shared/model/experiment.ts';
import { caveatsOf, type StallFigures, warningGroups } from '../../../shared/model/figure.ts';
import { type Finding, MECHANICS_FINDING, MECHANICS_ONLY } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell, Comparison } from '../../../shared/model/result.ts';
import { mergedFacts } from '../../../shared/model/session-words.ts';
import {
  type EventCount,
  type Judgement,
  judge,
  mean,
  type Repeats,
  spreadOf,
  trendFindings,
  USUAL_MARGIN,
} from '../../../shared/stats/index.ts';
import { formatCount, formatFigure, formatLevel, formatLevels, formatPercent } from '../../../shared/util/format.ts';
import { conditionFindings, differentDurability, errorFindings } from './conditions.ts';
import {
  changedSinceStart,
  differencesOf,
  laterParts,
  settingDifferences,
  settingDifferencesOf,
} from './differences.ts';
import { unfairness } from './fairness.ts';
import { foundDifferences, mismatchFindings, warning } from './found.ts';
import { overallOf } from './overall.ts';
import { type ComparedSession, pairCells, pairLevels, pairWithCell, type Question } from './pairs.ts';
import { summaryOf } from './verdict-words.ts';
import { judgeCells } from './verdicts.ts';

/** How the cells of a comparison are judged. */
export interface Judging {
  /** Share below which a difference does not matter. */
  margin?: number | undefined;
  /** Cell of the baseline that all cells of the other side are compared with. Default: those with the same levels. */
  cell?: number | undefined;
}

/**
 * Compares cell by cell: ratio to the baseline with its interval, and a verdict. With several sessions per side, each is one figure, so differences
 * between sessions are part of the noise; a single session per side allows no verdict on the set-ups, only on these sessions.
 */
export function compareSessions(
  baseline: ComparedSession | readonly ComparedSession[],
  other: ComparedSession | readonly ComparedSession[],
  { margin = USUAL_MARGIN, cell }: Judging = {},
): Comparison {
  const [left, right] = [[baseline].flat(), [other].flat()];
  const single = left.length === 1 && right.length === 1;
  const [a, b] = single ? [left[0], right[0]].map((side) => side as ComparedSession) : togetherOf(left, right);
  const [first, second] = [a as ComparedSession, b as ComparedSession];
  const { metric } = first.result;
  const question: Question = {
    ...{ metric, margin, basis: single ? 'single-sessions' : 'sessions' },
    later: { baseline: laterParts(first.detail), other: laterParts(second.detail) },
    mechanics: mechanicsOf([...left, ...right]),
  };
  const pairs =
    cell === undefined ? pairCells(first, second) : pairWithCell(second.result.cells, cell, first.result.cells);
  const judged = judgeCells(pairs, question);
  const { cells, errorsDiffer } = judged;
  const settings = settingDifferencesOf(first.detail, second.detail);
  const findings = [
    ...mechanicsFindings(question.mechanics),
    ...errorFindings(cells, errorsDiffer),
    ...mismatchFindings(cells),
    ...pairFindings(cells, first, second),
    ...conditionFindings(first, second, cells),
    ...(single && question.mechanics === undefined ? spreadFindings(cells, metric) : []),
    ...unfairness(first, second, settings, cells),
    ...[...left, ...right].flatMap(({ detail, result }) => [
      ...changedSinceStart(detail, detail.session.name),
      ...trendFindings(result, detail.session.name),
    ]),
  ];
  // Against one cell, their mean ratio has no meaning.
  const overall = cell === undefined ? overallOf(judged, findings, question) : undefined;
  const factsOf = (sessions: readonly ComparedSession[]) => sessions.flatMap(({ facts: own = [] }) => own);
  const facts = comparedFacts(factsOf(left), factsOf(right));
  return {
    ...{ basis: question.basis, margin, metric },
    metrics: first.result.metrics.filter((id) => second.result.metrics.includes(id)),
    runFigures: first.result.runFigures?.filter((id) => second.result.runFigures?.includes(id)) ?? [],
    baseline: { id: first.detail.session.id, name: nameOf(left) },
    other: { id: second.detail.session.id, name: nameOf(right) },
    warmup: { baseline: first.result.warmup, other: second.result.warmup },
    verdict: summaryOf(cells, question),
    ...(overall && { overall }),
    cells,
    differences: [...differencesOf(first.detail, second.detail), ...foundDifferences(cells)],
    ...(facts.length > 0 && { facts }),
    ...{ settings, findings },
  };
}

/** Name of the first session whose figures answer nothing. */
const mechanicsOf = (sessions: readonly ComparedSession[]): string | undefined =>
  sessions.find(({ detail }) => detail.experiment.mechanics)?.detail.session.name;

const mechanicsFindings = (name: string | undefined): Finding[] =>
  name === undefined
    ? []
    : [
        warning(
          MECHANICS_FINDING.code,
          `“${name}” is a ${MECHANICS_ONLY} only: it shows that the experiment runs. No verdict follows from its figures.`,
          'Compare sessions of the whole experiment.',
        ),
      ];

const nameOf = (sessions: readonly ComparedSession[]): string =>
  [...new Set(sessions.map(({ detail }) => detail.session.name))].join(', ') +
  (sessions.length > 1 ? ` (${sessions.length} sessions)` : '');

/**
 * Compares the cells of one session with those that have `level` of `factor` and otherwise the same levels, or all with one cell.
 * @throws KneepointError `bad-request` if the session has no such level or cell.
 */
export function compareLevels(
  session: ComparedSession,
  against: { factor: string; level: Scalar } | { cell: number },
  { margin = USUAL_MARGIN }: Judging = {},
): Comparison {
  const { detail, result } = session;
  const { metric } = result;
  const parts = laterParts(detail);
  const question: Question = {
    metric,
    margin,
    basis: 'levels',
    later: { baseline: parts, other: parts },
    mechanics: mechanicsOf([session]),
  };
  const pairs = 'cell' in against ? pairWithCell(result.cells, against.cell) : pairLevels(result, against);
  const judged = judgeCells(pairs, question);
  const { cells, errorsDiffer } = judged;
  const { id, name } = detail.session;
  const findings = [
    ...mechanicsFindings(question.mechanics),
    ...errorFindings(cells, errorsDiffer),
    ...spreadFindings(cells, metric),
    ...differentDurability(session, session, cells),
    ...conditionFindings(session, session, cells),
    ...changedSinceStart(detail, name),
    ...trendFindings(result, name),
  ];
  const overall = 'cell' in against ? undefined : overallOf(judged, findings, question);
  const [baseline = [], others = []] = (['baseline', 'other'] as const).map((side) =>
    [...new Set(cells.flatMap((cell) => cell[side] ?? []))].flatMap((cell) => session.factsOf?.(cell) ?? []),
  );
  const facts = comparedFacts(baseline, others);
  return {
    ...{ basis: 'levels', margin, metric, metrics: result.metrics, runFigures: result.runFigures ?? [] },
    baseline: { id, name: againstName(result.cells, against) },
    other: { id, name },
    warmup: { baseline: result.warmup, other: result.warmup },
    verdict: summaryOf(cells, question),
    ...(overall && { overall }),
    ...(facts.length > 0 && { facts }),
    ...{ cells, differences: foundDifferences(cells), settings: settingsBetween(session, cells), findings },
  };
}

const againstName = (cells: readonly CellResult[], against: Parameters<typeof compareLevels>[1]): string =>
  'cell' in against
    ? formatLevels(cells.find(({ cell }) => cell === against.cell)?.levels ?? {})
    : `${against.factor} ${formatLevel(against.level)}`;

/** Settings that differ if all cells of the baseline use one target, and the others another one. */
function settingsBetween({ target }: ComparedSession, cells: Comparison['cells']): Comparison['settings'] {
  const metBy = (side: 'baseline' | 'other') => {
    const met = cells.map((cell) => cell[side] && target?.(cell[side].levels));
    return met.every((each) => each?.name === met[0]?.name) ? met[0] : undefined;
  };
  const [mine, theirs] = [metBy('baseline'), metBy('other')];
  return mine && theirs && mine.name !== theirs.name ? settingDifferences(mine, theirs) : [];
}

/**
 * Merges several sessions per side: each has one figure per cell, the one that it shows, and its place in the order in which all of them were
 * measured. Common facts are those of the first session.
 */
function togetherOf(
  baseline: readonly ComparedSession[],
  other: readonly ComparedSession[],
): [ComparedSession, ComparedSession] {
  const startOf = ({ detail: { session } }: ComparedSession): number => session.startedAt ?? session.createdAt;
  const order = [...baseline, ...other].sort((a, b) => startOf(a) - startOf(b));
  return [asOne(baseline, order), asOne(other, order)];
}

function asOne(sessions: readonly ComparedSession[], order: readonly ComparedSession[]): ComparedSession {
  const [first] = sessions as readonly [ComparedSession];
  const excludesStalls = isLatency(first.result.metric);
  const cells = first.result.cells.map((cell) => {
    const key = JSON.stringify(cell.levels);
    const same = sessions.flatMap((session) => {
      const own = session.result.cells.find(({ levels }) => JSON.stringify(levels) === key);
      return own && own.means.length > 0 ? [{ own, trial: order.indexOf(session) }] : [];
    });
    const together = sessionMeans(cell, same);
    return { ...together, ...caveatsOf({ ...together, excludesStalls }) };
  });
  return { ...first, result: { ...first.result, cells } };
}

function sessionMeans(cell: CellResult, same: readonly { own: CellResult; trial: number }[]): CellResult {
  const means = same.map(({ own }) => (own.range ? mean(own.means) : (own.value ?? mean(own.means))));
  const spread = spreadOf(Float64Array.from(means));
  const steps = same.flatMap(({ own }) => own.resolution ?? []);
  const stalls = stallsOfSessions(same.map(({ own }) => own.stalls));
  const waits = same.flatMap(({ own }) => own.littleLatency ?? []);
  const { levels, runs, partial, basis } = cell;
  const excluded = same.flatMap(({ own }) => own.excluded ?? []);
  const facts = mergedFacts(same.map(({ own }) => own.facts ?? []));
  const bound = boundOfSessions(same.map(({ own }) => own.bound));
  return {
    ...{ cell: cell.cell, levels, runs, partial, ...(basis && { basis }), ...(bound && { bound }) },
    ...(excluded.length > 0 && { excluded }),
    means,
    ...(means.length > 0 && { value: mean(means) }),
    trials: same.map(({ trial }) => trial),
    ...(spread && { spread }),
    ...(steps.length > 0 && { resolution: Math.max(...steps) }),
    ...(stalls && { stalls }),
    ...(waits.length === same.length && waits.length > 0 && { littleLatency: mean(waits) }),
    errors: same.reduce((sum, { own }) => sum + own.errors, 0),
    ...(facts.length > 0 && { facts }),
    ...(same.every(({ own }) => own.failures) && { failures: same.map(({ own }) => totalOf(own.failures ?? [])) }),
  };
}

/** The bound of more than half of the judged sessions. */
function boundOfSessions(each: readonly CellResult['bound'][]): CellResult['bound'] {
  const judged = each.flatMap((bound) => bound ?? []);
  return judged.find(({ verdict }) => 2 * judged.filter((other) => other.verdict === verdict).length > judged.length);
}

/** The stalled share of each session is its figure, as any other. */
function stallsOfSessions(each: readonly (StallFigures | undefined)[]): StallFigures | undefined {
  const known = each.filter((stalls) => stalls !== undefined);
  if (known.length === 0 || known.length < each.length) return undefined;
  return {
    count: known.reduce((sum, { count }) => sum + count, 0),
    longest: Math.max(...known.map(({ longest }) => longest)),
    share: known.reduce((sum, { share }) => sum + share, 0) / known.length,
  };
}

/** A session is one count, as it is one figure. */
const totalOf = (counts: readonly EventCount[]): EventCount => ({
  events: counts.reduce((sum, { events }) => sum + events, 0),
  seconds: counts.reduce((sum, { seconds }) => sum + seconds, 0),
});

/** Warnings of figures that have a next step. */
export const warningFindings = (cells: Parameters<typeof warningGroups>[0]): Finding[] =>
  warningGroups(cells).flatMap(({ id, message, evidence, next }) =>
    next === undefined ? [] : [{ ...warning(id, message, next), ...(evidence && { evidence }) }],
  );

/** Findings from monitoring that make pairs of cells doubtful: the first of each kind, with the number of further cells. */
export function pairFindings(cells: readonly ComparedCell[], one: ComparedSession, other: ComparedSession): Finding[] {
  const kinds = new Map<string, { first: Finding; cells: number }>();
  for (const { baseline, other: second } of cells) {
    if (!baseline || !second) continue;
    const findings = comparedFindings(sideOf(baseline, one), sideOf(second, other));
    // A check may find two things for one pair, such as reads and writes, or both sides: each is listed separately.
    const found = Map.groupBy(findings, ({ code, evidence = '' }) => `${code} ${evidence}`);
    const labelled = [...found].flatMap(([of, all]) =>
      all.map((finding, place) => [`${of} ${place}`, finding] as const),
    );
    for (const [kind, finding] of labelled) {
      const known = kinds.get(kind);
      if (known) known.cells += 1;
      else kinds.set(kind, { first: finding, cells: 1 });
    }
  }
  return [...kinds.values()].map(({ first, cells: count }) =>
    count === 1 ? first : { ...first, message: `${first.message} Also in ${formatCount(count - 1, 'more cell')}.` },
  );
}

const sideOf = (cell: CellResult, { detail, costs, queueDepth }: ComparedSession): ComparedSide => ({
  name: [`“${detail.session.name}”`, formatLevels(cell.levels)].filter((part) => part !== '').join(', '),
  ...(cell.bound && { bound: cell.bound }),
  ...(costs && { costs: costs(cell) }),
  ...queueOf(queueDepth?.(cell.levels)),
});

const queueOf = (queueDepth: number | undefined): Pick<ComparedSide, 'queueDepth'> =>
  queueDepth === undefined ? {} : { queueDepth };

/** Fewer do not show how much the variation of runs varies: one that stalled by chance would be half of them. */
const LEAST_REPEATS = 3;
/** Factor between the variations, if the figures themselves are not farther apart than `alike`. */
const UNEQUAL = { factor: 1.5, alike: 1.25 };

interface Varying extends Repeats {
  /** Coefficient of variation of a second, mean of the runs (geometric). */
  readonly cv: number;
}

/**
 * Cells that are about as fast, one of which varies more from second to second than its repeats do by chance: Welch's t test on the logarithms of the
 * coefficients of variation, one for each run, whose seconds then need not be independent.
 */
export function spreadFindings(cells: readonly ComparedCell[], metric: string): Finding[] {
  if (metricOf(metric).better !== 'higher') return [];
  const known = new Map<CellResult, Varying | undefined>();
  const varyingOf = (cell: CellResult | undefined): Varying | undefined => {
    if (cell && !known.has(cell)) known.set(cell, varying(cell));
    return cell && known.get(cell);
  };
  const pairs = cells.flatMap(({ levels, baseline, other }) => {
    const [one, two] = [varyingOf(baseline), varyingOf(other)];
    return one && two && areAlike(baseline, other) ? [{ levels, baseline: one, other: two }] : [];
  });
  const judged = judge(pairs, { margin: UNEQUAL.factor - 1 });
  const unequal = pairs.flatMap((pair, index) => {
    const judgement = judged[index];
    return judgement?.differs && timesOf(judgement) >= UNEQUAL.factor ? [{ ...pair, judgement }] : [];
  });
  const [first] = unequal.sort((one, other) => timesOf(other.judgement) - timesOf(one.judgement));
  if (!first) return [];
  const { ratio, low, high } = first.judgement;
  const where = formatLevels(first.levels);
  const more = unequal.length > 1 ? ` Also in ${formatCount(unequal.length - 1, 'more cell')}.` : '';
  const between =
    ratio > 1
      ? `${formatFigure(low, 1)} to ${formatFigure(high, 1)}`
      : `${formatFigure(1 / high, 1)} to ${formatFigure(1 / low, 1)}`;
  return [
    {
      code: 'variation-differs',
      severity: 'note',
      message: `${where === '' ? 'Per-second values' : `${where}: per-second values`} vary by ${formatPercent(first.baseline.cv, 1)} in the baseline and ${formatPercent(first.other.cv, 1)} in the other session. That is ${formatFigure(timesOf(first.judgement), 1)} times as much in ${ratio > 1 ? 'the other session' : 'the baseline'} (95 % interval ${between}), at about the same mean.${more}`,
      next: 'Check the timelines and the slowest seconds: equal means can hide instability.',
    },
  ];
}

const timesOf = ({ ratio }: Judgement): number => Math.max(ratio, 1 / ratio);

function areAlike(one: CellResult | undefined, other: CellResult | undefined): boolean {
  const times = (other?.value ?? Number.NaN) / (one?.value ?? Number.NaN);
  return Math.max(times, 1 / times) <= UNEQUAL.alike;
}

function varying({ runs }: Pick<CellResult, 'runs'>): Varying | undefined {
  const spreads = runs.flatMap(({ state, partial, spread }) =>
    state === 'done' && !partial && spread && spread.n >= LEAST_VARYING && spread.cv > 0 ? [spread] : [],
  );
  if (spreads.length < LEAST_REPEATS) return undefined;
  const values = spreads.map(({ cv }) => cv);
  const seconds = spreads.reduce((sum, { n }) => sum + n, 0) / spreads.length;
  return {
    values,
    // With this many independent seconds, a standard deviation is known within this, as a share squared.
    within: 1 / (2 * seconds),
    resolution: 0,
    cv: Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length),
  };
}
