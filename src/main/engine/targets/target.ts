import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type { StoredFiles, StoredPart } from '../../../shared/measures/index.ts';
import type { ReadyCapture } from '../../../shared/model/capture.ts';
import type { SeriesRule } from '../../../shared/model/monitored.ts';
import type {
  ConnectionFacts,
  TargetDescription,
  TargetKind,
  TargetKindInfo,
  TargetPart,
  WithoutTarget,
} from '../../../shared/model/target.ts';
import type { DataSizes, LiveSession, ServerSetting } from '../../../shared/model/target-details.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';

/**
 * The ways from the host that the app goes through (through its SSH connection) or from this computer. None of them opens a
 * port. Errors are those of the machine, as KneepointError, or those of a socket.
 */
export interface Reach {
  /** The host whose SSH connection everything goes through; absent: none, it starts on this computer. */
  readonly through?: string;
  dial(address: string, port: number): Promise<Duplex>;
  /** To a Unix socket of that host. */
  dialSocket(path: string): Promise<Duplex>;
  /** Runs a POSIX sh script there, to its end. */
  exec(script: string, signal?: AbortSignal): Promise<{ code?: number; stdout: string; stderr: string }>;
}

/** Whether the way to a server leaves no machine in the clear: by a Unix socket, or through SSH to its own host. */
export const endsOnServerHost = (reach: Reach, { address, socket }: { address: string; socket: string }): boolean =>
  socket !== '' || (reach.through !== undefined && isLoopback(address));

/** What stands against a change: a sentence, and what to do. */
export interface Obstacle {
  readonly message: string;
  readonly next: string;
}

/** A setting of a server as it is at this moment, with what changing it takes. */
export interface VariedSetting {
  readonly name: string;
  /** With its unit where the server counts in one: “128MB”. */
  readonly value: string;
  /** What stands in the server’s own file and counts after its next reload or start, where that is another value. */
  readonly pending?: string | undefined;
  /**
   * What makes a new value count. live: a statement; where it counts only for connections that are made after it, that is enough, since
   * tools connect anew for each trial. fixed: nothing.
   */
  readonly effect: 'live' | 'reload' | 'restart' | 'fixed';
  /** Who remembers it. memory: the server, until it ends. server: the server, in a file of its own. file: nobody; it has to stand in the settings file. */
  readonly keptIn: 'memory' | 'server' | 'file';
  /** Why this account or this server cannot change it. */
  readonly obstacle?: Obstacle | undefined;
  /** What putting it back needs beside the value. */
  readonly undo: Readonly<Record<string, string>>;
  /** What the server is known to have against a value. */
  against(value: string): Obstacle | undefined;
}

/** Who else works with a server, as far as the account may see. */
export interface SharedUse {
  /** Clients of other accounts: “app from 10.0.0.7, 3 connections”. */
  readonly clients: readonly string[];
  /** Servers that copy from it or that it copies from. */
  readonly replicas: readonly string[];
  /** Seconds since it started. */
  readonly upSeconds?: number | undefined;
}

/**
 * The way to change the settings of one server, on one connection. Errors: `change-refused` and `change-not-possible` with the server's own
 * words, and those of a session.
 */
export interface SettingsControl {
  /** One answer per name; undefined: no such setting. */
  look(names: readonly string[]): Promise<readonly (VariedSetting | undefined)[]>;
  /** Sets what is not kept in a file. Resolves when what counts live or after a reload does. */
  set(values: ReadonlyMap<string, string>): Promise<void>;
  /** Puts back what `set` has set, by `value` and `undo` of what was there first. Resolves as `set` does. */
  putBack(first: readonly Pick<VariedSetting, 'name' | 'value' | 'undo'>[]): Promise<void>;
  /** Every setting that can be set while the server runs, as it is now; `obstacle`: why it could not be put back if it moved. */
  changeable(): Promise<readonly VariedSetting[]>;
  /** Every value that has been set since the server started, and that it forgets when it ends. */
  inMemory(): Promise<ReadonlyMap<string, string>>;
  /**
   * What tables of the database say of settings that they keep from when they were made: distinct values in the words of the setting, by its name;
   * none for a setting that no table tells of.
   */
  ofTables(settings: readonly string[], tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  shared(): Promise<SharedUse>;
}

/** Another setting without which one has no effect. */
export interface SettingDependency {
  readonly setting: string;
  /** Words for what it has to be: “ON”, “a value above 0”. */
  readonly wanted: string;
  isMet(value: string): boolean;
}

/** What is known of the settings of a kind without asking a server. */
export interface SettingsKnowledge {
  /** What a change takes at most in the versions that are in use; undefined: no such setting is known. */
  effectOf(name: string): VariedSetting['effect'] | undefined;
  /** The setting that tells in which folder the server has its data. */
  readonly dataFolder?: string;
  /** Whether it counts only for tables, indexes or rows that are made after it; those that are there stay as they are. */
  isForNewData(name: string): boolean;
  /** What has to be so for a setting to have any effect, whatever the load does. None: it always has, or nothing is known. */
  dependsOn?(name: string): readonly SettingDependency[];
  /** Lines of a settings file for a value that counts from a start on; a name with undefined must not stand there. */
  lines?(name: string, value: string): Readonly<Record<string, string | undefined>>;
  /**
   * The same for a value that is set on the running server and forgotten when it ends: written beside those that count from a start on, as the
   * server may not start with these alone. A server that has no such option has to start all the same. Absent: none is written.
   */
  linesInMemory?(name: string, value: string): Readonly<Record<string, string | undefined>>;
  /**
   * POSIX sh script that puts back what the server keeps in a file of its own, on its host, while it is down: exits with 0 when it is done.
   * Undefined: nothing of this is in such a file, or it is not known where it lies.
   */
  putBackScript?(first: readonly Pick<VariedSetting, 'name' | 'undo'>[]): string | undefined;
}

/** A sample of a server at one moment. */
export interface ServerSample {
  /**
   * Counters and gauges by the server's own names, as it tells them; `MonitoringOf.rules` says which is which. A name may be missing from one
   * sample and be there in the next. Empty: nothing was told in time.
   */
  readonly metrics: Readonly<Record<string, number>>;
  /** What this server or account does not tell, sentences with what to do. With the first sample of a connection that lacks it, and not again. */
  readonly problems?: readonly string[];
}

/** The samples of a kind of server, one a second. */
export interface MonitoringOf {
  /** Every name that `sample` gives is read by one of them. */
  readonly rules: readonly SeriesRule[];
  /** What its processes are called on their host, where `managed` does not say it, or not of all. The kernel keeps 15 letters of a name. */
  readonly processes?: readonly string[];
  /**
   * Reads lines of the program that `samplesOnHost` gives, without the time in front of them, each a whole sample; undefined: the line is none. Absent:
   * sessions of the kind give none. Made anew for each output; it can begin at any line. `known`: counters of the sample before, of which those
   * that come and go are 0 while nothing is heard of them.
   */
  readonly hostLines?: (known?: readonly string[]) => (line: string) => ServerSample['metrics'] | undefined;
  /** The same of the program that `statementsOnHost` gives. */
  readonly statementLines?: (line: string) => StatementAnswer | undefined;
}

/** What a statement of a person was answered on the host of its server. */
export interface StatementAnswer {
  /** Its place among those that are asked. */
  readonly statement: number;
  /** Undefined: it has failed, or it is none that answers with a table. */
  readonly figures: Readonly<Record<string, number>> | undefined;
}

/** The same samples from a host where the server's own client is installed, so that nothing is missing while the app has no link. */
export interface HostSampling {
  /**
   * POSIX sh, run as a file beside `files`: prints one line a second until it is ended, and goes on when the server comes back. Exits with 69 where there is
   * no client. The time before each line is for the caller to write.
   */
  readonly script: string;
  /** Passwords are in files with mode 0600 that are `secret`. */
  readonly files: readonly { name: string; content: string; mode: number; secret: boolean }[];
}

/** Where a server has its data, and the bytes that are free there. */
export interface Room {
  readonly folder: string;
  readonly free: number;
}

/** A size by the account of a server. `value` absent: it does not report it, for the reason in `source`. */
export interface StoredSize {
  readonly what: StoredPart;
  /** Bytes, or rows. */
  readonly value?: number;
  /** The view or command that it is from, and what it covers. */
  readonly source: string;
}

/** Files below a folder of the host of a server: all of them, those in the folder itself with such names, or those with such a path; `*` as in find. */
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
  /** Data only where its files hold nothing else. */
  readonly places: readonly StoredPlace[];
}

/** How a statement is asked whose answer is kept. */
export interface TableHow {
  readonly first?: readonly string[] | undefined;
  readonly writes?: boolean | undefined;
}

/** The answer of a statement: names of its columns, and its rows as the driver returns them. */
export interface AnswerTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The command line client of a kind of server. */
export interface CommandLineClient {
  /** The environment variable that it takes the password from. */
  readonly passwordVariable: string;
  /** Sends one statement and prints its rows alone, columns with tabs between. */
  argv(connection: ConnectionFacts, statement: string): readonly string[];
  /** The statement whose last column is this counter; absent: the server has no statement for one. */
  status?(name: string): string;
}

export interface TargetSession {
  /** Milliseconds of one empty round trip. */
  ping(): Promise<number>;
  describe(): Promise<TargetDescription>;
  /**
   * What tells this server from another one, by its own words: “server uuid” → “5e1c…”. As much as it tells this account. Absent for kinds that tell
   * nothing of it.
   */
  identity?(): Promise<Readonly<Record<string, string>>>;
  /** The server's counters by its own names, numbers only. */
  counters(): Promise<Record<string, number>>;
  /** Rows of a table; undefined if there is no such table. */
  countRows(table: string): Promise<number | undefined>;
  /**
   * Runs one statement of a person as it is written. The first value of its first row; null: it has none. Absent for kinds that take no
   * statements. Throws `change-refused`, in the server's words, when the server does not take it.
   */
  run?(statement: string): Promise<string | null>;
  /** Every setting, by name. Absent for kinds that have none beside those of `describe`. */
  settings?(): Promise<ServerSetting[]>;
  sizes?(): Promise<DataSizes>;
  /** The folder of its data, and what is free there, by its own word; undefined: it does not say. Absent for kinds that never do. */
  room?(): Promise<Room | undefined>;
  /** Sizes on disk, by few and cheap questions of 5 s at most each, none of which reads tables. Absent for kinds that report none. */
  stored?(): Promise<Stored>;
  /** Its first rows as text, at most so many. Absent for kinds without tables. */
  firstRows?(table: string, most: number): Promise<readonly string[]>;
  /** Who is connected at this moment, as far as the account may see. */
  sessions?(): Promise<LiveSession[]>;
  /**
   * What the server tells at this moment, with as few and as cheap questions as it takes: asked every second, over a connection that stays open.
   * Throws when the server cannot be asked. Absent for kinds that tell nothing.
   */
  sample?(): Promise<ServerSample>;
  /** As `sample` asks this server for this account. Undefined where its own client cannot be told to connect in the same way. */
  samplesOnHost?(): Promise<HostSampling | undefined>;
  /**
   * Figures that a statement of a person answers with: the numeric columns of its first row, by column; with two columns of which the first is
   * no number, each row. At most 200 of them and 5 s; a slow one holds up `sample` of the same session, so it deserves its own. Throws
   * `change-refused`, in the server's words, when the server does not take it.
   */
  sampleStatement?(statement: string): Promise<Record<string, number>>;
  /**
   * Sends a statement and returns its answer as a table: at most 5 s on the server. `first`: statements sent before it over the same connection;
   * `writes`: they may change something, else they run in a transaction that only reads, where the server has one. Throws as `sampleStatement` does.
   */
  readTable?(statement: string, how?: TableHow): Promise<AnswerTable>;
  /**
   * As `sampleStatement` asks these, one after the other, over a connection of their own. One that fails does not keep the client from asking the
   * others. Their text is in files alone. Undefined as with `samplesOnHost`.
   */
  statementsOnHost?(statements: readonly string[]): Promise<HostSampling | undefined>;
  /** Absent for kinds whose settings Kneepoint does not change. */
  settingsControl?(): Promise<SettingsControl>;
  close(): Promise<void>;
}

/** How a server writes settings into a file that it reads at its start. Lines that begin with # are comments. */
export interface SettingsFormat {
  /** Throws `change-refused` for a name or value that cannot stand in such a file. */
  write(settings: Readonly<Record<string, string>>): string;
  /** What `write` wrote. */
  read(text: string): Record<string, string>;
}

/** What its host tells of a server that Kneepoint is to start itself. */
export interface ManagedHost {
  /** Absolute: its own folder. */
  readonly folder: string;
  /** Absolute path of its program, and the first line of what `--version` prints. */
  readonly program: string;
  readonly version: string;
  /** Whether the account there is root. */
  readonly root: boolean;
}

export interface ManagedSpec<Config> {
  readonly config: Config;
  /** Of the target's account. */
  readonly password: string;
  /** By the server's own names. */
  readonly settings: Readonly<Record<string, string>>;
  /** The server behind it, as seen from its host; for proxies. */
  readonly behind?: ConnectionFacts;
}

/** How one managed server is started. */
export interface ManagedPlan {
  /** What its data directory holds: a folder with another one's is refused. */
  readonly product: string;
  /** Written into its folder before each start, for its account alone. */
  readonly files: readonly { readonly name: string; readonly content: string }[];
  /** SQL that makes account and database: `$secret/accounts.sql`, only there while they have to be made or changed. */
  readonly accounts?: string;
  /** Written to `secret/NAME` in its folder as long as it runs. */
  readonly secret?: { readonly name: string; readonly content: string };
  /**
   * POSIX sh, run in its folder: makes the data directory where there is none and becomes the server (`exec $as "$program" …`). Has
   * `folder program secret as`.
   */
  readonly script: string;
  /** For programs that refuse to run as root: system accounts, the first that exists is used. */
  readonly accountsForRoot: readonly string[];
}

/** How a managed server that runs is spoken to. */
export interface ManagedSignals {
  readonly end: 'TERM' | 'INT';
  /** Seconds that it may take to end; that of the target if absent. */
  readonly endSeconds?: number;
  /** Absent: it does not read its files again. */
  readonly reload?: 'HUP';
}

/** How Kneepoint starts servers of a kind itself. */
export interface ManagedType<Config> {
  /** What its programs are called: mysqld, mariadbd. */
  readonly programs: readonly string[];
  /** Folders beside PATH in which its programs lie; `*` as in sh. */
  readonly folders: readonly string[];
  /** The one of its programs that stands in front of another server, and those of its settings that a form names. Absent: none does. */
  readonly pooler?: { readonly program: string; readonly settings: z.ZodObject };
  /** Whether its account needs a password. */
  readonly needsPassword: boolean;
  /** `product`: that of a plan. */
  signals(product: string): ManagedSignals;
  /** Pure. Throws `bad-request` for what it cannot be. */
  plan(spec: ManagedSpec<Config>, host: ManagedHost): ManagedPlan;
}

/**
 * A kind of system under test. A new one is a folder and a line in `targets/index.ts`.
 * Errors are KneepointError: target-unreachable, target-auth-failed, database-missing, with the server's own words.
 */
export interface TargetType<Schema extends z.ZodObject = z.ZodObject> {
  readonly kind: TargetKind;
  readonly title: string;
  /** One word for all that tools drive alike, as a sentence says it: “a target of the MySQL family”. */
  readonly family: string;
  /** A name for the form to show, and a configuration for commands that are shown before a target is chosen. */
  readonly example: { readonly name: string; readonly config: z.input<Schema> };
  /** What a workload drives when no target of the kind is chosen. Absent: one has to be chosen. */
  readonly withoutTarget?: WithoutTarget;
  readonly config: Schema;
  readonly takesSecret: boolean;
  /** What `via` of a target means; `none` if absent. */
  readonly via?: TargetKindInfo['via'];
  /** What its sessions tell beyond the description; none if absent. */
  readonly tells?: readonly TargetPart[];
  /** Absent: nothing is known of its settings without asking the server. */
  readonly settings?: SettingsKnowledge;
  /** Names of settings that servers of no other kind have. Other names may be of any kind. */
  readonly ownSettings?: RegExp;
  /**
   * How much data the server's own cache holds for tables that are kept in this way (`storage`; absent: in the usual one), by its settings, as it tells
   * them or as they are written in its files. Undefined: not told, or such tables have no cache of the server.
   */
  cacheBytes?(setting: (name: string) => string | undefined, storage: string | undefined): number | undefined;
  /** Its command line client, for scripts that a person runs; absent: none is known. */
  readonly client?: CommandLineClient;
  /**
   * The server answers repeated reads from a cache of their results, by its settings as `cacheBytes` takes them: the settings that say so, and whether
   * an answer may be older than the data. Undefined: it does not, or does not tell.
   */
  cachesResults?(setting: (name: string) => string | undefined): { by: string; stale: boolean } | undefined;
  /** Of a file that its server includes. Absent: it includes none. */
  readonly settingsFormat?: SettingsFormat;
  /** Absent: Kneepoint starts no server of the kind itself. */
  readonly managed?: ManagedType<z.output<Schema>>;
  /** Absent: its sessions give no samples. */
  readonly monitoring?: MonitoringOf;
  /** Captures to choose in the editor; none if absent. */
  readonly captures?: readonly ReadyCapture[];
  /** Its sessions answer a statement that is watched (`sampleStatement`). */
  readonly takesStatements?: true;
  /** Pure: what tools need, the address as seen from the generator. */
  facts(config: z.output<Schema>, secret: string | undefined): ConnectionFacts;
  /** Absent for kinds without a server (host). */
  open?(
    config: z.output<Schema>,
    secret: string | undefined,
    reach: Reach,
    signal?: AbortSignal,
  ): Promise<TargetSession>;
}

export const defineTarget = <Schema extends z.ZodObject>(target: TargetType<Schema>): TargetType<Schema> => target;
