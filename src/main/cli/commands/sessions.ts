import { scalingSentences } from '../../../shared/chart-models/index.ts';
import { gatheredFindings } from '../../../shared/checks/index.ts';
import { isRecovery, isSize, metricOf } from '../../../shared/metrics/index.ts';
import { damageWords } from '../../../shared/model/damage.ts';
import { caveatWords } from '../../../shared/model/figure.ts';
import { MECHANICS_SENTENCE } from '../../../shared/model/finding.ts';
import { watchedSentence } from '../../../shared/model/monitored.ts';
import type { SessionStep } from '../../../shared/model/plan.ts';
import { exclusionWords } from '../../../shared/model/repeats.ts';
import { errorSentence } from '../../../shared/model/result-words.ts';
import type { Run, Session, SessionDetail } from '../../../shared/model/session.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import { originWords, sessionWords, targetWords, toolWords } from '../../../shared/model/session-words.ts';
import {
  additionalRecoveries,
  crossingSentences,
  recoverySentences,
  trendFindings,
} from '../../../shared/stats/index.ts';
import { formatDateTime, formatLevels, formatNumber, formatValue } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { print, printJson, slow, table } from '../terminal.ts';
import { type Common, type EngineClient, withEngine, withReader } from '../with-engine.ts';
import { keptTable } from './captures.ts';
import {
  answerLines,
  baselinesOf,
  cutOf,
  factsTable,
  finalFigures,
  finalTable,
  findingLine,
  placeLines,
  ratioTables,
  requireMetric,
  resultTable,
  runName,
  stepsLines,
  trialOf,
} from './figures.ts';

const against = (detail: SessionDetail): string => {
  const names = targetsOf(detail).map(({ name }) => name);
  return names.length > 0 ? ` against ${names.join(', ')}` : '';
};

const sessionState = (session: Session): string =>
  session.damaged || session.needs || session.trialsMissing || session.mechanics
    ? sessionWords(session).word
    : session.state;

/** Maximum sessions per call. */
const BATCH = 1000;

/** Waits for figures that are still being calculated, since printed ones cannot be updated. */
async function withFigures(engine: EngineClient, sessions: readonly Session[]): Promise<Session[]> {
  const pending = sessions.filter(({ figuresFollow }) => figuresFollow).map(({ id }) => id);
  const found = new Map<number, Session>();
  for (let from = 0; from < pending.length; from += BATCH)
    for (const session of await engine.sessions.figures({ ids: pending.slice(from, from + BATCH) }))
      found.set(session.id, session);
  return sessions.map((session) => found.get(session.id) ?? session);
}

export async function sessionsCommand(options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const sessions = await withFigures(engine, await engine.sessions.list({}));
    if (options.json) printJson(sessions);
    else if (sessions.length === 0) print('The library has no sessions yet. Start with: kneepoint quickstart');
    else {
      print(
        table(sessions, [
          { title: 'id', number: true, value: (session) => String(session.id) },
          { title: 'state', value: (session) => sessionState(session) },
          { title: 'name', value: (session) => session.name },
          { title: 'tool', value: toolWords },
          { title: 'target', value: (session) => targetWords(session) ?? '' },
          { title: 'trials', number: true, value: (session) => `${session.trialsEnded}/${session.trialsTotal}` },
          {
            title: 'best',
            number: true,
            value: ({ best, primaryMetric: metric }) =>
              best && metric !== null ? formatValue(best.value, metricOf(metric)) : '–',
          },
          ...(sessions.some(({ best }) => caveatWords('list', best) !== '')
            ? [{ title: 'warning', value: ({ best }: Session) => caveatWords('list', best) }]
            : []),
          { title: 'started', value: ({ createdAt }) => (createdAt > 0 ? formatDateTime(createdAt) : '–') },
        ]),
      );
    }
    return EXIT.done;
  });
}

/** The index of the step with this name. */
function stepOf(name: string, steps: readonly SessionStep[]): number {
  const place = steps.findIndex((step) => step.name === name);
  if (place >= 0) return place;
  const known = steps.flatMap((step) => step.name ?? []).join(', ');
  throw new UsageError(`There is no step named “${name}”. ${known ? `Steps: ${known}.` : 'Its trials have one step.'}`);
}

export async function showCommand(
  id: string,
  options: Common & { step?: string; metric?: string; warmup?: string; baseline?: string[]; per?: string },
): Promise<number> {
  const sessionId = idOf(id);
  return withReader(options, async (engine) => {
    const detail = await slow((call) => engine.sessions.get({ id: sessionId }, call));
    const runs = await engine.sessions.runs({ id: sessionId });
    const steps = detail.session.steps ?? [];
    const baselines = baselinesOf(options.baseline, detail.experiment.factors);
    const captures = await engine.captures.list({ sessionId });
    const asked = {
      sessionId,
      ...(options.step !== undefined && { step: stepOf(options.step, steps) }),
      ...(options.metric !== undefined && { metric: options.metric }),
      ...cutOf(options.warmup),
      ...baselines,
    };
    const result = await slow((call) => engine.results.session(asked, call));
    const finals =
      options.metric === undefined || isSize(options.metric)
        ? []
        : finalFigures(
            runs.filter(({ step }) => step === result.step),
            options.metric,
            detail.plan,
          );
    if (finals.length === 0)
      requireMetric(options.metric, [...result.metrics, ...(result.runFigures ?? [])], `Session ${sessionId} has`);
    const measured = result.metric === null ? undefined : result;
    const bySecond = measured && (measured.metrics.includes(measured.metric) || measured.overTime !== undefined);
    const places = await engine.results.places({
      sessionId,
      ...(result.step !== undefined && { step: result.step }),
      ...(asked.warmup !== undefined && { warmup: asked.warmup }),
    });
    if (options.json)
      printJson({
        ...{ ...detail, runs, result },
        ...(places.rows.length > 0 && { places }),
        ...(captures.length > 0 && { captures }),
      });
    else {
      print(`Session ${sessionId}: ${detail.session.name} (${sessionState(detail.session)})`);
      if (detail.session.question) print(detail.session.question);
      if (detail.session.message) print(detail.session.message);
      if (detail.session.stoppedBy) print(detail.session.stoppedBy);
      if (detail.session.origin) print(`Origin: ${originWords(detail.session)}`);
      print(
        `${[toolWords(detail.session), detail.toolVersion].filter(Boolean).join(' ')}${placesOf(detail)}${against(detail)}\n`,
      );
      if (!measured) {
        if (detail.session.mechanics) print(MECHANICS_SENTENCE);
        for (const sentence of recoverySentences(runs)) print(sentence);
        print(
          `${watchedSentence(await engine.monitors.sources({ sessionId }))} Their series: kneepoint monitors ${sessionId}`,
        );
      } else {
        if (steps.filter(({ measured: isMeasured }) => isMeasured !== false).length > 1 && options.step === undefined)
          print(
            `${stepsLines(await engine.results.steps({ sessionId, ...baselines, ...(options.per && { per: options.per }) }))}\n`,
          );
        if (measured.stepName !== undefined) print(`Step “${measured.stepName}”`);
        const isOfEvents = isRecovery(measured.metric);
        if (bySecond || isOfEvents) for (const line of answerLines(measured)) print(`${line}\n`);
        if (isOfEvents) for (const sentence of additionalRecoveries(measured, runs)) print(`${sentence}\n`);
        print(bySecond || finals.length === 0 ? resultTable(measured) : finalTable(measured.metric, finals));
        if (bySecond || finals.length === 0) for (const lines of ratioTables(measured)) print(`\n${lines}`);
        if (places.rows.length > 0) print(`\nPlaces measured at the same time\n${placeLines(places)}`);
      }
      for (const entry of result.damage ?? []) print(damageWords(entry));
      for (const sentence of measured ? scalingSentences(measured) : []) print(sentence);
      for (const sentence of crossingSentences(result)) print(sentence);
      if (result.canary && result.canary.verdict !== 'drift') print(result.canary.sentence);
      const errors = errorSentence(result.cells);
      if (errors) print(errors);
      if (options.warmup !== undefined)
        print(`Figures exclude the first ${result.warmup} s of each run, which differs from the plan.`);
      const findings = gatheredFindings([...detail.findings, ...(result.findings ?? [])], runs);
      const trends = measured ? trendFindings(measured, detail.session.name) : [];
      for (const finding of [...findings, ...trends]) print(findingLine(finding));
      const facts = factsTable(runs);
      if (facts) print(`\n${facts}`);
      const kept = keptTable(captures, runs);
      if (kept) print(`\nCaptures (show one: kneepoint captures ${sessionId} --name NAME)\n${kept}`);
      for (const run of runs) {
        const excluded = exclusionWords(run, runs);
        if (excluded) print(`${runName(run)} ${excluded}`);
        if (run.message) print(`${runName(run)} ${run.state}: ${run.message}`);
      }
    }
    return EXIT.done;
  });
}

/** It is unknown where an imported session was measured. */
const placesOf = ({ session: { generators } }: SessionDetail): string =>
  generators.length > 0 ? ` from ${generators.join(', ')}` : '';

/** Trial numbers count from 1, as displayed. */
async function changeRuns(
  id: string,
  options: Common & { trial: string[] },
  change: (engine: EngineClient, runs: { id: number; runIds: number[] }) => Promise<Run[]>,
): Promise<number> {
  const sessionId = idOf(id);
  return withEngine(options, async (engine) => {
    const runs = await engine.sessions.runs({ id: sessionId });
    const runIds = options.trial.map((trial) => trialOf(sessionId, runs, trial).id);
    const changed = await change(engine, { id: sessionId, runIds });
    if (options.json) printJson(changed);
    else for (const run of changed) print(`${runName(run)}: ${exclusionWords(run, runs) ?? 'it counts.'}`);
    return EXIT.done;
  });
}

export const excludeCommand = (
  id: string,
  { reason, ...options }: Common & { trial: string[]; reason: string },
): Promise<number> => changeRuns(id, options, (engine, runs) => engine.sessions.exclude({ ...runs, reason }));

export const includeCommand = (id: string, options: Common & { trial: string[] }): Promise<number> =>
  changeRuns(id, options, (engine, runs) => engine.sessions.include(runs));

/** The trial number counts from 1, as displayed. */
export async function reingestCommand(id: string, options: Common & { trial?: string }): Promise<number> {
  const sessionId = idOf(id);
  return withEngine(options, async (engine) => {
    const runs = await engine.sessions.runs({ id: sessionId });
    const run = options.trial === undefined ? undefined : trialOf(sessionId, runs, options.trial);
    const asked = { id: sessionId, ...(run && { runId: run.id }) };
    const result = await slow((call) => engine.sessions.reingest(asked, call));
    if (options.json) printJson(result);
    else
      for (const { trial: index, levels, state, seconds } of result)
        print(`Trial ${index + 1} (${formatLevels(levels)}) ${state}: ${formatNumber(seconds)} seconds re-parsed.`);
    return EXIT.done;
  });
}
