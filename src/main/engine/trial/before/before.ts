import { kindOf } from '../../../../shared/checks/index.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { BeforeTrial } from '../../../../shared/model/measure.ts';
import { KneepointError, problemKind } from '../../../../shared/model/problem.ts';
import { atServer, stepOf, untilReachable } from '../../runs/index.ts';
import type { RunRow } from '../../store/store.ts';
import type { TrialContext, TrialControl } from '../context.ts';
import { failBeforeLaunch } from '../trial.ts';
import { dropCaches } from './caches.ts';
import { hostIdleCheck, type IdleCheck, untilIdle, type WaitingFor } from './idle.ts';
import { cacheHosts, requireTarget, restartServer, runStatement, serverHosts, targetIdleCheck } from './target.ts';

/** External control of the actions before a trial. */
export interface BeforeControl extends Pick<WaitingFor, 'asked' | 'pollMs'> {
  readonly control: TrialControl;
  activity(words: string | undefined): void;
  /** Waits this many seconds, unless a user intervenes. */
  rest(seconds: number): Promise<void>;
}

/**
 * Performs the document's actions before a trial, in this order: restart, caches, statement, wait until quiet, rest. Stores them as findings of the
 * run. Every action is safe to repeat, and is repeated if the engine is restarted in the middle. Resolves with the run if an action was refused,
 * which failed the run.
 */
export async function beforeTrialActions(
  context: TrialContext,
  run: RunRow,
  before: BeforeControl,
): Promise<RunRow | undefined> {
  const { experiment, step } = stepOf(context, run);
  const wanted = experiment.measure.before;
  if (!wanted) return undefined;
  const done: Finding[] = [];
  try {
    for (const { words, act } of actsOf(context, wanted, step, before)) {
      if (before.asked()) return undefined;
      before.activity(words);
      const found = await act();
      for (const { severity, message } of found)
        before.control.notice(severity === 'warn' ? 'warn' : 'info', `Trial ${run.trial + 1}: ${message}`);
      done.push(...found);
    }
    const others = (context.store.runs.get(run.id)?.findings ?? []).filter(
      (finding) => kindOf(finding).by !== 'before',
    );
    if (done.length > 0) context.store.runs.update(run.id, { findings: [...others, ...done] });
    return undefined;
  } catch (error) {
    if (before.control.signal.aborted || !(error instanceof KneepointError) || !problemKind(error)?.endsTrial)
      throw error;
    return failBeforeLaunch(context, run, error);
  } finally {
    before.activity(undefined);
  }
}

interface Act {
  readonly words: string;
  act(): Promise<Finding[]>;
}

function actsOf(
  context: TrialContext,
  wanted: BeforeTrial,
  cell: Parameters<typeof serverHosts>[1],
  before: BeforeControl,
): Act[] {
  const place = atServer(context, cell);
  const { control } = before;
  const { signal } = control;
  const waiting = {
    clock: context.clock,
    signal,
    asked: before.asked,
    ...(before.pollMs && { pollMs: before.pollMs }),
  };
  const waitUntilIdle = (words: string, make: () => IdleCheck): Act => ({
    words,
    act: () => untilIdle(make(), wanted.patience, waiting),
  });
  const steps: Act[] = [];
  const { statement, until, rest = 0 } = wanted;
  if (wanted.restart)
    steps.push({
      words: 'Restarting the server',
      act: () => restartServer(context, requireTarget(place, 'to be restarted'), control),
    });
  for (const host of cacheHosts(context, place, wanted.caches))
    steps.push({ words: `Dropping the OS caches of ${host}`, act: () => onHost(context, host, control, dropCaches) });
  if (statement !== undefined)
    steps.push({
      words: 'Running the statement before the trial',
      act: () => runStatement(context, requireTarget(place, 'to run a statement on'), statement, control),
    });
  if (wanted.dirty !== undefined || wanted.writes !== undefined)
    for (const host of serverHosts(context, place))
      steps.push(waitUntilIdle(`Waiting until ${host} is quiet`, () => reachable(context, host, control, wanted)));
  if (until !== undefined)
    steps.push(
      waitUntilIdle('Waiting for the condition before the trial', () =>
        targetIdleCheck(context, requireTarget(place, 'to check a condition on'), until, control),
      ),
    );
  if (rest > 0)
    steps.push({ words: `Resting ${rest} s before the trial`, act: () => before.rest(rest).then(() => []) });
  return steps;
}

const onHost = (
  { machines }: TrialContext,
  host: string,
  control: TrialControl,
  act: typeof dropCaches,
): Promise<Finding[]> => {
  const machine = machines.get(host);
  return untilReachable(machine, control, () => act(machine, control.signal));
};

/** A link that breaks during the wait does not end it. */
function reachable({ machines }: TrialContext, host: string, control: TrialControl, wanted: BeforeTrial): IdleCheck {
  const machine = machines.get(host);
  const { what, read } = hostIdleCheck(machine, wanted, control.signal);
  return { what, read: () => untilReachable(machine, control, read) };
}
