import { z } from 'zod';
import { ReadyCapture } from './capture.ts';
import { Scalar } from './factor.ts';
import { ObjectName } from './host.ts';
import { Problem } from './problem.ts';

/** Name of a kind of target. `engine/targets/index.ts` lists the kinds; a library may hold one that no longer exists. */
export const TargetKind = z.string().min(1).max(40);
export type TargetKind = z.infer<typeof TargetKind>;

const Script = z.string().min(1).max(10_000);

/**
 * How a server is started and stopped on its host. none: not by Kneepoint. systemd: by its unit. commands: by the user's scripts, run by
 * sh; without `restart`, stop and then start; without `kill`, no event can kill it. managed: Kneepoint starts it itself, as a detached job
 * in a folder of its own, from a program installed there; `settings` go into the generated configuration.
 */
export const ServerControl = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('systemd'), unit: z.string().min(1).max(200), sudo: z.boolean().default(false) }),
  z.strictObject({
    kind: z.literal('commands'),
    start: Script,
    stop: Script,
    restart: Script.optional(),
    reload: Script.optional(),
    /** Ends its main process immediately, as a crash would: SIGKILL. */
    kill: Script.optional(),
    /** Exits with 0 while the server is up. Absent: it is up when it responds. */
    status: Script.optional(),
  }),
  z.strictObject({
    kind: z.literal('managed'),
    /** Name of the program, or its path on the host. */
    program: z.string().min(1).max(1000),
    /** Data folder; absent: a folder of the host's own account. */
    folder: z
      .string()
      .max(1000)
      .regex(/^\/[^/]/, 'An absolute path, not the root folder.')
      .optional(),
    settings: z.record(z.string(), Scalar).default({}),
  }),
]);
export type ServerControl = z.infer<typeof ServerControl>;

const STARTED_BY = {
  none: 'not by Kneepoint',
  systemd: 'by systemd',
  commands: 'by own commands',
  managed: 'by Kneepoint itself',
} as const satisfies Record<ServerControl['kind'], string>;

/** How a server is started, in words that follow “started”: “by systemd (mysql.service)”. */
export function startedWords(control: ServerControl): string {
  const what = control.kind === 'systemd' ? control.unit : control.kind === 'managed' ? control.program : undefined;
  return STARTED_BY[control.kind] + (what === undefined ? '' : ` (${what})`);
}

/** Proxies, poolers and routers by process name. */
export const PROXIES: Readonly<Record<string, string>> = {
  haproxy: 'HAProxy',
  proxysql: 'ProxySQL',
  mysqlrouter: 'MySQL Router',
  maxscale: 'MaxScale',
  pgbouncer: 'PgBouncer',
  pgpool: 'Pgpool-II',
  pgpool2: 'Pgpool-II',
  odyssey: 'Odyssey',
  mongos: 'mongos',
};

/** Name of a proxy, from the way it is started; undefined if that names no program. */
export function proxyName(control: ServerControl | undefined): string | undefined {
  const program =
    control?.kind === 'managed'
      ? control.program.replace(/^.*\//, '')
      : control?.kind === 'systemd'
        ? control.unit.replace(/(@.*)?\.service$/, '')
        : undefined;
  return program === undefined ? undefined : (PROXIES[program] ?? program);
}

/** Host of a server and how it is controlled there. */
export const ServerPlace = z.strictObject({
  /** Name of a saved host. */
  host: ObjectName,
  control: ServerControl.default({ kind: 'none' }),
  /**
   * File that the server reads at its start and that contains only what Kneepoint writes: settings that apply from a start on. Absent:
   * none, or the server stores such settings itself. A managed server has its own.
   */
  settingsFile: z.string().max(1000).optional(),
  /** Seconds that a start, stop or restart may take. Default: 120. */
  limitSeconds: z.number().int().min(1).max(86_400).optional(),
});
export type ServerPlace = z.infer<typeof ServerPlace>;

/**
 * A system under test. The schema of its target kind checks `config`. `via` is the host that the app connects through (null: directly from
 * this computer); generators use the address in `config`, as seen from them.
 */
export const TargetSpec = z.object({
  name: ObjectName,
  kind: TargetKind,
  via: z.string().nullable().default(null),
  config: z.record(z.string(), z.unknown()),
  /** Absent: the server host is unknown, so Kneepoint acts on the server only over a connection. */
  server: ServerPlace.optional(),
  /**
   * Name of the saved target of the server behind this one, which is a proxy: `config` and `server` are the proxy's. Data is prepared and
   * counted over that target; caches, settings, durability and process are its server's. Absent: this target is the server itself.
   */
  behind: ObjectName.optional(),
});
export type TargetSpec = z.infer<typeof TargetSpec>;

/** Number of addresses of a target, its own and the additional ones; 1 if unknown. */
export const countOfAddresses = (spec: Pick<TargetSpec, 'config'> | undefined): number =>
  1 +
  String(spec?.config.addresses ?? '')
    .split(',')
    .filter((part) => part.trim() !== '').length;

export const Target = z.object({ id: z.number(), spec: TargetSpec, hasSecret: z.boolean(), createdAt: z.number() });
export type Target = z.infer<typeof Target>;

/**
 * The condition under which a setting can affect a result. writes: rows are changed. misses: the server reads data that is not in its cache.
 * cached: all data is in its cache. rotating: the data is on a rotating disk.
 */
const SettingNeeds = z.enum(['writes', 'misses', 'cached', 'rotating']);
export type SettingNeeds = z.infer<typeof SettingNeeds>;

/** One setting that matters for a result, in the server's own words. */
const Setting = z.object({
  name: z.string(),
  value: z.string(),
  unit: z.string().optional(),
  why: z.string().optional(),
  needs: SettingNeeds.optional(),
});

const DurabilityLevel = z.enum(['safe', 'relaxed', 'unsafe', 'unknown']);

/** safe: a committed transaction survives a power cut. */
export const Durability = z.object({
  level: DurabilityLevel,
  why: z.string(),
  /** Settings that decide it, each with the level that it alone amounts to. */
  settings: z.array(z.object({ name: z.string(), value: z.string(), level: DurabilityLevel })).optional(),
});
export type Durability = z.infer<typeof Durability>;

/** Beyond this number, tables are not named one by one. */
export const STORED_TABLES_NAMED = 200;

/** A server's description of itself. `settings` are the 10 to 20 that matter, in a fixed order. */
export const TargetDescription = z.object({
  product: z.string(),
  version: z.string(),
  flavour: z.string().optional(),
  /** A measured folder or device: its path, with the one that it resolves to, and its mount point. Absent: a server. */
  location: z.object({ path: z.string(), mount: z.string().optional(), writable: z.boolean() }).optional(),
  settings: z.array(Setting),
  /** Encryption of the app's own connection, for display; `encrypted`: whether it is encrypted. Tools use connections of their own. */
  tls: z.string().optional(),
  encrypted: z.boolean().optional(),
  /** TLS library of the server: “OpenSSL 3.0.15 3 Sep 2024”. Absent: not reported. */
  tlsLibrary: z.string().optional(),
  /** Durability of the tables of its database, or of those it would create if it has none. */
  durability: Durability.optional(),
  /**
   * Storage engines of the server, with the tables of its database that use each (the first `STORED_TABLES_NAMED`). Absent: there is only
   * one, or not reported.
   */
  storage: z.array(z.object({ name: z.string(), tables: z.array(z.string()), durability: Durability })).optional(),
  dataBytes: z.number().optional(),
  /**
   * Middleware between the app and the server that responds in its name, e.g. PgBouncer. Its settings are present only if it exposes them.
   */
  middleware: z
    .object({
      product: z.string(),
      version: z.string().optional(),
      settings: z.array(Setting),
      note: z.string().optional(),
    })
    .optional(),
  readAt: z.number(),
});
export type TargetDescription = z.infer<typeof TargetDescription>;

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Facts that a tool needs to connect: the same for every target kind, which fills them in. Never stored: they hold the password. */
export interface ConnectionFacts {
  kind: TargetKind;
  /** Address as seen from the generator. */
  host?: string;
  port?: number;
  /** All addresses if there are several, the one above first. They are nodes or proxies with the same data, or routes to one server. */
  addresses?: readonly ServerAddress[];
  socket?: string;
  /** mongodb: members and options, without account and TLS; `host` and `port` are those of the first member. */
  url?: string;
  user?: string;
  /** mongodb: the database that the user belongs to. */
  authSource?: string;
  password?: string;
  database?: string;
  tls?: 'disabled' | 'preferred' | 'required' | 'verify';
  caFile?: string;
  /** mysql, clickhouse: the server's public key (PEM), pinned; no other key may encrypt the password. */
  serverKey?: string;
  /** The user has allowed sending a cleartext password. */
  allowCleartextPassword?: true;
  /** Nothing sent to the server crosses a network in the clear: the route ends on the server's own host. */
  endsOnServerHost?: true;
  /** Unix socket on this computer that leads to the server through the app, for Kneepoint's own programs; `host` is then only its name. */
  relay?: string;
  /** sqlite: the database file; storage: directory or device; host: a working directory. */
  path?: string;
}

/** Parts of `TargetDetails` that a kind of target reports beyond its description. */
export const TargetPart = z.enum(['settings', 'sizes', 'sessions', 'counters']);
export type TargetPart = z.infer<typeof TargetPart>;

/**
 * Target of a workload if none of the kind is chosen: the generator itself, or what the tool brings along. Kinds without it require a
 * choice.
 */
export const WithoutTarget = z.enum(['generator', 'own']);
export type WithoutTarget = z.infer<typeof WithoutTarget>;

export const TargetKindInfo = z.object({
  kind: TargetKind,
  title: z.string(),
  /** Collective name of targets that tools drive alike: “a target of the MySQL family”. */
  family: z.string(),
  /** Example name for such a target. */
  nameExample: z.string(),
  withoutTarget: WithoutTarget.optional(),
  /** JSON Schema of `config`, with title, description, default and unit per property. */
  schema: z.record(z.string(), z.unknown()),
  /** Whether it takes a password, stored separately from `config`. */
  takesSecret: z.boolean(),
  /** Whether the app can inspect it, so that it can be tested. */
  connects: z.boolean(),
  /** Meaning of a target's `via`: the host that the app's connection goes through, the host that it is on, or nothing. */
  via: z.enum(['connection', 'place', 'none']),
  tells: z.array(TargetPart),
  /** Ready-made captures for runs against it. */
  captures: z.array(ReadyCapture).optional(),
  /** Names of settings that only its servers have, as the source of a regular expression. */
  ownSettings: z.string().optional(),
  /** Whether Kneepoint can write settings into a file that its server reads at a start. */
  settingsFile: z.boolean().optional(),
  /** Absent: Kneepoint does not start servers of this kind. */
  managed: z
    .object({
      /** Names of its programs: mysqld, mariadbd. */
      programs: z.array(z.string()),
      /** The one that is a proxy in front of another server, with the JSON Schema of its most important settings. */
      pooler: z.object({ program: z.string(), schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
});
export type TargetKindInfo = z.infer<typeof TargetKindInfo>;

/** A server program, as found on a host. */
export const ServerProgram = z.object({
  /** As requested: a name, or a path. */
  name: z.string(),
  /** Absent: missing or not executable. */
  path: z.string().optional(),
  /** First line of what `--version` prints. */
  version: z.string().optional(),
});
export type ServerProgram = z.infer<typeof ServerProgram>;

/** running: accepts connections. starting: its process exists and does not respond yet. */
export const ServerState = z.enum(['running', 'starting', 'stopped']);
export type ServerState = z.infer<typeof ServerState>;

/** Current state of a server, as reported by its host and the server itself. */
export const ServerLook = z.object({
  state: ServerState,
  /** “MariaDB 10.11.9”, while it runs and lets the account see it. */
  product: z.string().optional(),
  /** Epoch milliseconds. Absent: it does not run, or does not report it. */
  upSince: z.number().optional(),
  /** Why it reported nothing about itself although it runs. */
  untold: z.string().optional(),
  /** Sessions of other libraries that vary the server or its host. */
  claims: z.array(z.object({ place: z.enum(['server', 'host']), by: z.string() })),
  readAt: z.number(),
});
export type ServerLook = z.infer<typeof ServerLook>;

export const TargetTest = z.discriminatedUnion('result', [
  z.object({ result: z.literal('ok'), description: TargetDescription, roundTripMs: z.number() }),
  z.object({ result: z.literal('failed'), problem: Problem }),
]);
export type TargetTest = z.infer<typeof TargetTest>;
