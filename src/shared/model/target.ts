import { z } from 'zod';
import { ReadyCapture } from './capture.ts';
import { Scalar } from './factor.ts';
import { ObjectName } from './host.ts';
import { Problem } from './problem.ts';

/** Name of a kind of target. Which there are is said by `engine/targets/index.ts`; a library may hold one that is not there any more. */
export const TargetKind = z.string().min(1).max(40);
export type TargetKind = z.infer<typeof TargetKind>;

const Script = z.string().min(1).max(10_000);

/**
 * How a server is started and stopped, on the host that it lives on. none: not by Kneepoint. systemd: its unit. commands: scripts of a
 * person, run by sh; without `restart`, stop and then start; without `kill`, no event can kill it. managed: Kneepoint starts it itself, as a detached job in a folder of its
 * own, from a program that is installed there; `settings` go into the generated configuration.
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
    /** Ends its main process at once, as a crash would: SIGKILL. */
    kill: Script.optional(),
    /** Exits with 0 while the server is up. Absent: it is up when it answers. */
    status: Script.optional(),
  }),
  z.strictObject({
    kind: z.literal('managed'),
    /** Name of the program, or its path on the host. */
    program: z.string().min(1).max(1000),
    /** Where its data lies; absent: a folder of the host's own account. */
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

/** Proxies, poolers and routers by the name of their process. */
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

/** The name of a proxy, by how it is started; undefined where that names no program. */
export function proxyName(control: ServerControl | undefined): string | undefined {
  const program =
    control?.kind === 'managed'
      ? control.program.replace(/^.*\//, '')
      : control?.kind === 'systemd'
        ? control.unit.replace(/(@.*)?\.service$/, '')
        : undefined;
  return program === undefined ? undefined : (PROXIES[program] ?? program);
}

/** Where a server lives. */
export const ServerPlace = z.strictObject({
  /** Name of a saved host. */
  host: ObjectName,
  control: ServerControl.default({ kind: 'none' }),
  /**
   * File that the server reads at its start, and that holds nothing but what Kneepoint writes there: settings that count from a start on.
   * Absent: none, or the server keeps such settings itself. A managed server has its own.
   */
  settingsFile: z.string().max(1000).optional(),
  /** Seconds that a start, stop or restart may take; 120 if absent. */
  limitSeconds: z.number().int().min(1).max(86_400).optional(),
});
export type ServerPlace = z.infer<typeof ServerPlace>;

/**
 * A system under test. `config` is checked by the target kind's own schema.
 * `via` is the host through which the app itself reaches it (null: directly from this computer);
 * generators reach it by the address in `config`, as seen from them.
 */
export const TargetSpec = z.object({
  name: ObjectName,
  kind: TargetKind,
  via: z.string().nullable().default(null),
  config: z.record(z.string(), z.unknown()),
  /** Absent: it is not known where its server lives, so nothing is done to it but over a connection. */
  server: ServerPlace.optional(),
  /**
   * Name of the saved target of the server behind this one, which is a proxy: `config` and `server` are the proxy's. Data is prepared and counted over
   * that target; caches, settings, durability and process are those of its server. Absent: it is the server itself.
   */
  behind: ObjectName.optional(),
});
export type TargetSpec = z.infer<typeof TargetSpec>;

/** Addresses of a target, its own and the additional ones; 1 where it is not known. */
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
const Durability = z.object({
  level: DurabilityLevel,
  why: z.string(),
  /** The settings that say so, each with what it alone amounts to. */
  settings: z.array(z.object({ name: z.string(), value: z.string(), level: DurabilityLevel })).optional(),
});
export type Durability = z.infer<typeof Durability>;

/** More tables than these are not named one by one. */
export const STORED_TABLES_NAMED = 200;

/** What a server says of itself. `settings` are the 10 to 20 that matter, in a fixed order. */
export const TargetDescription = z.object({
  product: z.string(),
  version: z.string(),
  flavour: z.string().optional(),
  /** A folder or device that is measured: its path, with the one that it leads to, and where it is mounted. Absent: a server. */
  location: z.object({ path: z.string(), mount: z.string().optional(), writable: z.boolean() }).optional(),
  settings: z.array(Setting),
  /** How the app's own connection is encrypted, for a person; `encrypted`: whether it is. Tools have connections of their own. */
  tls: z.string().optional(),
  encrypted: z.boolean().optional(),
  /** What the server encrypts with: “OpenSSL 3.0.15 3 Sep 2024”. Absent: not told. */
  tlsLibrary: z.string().optional(),
  /** Of the tables of its database; of those that it would make where it has none. */
  durability: Durability.optional(),
  /**
   * In which ways the server keeps tables (storage engines), with the tables of its database that are kept so (the first
   * `STORED_TABLES_NAMED`). Absent: in one way, or not told.
   */
  storage: z.array(z.object({ name: z.string(), tables: z.array(z.string()), durability: Durability })).optional(),
  dataBytes: z.number().optional(),
  /** What stands between us and the server and answers in its name, e.g. PgBouncer. Its settings only if it lets us see them. */
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

/** What a tool needs to connect: the same for every target kind, filled by it. Never stored: it holds the password. */
export interface ConnectionFacts {
  kind: TargetKind;
  /** Address as seen from the generator. */
  host?: string;
  port?: number;
  /** Where it has several: all of them, the one above first. They are nodes or proxies with the same data, or ways to one server. */
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
  /** A person has allowed the password to be sent so that others can read it. */
  allowCleartextPassword?: true;
  /** What is sent to the server passes no network in the clear: the way ends on the server's own host. */
  endsOnServerHost?: true;
  /** Unix socket of this computer that leads to the server through the app, for programs of ours; `host` is then its name only. */
  relay?: string;
  /** sqlite: the database file; storage: directory or device; host: a working directory. */
  path?: string;
}

/** What a target of a kind tells beyond its description: the parts of `TargetDetails`. */
export const TargetPart = z.enum(['settings', 'sizes', 'sessions', 'counters']);
export type TargetPart = z.infer<typeof TargetPart>;

/**
 * What a workload drives when no target of the kind is chosen: the generator itself, or what the tool brings along. Kinds without it have
 * to be chosen.
 */
export const WithoutTarget = z.enum(['generator', 'own']);
export type WithoutTarget = z.infer<typeof WithoutTarget>;

export const TargetKindInfo = z.object({
  kind: TargetKind,
  title: z.string(),
  /** How a sentence calls all that tools drive alike: “a target of the MySQL family”. */
  family: z.string(),
  /** A name that somebody might give to such a target. */
  nameExample: z.string(),
  withoutTarget: WithoutTarget.optional(),
  /** JSON Schema of `config`, with title, description, default and unit per property. */
  schema: z.record(z.string(), z.unknown()),
  /** Whether it takes a password, kept apart from `config`. */
  takesSecret: z.boolean(),
  /** Whether the app can look at it, so that it can be tested. */
  connects: z.boolean(),
  /** What `via` of a target means: the host that the app's connection goes through, the host that it lies on, or nothing. */
  via: z.enum(['connection', 'place', 'none']),
  tells: z.array(TargetPart),
  /** Ready-made captures for runs against it. */
  captures: z.array(ReadyCapture).optional(),
  /** Names of settings that its servers have and those of no other kind, as the source of a regular expression. */
  ownSettings: z.string().optional(),
  /** Whether Kneepoint can write settings into a file that its server reads at a start. */
  settingsFile: z.boolean().optional(),
  /** Absent: Kneepoint starts no server of the kind itself. */
  managed: z
    .object({
      /** Names of its programs: mysqld, mariadbd. */
      programs: z.array(z.string()),
      /** The one of them that stands in front of another server, with the JSON Schema of its settings that matter most. */
      pooler: z.object({ program: z.string(), schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
});
export type TargetKindInfo = z.infer<typeof TargetKindInfo>;

/** A program of servers as it was looked for on a host. */
export const ServerProgram = z.object({
  /** As it was asked for: a name, or a path. */
  name: z.string(),
  /** Absent: it is not there, or may not be executed. */
  path: z.string().optional(),
  /** First line of what `--version` prints. */
  version: z.string().optional(),
});
export type ServerProgram = z.infer<typeof ServerProgram>;

/** running: it takes connections. starting: its process is there and does not answer yet. */
export const ServerState = z.enum(['running', 'starting', 'stopped']);
export type ServerState = z.infer<typeof ServerState>;

/** A server at this moment, as its host and the server itself tell it. */
export const ServerLook = z.object({
  state: ServerState,
  /** “MariaDB 10.11.9”, while it runs and lets the account see it. */
  product: z.string().optional(),
  /** Epoch milliseconds. Absent: it does not run, or does not tell. */
  upSince: z.number().optional(),
  /** Why it told nothing of itself though it runs. */
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
