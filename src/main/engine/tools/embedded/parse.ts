import type { Finding } from '../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import type { ParsedSample, ParseEvents, ParseOutcome, Parser } from '../tool.ts';
import { type IntervalLine, Line, type SummaryLine } from './program/lines.ts';

type Counted = Pick<IntervalLine, 'read' | 'update' | 'insert' | 'scan' | 'rmw' | 'ops' | 'errors'>;
type Timed = Pick<IntervalLine, 'mean_ms' | 'p50_ms' | 'p95_ms' | 'p99_ms' | 'p999_ms' | 'max_ms'>;

function present(values: Record<string, number | undefined>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}

const rates = (line: Counted, seconds: number): Record<string, number> => {
  const perSecond = (count: number | undefined): number | undefined =>
    count === undefined ? undefined : count / seconds;
  return present({
    ops: perSecond(line.ops),
    ops_read: perSecond(line.read),
    ops_update: perSecond(line.update),
    ops_insert: perSecond(line.insert),
    ops_scan: perSecond(line.scan),
    ops_rmw: perSecond(line.rmw),
    errors_per_s: perSecond(line.errors),
  });
};

const latencies = (line: Timed): Record<string, number> =>
  present({
    latency_avg_ms: line.mean_ms,
    latency_p50_ms: line.p50_ms,
    latency_p95_ms: line.p95_ms,
    latency_p99_ms: line.p99_ms,
    latency_p999_ms: line.p999_ms,
    latency_max_ms: line.max_ms,
  });

const sampleOf = (line: IntervalLine): ParsedSample => ({
  t: line.t,
  metrics: { ...rates(line, line.seconds), ...latencies(line) },
});

const summaryOf = (line: SummaryLine): Record<string, number> => ({
  ...(line.seconds > 0 ? rates(line, line.seconds) : {}),
  ...latencies(line),
  ...present({ latency_min_ms: line.min_ms }),
  seconds: line.seconds,
  operations_total: line.ops,
  errors_total: line.errors,
  database_bytes: line.databaseBytes,
});

function parsed(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** SQLite error codes of a full disk. */
const FULL = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE']);

function failure(code: string, message: string): Finding {
  return FULL.has(code)
    ? {
        code: 'disk-full',
        severity: 'error',
        message: `The disk of the benchmark database is full: ${message}.`,
        next: 'Free up space, load fewer records or choose another folder.',
      }
    : {
        code: 'embedded-failed',
        severity: 'error',
        message: `The embedded benchmark failed: ${message}`,
        next: 'Check the log of this run, correct the cause and start it again.',
      };
}

function withoutSummary(exit: ExitStatus | undefined, complaint: string | undefined): Finding {
  const end = exit?.signal
    ? `was terminated by ${exit.signal}`
    : exit?.code === undefined
      ? 'ended'
      : `ended with exit code ${exit.code}`;
  return {
    code: 'no-summary',
    severity: 'error',
    message: `The embedded benchmark ${end} without a summary${complaint ? `: ${complaint}` : '.'}`,
    next: 'The data measured until then is stored. Check the log of this run, then repeat it.',
  };
}

/** Reads the lines of `program/lines.ts`. Standard error contains only messages, which are stored and explain a failure. */
export function embeddedParser(events: ParseEvents): Parser {
  let summary: SummaryLine | undefined;
  let failed: Finding | undefined;
  let complaint: string | undefined;
  const facts: Record<string, number> = {};

  const take = (line: Line): void => {
    if (line.kind === 'interval') events.sample(sampleOf(line));
    if (line.kind === 'start') facts.load_seconds = line.loadSeconds;
    if (line.kind === 'summary') summary = line;
    if (line.kind === 'error') failed ??= failure(line.code, line.message);
    if (line.kind === 'warning') {
      events.finding({ code: line.code, severity: 'warn', message: line.message, next: line.next });
    }
  };
  const reportErrors = (): void => {
    if (!summary || summary.errors === 0) return;
    events.finding({
      code: 'operations-failed',
      severity: 'warn',
      message: `${formatCount(summary.errors, 'operation')} failed because another connection locked the database for longer than the busy timeout. They count as errors, not as operations, so the executed mix differs from the requested one.`,
      evidence: `${formatCount(summary.ops, 'operation')}, ${formatCount(summary.errors, 'error')}`,
      next: 'Raise the busy timeout or use fewer threads.',
    });
  };
  return {
    line: (text, stream, cut) => {
      const line = stream === 'stdout' && !cut ? parsed(text) : undefined;
      if (line) take(line);
      else if (text.trim() !== '') {
        if (stream === 'stderr') complaint = text.trim();
        events.unparsed(text);
      }
    },
    end: (exit): ParseOutcome => {
      reportErrors();
      const figures = summary ? { ...summaryOf(summary), ...facts } : {};
      if (failed) return { summary: figures, ok: false, reason: failed };
      if (!summary) return { summary: figures, ok: false, reason: withoutSummary(exit, complaint) };
      if (summary.ended === 'complete') return { summary: figures, ok: true };
      const message = `The embedded benchmark was stopped after ${summary.seconds.toFixed(1)} s. Its figures cover the time until then.`;
      return { summary: figures, ok: false, reason: { code: 'stopped', severity: 'error', message } };
    },
  };
}
