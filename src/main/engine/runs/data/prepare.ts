import type { Finding } from '../../../../shared/model/finding.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine } from '../../hosts/machine.ts';
import { cellData } from '../../plans/index.ts';
import type { RunRow } from '../../store/store.ts';
import type { Step } from '../../tools/tool.ts';
import { contextOf, type RunsContext, type SessionContext } from '../context.ts';
import { keepForAWhile } from '../tidy.ts';
import type { TrialControl } from '../trial/control.ts';
import { runJobStep } from '../trial/job-step.ts';
import { noteWriting, writingWords } from './data-sets.ts';
import { ensureData } from './ensure-data.ts';
import { keyOf, preparationsOf, workloadOf } from './needs.ts';

type PrepareJob = NonNullable<SessionContext['prepareJob']>;

/**
 * Sees to it that the data of a trial's cell is there: what all cells of its group need is made, or found and counted, before the first
 * of their trials. Counted then and not before each trial, as a count reads the tables into the caches that are measured. Safe to
 * repeat: a restart goes on with the step that is under way.
 */
export async function prepareData(
  context: RunsContext,
  run: RunRow,
  machine: Machine,
  control: TrialControl,
  activity: (words: string | undefined) => void,
): Promise<void> {
  const read = (): SessionContext => readContext(context, run.sessionId);
  const write = (change: SessionContext): void => {
    context.store.sessions.update(run.sessionId, { context: change as unknown as Record<string, unknown> });
  };
  const { experiment, plan } = read();
  const group = plan.cells[run.cell]?.data ?? 0;
  const there = dataThere(context, run.sessionId, read(), group);
  const usedUp = usedUpKey(context, run, read(), group);
  if (usedUp !== undefined) {
    there.keys = there.keys.filter((key) => key !== usedUp);
    there.complete = false;
  }
  if (there.complete) return;
  const cells = plan.cells.filter(({ data = 0 }) => data === group);
  for (const preparation of await preparationsOf(context, experiment, cells)) {
    const { key, tool, recipe } = preparation;
    if (there.keys.includes(key)) continue;
    const runStep = async (kind: PrepareJob['step'], step: Step): Promise<void> => {
      if (control.ended()) throw new KneepointError({ code: 'cancelled', message: 'Stopped by a person.' });
      activity(kind === 'cleanup' ? 'Removing old data' : `Preparing ${preparation.data?.title ?? 'data'}`);
      const { prepareJob } = read();
      const save = (job: Omit<PrepareJob, 'key'> | undefined): void => {
        const { prepareJob: ended, ...rest } = read();
        write(job ? { ...rest, prepareJob: { ...job, key } } : rest);
        if (ended && !job) keepForAWhile(context, ended);
      };
      const underWay = prepareJob?.key === key && prepareJob.step === kind ? prepareJob : undefined;
      const { granted } = read();
      const work = { tool, options: recipe.options, ...(granted && { granted }) };
      await runJobStep(context, work, machine, control, { kind, step, underWay, save });
    };
    const { prepareJob } = read();
    const underWay = prepareJob?.key === key ? prepareJob.step : undefined;
    const sessionId = run.sessionId;
    const sets = await ensureData(context, {
      sessionId,
      experiment,
      preparation,
      usedUp: key === usedUp,
      underWay,
      runStep,
      control,
      activity,
    });
    there.keys.push(key);
    there.sets = [...there.sets.filter((id) => context.store.dataSets.get(id) !== undefined), ...sets];
    write({ ...read(), data: { group, ...there, run: run.id } });
  }
  activity(undefined);
  const findings = [...read().findings, ...writtenBefore(context, there.sets)];
  write({ ...read(), findings, data: { group, ...there, complete: true, run: run.id } });
}

/** The data that this run needs as it was made, if an earlier run of the session has used it up. */
function usedUpKey(context: RunsContext, run: RunRow, session: SessionContext, group: number): string | undefined {
  const need = cellData(session.experiment, run, workloadOf(context, session.experiment));
  if (!need?.eachTrial || session.data?.group !== group || session.data.run === run.id) return undefined;
  return keyOf(need);
}

/** Stands beside the results: the pages of such data are not as they are right after loading. */
function writtenBefore(context: RunsContext, sets: readonly number[]): Finding[] {
  return [...new Set(sets)].flatMap((id) => {
    const set = context.store.dataSets.get(id);
    const words = set && writingWords(context, set);
    if (!words) return [];
    const message = `The trials began on data that was not fresh: ${set.title}. ${words}`;
    return [{ code: 'data-written', severity: 'note', message }];
  });
}

/** Notes that a trial is about to change its data, if its workload writes. */
export function beforeTrial(context: RunsContext, run: RunRow): void {
  const { experiment } = readContext(context, run.sessionId);
  const { target } = experiment.where;
  if (target === undefined) return;
  const need = cellData(experiment, run, workloadOf(context, experiment));
  if (need?.written) noteWriting(context, target, need.tables, run.sessionId);
}

interface DataThere {
  keys: string[];
  sets: number[];
  complete: boolean;
}

/** What this session has made or found for a group, as long as nobody else has replaced or written to it meanwhile. */
function dataThere(context: RunsContext, sessionId: number, { data }: SessionContext, group: number): DataThere {
  if (data?.group !== group) return { keys: [], sets: [], complete: false };
  const untouched = data.sets.every((id) => {
    const set = context.store.dataSets.get(id);
    return set?.state === 'ready' || (set?.state === 'dirty' && set.writtenBy === sessionId);
  });
  return untouched ? { ...data, keys: [...data.keys], sets: [...data.sets] } : { keys: [], sets: [], complete: false };
}

function readContext(context: RunsContext, sessionId: number): SessionContext {
  const row = context.store.sessions.get(sessionId);
  if (!row)
    throw new KneepointError({ code: 'not-found', message: `Session ${sessionId} is gone.`, session: sessionId });
  return contextOf(row);
}
