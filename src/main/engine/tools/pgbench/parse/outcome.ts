import type { Finding } from '../../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../../shared/model/session.ts';
import { formatCount, formatNumber } from '../../../../../shared/util/format.ts';
import { cutOff, evidenceOf, exitFinding, failedExit, severalRuns, withoutReport } from '../../faults.ts';
import type { ParseOutcome, Phase } from '../../tool.ts';
import { ENDING, type StreamFaults } from '../faults/index.ts';
import type { InitReader } from './log.ts';
import type { ReportReader } from './report.ts';
import type { Series } from './series.ts';

/** Everything read from the output of one command. */
export interface Reading {
  phase: Phase;
  exit: ExitStatus | undefined;
  series: readonly Series[];
  faults: readonly StreamFaults[];
  report: ReportReader;
  init: InitReader;
  summary: Record<string, number>;
  /** Whether any output of a run was printed. */
  started: boolean;
  empty: boolean;
  /** Number of consecutive runs in the output. All other fields refer to the first. */
  runs: number;
  /** Last line of standard output, if incomplete. */
  cut: string | undefined;
  addFinding(finding: Finding): void;
}

/** Every bank transaction updates a branch row: with more clients than branches, most clients wait. */
function crowded({ report, summary }: Reading): Finding | undefined {
  const { clients, scaling_factor: scale } = summary;
  // With a rate, clients wait for their turn, not for each other.
  if (report.throttled || !report.books || clients === undefined || scale === undefined || clients <= scale)
    return undefined;
  return {
    code: 'clients-above-scale',
    severity: 'warn',
    message: `${formatNumber(clients)} clients update ${formatCount(scale, 'branch row', 'branch rows')}, so most of them wait for each other’s locks: this measures lock waits more than server performance.`,
    next: 'Use a scale at least as large as the largest number of clients, or simple-update.',
  };
}

function slowest({ report }: Reading): Finding | undefined {
  const { statements } = report;
  const first = statements.reduce<(typeof statements)[number] | undefined>(
    (slow, entry) => (slow && slow.latency >= entry.latency ? slow : entry),
    undefined,
  );
  if (!first) return undefined;
  return {
    code: 'slowest-statement',
    severity: 'note',
    message: `The slowest statement takes ${formatNumber(first.latency, 3)} ms on average (script ${first.script}).`,
    evidence: evidenceOf(first.text),
  };
}

/** Counts that the throughput alone does not show. */
function* shortfalls(reading: Reading): Generator<Finding> {
  const { summary, series } = reading;
  const seen = (pick: (entry: Series) => number): number => series.reduce((sum, entry) => sum + pick(entry), 0);
  const failed = summary.failed_total ?? seen((entry) => entry.failed);
  if (failed > 0)
    yield {
      code: 'transactions-failed',
      severity: 'warn',
      message: `${formatCount(failed, 'transaction')} failed with a serialization error or deadlock and ${failed === 1 ? 'is' : 'are'} not in the throughput.`,
      next: 'Compare errors_per_s of the runs: a faster run with more failures may not be the better one.',
    };
  const { retried_total: retried = 0, retries_total: retries = 0 } = summary;
  if (retried > 0)
    yield {
      code: 'transactions-retried',
      severity: 'note',
      message: `${formatCount(retried, 'transaction')} had to be retried, ${formatCount(retries, 'time')} in total; the latency counts from the first attempt.`,
    };
  const skipped = summary.skipped_total ?? seen((entry) => entry.skipped);
  if (skipped > 0)
    yield {
      code: 'transactions-skipped',
      severity: 'warn',
      message: `${formatCount(skipped, 'planned transaction')} ${skipped === 1 ? 'was' : 'were'} skipped because ${skipped === 1 ? 'its' : 'their'} latency limit had passed before ${skipped === 1 ? 'it' : 'they'} could start.`,
      next: 'The server or the clients do not keep up with the rate: lower it, or use more clients.',
    };
  const above = summary.above_limit_total ?? 0;
  if (above > 0)
    yield {
      code: 'above-latency-limit',
      severity: 'note',
      message: `${formatCount(above, 'transaction')} took longer than the latency limit.`,
    };
}

function* remarks(reading: Reading): Generator<Finding> {
  for (const series of reading.series) yield* series.findings();
  if (reading.runs > 1) yield severalRuns('pgbench', reading.runs);
  yield* shortfalls(reading);
  const aborted = reading.faults.reduce((sum, trouble) => sum + trouble.aborted, 0);
  const { clients } = reading.summary;
  if (aborted > 0 && clients !== undefined && aborted < clients)
    yield {
      code: 'clients-aborted',
      severity: 'warn',
      message: `${aborted} of ${formatCount(clients, 'client')} aborted, and the run continued with the others: later figures are from fewer clients.`,
    };
  const more = reading.phase === 'run' ? [crowded(reading), slowest(reading)] : [];
  for (const finding of more) if (finding) yield finding;
}

/** Why a command did not succeed, if neither a message nor the exit status shows it. */
function missing(reading: Reading): Finding {
  if (reading.cut !== undefined) return cutOff(reading.cut);
  if (reading.report.complete)
    return {
      code: 'no-events',
      severity: 'error',
      message: 'pgbench ended without a single finished transaction.',
      next: 'Each transaction may take longer than the run, or every one failed: check the raw output and the server’s log.',
    };
  return withoutReport('pgbench');
}

/** A recorded output may be that of prepare, or not pgbench's at all: a missing report is not evident then. */
function finished(reading: Reading): boolean {
  const { phase, report, init, exit, summary } = reading;
  if (phase !== 'run') return init.done || (exit === undefined && !reading.empty);
  if (report.complete && (summary.transactions_total ?? 0) > 0) return true;
  return exit === undefined && !reading.started && !reading.empty && reading.cut === undefined && !report.complete;
}

function reasonOf(reading: Reading): Finding | undefined {
  const { faults, exit } = reading;
  const failed = failedExit(exit);
  const complete = finished(reading);
  const errors = faults.some((entry) => entry.failed);
  const reason = errors || failed || !complete ? faults.find((entry) => entry.reason)?.reason : undefined;
  if (reason) return reason;
  if (failed) return exitFinding(exit, ENDING);
  if (errors)
    return {
      code: 'run-aborted',
      severity: 'error',
      message: 'pgbench reports that the run was aborted and its results are incomplete.',
      next: 'The raw output and the server’s log at that time may show why.',
    };
  return complete ? undefined : missing(reading);
}

/** Decides by output and exit status together whether the command succeeded. */
export function judge(reading: Reading): ParseOutcome {
  for (const finding of remarks(reading)) reading.addFinding(finding);
  const reason = reasonOf(reading);
  // Specific faults were already reported at their line.
  if (reason && !reading.faults.some((trouble) => trouble.hasReported(reason.code))) reading.addFinding(reason);
  return { summary: reading.summary, ok: reason === undefined, ...(reason ? { reason } : {}) };
}
