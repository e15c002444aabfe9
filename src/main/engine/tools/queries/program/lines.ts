import { z } from 'zod';

/*
 * The program's output: one JSON object a line on stdout. Times in seconds since the first execution that counts began, or milliseconds where the
 * name says so. A reader ignores members it does not know.
 */
const Started = z.object({ kind: z.literal('start'), server: z.string(), encryption: z.string() });
/** A set-up or tear-down that has ended. */
const Made = z.object({ kind: z.literal('made'), what: z.string(), seconds: z.number() });
/** `t`: when it began; 0 for those before the clock runs. `measured`: false for those that are left out at first. `checksum` has 48 bits. */
const Execution = z.object({
  kind: z.literal('execution'),
  n: z.number(),
  t: z.number(),
  ms: z.number().min(0),
  rows: z.number(),
  checksum: z.number(),
  measured: z.boolean(),
  /** Where several clients execute: which of them, from 1 on. */
  client: z.number().optional(),
  /** In a list: the name of the query, and the stream, from 1 on; those that are left out at first are of none. */
  query: z.string().optional(),
  stream: z.number().optional(),
});
export type Execution = z.infer<typeof Execution>;
/** A stream has executed all of its queries, `seconds` after the first of them began. */
const Stream = z.object({ kind: z.literal('stream'), stream: z.number(), seconds: z.number() });
const Reference = z.object({
  kind: z.literal('reference'),
  name: z.string(),
  rows: z.number(),
  checksum: z.number(),
  ms: z.number(),
});
/** An answer as a table: the server's plan, its profile, or facts. `left`: rows that are not shown. */
export const Table = z.object({
  kind: z.literal('table'),
  what: z.enum(['plan', 'profile', 'facts']),
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string().nullable())),
  left: z.number(),
});
export type Table = z.infer<typeof Table>;
/** `fatal`: the run ended by it; else only what `doing` names is missing. */
const Failure = z.object({
  kind: z.literal('error'),
  doing: z.string(),
  fatal: z.boolean(),
  /** The server's or the system's own code. */
  code: z.string(),
  message: z.string(),
});
export type Failure = z.infer<typeof Failure>;
/** Rows and bytes that the server read for one execution, the mean of all. `bytes`: before compression. */
const Read = z.object({ kind: z.literal('read'), rows: z.number().min(0), bytes: z.number().min(0) });
const Summary = z.object({
  kind: z.literal('summary'),
  ended: z.enum(['complete', 'time-over', 'stopped', 'failed']),
  executions: z.number(),
});

const OfRun = z.discriminatedUnion('kind', [Execution, Stream, Reference, Table, Read]);
export const Line = z.discriminatedUnion('kind', [OfRun, Started, Made, Failure, Summary]);
export type Line = z.infer<typeof Line>;
