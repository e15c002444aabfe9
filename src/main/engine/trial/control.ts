/** How a trial is led from outside, and how it tells of itself. */
export interface TrialControl {
  /** Aborts when the app closes: the job continues. */
  signal: AbortSignal;
  /** Set when a person ended this trial; the job is then already being stopped. */
  ended(): 'skipped' | 'stopped' | undefined;
  onChanged(): void;
  /** `host`: it is out of reach, and waited for. */
  notice(level: 'info' | 'warn' | 'error', message: string, host?: string): void;
}
