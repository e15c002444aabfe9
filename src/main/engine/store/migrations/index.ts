import type { Migration } from '../file/migrate.ts';
import { library } from './0001-library.ts';
import { timeline } from './0005-timeline.ts';
import { sources } from './0007-sources.ts';
import { wideIds } from './0015-wide-ids.ts';
import {
  captures,
  checksums,
  claims,
  configurations,
  dataSets,
  exclusions,
  fileSets,
  generators,
  headlines,
  identities,
  idle,
  latencies,
  mechanics,
  monitors,
  oneFigure,
  runFacts,
  seeds,
  sequences,
  sessionTargets,
  steps,
  summaries,
  tested,
} from './small.ts';

/** In order; a released one never changes. Each knows only the state that the one before it left. */
export const MIGRATIONS: readonly Migration[] = [
  library,
  dataSets,
  generators,
  fileSets,
  timeline,
  checksums,
  sources,
  seeds,
  latencies,
  configurations,
  runFacts,
  sessionTargets,
  monitors,
  summaries,
  wideIds,
  headlines,
  oneFigure,
  exclusions,
  identities,
  claims,
  idle,
  steps,
  sequences,
  tested,
  captures,
  mechanics,
];
