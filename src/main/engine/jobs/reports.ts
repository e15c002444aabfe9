import type { JobReport } from './status.ts';
import type { Watch } from './watch.ts';

/**
 * The reports of a watch, for one reader that also waits for chunks. `Promise.race` would tie every chunk to the report that is still to
 * come and keep a flood of them in memory until then; here each report is listened to once.
 */
export class Reports {
  readonly #watch: Pick<Watch, 'next'>;
  #heard: { report: JobReport } | { error: unknown } | undefined;
  #listening = false;
  #wake: () => void = () => undefined;

  constructor(watch: Pick<Watch, 'next'>) {
    this.#watch = watch;
  }

  /** The next report from now on, or undefined when `other` settles first. Throws what the watch throws, never what `other` does. */
  async before(other: Promise<unknown>): Promise<JobReport | undefined> {
    // One that came while nobody waited is old; an error comes again.
    this.#heard = undefined;
    this.#listen();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      const settled = (): void => resolve();
      other.then(settled, settled);
    });
    const heard = this.#heard as { report: JobReport } | { error: unknown } | undefined;
    if (heard && 'error' in heard) throw heard.error;
    return heard?.report;
  }

  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    const hear = (heard: { report: JobReport } | { error: unknown }): void => {
      this.#heard = heard;
      this.#listening = false;
      this.#wake();
    };
    this.#watch.next().then(
      (report) => hear({ report }),
      (error: unknown) => hear({ error }),
    );
  }
}
