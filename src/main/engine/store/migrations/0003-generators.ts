import type { Migration } from '../file/migrate.ts';

/**
 * Runs of several generators: `run.jobs` holds a job of each, with what came of it. The tables stay as they are, and so does what
 * they hold; but a version that knows one job only would follow the first and call the trial complete, so it must not open this.
 */
export const generators: Migration = { version: 3, up: () => {} };
