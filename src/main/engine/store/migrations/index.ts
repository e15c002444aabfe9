import type { Migration } from '../file/migrate.ts';
import { library } from './0001-library.ts';
import { dataSets } from './0002-data-sets.ts';
import { generators } from './0003-generators.ts';
import { fileSets } from './0004-file-sets.ts';
import { timeline } from './0005-timeline.ts';
import { checksums } from './0006-checksums.ts';
import { sources } from './0007-sources.ts';
import { seeds } from './0008-seeds.ts';
import { latencies } from './0009-latencies.ts';
import { configurations } from './0010-configurations.ts';
import { runFacts } from './0011-run-facts.ts';
import { sessionTargets } from './0012-session-targets.ts';
import { monitors } from './0013-monitors.ts';
import { summaries } from './0014-summaries.ts';
import { wideIds } from './0015-wide-ids.ts';
import { headlines } from './0016-headlines.ts';
import { oneFigure } from './0017-one-figure.ts';
import { exclusions } from './0018-exclusions.ts';
import { identities } from './0019-identities.ts';
import { claims } from './0020-claims.ts';
import { idle } from './0021-idle.ts';
import { steps } from './0022-steps.ts';
import { sequences } from './0023-sequences.ts';
import { tested } from './0024-tested.ts';

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
];
