import { pauseFor, type SessionRecord } from '../runs/index.ts';
import type { WatchingContext } from './context.ts';
import type { SilentSource, WatchedSources } from './sources.ts';

const LOOK_MS = 100;

/**
 * The wait of the first trial for the first samples, for a limited time: the first seconds of a trial that began before would be missing. A source
 * that has said why it gives none is not waited for.
 */
export class FirstSamples {
  readonly #context: WatchingContext;
  readonly #record: SessionRecord;
  readonly #sources: WatchedSources;
  readonly #closing: AbortSignal;
  /** When the monitors were started, on the clock of waits. */
  #began = 0;
  #isOver = false;

  constructor(context: WatchingContext, record: SessionRecord, sources: WatchedSources, closing: AbortSignal) {
    this.#context = context;
    this.#record = record;
    this.#sources = sources;
    this.#closing = closing;
  }

  begin(): void {
    this.#began = this.#context.clock.monotonic();
  }

  /** Once; later calls return at once. `asked`: somebody wants no trial to start. */
  async wait(asked: () => boolean, waiting: (words: string) => void): Promise<void> {
    const { clock, monitors } = this.#context;
    const until = this.#began + (monitors.firstSampleMs ?? 0);
    while (!this.#isOver && !this.#closing.aborted && !asked()) {
      const silent = this.#sources.silent();
      this.#isOver = silent.length === 0 || clock.monotonic() >= until;
      if (this.#isOver) return this.#tell(silent);
      waiting(`Waiting for the first sample of ${named(silent)}`);
      await pauseFor(LOOK_MS, this.#closing);
    }
  }

  #tell(silent: readonly SilentSource[]): void {
    const { machines, monitors } = this.#context;
    const { firstSampleMs = 0 } = monitors;
    if (firstSampleMs === 0) return;
    for (const { name, host } of silent) {
      const link = host === undefined ? undefined : machines.get(host).link();
      const why = link && link.state !== 'up' && link.message ? ` ${link.message.replace(/\.$/, '')}.` : '';
      const words = `“${name}” gave no sample within ${firstSampleMs / 1000} s.${why} The trial starts without it: its first seconds may not be covered.`;
      this.#record.log('warn', words);
    }
  }
}

const named = (sources: readonly SilentSource[]): string =>
  [...new Set(sources.map(({ name }) => name))].map((name) => `“${name}”`).join(', ');
