import type { Machine } from '../../hosts/machine.ts';
import type { JobSpec, JobStatus, JobStream } from '../job.ts';

type State = 'running' | 'ended' | 'rebooted' | 'lost' | 'gone';

/** A tool on a fake host: a test prints for it, ends it, or loses it. */
export class FakeJob {
  readonly machine: Machine;
  readonly spec: JobSpec;
  /** Reaction to a request to stop; by default it ends immediately. */
  onStop: (cause: string) => void = (cause) => this.end(143, cause);
  /** Seconds that it may run, from its launch or from the last request that set them. */
  limitSeconds: number;
  /** Number of processes that no signal ends. */
  left = 0;
  replaced = false;
  #secrets = true;
  /** Time of its release, if it waits for one. */
  releasedAt: number | undefined;
  readonly #now: () => number;
  readonly #output: Record<JobStream, Buffer[]> = { stdout: [], stderr: [], index: [] };
  #state: State = 'running';
  #end: { code: number; at: number; cause?: string } | undefined;
  #tool: 'alive' | 'gone' = 'gone';
  #change = Promise.withResolvers<void>();

  constructor(machine: Machine, spec: JobSpec, now: () => number) {
    this.machine = machine;
    this.spec = spec;
    this.limitSeconds = spec.limitSeconds;
    this.#now = now;
  }

  get gone(): boolean {
    return this.#state === 'gone';
  }

  get status(): JobStatus {
    return this.#report({ stdout: sizeOf(this.#output.stdout), stderr: sizeOf(this.#output.stderr) });
  }

  #report(sizes: { stdout: number; stderr: number }): JobStatus {
    switch (this.#state) {
      case 'running':
        return { state: 'running', ...sizes };
      case 'ended':
        return { state: 'ended', ...sizes, end: { code: 0, at: 0, ...this.#end, ...sizes } };
      case 'lost':
        return { state: 'lost', ...sizes, tool: this.#tool };
      case 'rebooted':
        return { state: 'rebooted', ...sizes };
      case 'gone':
        return { state: 'gone' };
    }
  }

  output(stream: JobStream): Buffer {
    return Buffer.concat(this.#output[stream]);
  }

  /** Output from `offset` on: a follower that runs for hours never reads all of it again. */
  outputFrom(stream: JobStream, offset: number): Uint8Array {
    const pieces = this.#output[stream];
    let first = pieces.length;
    let start = sizeOf(pieces);
    while (first > 0 && start > offset) {
      first -= 1;
      start -= pieces[first]?.length ?? 0;
    }
    return Uint8Array.from(Buffer.concat(pieces.slice(first)).subarray(offset - start));
  }

  print(text: string, stream: JobStream = 'stdout'): void {
    this.#output[stream].push(Buffer.from(text));
    this.#notify();
  }

  /** The first end applies, as on a host. */
  end(code = 0, cause?: string): void {
    if (this.#state !== 'running') return;
    this.#end = { code, at: this.#now() / 1000, ...(cause !== undefined && { cause }) };
    this.#enter('ended');
  }

  /** Requests it to stop. */
  stop(cause: string): void {
    if (this.left > 0) return;
    if (this.#state === 'running') this.onStop(cause);
    else if (this.#state === 'lost') this.lose('gone');
  }

  limit(seconds: number): void {
    this.limitSeconds = seconds;
  }

  /** Truncates or replaces its output file; the tool continues. */
  replaceOutput(): void {
    this.replaced = true;
    this.#notify();
  }

  /** If a job ended, its supervisor has removed the secrets. */
  get hasSecrets(): boolean {
    return this.#secrets && this.#state !== 'ended' && this.spec.files.some(({ secret }) => secret);
  }

  removeSecrets(): 'removed' | 'running' {
    if (this.#state === 'running' || (this.#state === 'lost' && this.#tool === 'alive')) return 'running';
    this.#secrets = false;
    return 'removed';
  }

  /** Kills its supervisor. */
  lose(tool: 'alive' | 'gone' = 'gone'): void {
    this.#tool = tool;
    this.#enter('lost');
  }

  /** Reboots its host. */
  reboot(): void {
    this.#enter('rebooted');
  }

  /** Deletes its folder. */
  vanish(): void {
    this.#enter('gone');
  }

  /** The first time applies. */
  release(hostMs: number): number {
    this.releasedAt ??= hostMs;
    this.#notify();
    return this.releasedAt;
  }

  /** Resolves at its next change, or when the signal fires. */
  async changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = (): void => resolve();
    signal.addEventListener('abort', done, { once: true });
    await Promise.race([this.#change.promise, promise]);
    signal.removeEventListener('abort', done);
  }

  #enter(state: State): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }
}

const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
