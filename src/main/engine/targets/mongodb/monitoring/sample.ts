import type { Document } from 'mongodb';
import { numbersFrom } from '../../server-facts.ts';
import type { ServerSample } from '../../target.ts';
import type { MongoConnection } from '../connection.ts';
import { isRefusal } from '../failure.ts';
import { flat } from '../settings.ts';

/** Sections irrelevant to the load, or slowest to collect; `repl` waits for a lock. */
const OMITTED = [
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

/** Parts that are included anyway: constants, and per-kind operators and stages. */
export const DROPPED =
  /^(ok$|pid$|uptime|mem\.(bits|supported)$|metrics\.(aggStageCounters|operatorCounters|apiVersions|dotsAndDollarsFields|changeStreams)\.|(tcmalloc|catalogStats|freeMonitoring|storageEngine|repl|security|shardingStatistics)\.|\$clusterTime|operationTime|wiredTiger\.(uri|cursor|data-handle|LSM|lock|perf|tiered-storage|snapshot-window-settings)\b)/;

/** Commands typical of a load are counted from the first sample; the other 250 only after their first use. */
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
  'The account has no permission to run serverStatus, so the server cannot be monitored. Grant it the role clusterMonitor on the database admin.';

/** The command, without sections that no series uses. */
export const QUESTION = { serverStatus: 1, ...Object.fromEntries(OMITTED.map((section) => [section, 0])) };

/** Numbers of a response that series are based on. */
export function metricsOf(status: Document): ServerSample['metrics'] {
  const found = [...flat(status)].filter(
    ([name, value]) => typeof value === 'number' && !DROPPED.test(name) && !(value === 0 && COMMAND.test(name)),
  );
  const counted = [...flat({ metrics: { commands: status.metrics?.commands ?? {} } })].length > 0;
  const zeros = counted ? COMMANDS.map((name) => [`metrics.commands.${name}.total`, 0] as const) : [];
  return { ...Object.fromEntries(zeros), ...numbersFrom(found) };
}

/** Runs one `serverStatus` per sample, until the account turns out to lack the right to it. */
export function mongoSampler(connection: MongoConnection): () => Promise<ServerSample> {
  let denied = false;
  return async () => {
    if (denied) return { metrics: {} };
    try {
      return { metrics: metricsOf(await connection.command('admin', QUESTION)) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      denied = true;
      return { metrics: {}, problems: [NO_RIGHT] };
    }
  };
}
