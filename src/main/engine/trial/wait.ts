import type { Finding } from '../../../shared/model/finding.ts';
import { describeProblem, KneepointError, problemKind } from '../../../shared/model/problem.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import type { Step } from '../plans/index.ts';
import { commandsOf, moveRun, stepOf } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import type { Tool } from '../tools/tool.ts';
import { waitUntil } from './before/quiet.ts';
import { conditionOf } from './conditions.ts';
import type { TrialContext, TrialControl } from './context.ts';

type Wait = ReturnType<NonNullable<Tool['waits']>>;

/**
 * Runs a step that waits to its end, without a job. After the app was closed the wait continues, and its time and patience count from its start.
 * Throws `cancelled` when the app closes.
 */
export async function executeWait(
  context: TrialContext,
  run: RunRow,
  step: Step,
  wait: Wait,
  control: TrialControl,
): Promise<RunRow> {
  const { clock } = context;
  const isFoundAgain = run.state === 'running';
  const current = isFoundAgain ? run : begin(context, run, step);
  control.onChanged();
  const before = isFoundAgain ? Math.max(0, clock.now() - (current.startedAt ?? clock.now())) / 1000 : 0;
  const end = (trigger: 'finish' | 'fail' | 'skip' | 'stop', how: Parameters<typeof moveRun>[3]): RunRow =>
    moveRun(context, run.id, trigger, { endedAt: clock.now(), partial: trigger !== 'finish', ...how });
  try {
    const { what, look } = conditionOf(context, step, wait.until, control);
    const waited = control.ended()
      ? undefined
      : await waitUntil({ look }, wait.seconds - before, {
          clock,
          signal: control.signal,
          asked: () => control.ended() !== undefined,
        });
    if (control.signal.aborted)
      throw new KneepointError({ code: 'cancelled', message: 'The wait was interrupted: Kneepoint is closing.' });
    if (!waited) return end(control.ended() === 'stopped' ? 'stop' : 'skip', { message: endedWords(control) });
    const seconds = before + waited.seconds;
    const figures = { summary: { took_s: Number(seconds.toFixed(3)) } };
    const interrupted = isFoundAgain ? [interruptedFinding(seconds)] : [];
    if (waited.busy.length === 0) {
      control.notice('info', `Trial ${run.trial + 1}: waited ${formatDuration(seconds)} until ${what}.`);
      return end('finish', { ...figures, findings: [...current.findings, ...interrupted] });
    }
    const message = `Timed out after ${formatDuration(seconds)}, waiting until ${what}. Last check: ${waited.busy.join('; ')}.`;
    const ranOut: Finding = {
      code: 'wait-ran-out',
      severity: wait.fails ? 'error' : 'warn',
      message,
      next: 'Allow a longer wait with “at-most” in the step.',
    };
    const findings = [...current.findings, ...interrupted, ranOut];
    if (wait.fails) return end('fail', { message, findings });
    control.notice('warn', `Trial ${run.trial + 1}: ${message}`);
    return end('finish', { ...figures, findings });
  } catch (error) {
    if (control.signal.aborted || !(error instanceof KneepointError) || !problemKind(error)?.endsTrial) throw error;
    const { next } = error.problem;
    const finding: Finding = { code: error.code, severity: 'error', message: error.message, ...(next && { next }) };
    return end('fail', { message: describeProblem(error.problem), findings: [...current.findings, finding] });
  }
}

/** Moves through both states at once: a run in the launching state has a job. */
function begin(context: TrialContext, run: RunRow, step: Step): RunRow {
  const { tool } = stepOf(context, run);
  const { run: shown } = commandsOf(context, tool, step, { seed: 0, connection: { kind: 'host' } });
  return context.store.atomically(() => {
    moveRun(context, run.id, 'launch', {
      command: context.shownCommand(shown),
      startedAt: run.startedAt ?? context.clock.now(),
    });
    return moveRun(context, run.id, 'run');
  });
}

const endedWords = (control: TrialControl): string =>
  control.ended() === 'stopped' ? 'Stopped by user.' : 'Skipped by user.';

const interruptedFinding = (seconds: number): Finding => ({
  code: 'wait-interrupted',
  severity: 'note',
  message: `Kneepoint was closed during this wait, which took ${formatDuration(seconds)} or less.`,
});
