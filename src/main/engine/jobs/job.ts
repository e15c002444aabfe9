import type { LaunchLimits } from '../../../shared/model/tool.ts';
import type { Machine } from '../hosts/machine.ts';

/**
 * A command to start on a host. Files are written with their mode into the job directory before the start; argv may reference them as
 * `@name@`.
 */
export interface JobSpec {
  /** UUID: names the job directory, and makes a repeated launch attach instead of starting twice. */
  id: string;
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  files: readonly JobFile[];
  /** Large files shared by many jobs: each content is sent to a host once and stored there. argv may reference them as `@name@`. */
  shared?: readonly SharedFile[];
  /** Seconds after which the supervisor ends the tool (planned + max(60, 20 %)). */
  limitSeconds: number;
  /** Size of stdout and stderr together at which the supervisor ends the tool. Default 1 GiB. */
  outputLimitBytes?: number;
  /** The tool waits this many seconds to be released; then it exits with 124. For tools that start together on several hosts. */
  waitSeconds?: number;
  /** Limits that the tool is started under. Its exit code is 126 if the host does not allow them. */
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

/** Not secret: it stays on the host when the job is removed. */
export type SharedFile = Pick<JobFile, 'name' | 'content'>;

export interface Launched {
  how: 'new' | 'attached';
  pid: number;
  /** Absolute path of the job directory on the host. */
  directory: string;
}

/** State of a job as reported by its host. Sizes in bytes. */
export type JobStatus =
  | { state: 'running'; stdout: number; stderr: number }
  | { state: 'ended'; stdout: number; stderr: number; end: JobEnd }
  /** The wrapper is gone without an end record. `tool`: whether the tool itself is still alive. */
  | { state: 'lost'; stdout: number; stderr: number; tool: 'alive' | 'gone' }
  | { state: 'rebooted'; stdout: number; stderr: number }
  /** The directory does not exist. */
  | { state: 'gone' };

export interface JobEnd {
  /** As reported by the shell: 128 + n for signal n. */
  code: number;
  /** Host clock, epoch seconds. */
  at: number;
  stdout: number;
  stderr: number;
  /** Why the job was ended, if it was: `stop`, `limit`, `output-limit`, `disk-full`, or a signal that the wrapper itself received. */
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
  /** Claims the id and starts once; safe to repeat after a lost reply. Throws `disk-full`, `tool-missing`, host-*. */
  launch(machine: Machine, spec: JobSpec, signal?: AbortSignal): Promise<Launched>;
  /**
   * Lets a waiting tool start at a time on its host's clock, epoch milliseconds, or immediately if that has passed. The first time applies
   * and is returned, so this is safe to repeat. Throws `job-lost`, `disk-full`, host-*.
   */
  release(machine: Machine, id: string, hostMs: number, signal?: AbortSignal): Promise<number>;
  /**
   * Actual start of a tool that waited, epoch milliseconds of its host. Undefined while it waits, and if it never started. Throws
   * `job-lost`.
   */
  startTime(machine: Machine, id: string, signal?: AbortSignal): Promise<number | undefined>;
  status(machine: Machine, id: string, signal?: AbortSignal): Promise<JobStatus>;
  /**
   * Yields output from a byte offset on, as it grows; survives link loss (reopens at the right offset) and silent channels. Ends only when
   * the job has ended and every byte was delivered, or with `job-lost` (directory gone, file shorter than `offset`). `everyMs`: interval of
   * polls for the end, if that need not be known immediately; with `index` followed, it is. `showsLife`: the tool prints continuously;
   * while it does, its state is polled less often. `onEnd`: called with the final state after everything was delivered.
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
   * Sends TERM to the group, waits, sends KILL, then searches for escaped children. Resolves with the number left alive (0). Waits for a
   * link that is down, until the signal fires; the host completes what has begun.
   */
  stop(
    machine: Machine,
    id: string,
    options?: { graceSeconds?: number; cause?: string; signal?: AbortSignal },
  ): Promise<{ left: number }>;
  /**
   * Replaces the time limit of a running job: it is ended this many seconds from now. No effect on one that has ended or does not exist. Throws
   * `disk-full`, host-*.
   */
  limit(machine: Machine, id: string, seconds: number, signal?: AbortSignal): Promise<void>;
  /**
   * Removes the secrets of a job whose supervisor could not: it was killed, or the host was rebooted. `running`: the supervisor will do it,
   * or a tool without one may still read them. Throws `read-only`, host-*.
   */
  removeSecrets(machine: Machine, id: string, signal?: AbortSignal): Promise<'removed' | 'running'>;
  /** Removes the directory of an ended job. */
  remove(machine: Machine, id: string): Promise<void>;
}

/** Whether a job's tool may still load its target in this state. */
export const mayBeAtWork = (status: JobStatus): boolean =>
  status.state === 'running' || (status.state === 'lost' && status.tool === 'alive');
