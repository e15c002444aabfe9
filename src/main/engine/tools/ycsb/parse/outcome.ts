import type { Finding } from '../../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../../shared/model/session.ts';
import { formatCount, formatNumber } from '../../../../../shared/util/format.ts';
import {
  cutOff,
  endedBySignal,
  evidenceOf,
  exitFinding,
  failedExit,
  severalRuns,
  withoutReport,
} from '../../faults.ts';
import type { ParseOutcome, Phase } from '../../tool.ts';
import { ENDING, type StreamFaults } from '../faults/index.ts';
import { addsRecords, drivesTarget, type YcsbOptions } from '../options/index.ts';
import type { Report } from './report.ts';
import type { Series } from './series.ts';

/** Everything read from the output of one command. */
export interface Reading {
  phase: Phase;
  options: YcsbOptions;
  exit: ExitStatus | undefined;
  series: Series;
  /** Number of runs that began, by their first line. */
  runs: number;
  report: Report;
  faults: { stdout: StreamFaults; stderr: StreamFaults };
  /** Set if YCSB writes its report to a file. */
  exportFile: string | undefined;
  /** Whether a time limit was announced, and whether it ended the run. */
  time: { limited: boolean; over: boolean };
  /** The last line, if incomplete. */
  cut: string | undefined;
  /** Whether a finding with this code was reported. */
  hasReported(code: string): boolean;
  addFinding(finding: Finding): void;
}

const loads = ({ phase, options }: Reading): boolean => phase === 'prepare' || options.phase === 'load';

/** If each run loads its own data, prepare creates an empty table without starting a client. */
const onlyMakesTable = ({ phase, options }: Reading): boolean =>
  phase === 'prepare' && drivesTarget(options) !== undefined && addsRecords(options);

/** Remarks that do not invalidate a run. */
function* remarks(reading: Reading): Generator<Finding> {
  yield* reading.series.findings();
  const runs = Math.max(reading.runs, reading.series.runs, reading.report.runs);
  if (runs > 1) yield severalRuns('YCSB', runs);
  const retries = reading.faults.stderr.retries + reading.faults.stdout.retries;
  if (retries > 0)
    yield {
      code: 'insert-retries',
      severity: 'warn',
      message: `Failed inserts were retried ${formatCount(retries, 'time')}, each after a wait of seconds.`,
      next: 'Find the cause among the messages of the binding in the raw output.',
    };
  if (reading.time.limited && !reading.time.over && !loads(reading) && reading.report.complete)
    yield {
      code: 'ended-early',
      severity: 'warn',
      message: 'All operations completed early, so the run was shorter than planned.',
      next: 'Raise the option “operationcount”.',
    };
}

const failure = (code: string, message: string, next: string, evidence?: string): Finding => ({
  code,
  severity: 'error',
  message,
  ...(evidence ? { evidence: evidenceOf(evidence) } : {}),
  next,
});

/** Why a command has no usable report, if neither a message nor the exit status shows it. */
function missingReport(reading: Reading): Finding {
  return reading.cut === undefined ? withoutReport('YCSB') : cutOff(reading.cut);
}

/** YCSB's own rates include failed operations, which makes a dead server look fast. */
function failedOperations(reading: Reading): Finding | undefined {
  const { done, failed: reported } = reading.report.operations;
  const failed = Math.max(reported, reading.series.failures);
  if (failed === 0) return undefined;
  return failure(
    'operations-failed',
    `${formatCount(failed, 'operation')} failed${done > 0 ? ` and ${formatNumber(done)} succeeded` : ''}. YCSB counts failed ones as completed, so its rates are too high.`,
    'See errors_per_s for when the failures began, and the messages of the binding in the raw output for the cause. Records that are not found also count as failed: recordcount must match the load.',
  );
}

function shortLoad(reading: Reading): Finding | undefined {
  const { options, report } = reading;
  const inserted = report.operations.byKind.get('insert');
  if (!loads(reading) || reading.exit === undefined || inserted === undefined) return undefined;
  // A measured load may end with its time; the load of data for runs must be complete.
  if (reading.phase === 'run' || inserted >= options.recordcount) return undefined;
  return failure(
    'load-incomplete',
    `The load ended with ${formatNumber(inserted)} of ${formatNumber(options.recordcount)} records.`,
    'Fix the cause named in the raw output, then start again with data: recreate.',
  );
}

function reasonOf(reading: Reading): Finding | undefined {
  const { exit, report, series, phase } = reading;
  if (endedBySignal(exit)) return exitFinding(exit, ENDING);
  const reason = reading.faults.stderr.reason ?? reading.faults.stdout.reason;
  if (reason) return reason;
  if (failedExit(exit)) return exitFinding(exit, ENDING);
  if (phase === 'cleanup' || onlyMakesTable(reading)) return undefined;
  const elsewhere = reading.exportFile !== undefined && series.any;
  if (!report.complete && !elsewhere) return missingReport(reading);
  const failed = failedOperations(reading) ?? shortLoad(reading);
  if (failed) return failed;
  if ((elsewhere ? series.operations : report.operations.done) === 0)
    return failure(
      'no-operations',
      'YCSB ended without completing a single operation.',
      'Check operationcount and the proportions, and check the raw output.',
    );
  return undefined;
}

/** Figures of all operations, if they can be derived from those of each kind. */
function overall(report: Report, summary: Record<string, number>): Record<string, number> {
  const [only, ...others] = [...report.operations.byKind].filter(([, count]) => count > 0);
  if (!only || others.length > 0) return {};
  const prefix = `${only[0]}_`;
  return Object.fromEntries(
    Object.entries(summary).flatMap(([key, value]) =>
      key.startsWith(`${prefix}latency_`) ? [[key.slice(prefix.length), value]] : [],
    ),
  );
}

/** Decides by the output first, since YCSB always exits with code 0. */
export function judge(reading: Reading): ParseOutcome {
  const { report } = reading;
  const own = report.summary;
  const summary = { ...own, ...overall(report, own) };
  for (const finding of reading.faults.stdout.findings)
    if (!reading.hasReported(finding.code)) reading.addFinding(finding);
  for (const finding of remarks(reading)) reading.addFinding(finding);
  if (reading.exportFile !== undefined && !report.complete && reading.series.any)
    reading.addFinding({
      code: 'report-exported',
      severity: 'note',
      message: `YCSB wrote its final report to the file ${reading.exportFile}, so its final figures are not in the output.`,
    });
  const reason = reasonOf(reading);
  if (reason && !reading.hasReported(reason.code)) reading.addFinding(reason);
  return { summary, ok: reason === undefined, ...(reason ? { reason } : {}) };
}
