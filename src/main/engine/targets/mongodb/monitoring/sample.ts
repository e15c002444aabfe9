import type { Document } from 'mongodb';
import { numbersFrom } from '../../server-facts.ts';
import type { ServerSample } from '../../target.ts';
import type { MongoConnection } from '../connection.ts';
import { isUntold } from '../failure.ts';
import { flat } from '../settings.ts';

/** Sections that say nothing of the load, or whose making takes longest; `repl` waits for a lock. */
const LEFT_OUT = [
  'repl',
  'tcmalloc',
  'sharding',
  'shardingStatistics',
  'security',
  'transportSecurity',
  'electionMetrics',
  'freeMonitoring',
  'hedgingMetrics',
  'mirroredReads',
  'catalogStats',
  'defaultRWConcern',
  'storageEngine',
  'process',
];

/** Parts of what comes all the same: constants, and operators and stages of each kind. */
export const DROPPED =
  /^(ok$|pid$|uptime|mem\.(bits|supported)$|metrics\.(aggStageCounters|operatorCounters|apiVersions|dotsAndDollarsFields|changeStreams)\.|(tcmalloc|catalogStats|freeMonitoring|storageEngine|repl|security|shardingStatistics)\.|\$clusterTime|operationTime|wiredTiger\.(uri|cursor|data-handle|LSM|lock|perf|tiered-storage|snapshot-window-settings)\b)/;

/** Commands that a load consists of are counted from the first; of the 250 others those that were asked once. */
export const COMMANDS = [
  'find',
  'insert',
  'update',
  'delete',
  'aggregate',
  'getMore',
  'count',
  'distinct',
  'findAndModify',
  'commitTransaction',
  'abortTransaction',
] as const;
const COMMAND = /^metrics\.commands\./;

const NO_RIGHT =
  'The account may not run serverStatus, so the server cannot be watched. Grant it the role clusterMonitor on the database admin.';

/** The question, without what no series is made of. */
export const QUESTION = { serverStatus: 1, ...Object.fromEntries(LEFT_OUT.map((section) => [section, 0])) };

/** Numbers of an answer that series are made of. */
export function metricsOf(told: Document): ServerSample['metrics'] {
  const found = [...flat(told)].filter(
    ([name, value]) => typeof value === 'number' && !DROPPED.test(name) && !(value === 0 && COMMAND.test(name)),
  );
  const counted = [...flat({ metrics: { commands: told.metrics?.commands ?? {} } })].length > 0;
  const zeros = counted ? COMMANDS.map((name) => [`metrics.commands.${name}.total`, 0] as const) : [];
  return { ...Object.fromEntries(zeros), ...numbersFrom(found) };
}

/** One `serverStatus` for each sample, until the account turns out to have no right to it. */
export function mongoSampler(connection: MongoConnection): () => Promise<ServerSample> {
  let denied = false;
  return async () => {
    if (denied) return { metrics: {} };
    try {
      return { metrics: metricsOf(await connection.command('admin', QUESTION)) };
    } catch (error) {
      if (!isUntold(error)) throw error;
      denied = true;
      return { metrics: {}, problems: [NO_RIGHT] };
    }
  };
}
