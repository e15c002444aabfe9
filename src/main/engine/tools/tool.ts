import type { z } from 'zod';
import type { ReadToolFile } from '../../../shared/contract/experiments.ts';
import type { WantedTable } from '../../../shared/model/data-set.ts';
import type { Scalar } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../shared/model/session.ts';
import type { WaitUntil } from '../../../shared/model/step.ts';
import type { ConnectionFacts, ServerAddress, TargetKind } from '../../../shared/model/target.ts';
import type { AccessShares, LaunchLimits, OptionWords } from '../../../shared/model/tool.ts';
import type { HistogramPart } from '../../../shared/stats/index.ts';

/** A command that the engine runs as a job on the generator. Pure data. */
export interface Command {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Written to the job directory first; `@name@` in argv becomes the file's absolute path there. */
  files: readonly { name: string; content: string; mode: number; secret: boolean }[];
  /**
   * Programs of the app, by absolute path on this computer. Each is sent to a host once. `@name@` in argv becomes its path where the command runs.
   */
  programs?: readonly { name: string; path: string }[];
  /** Planned run time of this command in seconds; 0 = unknown (prepare). */
  plannedSeconds: number;
  /** Maximum seconds before the program's own clock starts, not included in the planned time. Undefined: negligible. */
  startSeconds?: number;
  /**
   * Block devices, by absolute path, whose content it destroys. It is started only if they are unused and the user has typed host and device; both
   * are checked again immediately before.
   */
  overwrites?: readonly string[];
  /** Shown instead of the command line, where that differs from what the document requests. */
  shown?: string;
  /** Limits of its process. Undefined: those of the account on the host. Set by the cell, not by the tool. */
  under?: LaunchLimits;
}

export interface PlanInput<Options> {
  options: Options;
  connection: ConnectionFacts;
  /** Seconds. The tool runs for warm-up and measured time together. */
  warmup: number;
  duration: number;
  seed: number;
  /** The generator that these commands are for. Undefined: the only one, or the entire load. */
  part?: Part;
  /** Number of generators that share the load of a run. Default: one. */
  generators?: number;
  /** Node on the host of the commands, and the app's asset folder on this computer. Used only by tools that run programs of the app. */
  nodePath: string;
  assetsDir: string;
}

/** One of the generators of a run: `index` counts from 0 in document order. */
export interface Part {
  index: number;
  count: number;
}

/** Data that a workload needs in the target. Verified by counting before use. */
export interface DataNeed {
  /** Words: "4 tables × 10,000 rows, about 10 MiB". */
  title: string;
  bytes?: number;
  tables: readonly WantedTable[];
  /** Its prepare command can be repeated after an interruption: it continues, and ends with the same rows. */
  resumable?: true;
  /** How the rows are stored, as far as options define it. Rows stored differently are different data, even with equal counts. */
  shape: string;
  /** The run modifies these tables. */
  written: boolean;
  /** Every trial needs fresh data: it is created again before each trial but the first. */
  eachTrial?: true;
}

/** A workload's distribution of accesses. */
export interface Accesses {
  /** The distribution with all parameters. Equal words mean equal distributions. */
  words: string;
  of: AccessShares['of'];
  /** Probability of an access in the first share x (0 to 1). Monotonic. */
  cumulative(x: number): number;
  /** x is ordered from most to least accessed. */
  ranked?: true;
}

/** Files on the generator that a workload reads or writes. Their sizes are checked before use. */
export interface FileNeed {
  /** Words: “2 files of fio, 1 GiB”. */
  title: string;
  /** Absolute path of the folder given by the user. Undefined: several. */
  base?: string;
  /** The tool's own subfolder with the files; for several folders, the innermost one that contains all of these. */
  directory: string;
  /** Names in `directory`, with the path below it for several folders, and the minimum bytes of each. */
  files: readonly { name: string; bytes: number }[];
  /** The run modifies their content. */
  written: boolean;
  /** The run creates them itself, overwriting existing ones. */
  selfMade?: true;
}

/** The folders of files, each once. */
export const foldersOf = ({ directory, files }: Pick<FileNeed, 'directory' | 'files'>): string[] => [
  ...new Set(files.map(({ name }) => folderIn(directory, name))),
];

/** The folder of a file that is named in `directory`. */
export const folderIn = (directory: string, name: string): string =>
  name.includes('/') ? `${directory === '/' ? '' : directory}/${name.slice(0, name.lastIndexOf('/'))}` : directory;

/** Maximum files checked one by one. A tool that has more reports none. */
export const MOST_FILES = 10_000;

/** A path on the generator that is named by options and must exist before a run. */
export interface NeededPath {
  /** For messages: the title of the option that names it. */
  what: string;
  /** The option that names it. Undefined if it comes from the target. */
  option?: string;
  /**
   * file: readable. folder: readable. writable-folder: files can be created in it. new-folder: as writable-folder, and the tool creates it if
   * missing. program: executable; a plain name is looked up on the PATH.
   */
  kind: 'file' | 'folder' | 'writable-folder' | 'new-folder' | 'program';
  /** Absolute paths, or names of programs. If there are several, one is sufficient. `*` in the last components matches any characters. */
  anyOf: readonly string[];
  /** What to do if it is missing, other than correcting the option. */
  next?: string;
}

/** Package managers; the first one that a host has is used. */
export const INSTALLERS = ['apt-get', 'dnf', 'brew'] as const;
type Installer = (typeof INSTALLERS)[number];

/** The three uses of a tool, each with a separate command. */
export type Phase = 'prepare' | 'run' | 'cleanup';

export interface ToolPlan {
  prepare?: Command;
  run: Command;
  cleanup?: Command;
}

export interface ParsedSample {
  /** Seconds of the tool's own counter. */
  t: number;
  /** By metric id of `shared/metrics`. Unknown values are absent, never 0. */
  metrics: Record<string, number>;
}

export interface ParseEvents {
  sample(sample: ParsedSample): void;
  /** `atOnce`: relevant while the tool still runs, so it is logged in the session as soon as it is found. */
  finding(finding: Finding, atOnce?: boolean): void;
  /** A line that no parser understood. It is stored and shown. */
  unparsed(line: string): void;
}

/**
 * Created for each command; turns lines into events; pure. Lines have no terminator; `stream` identifies their file. The order between the two
 * streams is undefined, so state from one must not depend on the position in the other. The same lines always produce the same samples in the same
 * order, which allows runs to be resumed and read again.
 */
export interface Parser {
  line(text: string, stream: 'stdout' | 'stderr', cut?: boolean): void;
  /** Called after the last line. Without `exit`, the exit status is unknown (a recorded output). */
  end(exit?: ExitStatus): ParseOutcome;
}

export interface ParseOutcome {
  /** Final figures as the tool printed them, by metric id or tool-specific key (`transactions_total`, `latency_min_ms` …). */
  summary: Record<string, number>;
  /** Intermediate reports of tools that print them (sysbench `--report-checkpoints`). Seconds of the tool's own counter. */
  checkpoints?: readonly { t: number; summary: Record<string, number> }[];
  /**
   * Latency histograms, if the tool prints them, by family: `latency` of all events, `read_latency` of one kind. Those of several generators and
   * repeats are merged; per-second ones respect the warm-up cut.
   */
  latencies?: Readonly<Record<string, readonly HistogramPart[]>>;
  /** Whether the command succeeded: decided by output and exit status together, never by the exit status alone. */
  ok: boolean;
  /** The message if not ok: what happened, what it means, what to do. */
  reason?: Finding;
}

/** The program's own file format for options: written from them, and read back as far as it can express them. Both pure. */
export interface ToolFile<Options> {
  title: string;
  /** File name when saved. */
  name: string;
  /** Writes the entire load, to be run with the program alone. Throws `experiment-invalid` as `plan` does. */
  write(input: PlanInput<Options>): string;
  /**
   * `current`: the current options. `readSibling`: returns the text of a file in the same folder, if it exists; undefined if the folder is unknown. Throws
   * `bad-request` for a file that is incomplete by itself.
   */
  read(
    text: string,
    current: Readonly<Record<string, Scalar>>,
    readSibling?: (name: string) => string | undefined,
  ): ReadToolFile;
}

/** How a tool submits I/O to the disk. */
export interface ToolIo {
  /** Maximum concurrent I/Os of all its threads. */
  readonly queueDepth: number;
  /** It submits I/Os before earlier ones have completed, and its latencies include the time in that queue. */
  readonly asynchronous?: true;
}

/** How a workload sends its statements. */
export interface ToolStatements {
  /** Several statements form one transaction. */
  readonly transactions: boolean;
  /** These transactions contain reads. */
  readonly readsInTransactions: boolean;
  /** Statements are prepared once per connection, then executed by name. */
  readonly prepared: boolean;
}

/** Load of a run on generator and target, as its options define it for all generators together. Missing properties are unknown. */
export interface ToolLoad<Options> {
  /** Its concurrency, in the tool's own term. `count` returns undefined if the options do not define it. */
  readonly workers?: {
    readonly unit: readonly [one: string, many: string];
    count(options: Options): number | undefined;
  };
  /** Threads of the program on its generator, including its own. */
  threads?(options: Options): number;
  /** Connections to its target. */
  connections?(options: Options): number;
  /** Addresses of the target's server that its connections use in turn, in addition to the target's own. */
  furtherAddresses?(options: Options, kind: TargetKind): readonly string[];
  /** Whether it distributes the connections of one generator over these addresses itself. Undefined: each generator uses one of them. */
  sharesAddresses?(addresses: readonly ServerAddress[], kind: TargetKind): boolean;
  /** The known maximum of connections of a version, and the source. */
  holds?(version: string): { most: number; why: string } | undefined;
  /** Requirements of its statements on everything between it and its target. Undefined if the options do not define them. */
  statements?(options: Options, kind: TargetKind): ToolStatements | undefined;
  /** Target rate in events per second, as the tool counts them. Undefined if unlimited, or if the options do not define it. */
  rate?(options: Options): number | undefined;
  /** Whether a user's script pauses between its statements, which the tool counts as latency. */
  pauses?(options: Options): boolean;
  /** For tools that measure disks directly. Undefined if the options do not define it. */
  io?(options: Options): ToolIo | undefined;
  /** Whether it makes writes durable by syncs after them, which the latencies of the writes exclude. */
  syncs?(options: Options): boolean;
  /** One generator's part. Throws `experiment-invalid` if it cannot be divided like this. Undefined: the tool runs on one generator only. */
  divide?(options: Options, part: Part): Options;
}

/** The meaning of its figures. */
export interface ToolMetrics<Options> {
  /** The metric that is drawn first and shown in lists of sessions. Null: the tool measures nothing itself. */
  primary(options: Options): string | null;
  /** Keys of final figures that total failures without overlap: their sum is a run's errors. Undefined: it counts none. */
  readonly failures?: readonly string[];
  /** End of its latency scale, ms: longer latencies count as this. Undefined: it has none that a run reaches. */
  readonly longest?: number;
  /** Keys of final figures that repeat settings of the run: they are stored with it, but are not results. */
  readonly settings?: RegExp;
}

/** The half of a tool that understands its output. An import format is a reader without a driver. */
export interface ToolReader<Schema extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly title: string;
  /** Every option with its texts (`OptionWords` in `.meta()`) and default. Form, help, validation and record are derived from it. */
  readonly options: Schema;
  readonly metrics: ToolMetrics<z.output<Schema>>;
  parser(phase: Phase, options: z.output<Schema>, onEvents: ParseEvents): Parser;
}

/** The half that starts and controls a benchmark program, and knows its requirements and effects. Pure: it never contacts hosts or servers. */
export interface ToolDriver<Schema extends z.ZodObject = z.ZodObject> {
  readonly summary: string;
  readonly drives: readonly TargetKind[];
  /**
   * It is part of the app. With a `program`, a built file below the app's folder, it also runs on hosts, where `probe` looks for Node; on this
   * computer it uses the app's own Node.
   */
  readonly partOfApp?: { readonly runs: 'here' } | { readonly runs: 'anywhere'; readonly program: string };
  /**
   * It creates no load and measures nothing, while hosts and servers are monitored. Rules on warm-up, repeats and samples do not apply to its trials.
   */
  readonly watchesOnly?: true;
  /** Nothing is started for it: the engine waits for this condition, at most this number of seconds. `fails`: a timeout fails the run. */
  waits?(options: z.output<Schema>): { until: WaitUntil; seconds: number; fails: boolean };
  /** Prefix of the argument with a run's seconds, used to restart a tool that died for the remaining time. Undefined if it cannot be restarted. */
  restarts?(options: z.output<Schema>): string | undefined;
  /** Number of operations, of all generators together, after which a run ends early. Undefined: only its time ends it. */
  endsAfter?(options: z.output<Schema>): number | undefined;
  /** Whether a trial ended by the user is complete, and judged by output and exit status as one that ended by itself. Default: never. */
  endsOnRequest?(options: z.output<Schema>): boolean;
  /** How to determine its version on a host, and the oldest supported one. Undefined if there is no single program to look for. */
  readonly probe?: {
    argv: readonly string[];
    /** A line of POSIX sh whose output is appended, for facts that the program does not report itself. */
    extra?: string;
    version(output: string): string | undefined;
    oldest: string;
    install: string;
    /** Packages that contain it, by package manager. */
    packages?: Readonly<Partial<Record<Installer, string>>>;
  };
  /** Which table rows, or parts of files, its random accesses hit. Empty without random accesses. Pure. */
  accesses?(options: z.output<Schema>): readonly Accesses[];
  /** Id of the tool whose `probe` also finds the program of this one. */
  readonly probedAs?: string;
  /** Names of its processes on the host, if they differ from the program of `probe`. */
  readonly processes?: readonly string[];
  /** Other programs that its run starts on the generator, by name or path, as far as options define them. Checked before a start. */
  programs?(options: z.output<Schema>): readonly string[];
  /** All files and folders on the generator named by these options. Checked before a start. Pure. `path`: of the target, if it has one. */
  paths?(options: z.output<Schema>, path: string | undefined): readonly NeededPath[];
  /** Block devices that its run reads or writes as a whole, by absolute path. Pure. `path`: of the target, if it has one. */
  devices?(options: z.output<Schema>, path: string | undefined): readonly string[];
  /** Data that its `prepare` creates in a target of this kind. Undefined: nothing that the app can count. Pure, and known without a connection. */
  data?(options: z.output<Schema>, kind: TargetKind, generators?: number): DataNeed | undefined;
  /** How a target of this kind stores the tables of `data`, in the target's own term (a storage engine), if options define it. Pure. */
  storage?(options: z.output<Schema>, kind: TargetKind): string | undefined;
  /** Files that it creates on the generator. Undefined: none, or unknown in advance. Pure. `path`: of the target, if it has one. */
  files?(options: z.output<Schema>, path: string | undefined): FileNeed | undefined;
  plan(input: PlanInput<z.output<Schema>>): ToolPlan;
  readonly file?: ToolFile<z.output<Schema>>;
  readonly load?: ToolLoad<z.output<Schema>>;
  /**
   * Why an impostor of the server could read the password that the tool sends on such a connection, as a sentence. Undefined if its client prevents
   * that. `version`: of the tool on the generator.
   */
  readablePassword?(sent: {
    options: z.output<Schema>;
    connection: ConnectionFacts;
    version: string | undefined;
  }): string | undefined;
  /** Whether its connections to a server are encrypted. Undefined: as configured in the target; if that is `preferred`, as offered by the server. */
  encrypts?(options: z.output<Schema>, connection: ConnectionFacts): boolean | undefined;
  /** Target kinds that the workload supports: sysbench cpu drives the host, oltp_* a database. */
  needs(options: z.output<Schema>): readonly TargetKind[];
}

/** A benchmark program that the app can drive. To add one, create a folder with an `index.ts` that exports it, and add a line to `tools/index.ts`. */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> extends ToolReader<Schema>, ToolDriver<Schema> {}

/** Combines the two independent halves of a tool. Preserves the schema's type through `tools/index.ts`. */
export const defineTool = <Schema extends z.ZodObject>(
  reader: ToolReader<Schema>,
  driver: ToolDriver<Schema>,
): Tool<Schema> => ({ ...reader, ...driver });

/** An option with its texts for forms, help and the JSON Schema. Apply last, after the default. */
export const option = <Type extends z.ZodType>(type: Type, words: OptionWords): Type => type.meta({ ...words });
