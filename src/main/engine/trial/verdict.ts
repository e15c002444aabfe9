import { type EngineFinding, kindOf } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { formatCount } from '../../../shared/util/format.ts';
import type { JobEnd } from '../jobs/job.ts';
import type { Collected } from './collect.ts';
import { endedSteady } from './steady.ts';

/** Outcome of one generator's tool: a state, a sentence that explains why it is not `done`, and findings. */
export interface Verdict {
  state: 'done' | 'failed' | 'lost' | 'skipped' | 'stopped';
  message?: string;
  findings: Finding[];
}

/** Input of a verdict. */
export interface Judged extends Omit<Collected, 'recorder'> {
  recorder: Pick<Collected['recorder'], 'findings' | 'unparsed'>;
}

/** Judges by output and exit together; if a user ended the trial, that is the reason. `why`: another reason for its end, a sentence. */
export function verdictOf(collected: Judged, byPerson: 'skipped' | 'stopped' | undefined, why?: string): Verdict {
  const message = byPerson && why !== undefined ? why : messageOf(collected, byPerson);
  return {
    state: stateOf(collected, byPerson),
    findings: findingsOf(collected, byPerson),
    ...(message !== undefined && { message }),
  };
}

function stateOf(judged: Judged, byPerson: 'skipped' | 'stopped' | undefined): Verdict['state'] {
  const { outcome, status, lost } = judged;
  if (byPerson) return byPerson;
  if (lost !== undefined || status.state !== 'ended') return 'lost';
  return outcome.ok || endedSteady(judged) ? 'done' : 'failed';
}

function messageOf(judged: Judged, byPerson: 'skipped' | 'stopped' | undefined): string | undefined {
  const { outcome, exit, lost, end } = judged;
  if (byPerson) return byPerson === 'skipped' ? 'Skipped by user.' : 'Stopped by user.';
  if (lost !== undefined) return `${lost} Data recorded until then is stored.`;
  if (exit.unknown) return `${exit.unknown} Data recorded until then is stored.`;
  if (outcome.ok || endedSteady(judged)) return undefined;
  const cause = causeOf(end);
  if (cause) return `${cause.message} ${cause.next}`;
  return outcome.reason
    ? [outcome.reason.message, outcome.reason.next].filter(Boolean).join(' ')
    : 'The tool ended without a result.';
}

/** Why the supervisor on the host ended the tool, instead of the signal that the tool received. */
const CAUSES: Readonly<Record<string, Pick<EngineFinding, 'code' | 'message'> & { next: string }>> = {
  limit: {
    code: 'time-limit',
    message: 'The tool was still running long after its planned end and was stopped by its supervisor.',
    next: 'Check the target: a stalled server keeps the tool waiting.',
  },
  'output-limit': {
    code: 'output-limit',
    message: 'The tool exceeded the output limit and was stopped by its supervisor.',
    next: 'Check the raw output: the usual cause is an error printed for each operation.',
  },
  'disk-full': {
    code: 'host-disk-full',
    message:
      'The disk that holds the job folder on the host is full, so the tool was stopped: its output could no longer be written.',
    next: 'Free space on the host, then repeat the trial.',
  },
  TERM: {
    code: 'supervisor-ended',
    message:
      'The supervisor of the job on the host received SIGTERM, from a shutdown or a user there, and ended the tool.',
    next: 'Measure this trial again when the host is otherwise idle.',
  },
};

const causeOf = (end: JobEnd | undefined): (Finding & { next: string }) | undefined => {
  const cause = end?.cause === undefined ? undefined : CAUSES[end.cause];
  return cause && { severity: 'error', ...cause };
};

function findingsOf(judged: Judged, byPerson: 'skipped' | 'stopped' | undefined): Finding[] {
  const { outcome, recorder, end } = judged;
  // It was ended in the middle of its work, as intended: gaps in its report are expected.
  if (endedSteady(judged) && byPerson === undefined)
    return recorder.findings.filter(
      (finding) => kindOf(finding).about !== 'signal' && finding.code !== outcome.reason?.code,
    );
  const cause = causeOf(end);
  const explained = byPerson !== undefined || cause !== undefined;
  const findings = explained
    ? // That a signal ended the tool is expected if the signal was ours.
      recorder.findings.filter((finding) => kindOf(finding).about !== 'signal')
    : reasonFirst(outcome.reason, recorder.findings);
  return [...(cause ? [cause] : []), ...findings, ...unparsedFinding(recorder.unparsed)];
}

/** Findings of a parser, with the reason of a failure first. Parsers report the reason too: it is listed once. */
export const reasonFirst = (reason: Finding | undefined, findings: readonly Finding[]): Finding[] =>
  reason === undefined ? [...findings] : [reason, ...findings.filter(({ code }) => code !== reason.code)];

/** Empty if every line was understood. */
export const unparsedFinding = (lines: readonly string[]): Finding[] =>
  lines.length === 0
    ? []
    : [
        {
          code: 'unparsed-output',
          severity: 'note',
          message: `${formatCount(lines.length, 'line')} of output ${lines.length === 1 ? 'was' : 'were'} not parsed; the raw output contains them.`,
          evidence: lines.slice(0, 5).join('\n'),
        },
      ];
