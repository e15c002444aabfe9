import { COUNTED_FROM } from '../../../../../shared/metrics/index.ts';
import type { Finding } from '../../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../../shared/model/session.ts';
import { formatCount } from '../../../../../shared/util/format.ts';
import { cutOff, endedBySignal, exitFinding, failedExit, severalRuns, withoutReport } from '../../faults.ts';
import type { ParseOutcome, Phase } from '../../tool.ts';
import { endingWords, type StreamFaults } from '../faults/index.ts';
import type { SysbenchOptions } from '../options/index.ts';
import { isLibraryScript, OWN_SCRIPT } from '../scripts/index.ts';
import { unreadProblem } from '../scripts/own.ts';
import type { DataSteps } from './banner.ts';
import type { ReportReader } from './report.ts';
import { LARGEST_MS, type Series, scaleEnds } from './series.ts';

/** Everything read from the output of one command. */
export interface Reading {
  phase: Phase;
  options: SysbenchOptions;
  exit: ExitStatus | undefined;
  series: Series;
  report: ReportReader;
  checkpoints: readonly { t: number; report: ReportReader }[];
  data: DataSteps;
  /** Totals counted by a script. */
  totals: Readonly<Record<string, number>>;
  faults: { stdout: StreamFaults; stderr: StreamFaults };
  /** Whether sysbench's header of a run was printed. */
  started: boolean;
  /** Number of consecutive runs in the output. All other fields refer to the first. */
  runs: number;
  /** Whether fileio uses asynchronous I/O. */
  asynchronous: boolean;
  empty: boolean;
  /** Whether a script printed the statistics in its own format. */
  ownReport: boolean;
  /** Last line of standard output, if incomplete. */
  cut: string | undefined;
  addFinding(finding: Finding): void;
}

function summaryOf(report: ReportReader): Record<string, number> {
  const { values, complete, histogram } = report;
  const summary = { ...histogram.figures(complete ? values.events_total : undefined), ...values };
  // Without an event, printed latencies are meaningless.
  if (summary.events_total === 0)
    for (const key of Object.keys(summary)) if (key.startsWith('latency_')) delete summary[key];
  return summary;
}

/** An own script may count its intended rollbacks as errors, as sysbench-tpcc does; library scripts never do. */
const countedAlike = ({ script }: SysbenchOptions): string =>
  isLibraryScript(script)
    ? 'deadlocks, serialization failures and lock waits are counted together, without rollbacks requested by the script.'
    : 'deadlocks, serialization failures, lock waits and rollbacks requested by the script are counted together.';

/** A trial without requested checkpoints has only the planned one, at the end of the warm-up. */
const endsWarmUp = ({ options, exit, checkpoints }: Reading): boolean =>
  exit !== undefined && options['report-checkpoints'] === '' && checkpoints.length === 1;

/** Remarks on a command, regardless of how it ended. */
function* remarks(reading: Reading, summary: Record<string, number>): Generator<Finding> {
  const { script, 'script-text': text } = reading.options;
  const unread = reading.phase === 'run' && script === OWN_SCRIPT ? unreadProblem(text) : undefined;
  if (unread !== undefined)
    yield {
      code: 'script-unread',
      severity: 'note',
      message: `Kneepoint could not parse the script (${unread}) and passed it to sysbench unchanged: names in script-options were not checked, and no other options were set.`,
      next: 'Correct the script if sysbench rejects it too; otherwise set every relevant value in script-options.',
    };
  yield* reading.series.findings();
  if (reading.runs > 1) yield severalRuns('sysbench', reading.runs);
  if (Object.entries(summary).some(([key, value]) => /^latency_p\d/.test(key) && value === LARGEST_MS))
    yield scaleEnds(' in the final report');
  if (reading.report.implausible && summary.events_total !== 0)
    yield {
      code: 'values-implausible',
      severity: 'note',
      message:
        'An impossible latency in the final report was omitted: a counter wrapped around, as when the clock is set during an event.',
    };
  if (reading.asynchronous && reading.phase === 'run')
    yield {
      code: 'latency-of-submission',
      severity: 'warn',
      message:
        'With asynchronous I/O, sysbench measures the submission of a request, not its completion: throughput is valid, but latencies are not.',
      next: 'For latencies use the mode sync, or fio, which times each request to its end.',
    };
  const errors = (summary.ignored_errors_total ?? 0) + (summary.deadlocks_total ?? 0);
  if (errors > 0 || reading.series.withErrors)
    yield {
      code: 'errors-ignored',
      severity: 'warn',
      message: `${errors > 0 ? formatCount(errors, 'event') : 'Some events'} ended with an error that sysbench was set to ignore. It does not report which: ${countedAlike(reading.options)}`,
      next: 'Compare the errors per second of the runs: a faster run with more errors may not be the better one.',
    };
  if ((summary.reconnects_total ?? 0) > 0 || reading.series.withReconnects)
    yield {
      code: 'reconnected',
      severity: 'warn',
      message: 'Connections to the server were lost and reopened during the run.',
      next: 'Check the server’s log for a restart or killed connections, unless the option “reconnect” is set.',
    };
  if (reading.checkpoints.length > 0 && !endsWarmUp(reading))
    yield {
      code: 'counters-reset',
      severity: 'note',
      message:
        'Checkpoints reset the counters of sysbench: final figures cover only the time after the last one, although the total time covers the whole run.',
    };
}

/** Why a run has no usable final report, if neither a message nor the exit status shows it. */
function missingReport(reading: Reading, summary: Record<string, number>): Finding {
  if (reading.cut !== undefined) return cutOff(reading.cut);
  if (reading.report.complete && summary.events_total === 0)
    return {
      code: 'no-events',
      severity: 'error',
      message: 'sysbench ended without running a single event.',
      next: 'Check the options: an event or time limit may be zero, or every event takes longer than the run.',
    };
  return withoutReport('sysbench');
}

function reasonOf(reading: Reading, summary: Record<string, number>, complete: boolean): Finding | undefined {
  const { stdout, stderr } = reading.faults;
  const { exit } = reading;
  const failed = failedExit(exit);
  const messages = stdout.fatal || failed || !complete;
  const reason = messages ? (stdout.reason ?? stderr.reason) : undefined;
  if (reason) return reason;
  if (endedBySignal(exit) || (failed && reading.cut === undefined))
    return exitFinding(exit, endingWords(reading.options));
  return complete ? undefined : missingReport(reading, summary);
}

/** A recorded output may be that of prepare or cleanup, or not of a run at all: a missing report is not evident then. */
const looksLikeRun = (reading: Reading): boolean =>
  reading.started || reading.series.any || reading.empty || reading.cut !== undefined;

/** Decides by output and exit status together whether the command succeeded. */
export function judge(reading: Reading): ParseOutcome {
  const { phase, exit, report, data } = reading;
  const summary: Record<string, number> = { ...data.summary, ...reading.totals, ...summaryOf(report) };
  const counted = reading.checkpoints.at(-1)?.t;
  if (counted !== undefined && report.complete) summary[COUNTED_FROM] = counted;
  const finished =
    (report.complete && summary.events_total !== 0) ||
    (reading.ownReport && reading.series.any && reading.cut === undefined);
  const complete = phase === 'run' ? finished || (exit === undefined && !looksLikeRun(reading)) : true;
  for (const finding of remarks(reading, summary)) reading.addFinding(finding);
  const reason = reasonOf(reading, summary, complete);
  // Specific faults were already reported at their line.
  const { stdout, stderr } = reading.faults;
  if (reason && !stdout.reported(reason.code) && !stderr.reported(reason.code)) reading.addFinding(reason);
  const histogram = report.histogram.whole(report.complete ? report.values.events_total : undefined);
  const from = reading.checkpoints.at(-1)?.t ?? 0;
  const to = Math.max(from, summary.total_time_s ?? 0);
  const checkpoints = reading.checkpoints.map(({ t, report: at }) => ({ t, summary: summaryOf(at) }));
  return {
    summary,
    ok: reason === undefined,
    ...(reason ? { reason } : {}),
    ...(checkpoints.length > 0 ? { checkpoints } : {}),
    ...(histogram ? { latencies: { latency: [{ from, to, histogram }] } } : {}),
  };
}
