import type { Finding } from '../../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../../shared/model/session.ts';
import { formatCount, formatDuration } from '../../../../../shared/util/format.ts';
import { cutOff, evidenceOf, exitFinding, failedExit, severalRuns } from '../../faults.ts';
import type { ParseOutcome, Phase } from '../../tool.ts';
import { codeOfErrno, ENDING, faultFinding, type StreamFaults } from '../faults/index.ts';
import type { FaultCode } from '../faults/words.ts';
import { longestRuntime } from './interval.ts';
import type { Series } from './series.ts';
import { summaryOf } from './summary.ts';
import type { TextReader } from './text-report.ts';

/** Everything read from the output of one command. */
export interface Reading {
  phase: Phase;
  exit: ExitStatus | undefined;
  series: Series;
  text: TextReader;
  /** Whether figures of a document were not numbers. */
  unknown: boolean;
  faults: readonly StreamFaults[];
  /** Number of consecutive runs in the output. All other fields refer to the first. */
  runs: number;
  /** First line of a document without an end, or an incomplete last line. */
  cut: string | undefined;
  empty: boolean;
  /** The time ended before the passes of the load did. */
  unfinished: Finding | undefined;
  addFinding(finding: Finding): void;
}

/** Causes before consequences: a file that could not be opened is missing, and refused direct I/O is an invalid argument. */
const FIRST: readonly FaultCode[] = [
  'device-missing',
  'place-refused',
  'size-missing',
  'io-uring-refused',
  'passthrough-device',
  'directory-missing',
  'direct-io-unsupported',
  'disk-full',
  'files-missing',
];

function faultsOf(reading: Reading): Finding[] {
  const found = new Map<string, Finding>();
  for (const { faults } of reading.faults)
    for (const [code, finding] of faults) if (!found.has(code)) found.set(code, finding);
  const errors = [...(reading.series.last?.jobs ?? []).map(({ error }) => error), ...reading.text.errors];
  for (const error of errors) {
    const code = codeOfErrno(error);
    // A message about the same fault is more specific than its number.
    if (error > 0 && found.size === 0) found.set(code, faultFinding(code, `"error" : ${error}`));
  }
  const faults = [...found.values()];
  const firsts = FIRST.flatMap((code) => faults.filter((finding) => finding.code === code));
  if (firsts.length === 0) return faults;
  // Do not report the error number of the same failure again.
  const rest = faults.filter(
    ({ code }) => !FIRST.some((first) => first === code) && code !== 'io-refused' && code !== 'io-error',
  );
  return [...firsts, ...rest];
}

function* remarks(reading: Reading): Generator<Finding> {
  yield* reading.series.findings();
  if (reading.runs > 1) yield severalRuns('fio', reading.runs, reading.series.runNames);
  if (reading.unknown)
    yield {
      code: 'values-implausible',
      severity: 'note',
      message: 'fio divided by zero: some of its figures are not numbers (nan) and were omitted.',
    };
  const capped = reading.faults.find((trouble) => trouble.capped)?.capped;
  if (capped)
    yield {
      code: 'queue-depth-capped',
      severity: 'warn',
      message: 'The I/O engine is synchronous, so the queue depth is 1 whatever iodepth is.',
      evidence: evidenceOf(capped),
      next: 'Use libaio, io_uring or posixaio, or more jobs.',
    };
  if (reading.phase === 'run' && reading.text.any && reading.series.last === undefined)
    yield {
      code: 'no-series',
      severity: 'note',
      message: 'This output format has rounded figures without times, so only its final figures were read.',
      next: 'Run fio with --output-format=json+ and --status-interval=1 to record every second.',
    };
  const jobs = reading.series.last?.jobs ?? [];
  const steady = jobs.filter((job) => job.steady).length;
  if (steady > 0 && reading.series.last)
    yield {
      code: 'steady-state-reached',
      severity: 'warn',
      message: `${formatCount(steady, 'job')} of ${jobs.length} ended at the steady state set by steadystate=, before the end of the time: fio counts ${formatDuration(longestRuntime(reading.series.last) / 1000)}.`,
      next: 'This follows the job file. For runs of the same length, remove steadystate from it.',
    };
  const groups = new Set(jobs.map(({ group }) => group)).size;
  if (reading.phase === 'run' && groups > 1)
    yield {
      code: 'groups-apart',
      severity: 'warn',
      message: `Its jobs are in ${groups} groups, such as consecutive stages. Figures of the whole run, such as iops, are means over all groups; each group has its own: group_0_iops to group_${groups - 1}_iops.`,
      next: 'Compare the groups (--metric group_0_iops). Stages that differ in one option are better measured as levels of a factor.',
    };
  if (
    reading.phase === 'run' &&
    jobs.some(({ part }) => part === undefined) &&
    new Set(jobs.map(({ name }) => name)).size > 1
  )
    yield {
      code: 'jobs-named',
      severity: 'note',
      message: `Jobs in order: ${jobs
        .slice(0, 20)
        .map(({ name }, index) => `${index + 1} ${name}`)
        .join(', ')}${jobs.length > 20 ? ' and more' : ''}.`,
    };
}

const stoppedFinding = (signal: number): Finding => ({
  code: 'killed-by-signal',
  severity: 'error',
  message: `fio was stopped by signal ${signal} before its planned end. Its report covers the time until then.`,
  next: 'If this was not intended, check the host’s log for the cause.',
});

function missing(reading: Reading): Finding {
  if (reading.cut !== undefined) return cutOff(reading.cut, 'a report');
  if (reading.text.orphans > 0)
    return {
      code: 'report-incomplete',
      severity: 'error',
      message: `The output contains rows of fio’s report (${formatCount(reading.text.orphans, 'row')} of rates) without the preceding rows that name their jobs, so they cannot be assigned.`,
      next: 'Use the whole report, starting at the row with groupid=; a search for single rows drops it.',
    };
  if (reading.series.last)
    return {
      code: 'no-events',
      severity: 'error',
      message: 'fio ended without a single finished I/O.',
      next: 'Check the raw output and the host’s kernel log: the storage may hang, or the jobs have nothing to do.',
    };
  return {
    code: 'no-summary',
    severity: 'error',
    message: 'The output ends without fio’s report. Earlier output is stored.',
    next: 'With --output, the report is in a file; otherwise the last lines of the raw output may show why.',
  };
}

function finished(reading: Reading, summary: Record<string, number>): boolean {
  const { phase, exit, series, text, cut, empty } = reading;
  if (phase !== 'run') return exit !== undefined || !empty;
  if (cut !== undefined) return false;
  if (series.last) return (summary.ios_total ?? 0) > 0;
  // A recorded output may not be fio's at all: a missing report is not evident then.
  if (text.any) return text.complete;
  if (text.orphans > 0) return false;
  return exit === undefined && !empty && reading.faults.every((trouble) => trouble.error === undefined);
}

function reasonOf(reading: Reading, faults: readonly Finding[], summary: Record<string, number>): Finding | undefined {
  const failed = failedExit(reading.exit);
  const complete = finished(reading, summary);
  const error = reading.faults.find((trouble) => trouble.error !== undefined)?.error;
  const [first] = faults;
  if (first) return first;
  const stopped = reading.faults.find((trouble) => trouble.stopped !== undefined)?.stopped;
  if (stopped !== undefined) return stoppedFinding(stopped);
  if (error !== undefined && (failed || !complete)) return faultFinding('tool-error', error);
  if (failed && reading.cut === undefined) return exitFinding(reading.exit, ENDING);
  return complete ? reading.unfinished : missing(reading);
}

/** Decides by output and exit status together whether the command succeeded: fio also prints a report after many failures. */
export function judge(reading: Reading): ParseOutcome {
  const { series, text } = reading;
  const summary = reading.phase === 'run' ? (series.last ? summaryOf(series.last) : text.summary) : {};
  const faults = faultsOf(reading);
  for (const finding of [...remarks(reading), ...faults]) reading.addFinding(finding);
  const reason = reasonOf(reading, faults, summary);
  if (reason && !faults.includes(reason)) reading.addFinding(reason);
  const message = reading.faults.find(({ unknown }) => unknown !== undefined)?.unknown;
  if (message !== undefined && reason?.code !== 'tool-error')
    reading.addFinding({
      code: 'tool-warning',
      severity: 'warn',
      message: 'fio printed a message.',
      evidence: evidenceOf(message),
    });
  const { latencies } = series;
  return {
    summary,
    ok: reason === undefined,
    ...(reason ? { reason } : {}),
    ...(Object.keys(latencies).length > 0 && { latencies }),
  };
}
