import { z } from 'zod';

const Texts = z.array(z.string());
const Variant = z.object({ name: z.string(), setUp: Texts, statement: z.string(), tearDown: Texts });

/** How to connect to the server, from `ConnectionFacts`. */
export const Connection = z.object({
  kind: z.enum(['mysql', 'postgres', 'mongodb', 'clickhouse']),
  url: z.string().optional(),
  authSource: z.string().optional(),
  host: z.string().optional(),
  port: z.number().optional(),
  socket: z.string().optional(),
  /** Unix socket that leads to the server through the app; `host` is only its name in that case. */
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

/** Statements that are only sent: for prepare and clean-up, and in steps of a trial. */
const Statements = z.object({
  step: z.literal('statements'),
  connection: Connection,
  statements: Texts,
  /** They remove objects: missing ones are not an error. */
  clearing: z.boolean().optional(),
  /** Each is reported with its time and rows. */
  timed: z.boolean().optional(),
});

export const Run = z.object({
  step: z.literal('run'),
  connection: Connection,
  /** Seconds after the first execution after which no other one begins. */
  seconds: z.number(),
  executions: z.number(),
  discard: z.number(),
  rowOrder: z.enum(['any', 'kept']),
  serverPlan: z.enum(['none', 'explain', 'analyze', 'profile']),
  setUp: Texts,
  tearDown: Texts,
  variant: Variant,
  /** Executed once afterwards to compare its result. Undefined if there is nothing to compare. */
  reference: Variant.optional(),
  facts: z.array(z.object({ name: z.string(), statement: z.string() })),
  /** Concurrent connections. Undefined: a single one, and its executions have no client number. */
  clients: z.number().optional(),
  /**
   * All variants, and their indexes in the order of each stream. A client executes one stream after the other. Undefined: each client executes the
   * variant.
   */
  list: z.object({ variants: z.array(Variant), streams: z.array(z.array(z.number())) }).optional(),
});
export type Run = z.infer<typeof Run>;

/** The settings file of the program. It contains the password. */
export const Settings = z.discriminatedUnion('step', [Statements, Run]);
export type Settings = z.infer<typeof Settings>;
