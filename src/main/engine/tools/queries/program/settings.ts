import { z } from 'zod';

const Texts = z.array(z.string());
const Variant = z.object({ name: z.string(), setUp: Texts, statement: z.string(), tearDown: Texts });

/** How the server is reached: what `ConnectionFacts` hold of it. */
export const Connection = z.object({
  kind: z.enum(['mysql', 'postgres', 'mongodb', 'clickhouse']),
  url: z.string().optional(),
  authSource: z.string().optional(),
  host: z.string().optional(),
  port: z.number().optional(),
  socket: z.string().optional(),
  /** Unix socket that leads to the server through the app; `host` is then its name only. */
  relay: z.string().optional(),
  user: z.string().optional(),
  password: z.string().optional(),
  database: z.string().optional(),
  tls: z.enum(['disabled', 'preferred', 'required', 'verify']).optional(),
  caFile: z.string().optional(),
  serverKey: z.string().optional(),
  allowCleartextPassword: z.boolean().optional(),
  endsOnServerHost: z.boolean().optional(),
});
export type Connection = z.infer<typeof Connection>;

/** Statements that are only sent: preparing and cleaning up, and steps of a trial. */
const Statements = z.object({
  step: z.literal('statements'),
  connection: Connection,
  statements: Texts,
  /** They take things away: what is not there is taken away already. */
  clearing: z.boolean().optional(),
  /** Each is reported with its time and rows. */
  timed: z.boolean().optional(),
});

export const Run = z.object({
  step: z.literal('run'),
  connection: Connection,
  /** No execution begins later than so many seconds after the first. */
  seconds: z.number(),
  executions: z.number(),
  discard: z.number(),
  rowOrder: z.enum(['any', 'kept']),
  serverPlan: z.enum(['none', 'explain', 'analyze', 'profile']),
  setUp: Texts,
  tearDown: Texts,
  variant: Variant,
  /** Executed once afterwards, to compare its result; absent when there is nothing to compare. */
  reference: Variant.optional(),
  facts: z.array(z.object({ name: z.string(), statement: z.string() })),
  /** Connections that execute at the same time; absent: one, and its executions have no client. */
  clients: z.number().optional(),
  /** All variants, and for each stream the places of them in its order. A client takes one stream after the other. Absent: each client executes the variant. */
  list: z.object({ variants: z.array(Variant), streams: z.array(z.array(z.number())) }).optional(),
});
export type Run = z.infer<typeof Run>;

/** The file that tells the program what to do. It holds the password. */
export const Settings = z.discriminatedUnion('step', [Statements, Run]);
export type Settings = z.infer<typeof Settings>;
