import { metricOf, VARIATION } from '../../../shared/metrics/index.ts';
import type { Answer, AnswerPiece } from '../../../shared/model/answer.ts';
import {
  type Experiment,
  type Levels,
  type Scalar,
  tooShortToVary,
  trialSeconds,
} from '../../../shared/model/experiment.ts';
import { MOST_TESTED_LEVELS } from '../../../shared/model/factor.ts';
import { MECHANICS_SENTENCE } from '../../../shared/model/finding.ts';
import { secondsOfTrial } from '../../../shared/model/plan.ts';
import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import { hasFigure } from '../../../shared/model/result-words.ts';
import type { LaterPart } from '../../../shared/model/session-snapshot.ts';
import { nextStepOf, repeatsOf } from '../../../shared/model/settling.ts';
import { isMeasured, wholeSteps } from '../../../shared/model/step.ts';
import { loadFactorOf, marginOf, mean } from '../../../shared/stats/index.ts';
import {
  effectSentence,
  type Factor,
  isLimited,
  KINDS,
  kindOf,
  loadSentence,
  type Measured,
  moreLoad,
  ranking,
  shortSentence,
  stillSentences,
  type Words,
} from './answer-words.ts';
import { baselinesOf } from './baselines.ts';
import { laterParts } from './differences.ts';
import { allPairs, pairLevels, type Question, sameLevel } from './pairs.ts';
import { judgeCells } from './verdicts.ts';

/** The question, in addition to the figures. */
export interface Asked {
  /** The factor under test as named by the document or a user. */
  tested?: string | undefined;
  /** Levels that ratios refer to, by factor. */
  baselines: Levels;
  /** Trials at which later parts of the session begin. */
  later: readonly number[];
  /** Estimated seconds of one more trial, with its pause. */
  trialSeconds: number;
  /** Measured steps of a trial. */
  steps: number;
  /** Seconds of the step, where the document asks for steadiness and they are too few. */
  tooShort?: number | undefined;
  /** Its figures answer nothing. */
  mechanics?: 'only' | undefined;
}

/** A level of this name is the baseline, wherever it is in the list. */
const BASELINE = /^baseline$/i;

/**
 * The answer of a session. Undefined if it has no question that a sentence can answer. Every comparison has the same verdict as in the table of
 * ratios: judged together (Holm), and open if not measured interleaved or not repeated. Effects that differ between other levels are never merged
 * into one ratio.
 */
export function answerOf(measured: Measured, asked: Asked): Answer | undefined {
  if (asked.mechanics) return { sentences: [[{ text: MECHANICS_SENTENCE }]], verdict: 'none' };
  const ladder = loadSentence(measured.scaling ?? [], measured.factors);
  const short = shortSentence(measured.metric, asked.tooShort);
  const sentences = [ladder, short].flatMap((text) => (text === undefined ? [] : [[{ text }]]));
  const candidates = testable(measured);
  const factor =
    candidates.find(({ name }) => name === asked.tested) ?? (candidates.length === 1 ? candidates[0] : undefined);
  if (!factor) {
    // No other sentence takes the place of the answer before the question is known.
    if (candidates.length > 1) return { choices: candidates.map(({ name }) => name), sentences: [], verdict: 'none' };
    return sentences.length === 0 ? undefined : { sentences, verdict: 'none' };
  }
  const effect = effectOf(measured, factor, asked);
  if (!effect) return { factor: factor.name, sentences, verdict: 'none' };
  const { baseline, cells, clauses, isRanking } = effect;
  const limited = cells.filter((cell) => isLimited(kindOf(cell, measured.metric)));
  // No number of repeats shows how a system behaves behind a load that is at its limit.
  const others = cells.filter((cell) => !limited.includes(cell));
  const settling = repeatsOf({ basis: 'levels', cells: others });
  const next = limited.length > 0 ? moreLoad(limited) : nextStepOf(others);
  const count = settling?.cells?.length ?? measured.cells.length;
  return {
    ...{ factor: factor.name, baseline },
    ...(isRanking && { ranked: true as const }),
    sentences: [
      ...clauses.map((pieces) => pieces.filter(({ text }) => text !== '')),
      ...(measured.metric === VARIATION ? stillSentences(measured, factor) : []),
      ...sentences,
    ],
    verdict: limited.length === 0 && cells.every(({ verdict }) => KINDS[verdict] !== 'open') ? 'settled' : 'open',
    ...(settling && { more: { ...settling, seconds: settling.repeats * count * asked.trialSeconds } }),
    ...(next !== undefined && { next }),
  };
}

/** The question as the document asks it. A user's later choice takes precedence. */
export function askedOf(
  context: {
    readonly experiment: Experiment;
    readonly plan: Parameters<typeof secondsOfTrial>[0];
    readonly later?: readonly LaterPart[] | undefined;
  },
  {
    tested,
    baselines,
    step,
  }: {
    readonly tested?: string | null | undefined;
    readonly baselines?: Levels | undefined;
    /** Place of the step in the trial. */
    readonly step?: number | undefined;
  } = {},
): Asked {
  const { factors, steps = [], mechanics } = context.experiment;
  return {
    tested: tested ?? factors.find((factor) => factor.tested)?.name,
    baselines: baselinesOf(factors, baselines),
    later: laterParts(context),
    trialSeconds: secondsOfTrial(context.plan) ?? trialSeconds(context.experiment),
    steps: Math.max(1, wholeSteps(steps).filter(isMeasured).length),
    tooShort: tooShortToVary(context.experiment, step),
    mechanics,
  };
}

/** Factors that a question can be about: not the load, and with measured levels. */
function testable({ factors, cells }: Measured): Factor[] {
  const ladder = loadFactorOf(factors);
  return factors.filter(
    ({ name, levels, load }) =>
      load === undefined &&
      name !== ladder?.name &&
      levels.length > 1 &&
      levels.length <= MOST_TESTED_LEVELS &&
      levels.filter((level) => cells.some((cell) => hasFigure(cell) && sameLevel(cell.levels[name], level))).length > 1,
  );
}

interface Effect {
  /** The baseline is the best of the levels as measured. */
  readonly isRanking: boolean;
  readonly baseline: Scalar;
  readonly cells: ComparedCell[];
  readonly clauses: readonly AnswerPiece[][];
}

function effectOf(
  { metric, factors, cells }: Measured,
  factor: Factor,
  { baselines, later, steps }: Asked,
): Effect | undefined {
  const { name } = factor;
  const levels = factor.levels.filter((level) =>
    cells.some((cell) => hasFigure(cell) && sameLevel(cell.levels[name], level)),
  );
  const varied = cells.filter((cell) => levels.some((level) => sameLevel(cell.levels[name], level)));
  const named =
    levels.find((level) => baselines[name] !== undefined && sameLevel(level, baselines[name])) ??
    levels.find((level) => BASELINE.test(String(level)));
  // Steps are read side by side, so all of them have the same baseline.
  const isRanking = named === undefined && levels.length > 2 && metricOf(metric).better !== 'neither' && steps === 1;
  const baseline = named ?? (isRanking ? bestLevel(metric, name, levels, varied) : levels[0]);
  if (baseline === undefined) return undefined;
  const question: Question = {
    metric,
    margin: marginOf(metric),
    basis: 'levels',
    later: { baseline: later, other: later },
    steps,
  };
  // The best is known only from the measurement: all pairs that it was chosen from are judged with it.
  const judged = judgeCells(
    isRanking
      ? allPairs(varied, name, [baseline, ...levels.filter((level) => level !== baseline)])
      : pairLevels({ cells: varied }, { factor: name, level: baseline }),
    question,
  );
  const against = judged.cells.filter((cell) => cell.baseline && sameLevel(cell.baseline.levels[name], baseline));
  const others = factors.filter((other) => other !== factor && other.levels.length > 1);
  const groups = levels.flatMap((level) => {
    const own = against.filter(({ other }) => other && sameLevel(other.levels[name], level));
    return own.length > 0 ? [{ level, cells: own }] : [];
  });
  if (groups.length === 0) return undefined;
  const words: Words = { metric, name, baseline, others, isAlone: groups.length === 1 };
  return {
    ...{ baseline, isRanking, cells: against },
    clauses: isRanking
      ? [ranking(groups, words)]
      : groups.map(({ level, cells: own }) => effectSentence(level, own, words)),
  };
}

/** The level with the best geometric mean over the places where all levels were measured. */
function bestLevel(
  metric: string,
  factor: string,
  levels: readonly Scalar[],
  cells: readonly CellResult[],
): Scalar | undefined {
  const placeOf = (cell: CellResult): string => JSON.stringify({ ...cell.levels, [factor]: null });
  const places = [
    ...Map.groupBy(
      cells.filter(({ value = 0 }) => value > 0),
      placeOf,
    ).values(),
  ].filter((all) => all.length === levels.length);
  const sign = metricOf(metric).better === 'lower' ? -1 : 1;
  const score = (level: Scalar): number =>
    sign *
    mean(places.map((all) => Math.log(all.find((cell) => sameLevel(cell.levels[factor], level))?.value ?? Number.NaN)));
  if (places.length === 0) return undefined;
  return levels.toSorted((a, b) => score(b) - score(a))[0];
}
