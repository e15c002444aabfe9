import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type { StoredFiles, StoredPart } from '../../../shared/measures/index.ts';
import type { ReadyCapture } from '../../../shared/model/capture.ts';
import type { SeriesRule } from '../../../shared/model/monitored.ts';
import type {
  ConnectionFacts,
  Durability,
  TargetDescription,
  TargetKind,
  TargetKindInfo,
  TargetPart,
  WithoutTarget,
} from '../../../shared/model/target.ts';
import type { DataSizes, LiveSession, ServerSetting } from '../../../shared/model/target-details.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';

/**
 * The routes from the host that the app connects through (over its SSH connection), or from this computer. None of them opens a port. Errors are
 * KneepointErrors of the machine, or socket errors.
 */
export interface Reach {
  /** The host whose SSH connection is used. Undefined: connections start on this computer. */
  readonly through?: string;
  dial(address: string, port: number): Promise<Duplex>;
  /** To a Unix socket of that host. */
  dialSocket(path: string): Promise<Duplex>;
  /** Runs a POSIX sh script there until it ends. */
  exec(script: string, signal?: AbortSignal): Promise<{ code?: number; stdout: string; stderr: string }>;
}

/** Whether the route to a server never leaves a machine unencrypted: by a Unix socket, or through SSH to the server host. */
export const endsOnServerHost = (reach: Reach, { address, socket }: { address: string; socket: string }): boolean =>
  socket !== '' || (reach.through !== undefined && isLoopback(address));

/** Why a change is not possible: a sentence, and what to do. */
export interface Obstacle {
  readonly message: string;
  readonly next: string;
}

/** The current state of a server setting, and how it can be changed. */
export interface VariedSetting {
  readonly name: string;
  /** With its unit where the server counts in one: “128MB”. */
  readonly value: string;
  /** The value in the server's own file that takes effect after the next reload or start, if it differs. */
  readonly pending?: string | undefined;
  /**
   * How a new value takes effect. live: by a statement; this includes settings that apply only to new connections, since tools reconnect for each
   * trial. fixed: never.
   */
  readonly effect: 'live' | 'reload' | 'restart' | 'fixed';
  /** Where it is stored. memory: in the server, until it ends. server: in a file that the server writes. file: only in the settings file. */
  readonly keptIn: 'memory' | 'server' | 'file';
  /** Why this account or this server cannot change it. */
  readonly obstacle?: Obstacle | undefined;
  /** Data needed to restore it, in addition to the value. */
  readonly undo: Readonly<Record<string, string>>;
  /** Why the server would refuse a value, as far as this is known. */
  against(value: string): Obstacle | undefined;
}

/** Other users of a server, as far as the account can see. */
export interface SharedUse {
  /** Clients of other accounts: “app from 10.0.0.7, 3 connections”. */
  readonly clients: readonly string[];
  /** Servers that replicate from it or that it replicates from. */
  readonly replicas: readonly string[];
  /** Seconds since the server started. */
  readonly upSeconds?: number | undefined;
}

/**
 * Changes settings of a server, over one connection. Errors: `change-refused`, `change-not-possible` with the server's words, and those of a session.
 */
export interface SettingsControl {
  /** Returns one result per name; undefined for an unknown setting. */
  look(names: readonly string[]): Promise<readonly (VariedSetting | undefined)[]>;
  /** Sets settings that are not stored in a file. Resolves when live and reloaded values are in effect. */
  set(values: ReadonlyMap<string, string>): Promise<void>;
  /** Restores settings changed by `set`, from their original `value` and `undo`. Resolves as `set` does. */
  restore(first: readonly Pick<VariedSetting, 'name' | 'value' | 'undo'>[]): Promise<void>;
  /** All settings that can be changed while the server runs, with their current values. `obstacle`: why a change could not be undone. */
  changeable(): Promise<readonly VariedSetting[]>;
  /** Values set since the server started that it forgets when it ends. */
  inMemory(): Promise<ReadonlyMap<string, string>>;
  /**
   * Values that existing tables keep from their creation: the distinct values of each setting, in its own words, by its name. Empty for a setting
   * that tables do not record.
   */
  ofTables(settings: readonly string[], tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  shared(): Promise<SharedUse>;
}

/** Another setting that is required for one to have an effect. */
export interface SettingDependency {
  readonly setting: string;
  /** The required value in words: “ON”, “a value above 0”. */
  readonly wanted: string;
  isMet(value: string): boolean;
}

/** Facts about the settings of a kind that need no server. */
export interface SettingsReference {
  /** The most disruptive effect that a change needs in current versions. Undefined if the setting is unknown. */
  effectOf(name: string): VariedSetting['effect'] | undefined;
  /** The setting that contains the path of the data folder. */
  readonly dataFolder?: string;
  /** Durability that a value of the setting alone amounts to. Undefined if it does not affect durability. */
  durability?(name: string, value: string): Durability['level'] | undefined;
  /** Whether it applies only to tables, indexes or rows created later, and leaves existing ones unchanged. */
  isForNewData(name: string): boolean;
  /** Conditions for a setting to have any effect, regardless of the load. Empty if there are none or none are known. */
  dependsOn?(name: string): readonly SettingDependency[];
  /** Lines of a settings file for a value that takes effect at the next start. Undefined for a name that the file must not contain. */
  lines?(name: string, value: string): Readonly<Record<string, string | undefined>>;
  /**
   * Lines for a value set on the running server and forgotten when it ends. They are written in addition to `lines`, as the server may not start with
   * them alone. A server without this option must still start. Undefined: none are written.
   */
  linesInMemory?(name: string, value: string): Readonly<Record<string, string | undefined>>;
  /**
   * POSIX sh script that restores, on the server host and while the server is down, settings that the server stores in a file of its own. Exits with
   * 0 on success. Undefined if none of them is in such a file, or if its location is unknown.
   */
  restoreScript?(first: readonly Pick<VariedSetting, 'name' | 'undo'>[]): string | undefined;
}

/** A sample of a server at one moment. */
export interface ServerSample {
  /**
   * Counters and gauges by the server's own names; `MonitoringOf.rules` distinguishes them. A name may be missing from one sample and present in the
   * next. Empty: no response in time.
   */
  readonly metrics: Readonly<Record<string, number>>;
  /** Data that this server or account does not report, as sentences with what to do. Only in the first sample of a connection that lacks it. */
  readonly problems?: readonly string[];
}

/** Samples of a kind of server, one per second. */
export interface MonitoringOf {
  /** Every name returned by `sample` is read by one of them. */
  readonly rules: readonly SeriesRule[];
  /** Process names on the host that `managed` does not list. The kernel keeps 15 characters of a name. */
  readonly processes?: readonly string[];
  /**
   * Parses the output lines of the program from `samplesOnHost`, without their leading time, each a complete sample. Returns undefined for other
   * lines. Undefined if sessions of the kind have no such program. Create one per output; it can begin at any line. `known`: counters of the previous
   * sample; those that come and go are 0 until they appear again.
   */
  readonly hostLines?: (known?: readonly string[]) => (line: string) => ServerSample['metrics'] | undefined;
  /** Parses the output lines of the program from `statementsOnHost`. */
  readonly statementLines?: (line: string) => StatementAnswer | undefined;
}

/** The result of a user's statement, run on the server host. */
export interface StatementAnswer {
  /** Its index among the statements asked. */
  readonly statement: number;
  /** Undefined if it failed or does not return a table. */
  readonly figures: Readonly<Record<string, number>> | undefined;
}

/** The same samples, taken on a host that has the server's own client, to avoid gaps while the app is disconnected. */
export interface HostSampling {
  /**
   * POSIX sh, run as a file next to `files`. Prints one line per second until it is ended, and continues when the server comes back. Exits with 69 if
   * no client is installed. The caller writes the time before each line.
   */
  readonly script: string;
  /** Passwords are in `secret` files with mode 0600. */
  readonly files: readonly { name: string; content: string; mode: number; secret: boolean }[];
}

/** The folder of a server's data, and its free bytes. */
export interface Room {
  readonly folder: string;
  readonly free: number;
}

/** A size reported by a server. `value` is undefined if it does not report one, for the reason in `source`. */
export interface StoredSize {
  readonly what: StoredPart;
  /** Bytes, or rows. */
  readonly value?: number;
  /** The view or command it comes from, and what it covers. */
  readonly source: string;
}

/** Files below a folder on the server host: all of them, those directly in the folder with these names, or those with this path; `*` as in find. */
export interface StoredPlace {
  readonly what: StoredFiles;
  /** Absolute. */
  readonly folder: string;
  readonly names?: readonly string[];
  readonly path?: string;
}

/** Sizes of the database of a target and of the logs of its server. */
export interface Stored {
  readonly sizes: readonly StoredSize[];
  /** Data only if its files contain nothing else. */
  readonly places: readonly StoredPlace[];
}

/** Options for a statement whose result is stored. */
export interface TableHow {
  readonly first?: readonly string[] | undefined;
  readonly writes?: boolean | undefined;
}

/** The result of a statement: its column names, and its rows as the driver returns them. */
export interface AnswerTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The command line client of a kind of server. */
export interface CommandLineClient {
  /** The environment variable from which it reads the password. */
  readonly passwordVariable: string;
  /** Sends one statement and prints only its rows, tab-separated. */
  argv(connection: ConnectionFacts, statement: string): readonly string[];
  /** The statement whose last column is this counter. Undefined if the server has no such statement. */
  status?(name: string): string;
}

export interface TargetSession {
  /** Milliseconds of one empty round trip. */
  ping(): Promise<number>;
  describe(): Promise<TargetDescription>;
  /** Identifies this server by its own words: “server uuid” → “5e1c…”, as far as this account can see. Undefined for kinds without such facts. */
  identity?(): Promise<Readonly<Record<string, string>>>;
  /** The server's counters by its own names, numbers only. */
  counters(): Promise<Record<string, number>>;
  /** Rows of a table. Undefined if it does not exist. */
  countRows(table: string): Promise<number | undefined>;
  /**
   * Runs one user statement unchanged and returns the first value of its first row, or null if it has none. Undefined for kinds that take no
   * statements. Throws `change-refused` with the server's words if the server rejects it.
   */
  run?(statement: string): Promise<string | null>;
  /** Every setting, by name. Undefined for kinds without settings other than those of `describe`. */
  settings?(): Promise<ServerSetting[]>;
  sizes?(): Promise<DataSizes>;
  /** The data folder and its free bytes. Resolves with undefined if the server does not report them. Undefined for kinds that never do. */
  room?(): Promise<Room | undefined>;
  /** Sizes on disk, by a few cheap questions of at most 5 s each, none of which reads tables. Undefined for kinds that report none. */
  stored?(): Promise<Stored>;
  /** Its first rows as text, at most `most`. Undefined for kinds without tables. */
  firstRows?(table: string, most: number): Promise<readonly string[]>;
  /** Current connections, as far as the account can see. */
  sessions?(): Promise<LiveSession[]>;
  /**
   * The server's current counters, with as few and as cheap questions as possible: called every second, over a connection that stays open. Throws if
   * the server cannot be reached. Undefined for kinds without samples.
   */
  sample?(): Promise<ServerSample>;
  /** The program that samples like `sample`, for this server and account. Undefined if the server's client cannot connect in the same way. */
  samplesOnHost?(): Promise<HostSampling | undefined>;
  /**
   * Figures of a user's statement: the numeric columns of its first row, by column; with two columns, the first of which is not a number, each row.
   * At most 200 figures and 5 s. A slow statement delays `sample` of the same session, so use a separate session. Throws `change-refused` with the
   * server's words if the server rejects it.
   */
  sampleStatement?(statement: string): Promise<Record<string, number>>;
  /**
   * Sends a statement and returns its result as a table: at most 5 s on the server. `first`: statements sent before it over the same connection.
   * `writes`: they may change data; otherwise they run in a read-only transaction where the server has one. Throws as `sampleStatement` does.
   */
  readTable?(statement: string, how?: TableHow): Promise<AnswerTable>;
  /**
   * The program that asks these statements like `sampleStatement`, one after the other, over a connection of its own. A failed one does not prevent
   * the others. Their text is only in files. Undefined as for `samplesOnHost`.
   */
  statementsOnHost?(statements: readonly string[]): Promise<HostSampling | undefined>;
  /** Undefined for kinds whose settings Kneepoint does not change. */
  settingsControl?(): Promise<SettingsControl>;
  close(): Promise<void>;
}

/** A file format for settings that a server reads at its start. Lines that begin with # are comments. */
export interface SettingsFormat {
  /** Throws `change-refused` for a name or value that the file cannot hold. */
  write(settings: Readonly<Record<string, string>>): string;
  /** Parses the output of `write`. */
  read(text: string): Record<string, string>;
}

/** Facts of the host of a server that Kneepoint starts itself. */
export interface ManagedHost {
  /** Absolute path of its own folder. */
  readonly folder: string;
  /** Absolute path of its program. `version` is the first line printed by `--version`. */
  readonly program: string;
  readonly version: string;
  /** Whether the account there is root. */
  readonly root: boolean;
}

export interface ManagedSpec<Config> {
  readonly config: Config;
  /** Password of the target's account. */
  readonly password: string;
  /** By the server's own names. */
  readonly settings: Readonly<Record<string, string>>;
  /** For proxies: the server behind it, as seen from its host. */
  readonly behind?: ConnectionFacts;
}

/** How to start one managed server. */
export interface ManagedPlan {
  /** The product in its data directory. A folder of another product is refused. */
  readonly product: string;
  /** Written to its folder before each start, readable only by its account. */
  readonly files: readonly { readonly name: string; readonly content: string }[];
  /** SQL that creates account and database: `$secret/accounts.sql`, present only while they have to be created or changed. */
  readonly accounts?: string;
  /** Written to `secret/NAME` in its folder while it runs. */
  readonly secret?: { readonly name: string; readonly content: string };
  /**
   * POSIX sh, run in its folder: creates a missing data directory and becomes the server (`exec $as "$program" …`). Uses `folder program secret as`.
   */
  readonly script: string;
  /** For programs that refuse to run as root: system accounts, of which the first existing one is used. */
  readonly accountsForRoot: readonly string[];
}

/** Signals for a running managed server. */
export interface ManagedSignals {
  readonly end: 'TERM' | 'INT';
  /** Seconds that it may take to end. Default: that of the target. */
  readonly endSeconds?: number;
  /** Undefined if it cannot reread its files. */
  readonly reload?: 'HUP';
}

/** How Kneepoint starts servers of a kind. */
export interface ManagedType<Config> {
  /** Program names: mysqld, mariadbd. */
  readonly programs: readonly string[];
  /** Folders to search for its programs in addition to PATH; `*` as in sh. */
  readonly folders: readonly string[];
  /** The program that proxies another server, and those of its settings that the form shows. Undefined if there is none. */
  readonly pooler?: { readonly program: string; readonly settings: z.ZodObject };
  /** Whether its account needs a password. */
  readonly needsPassword: boolean;
  /** `product`: that of a plan. */
  signals(product: string): ManagedSignals;
  /** Pure. Throws `bad-request` for an invalid spec. */
  plan(spec: ManagedSpec<Config>, host: ManagedHost): ManagedPlan;
}

/**
 * A kind of system under test. To add one, create a folder and add a line to `targets/index.ts`. Errors are KneepointErrors with the server's own
 * words: target-unreachable, target-auth-failed, database-missing.
 */
export interface TargetType<Schema extends z.ZodObject = z.ZodObject> {
  readonly kind: TargetKind;
  readonly title: string;
  /** One word for all kinds that tools drive alike, as used in a sentence: “a target of the MySQL family”. */
  readonly family: string;
  /** A name shown in the form, and a configuration for commands that are shown before a target is chosen. */
  readonly example: { readonly name: string; readonly config: z.input<Schema> };
  /** What a workload drives if no target of the kind is chosen. Undefined: a target is required. */
  readonly withoutTarget?: WithoutTarget;
  readonly config: Schema;
  readonly takesSecret: boolean;
  /** Meaning of a target's `via`. Default: `none`. */
  readonly via?: TargetKindInfo['via'];
  /** What its sessions report in addition to the description. */
  readonly describes?: readonly TargetPart[];
  /** Undefined if nothing is known about its settings without a server. */
  readonly settings?: SettingsReference;
  /** Names of settings that only servers of this kind have. Other names may belong to any kind. */
  readonly ownSettings?: RegExp;
  /**
   * Size of the server's own cache for tables with this storage (`storage` undefined: the default storage), from its settings as reported by the
   * server or written in its files. Undefined if unknown, or if the server does not cache such tables.
   */
  cacheBytes?(setting: (name: string) => string | undefined, storage: string | undefined): number | undefined;
  /** Its command line client, for scripts that users run. Undefined if none is known. */
  readonly client?: CommandLineClient;
  /**
   * Whether the server answers repeated reads from a result cache, by its settings as in `cacheBytes`: the settings that decide it, and whether a
   * result may be older than the data. Undefined if it does not, or if this is unknown.
   */
  cachesResults?(setting: (name: string) => string | undefined): { by: string; stale: boolean } | undefined;
  /** Format of a file that its server includes. Undefined if it includes none. */
  readonly settingsFormat?: SettingsFormat;
  /** Undefined if Kneepoint does not start servers of the kind. */
  readonly managed?: ManagedType<z.output<Schema>>;
  /** Undefined if its sessions return no samples. */
  readonly monitoring?: MonitoringOf;
  /** Ready-made captures offered in the editor. */
  readonly captures?: readonly ReadyCapture[];
  /** Its sessions accept watched statements (`sampleStatement`). */
  readonly takesStatements?: true;
  /** Pure. Connection facts for tools, with the address as seen from the generator. */
  facts(config: z.output<Schema>, secret: string | undefined): ConnectionFacts;
  /** Undefined for kinds without a server (host). */
  open?(
    config: z.output<Schema>,
    secret: string | undefined,
    reach: Reach,
    signal?: AbortSignal,
  ): Promise<TargetSession>;
}

export const defineTarget = <Schema extends z.ZodObject>(target: TargetType<Schema>): TargetType<Schema> => target;
