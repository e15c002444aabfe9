import type { Migration } from '../file/migrate.ts';

/** Snapshots of sessions that begin from now on have the steps of their cells (version 2), which earlier versions of Kneepoint cannot read. */
export const steps: Migration = { version: 22, up: () => {} };
