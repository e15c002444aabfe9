import type { Finding } from '../../../../shared/model/finding.ts';
import type { RunState } from '../../../../shared/model/session.ts';
import type { Collected } from './collect.ts';

/** What became of one generator's tool: a state, the sentence that says why it is not `done`, and what was noticed. */
export interface Verdict {
  state: RunState;
  message?: string;
  findings: Finding[];
}

/** Judges by output and exit together; when a person ended the trial, that is the reason. */
export function verdictOf(collected: Collected, byPerson: 'skipped' | 'stopped' | undefined): Verdict {
  const message = messageOf(collected, byPerson);
  return {
    state: stateOf(collected, byPerson),
    findings: findingsOf(collected, byPerson),
    ...(message !== undefined && { message }),
  };
}

function stateOf({ outcome, status, lost }: Collected, byPerson: 'skipped' | 'stopped' | undefined): RunState {
  if (byPerson) return byPerson;
  if (lost !== undefined || status.state !== 'ended') return 'lost';
  return outcome.ok ? 'done' : 'failed';
}

function messageOf(
  { outcome, exit, lost }: Collected,
  byPerson: 'skipped' | 'stopped' | undefined,
): string | undefined {
  if (byPerson) return byPerson === 'skipped' ? 'Skipped by a person.' : 'Stopped by a person.';
  if (lost !== undefined) return `${lost} What was recorded until then is kept.`;
  if (exit.unknown) return `${exit.unknown} What was recorded until then is kept.`;
  if (outcome.ok) return undefined;
  return outcome.reason
    ? [outcome.reason.message, outcome.reason.next].filter(Boolean).join(' ')
    : 'The tool ended without a result.';
}

function findingsOf({ outcome, recorder, end }: Collected, byPerson: 'skipped' | 'stopped' | undefined): Finding[] {
  const findings: Finding[] = [...recorder.findings];
  if (outcome.reason && !byPerson) findings.unshift(outcome.reason);
  if (end?.cause === 'limit') {
    findings.unshift({
      code: 'time-limit',
      severity: 'error',
      message: 'The tool was still running long after its planned end and was ended by its supervisor.',
      next: 'Look at the target: a stalled server keeps the tool waiting.',
    });
  }
  if (recorder.unparsed.length > 0) {
    findings.push({
      code: 'unparsed-output',
      severity: 'note',
      message: `${recorder.unparsed.length} ${recorder.unparsed.length === 1 ? 'line' : 'lines'} of output were not understood; they are kept in the raw output.`,
      evidence: recorder.unparsed.slice(0, 5).join('\n'),
    });
  }
  return findings;
}
