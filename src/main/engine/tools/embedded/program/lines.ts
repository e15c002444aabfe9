import { z } from 'zod';

/*
 * The program's output: one JSON object per line on stdout. Latencies in milliseconds; `seconds` is the real length of the period that a line covers.
 * Version 1: readers ignore unknown members, and writers never change the meaning of one.
 */
const count = z.number().int().min(0);
const byKind = {
  read: count.optional(),
  update: count.optional(),
  insert: count.optional(),
  scan: count.optional(),
  rmw: count.optional(),
};
/** Absent if no operation completed. */
const latencies = {
  mean_ms: z.number().optional(),
  p50_ms: z.number().optional(),
  p95_ms: z.number().optional(),
  p99_ms: z.number().optional(),
  p999_ms: z.number().optional(),
  max_ms: z.number().optional(),
};

export const StartLine = z.object({
  kind: z.literal('start'),
  version: z.literal(1),
  sqlite: z.string(),
  mix: z.string(),
  distribution: z.string(),
  records: count,
  threads: count,
  /** As read back from each thread's connection. */
  journal: z.string(),
  synchronous: z.string(),
  directory: z.string(),
  loadSeconds: z.number(),
  databaseBytes: count,
});
const LoadLine = z.object({ kind: z.literal('load'), rows: count, of: count });
/** `t`: scheduled end of the interval, seconds since the start of the measured part. Counts, not rates. */
export const IntervalLine = z.object({
  kind: z.literal('interval'),
  t: z.number(),
  seconds: z.number().positive(),
  ops: count,
  ...byKind,
  errors: count,
  ...latencies,
});
const WarningLine = z.object({
  kind: z.literal('warning'),
  code: z.string(),
  message: z.string(),
  next: z.string(),
});
const ErrorLine = z.object({ kind: z.literal('error'), code: z.string(), message: z.string() });
/** Covers every interval line. `ended`: why the run ended. */
export const SummaryLine = z.object({
  kind: z.literal('summary'),
  ended: z.enum(['complete', 'stopped', 'failed']),
  seconds: z.number().min(0),
  ops: count,
  ...byKind,
  errors: count,
  min_ms: z.number().optional(),
  ...latencies,
  databaseBytes: count,
});

export const Line = z.discriminatedUnion('kind', [
  StartLine,
  LoadLine,
  IntervalLine,
  WarningLine,
  ErrorLine,
  SummaryLine,
]);
export type Line = z.infer<typeof Line>;
export type StartLine = z.infer<typeof StartLine>;
export type IntervalLine = z.infer<typeof IntervalLine>;
export type SummaryLine = z.infer<typeof SummaryLine>;
