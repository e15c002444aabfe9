import type { z } from 'zod';
import type { ReadToolFile } from '../../../shared/contract/experiments.ts';
import type { AccessShares } from '../../../shared/model/accesses.ts';
import type { WantedTable } from '../../../shared/model/data-set.ts';
import type { Scalar } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../shared/model/session.ts';
import type { WaitUntil } from '../../../shared/model/step.ts';
import type { ConnectionFacts, ServerAddress, TargetKind } from '../../../shared/model/target.ts';
import type { LaunchLimits, OptionWords } from '../../../shared/model/tool.ts';
import type { HistogramPart } from '../../../shared/stats/index.ts';

/** A command that the engine runs as a job on the generator. Pure data. */
export interface Command {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Written into the job directory first; `@name@` in argv becomes the file's absolute path there. */
  files: readonly { name: string; content: string; mode: number; secret: boolean }[];
  /** Programs of ours, by absolute path on this computer: a host is sent each once. `@name@` in argv becomes their path where the command runs. */
  programs?: readonly { name: string; path: string }[];
  /** Seconds this command is planned to take; 0 = unknown (prepare). */
  plannedSeconds: number;
  /** How long its program may take before its own clock begins, in seconds: that is no part of the planned time. Absent: no time to speak of. */
  startSeconds?: number;
  /**
   * Block devices, by absolute path, whose content it destroys. It is started only if nothing uses them and a person typed host and
   * device, both looked at again right before.
   */
  overwrites?: readonly string[];
  /** Shown in place of the command line, where that is not what the document asks for. */
  shown?: string;
  /** What its process is started under; absent: what the account of the host has. Set by the cell, not by the tool. */
  under?: LaunchLimits;
}

export interface PlanInput<Options> {
  options: Options;
  connection: ConnectionFacts;
  /** Seconds: warm-up and measured part together are what the tool runs. */
  warmup: number;
  duration: number;
  seed: number;
  /** The generator that these commands are for, where several share the load; absent: they are for the only one, or for all of it. */
  part?: Part;
  /** How many generators share the load of a run; absent: one. */
  generators?: number;
  /** Node where the commands run, and the app's asset folder on this computer; only tools that run our own programs use them. */
  nodePath: string;
  assetsDir: string;
}

/** Which of the generators of a run: `index` counts from 0 in the order of the document. */
export interface Part {
  index: number;
  count: number;
}

/** Data that a workload needs in the target: checked by counting before use. */
export interface DataNeed {
  /** Words: "4 tables × 10,000 rows, about 10 MiB". */
  title: string;
  bytes?: number;
  tables: readonly WantedTable[];
  /** Its prepare, begun again after it was interrupted, continues and ends with the same rows. */
  resumable?: true;
  /** How the rows are stored, as far as options say: rows that are stored otherwise are other data, though they count the same. */
  shape: string;
  /** The run changes these tables. */
  written: boolean;
  /** Every trial needs it as it was made: it is made again before each but the first. */
  eachTrial?: true;
}

/** How a workload draws what it accesses. */
export interface Accesses {
  /** The distribution with all of its parameters: two with the same words are the same. */
  words: string;
  of: AccessShares['of'];
  /** Probability of one below a share x of them, 0 to 1, never falling. */
  cumulative(x: number): number;
  /** x counts from the most accessed on. */
  ranked?: true;
}

/** Files on the generator that a workload reads or writes: their sizes are checked before use. */
export interface FileNeed {
  /** Words: “2 files of fio, 1 GiB”. */
  title: string;
  /** The folder that a person named, absolute. */
  base: string;
  /** The tool's own folder inside it, in which the files lie. */
  directory: string;
  /** Names without a path, and the bytes that each has at least. */
  files: readonly { name: string; bytes: number }[];
  /** The run changes what is in them. */
  written: boolean;
  /** The run makes them itself, whatever was there. */
  selfMade?: true;
}

/** More files than this are not looked at one by one: a tool then tells of none. */
export const MOST_FILES = 10_000;

/** A place that options name on the generator, and that has to exist before a run. */
export interface NeededPath {
  /** For a person: the title of the option that names it. */
  what: string;
  /** The option that names it; absent where it comes from the target. */
  option?: string;
  /**
   * file: can be read. folder: can be looked into. writable-folder: files can be made in it. new-folder: the same, and the tool makes it where
   * it is missing. program: can be started; a name is looked for on the PATH.
   */
  kind: 'file' | 'folder' | 'writable-folder' | 'new-folder' | 'program';
  /** Absolute, of a program also its name. Several: any of them serves. `*` in the last parts stands for any letters. */
  anyOf: readonly string[];
  /** What to do when it is not there, beside correcting the option. */
  next?: string;
}

/** Programs that install packages, the first that a host has counts. */
export const INSTALLERS = ['apt-get', 'dnf', 'brew'] as const;
type Installer = (typeof INSTALLERS)[number];

/** The three uses of a tool, each with a command of its own. */
export type Phase = 'prepare' | 'run' | 'cleanup';

export interface ToolPlan {
  prepare?: Command;
  run: Command;
  cleanup?: Command;
}

export interface ParsedSample {
  /** Seconds on the tool's own counter. */
  t: number;
  /** By metric id of `shared/metrics`. A value that the tool could not know is absent, never 0. */
  metrics: Record<string, number>;
}

export interface ParseEvents {
  sample(sample: ParsedSample): void;
  /** `atOnce`: a person may want to act while the tool still runs, so it is told in the session's log when it comes. */
  finding(finding: Finding, atOnce?: boolean): void;
  /** A line nobody understood: kept and shown. */
  unparsed(line: string): void;
}

/**
 * Fresh per command; lines in, events out; pure. Lines come without their terminator, `stream` tells which file they are from.
 * Order between the two streams is not defined: what is learnt from one must not depend on the other's position.
 * Feeding the same lines again gives the same samples in the same order: that is how a run is resumed and re-ingested.
 */
export interface Parser {
  line(text: string, stream: 'stdout' | 'stderr', cut?: boolean): void;
  /** After the last line. `exit` absent: still unknown (parse of a bare file). */
  end(exit?: ExitStatus): ParseOutcome;
}

export interface ParseOutcome {
  /** Final figures as the tool printed them, by metric id or tool-specific key (`transactions_total`, `latency_min_ms` …). */
  summary: Record<string, number>;
  /** Reports that the tool printed on the way, for tools that do (sysbench `--report-checkpoints`). Seconds on its counter. */
  checkpoints?: readonly { t: number; summary: Record<string, number> }[];
  /**
   * How many events took how long, where the tool prints it, by family: `latency` of all events, `read_latency` of one kind. Histograms of several
   * generators and repeats are put together; those of each second follow the cut of the warm-up.
   */
  latencies?: Readonly<Record<string, readonly HistogramPart[]>>;
  /** Whether the command did what it should: decided by output and exit together, never by exit alone. */
  ok: boolean;
  /** When not ok: the sentence for a person (what happened, what it means, what to do). */
  reason?: Finding;
}

/** A file of the program's own that says what the options say: written from them, and read back as far as they can say it. Both pure. */
export interface ToolFile<Options> {
  title: string;
  /** What it is called when it is saved. */
  name: string;
  /** The whole load, to be run by the program alone. Throws `experiment-invalid` as `plan` does. */
  write(input: PlanInput<Options>): string;
  /**
   * `current`: the options that are set now. `beside`: the text of a file that lies beside this one, if it is there; absent: nobody knows where
   * this one lies. Throws `bad-request` for a file that is not whole by itself.
   */
  read(
    text: string,
    current: Readonly<Record<string, Scalar>>,
    beside?: (name: string) => string | undefined,
  ): ReadToolFile;
}

/** How a tool hands I/Os to the disk. */
export interface ToolIo {
  /** I/Os that it keeps under way at the same time, of all its threads. */
  readonly queueDepth: number;
  /** It hands further ones over before the first has ended, and its latencies count the time in that queue. */
  readonly asynchronous?: true;
}

/** How a workload sends its statements. */
export interface ToolStatements {
  /** Several statements make one transaction. */
  readonly transactions: boolean;
  /** Reads are among the statements of such transactions. */
  readonly readsInTransactions: boolean;
  /** Statements are prepared once on a connection, and executed there by name. */
  readonly prepared: boolean;
}

/** Load that a run puts on generator and target, as its options say it for all generators together. What a tool leaves out is not known. */
export interface ToolLoad<Options> {
  /** What it does at the same time, by the tool's own word for it; `count` gives undefined where the options do not tell. */
  readonly workers?: {
    readonly unit: readonly [one: string, many: string];
    count(options: Options): number | undefined;
  };
  /** Threads that the program has on its generator, its own included. */
  threads?(options: Options): number;
  /** Connections that it opens on its target. */
  connections?(options: Options): number;
  /** Addresses of the target's server that its connections go to in turn, beside the target's own. */
  furtherAddresses?(options: Options, kind: TargetKind): readonly string[];
  /** Whether it shares the connections of one generator among these addresses by itself. Absent: each generator uses one of them. */
  sharesAddresses?(addresses: readonly ServerAddress[], kind: TargetKind): boolean;
  /** More connections than this a version of it is known not to hold, and where that is from. */
  holds?(version: string): { most: number; why: string } | undefined;
  /** What its statements ask of whatever stands between it and its target; undefined: the options do not tell. */
  statements?(options: Options, kind: TargetKind): ToolStatements | undefined;
  /** Events a second that it holds, as its rate counts them; undefined: as fast as they go, or the options do not tell. */
  rate?(options: Options): number | undefined;
  /** Whether a person's script waits between its statements, which the tool counts as latency. */
  pauses?(options: Options): boolean;
  /** Of a tool that measures disks by itself; undefined: the options do not tell. */
  io?(options: Options): ToolIo | undefined;
  /** One generator's part. Throws `experiment-invalid` when it cannot be divided so. Absent: the tool runs on one generator only. */
  divide?(options: Options, part: Part): Options;
}

/** Which of its figures mean what. */
export interface ToolMetrics<Options> {
  /** The metric that is drawn first, and shown of a session in lists; null: the tool measures nothing by itself. */
  primary(options: Options): string | null;
  /** Keys of the final figures that total what failed, none within another: their sum is a run's errors. Absent: it counts none. */
  readonly failures?: readonly string[];
  /** Where its scale of latencies ends, ms: a longer one counts as this. Absent: it has none that a run reaches. */
  readonly longest?: number;
  /** Keys of the final figures that repeat what the run was set to: they are kept with it, and are none of its results. */
  readonly settings?: RegExp;
}

/** The half of a tool that understands what it prints. An import format is a reader without a driver. */
export interface ToolReader<Schema extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly title: string;
  /** Every option with its words (`OptionWords` in `.meta()`) and default: form, help, validation and record follow from it. */
  readonly options: Schema;
  readonly metrics: ToolMetrics<z.output<Schema>>;
  parser(phase: Phase, options: z.output<Schema>, onEvents: ParseEvents): Parser;
}

/** The half that starts and steers a benchmark program, and knows what that needs and does. Pure: hosts and servers are asked elsewhere. */
export interface ToolDriver<Schema extends z.ZodObject = z.ZodObject> {
  readonly summary: string;
  readonly drives: readonly TargetKind[];
  /**
   * It comes with the app. One with a `program`, a built file below the app's folder, also runs on hosts, where `probe` looks for its Node;
   * on this computer it runs under the app's own.
   */
  readonly partOfApp?: { readonly runs: 'here' } | { readonly runs: 'anywhere'; readonly program: string };
  /** It loads and measures nothing: hosts and servers are watched meanwhile. Rules on warm-up, repeats and samples mean nothing for its trials. */
  readonly watchesOnly?: true;
  /** Nothing is started for it: the engine waits until this is so, at most so many seconds. `fails`: a wait that runs out fails the run. */
  waits?(options: z.output<Schema>): { until: WaitUntil; seconds: number; fails: boolean };
  /** The beginning of the argument that holds the seconds of a run, by which a tool that has died is started again for less; undefined: it cannot be. */
  restarts?(options: z.output<Schema>): string | undefined;
  /** Operations after which a run ends, of all generators together, though its time is not over; undefined: its time ends it. */
  endsAfter?(options: z.output<Schema>): number | undefined;
  /** Whether a trial that a person ends is complete, and judged by output and exit as one that ended by itself. Absent: it never is. */
  endsWhenTold?(options: z.output<Schema>): boolean;
  /** How to learn its version on a host, and the oldest one that works. Absent: there is no one program to look for. */
  readonly probe?: {
    argv: readonly string[];
    /** A line of POSIX sh whose output follows: what the program does not tell of itself. */
    besides?: string;
    version(output: string): string | undefined;
    oldest: string;
    install: string;
    /** Packages that bring it, by the program that installs packages on a host. */
    packages?: Readonly<Partial<Record<Installer, string>>>;
  };
  /** Which rows of a table, or parts of its files, its random accesses meet; none where none are random. Pure. */
  accesses?(options: z.output<Schema>): readonly Accesses[];
  /** The tool whose `probe` looks for the program of this one too, by its id. */
  readonly probedAs?: string;
  /** Names of its processes on their host, where the program of `probe` does not say it. */
  readonly processes?: readonly string[];
  /** Further programs that its run starts on the generator, by name or path, as far as options tell; looked for before a start. */
  programs?(options: z.output<Schema>): readonly string[];
  /** Every file and folder on the generator that these options name; looked at there before a start. Pure. `path`: of the target, if it has one. */
  paths?(options: z.output<Schema>, path: string | undefined): readonly NeededPath[];
  /** Data that its `prepare` leaves in a target of this kind; undefined: nothing that the app can count. Pure, and known without a connection. */
  data?(options: z.output<Schema>, kind: TargetKind, generators?: number): DataNeed | undefined;
  /** How a target of this kind keeps the tables of `data`, by the target's own word (a storage engine), where options say. Pure. */
  storage?(options: z.output<Schema>, kind: TargetKind): string | undefined;
  /** Files that it lays out on the generator; undefined: none, or none that can be told beforehand. Pure. `path`: of the target, if it has one. */
  files?(options: z.output<Schema>, path: string | undefined): FileNeed | undefined;
  plan(input: PlanInput<z.output<Schema>>): ToolPlan;
  readonly file?: ToolFile<z.output<Schema>>;
  readonly load?: ToolLoad<z.output<Schema>>;
  /**
   * Why whoever answers in the place of the server could read the password that the tool sends on such a connection: a sentence, undefined
   * where its client refuses that. `version`: of the tool on the generator.
   */
  readablePassword?(sent: {
    options: z.output<Schema>;
    connection: ConnectionFacts;
    version: string | undefined;
  }): string | undefined;
  /**
   * Whether its connections to a server are encrypted. Absent, or undefined: as the target is set, and where that takes what there is, as the server
   * offers it.
   */
  encrypts?(options: z.output<Schema>, connection: ConnectionFacts): boolean | undefined;
  /** Whether the workload needs a target of a given kind: sysbench cpu drives the host, oltp_* a database. */
  needs(options: z.output<Schema>): readonly TargetKind[];
}

/** A benchmark program the app can drive. A new one is a folder with an `index.ts` exporting this, and a line in `tools/index.ts`. */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> extends ToolReader<Schema>, ToolDriver<Schema> {}

/** A tool of its two halves, neither of which has anything of the other. Keeps the schema's type through `tools/index.ts`. */
export const defineTool = <Schema extends z.ZodObject>(
  reader: ToolReader<Schema>,
  driver: ToolDriver<Schema>,
): Tool<Schema> => ({ ...reader, ...driver });

/** An option with its words, as forms, help and the JSON Schema show them. Put outermost, after the default. */
export const option = <Type extends z.ZodType>(type: Type, words: OptionWords): Type => type.meta({ ...words });
