import { z } from 'zod';

/*
 * The program's output: one JSON object per line on stdout. Times in seconds since the start of the first measured execution, or in milliseconds if
 * so named. Readers ignore unknown members.
 */
const Started = z.object({ kind: z.literal('start'), server: z.string(), encryption: z.string() });
/** A completed set-up or tear-down. */
const Made = z.object({ kind: z.literal('made'), what: z.string(), seconds: z.number() });
/** `t`: its start; 0 before the clock runs. `measured`: false for discarded executions. `checksum` has 48 bits. */
const Execution = z.object({
  kind: z.literal('execution'),
  n: z.number(),
  t: z.number(),
  ms: z.number().min(0),
  rows: z.number(),
  checksum: z.number(),
  measured: z.boolean(),
  /** The number of the client, if there are several, counting from 1. */
  client: z.number().optional(),
  /** In a list: the name of the query, and the number of the stream, counting from 1. Discarded executions have no stream. */
  query: z.string().optional(),
  stream: z.number().optional(),
});
export type Execution = z.infer<typeof Execution>;
/** A stream has completed all of its queries, `seconds` after the first of them began. */
const Stream = z.object({ kind: z.literal('stream'), stream: z.number(), seconds: z.number() });
const Reference = z.object({
  kind: z.literal('reference'),
  name: z.string(),
  rows: z.number(),
  checksum: z.number(),
  ms: z.number(),
});
/** A result as a table: the server's plan, its profile, or facts. `left`: number of omitted rows. */
export const Table = z.object({
  kind: z.literal('table'),
  what: z.enum(['plan', 'profile', 'facts']),
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string().nullable())),
  left: z.number(),
});
export type Table = z.infer<typeof Table>;
/** `fatal`: it ended the run; otherwise only the part named by `doing` is missing. */
const Failure = z.object({
  kind: z.literal('error'),
  doing: z.string(),
  fatal: z.boolean(),
  /** The server's or the system's own code. */
  code: z.string(),
  message: z.string(),
});
export type Failure = z.infer<typeof Failure>;
/** Mean rows and bytes read by the server per execution. `bytes`: uncompressed. */
const Read = z.object({ kind: z.literal('read'), rows: z.number().min(0), bytes: z.number().min(0) });
const Summary = z.object({
  kind: z.literal('summary'),
  ended: z.enum(['complete', 'time-over', 'stopped', 'failed']),
  executions: z.number(),
});

const OfRun = z.discriminatedUnion('kind', [Execution, Stream, Reference, Table, Read]);
export const Line = z.discriminatedUnion('kind', [OfRun, Started, Made, Failure, Summary]);
export type Line = z.infer<typeof Line>;
