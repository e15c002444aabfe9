import { z } from 'zod';
import { Problem } from './problem.ts';

/**
 * When a change of a setting counts: at once by a statement, for connections made after it, when the server reads its files
 * again, after a restart, or never (built in, or chosen when the data directory was made).
 */
export const SettingChange = z.enum(['dynamic', 'connection', 'reload', 'restart', 'fixed']);
export type SettingChange = z.infer<typeof SettingChange>;

const SettingValues = z.union([
  z.object({ list: z.array(z.string()).min(1) }),
  z.object({ least: z.string(), most: z.string() }),
]);
export type SettingValues = z.infer<typeof SettingValues>;

/** One setting of a server in the server's own words. What a server does not tell is absent. */
export const ServerSetting = z.object({
  name: z.string(),
  value: z.string(),
  unit: z.string().optional(),
  default: z.string().optional(),
  change: SettingChange.optional(),
  /** Where the value comes from: "configuration file", "COMPILED". */
  source: z.string().optional(),
  /** The values that it takes: a list of words, or the smallest and the largest number, in the unit of the value. */
  takes: SettingValues.optional(),
});
export type ServerSetting = z.infer<typeof ServerSetting>;

/** Bytes as the server tells them, indexes included; `rows` is the server's estimate. The largest first. */
export const DataSizes = z.object({
  databases: z.array(z.object({ name: z.string(), bytes: z.number() })),
  /** Of the target's own database. */
  tables: z.array(
    z.object({ name: z.string(), bytes: z.number(), indexBytes: z.number().optional(), rows: z.number().optional() }),
  ),
  /** Tables that are smaller than all those listed, and not listed. */
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
  /** In the server's words: "active", "Sleep". */
  state: z.string(),
  /** What it waits for. */
  wait: z.string().optional(),
  /** How long it has been in this state. */
  seconds: z.number().optional(),
  /** Its beginning. */
  statement: z.string().optional(),
  /** The app's own connection. */
  own: z.boolean(),
});
export type LiveSession = z.infer<typeof LiveSession>;

/** Everything a target tells beyond its description. A part that its kind does not have is absent. */
export const TargetDetails = z.object({
  settings: z.array(ServerSetting).optional(),
  sizes: DataSizes.optional(),
  sessions: z.array(LiveSession).optional(),
  /** By the server's own names, since it started unless the server says otherwise. */
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
