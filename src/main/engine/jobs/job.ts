import type { LaunchLimits } from '../../../shared/model/tool.ts';
import type { Machine } from '../hosts/machine.ts';

/** What to start on a host. Files are written with their mode into the job directory before the start; argv may name them by `@name@`. */
export interface JobSpec {
  /** UUID: names the job directory, and makes a repeated launch attach instead of starting twice. */
  id: string;
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  files: readonly JobFile[];
  /** Large files that many jobs have alike: each content is sent to a host once and kept there. argv may name them by `@name@`. */
  shared?: readonly SharedFile[];
  /** The supervisor ends the tool after this many seconds (planned + max(60, 20 %)). */
  limitSeconds: number;
  /** The supervisor ends the tool when stdout and stderr together have grown past this. Default 1 GiB. */
  outputLimitBytes?: number;
  /** The tool waits to be released, at most so many seconds; then it exits with 124. For tools that start together on several hosts. */
  waitSeconds?: number;
  /** What the tool is started under. Its exit code is 126 where the host does not allow it. */
  under?: LaunchLimits;
}
export interface JobFile {
  name: string;
  content: string;
  /** 0o600 for anything that holds a secret. */
  mode: number;
  /** Removed by the wrapper when the tool has ended. */
  secret: boolean;
}

/** No secret: it stays on the host when the job is removed. */
export type SharedFile = Pick<JobFile, 'name' | 'content'>;

export interface Launched {
  how: 'new' | 'attached';
  pid: number;
  /** Absolute path of the job directory on the host. */
  directory: string;
}

/** State of a job as its host tells it. Sizes in bytes. */
export type JobStatus =
  | { state: 'running'; stdout: number; stderr: number }
  | { state: 'ended'; stdout: number; stderr: number; end: JobEnd }
  /** Wrapper gone without an end record. `tool`: whether the tool itself is still alive. */
  | { state: 'lost'; stdout: number; stderr: number; tool: 'alive' | 'gone' }
  | { state: 'rebooted'; stdout: number; stderr: number }
  /** The directory is not there. */
  | { state: 'gone' };

export interface JobEnd {
  /** As the shell saw it: 128 + n for signal n. */
  code: number;
  /** Host clock, epoch seconds. */
  at: number;
  stdout: number;
  stderr: number;
  /** Why we ended it, when we did: `stop`, `limit`, `output-limit`, `disk-full`, or a signal that the wrapper itself received. */
  cause?: string;
}

export type JobStream = 'stdout' | 'stderr' | 'index';

/** A piece of a job's output file: `bytes` start at `offset`. */
export interface JobChunk {
  offset: number;
  bytes: Uint8Array;
}

/**
 * Detached jobs on a machine. Nothing is installed there; each job is a directory under
 * `${XDG_STATE_HOME:-$HOME/.local/state}/kneepoint/jobs/<id>`.
 */
export interface Jobs {
  /** Claims and starts once; safe to repeat after a lost reply. Throws disk-full, tool-missing, host-*. */
  launch(machine: Machine, spec: JobSpec, signal?: AbortSignal): Promise<Launched>;
  /**
   * Lets a waiting tool start at a moment of its host's clock, epoch milliseconds; at once when that is past. The first moment counts,
   * and is returned: safe to repeat. Throws job-lost, disk-full, host-*.
   */
  release(machine: Machine, id: string, hostMs: number, signal?: AbortSignal): Promise<number>;
  /** When a tool that waited really started, epoch milliseconds of its host; undefined while it waits, and when it never started. Throws job-lost. */
  began(machine: Machine, id: string, signal?: AbortSignal): Promise<number | undefined>;
  status(machine: Machine, id: string, signal?: AbortSignal): Promise<JobStatus>;
  /**
   * Output from a byte offset on, as it grows; survives link loss (re-opened at the right offset) and quiet channels.
   * Ends only when the job ended and every byte was delivered, or with `job-lost` (directory gone, file shorter than `offset`). `everyMs`: between
   * two looks whether it has ended, where that need not be known at once; where `index` is followed, it is. `showsLife`: the tool prints
   * all the time; while it does, its state is read more rarely. `onEnd`: called with the state in which it ended, after all was delivered.
   */
  follow(
    machine: Machine,
    id: string,
    stream: JobStream,
    offset: number,
    signal: AbortSignal,
    options?: { everyMs?: number | undefined; showsLife?: boolean; onEnd?(status: JobStatus): void },
  ): AsyncIterable<JobChunk>;
  /**
   * TERM to the group, grace, KILL, then a scan for escaped children. Resolves with the number left alive (0).
   * Waits for a link that is down, until the signal ends that.
   */
  stop(
    machine: Machine,
    id: string,
    options?: { graceSeconds?: number; cause?: string; signal?: AbortSignal },
  ): Promise<{ left: number }>;
  /**
   * Removes the secrets of a job whose supervisor could not: it was killed, or the host was restarted. `running`: the supervisor will do
   * it, or a tool without one may still read them. Throws read-only, host-*.
   */
  removeSecrets(machine: Machine, id: string, signal?: AbortSignal): Promise<'removed' | 'running'>;
  /** Removes the directory of an ended job. */
  remove(machine: Machine, id: string): Promise<void>;
}

/** A tool of a job in this state may still load its target. */
export const mayBeAtWork = (status: JobStatus): boolean =>
  status.state === 'running' || (status.state === 'lost' && status.tool === 'alive');
