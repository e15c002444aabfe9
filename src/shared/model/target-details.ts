import { z } from 'zod';
import { Problem } from './problem.ts';

/**
 * When a change of a setting takes effect: immediately by a statement, for connections made after it, when the server reads its files
 * again, after a restart, or never (built in, or chosen when the data directory was created).
 */
export const SettingChange = z.enum(['dynamic', 'connection', 'reload', 'restart', 'fixed']);
export type SettingChange = z.infer<typeof SettingChange>;

const SettingValues = z.union([
  z.object({ list: z.array(z.string()).min(1) }),
  z.object({ least: z.string(), most: z.string() }),
]);
export type SettingValues = z.infer<typeof SettingValues>;

/** A setting of a server in the server's own terms. Fields that a server does not report are absent. */
export const ServerSetting = z.object({
  name: z.string(),
  value: z.string(),
  unit: z.string().optional(),
  default: z.string().optional(),
  change: SettingChange.optional(),
  /** Source of the value: "configuration file", "COMPILED". */
  source: z.string().optional(),
  /** Accepted values: a list of words, or the smallest and the largest number, in the unit of the value. */
  takes: SettingValues.optional(),
});
export type ServerSetting = z.infer<typeof ServerSetting>;

/** Bytes as reported by the server, indexes included; `rows` is the server's estimate. The largest first. */
export const DataSizes = z.object({
  databases: z.array(z.object({ name: z.string(), bytes: z.number() })),
  /** Tables of the target's own database. */
  tables: z.array(
    z.object({ name: z.string(), bytes: z.number(), indexBytes: z.number().optional(), rows: z.number().optional() }),
  ),
  /** Number of unlisted tables; they are smaller than all listed ones. */
  tablesLeftOut: z.number(),
});
export type DataSizes = z.infer<typeof DataSizes>;

/** A client of the server at one moment. */
export const LiveSession = z.object({
  id: z.string(),
  user: z.string().optional(),
  /** Address of the client, or the name of its program. */
  client: z.string().optional(),
  database: z.string().optional(),
  /** In the server's terms: "active", "Sleep". */
  state: z.string(),
  /** Reason of its wait. */
  wait: z.string().optional(),
  /** Seconds in this state. */
  seconds: z.number().optional(),
  /** Beginning of its statement. */
  statement: z.string().optional(),
  /** The app's own connection. */
  own: z.boolean(),
});
export type LiveSession = z.infer<typeof LiveSession>;

/** Everything that a target reports beyond its description. Parts that its kind lacks are absent. */
export const TargetDetails = z.object({
  settings: z.array(ServerSetting).optional(),
  sizes: DataSizes.optional(),
  sessions: z.array(LiveSession).optional(),
  /** By the server's own names, counted since its start unless the server defines otherwise. */
  counters: z.record(z.string(), z.number()).optional(),
  /** Epoch milliseconds. */
  readAt: z.number(),
});
export type TargetDetails = z.infer<typeof TargetDetails>;

export const TargetInspection = z.discriminatedUnion('result', [
  z.object({ result: z.literal('ok'), details: TargetDetails }),
  z.object({ result: z.literal('failed'), problem: Problem }),
]);
export type TargetInspection = z.infer<typeof TargetInspection>;
