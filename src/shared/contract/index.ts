import { app } from './app.ts';
import { captures } from './captures.ts';
import { changes } from './changes.ts';
import { costs } from './costs.ts';
import { dataSets } from './data-sets.ts';
import { experiments } from './experiments.ts';
import { hosts } from './hosts.ts';
import { monitors } from './monitors.ts';
import { reports } from './reports.ts';
import { results } from './results.ts';
import { sessions } from './sessions.ts';
import { targets } from './targets.ts';

/** The engine's only public interface. */
export const contract = {
  app,
  hosts,
  targets,
  dataSets,
  experiments,
  sessions,
  changes,
  results,
  monitors,
  captures,
  costs,
  reports,
};
export type AppContract = typeof contract;
