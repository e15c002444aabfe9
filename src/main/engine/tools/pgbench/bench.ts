import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import type { Ended } from '../testing/perform.ts';
import type { Read } from '../testing/recordings.ts';
import type { Phase, ToolPlan } from '../tool.ts';
import { pgbenchTool } from './index.ts';
import { PgbenchOptions } from './options/index.ts';
import { readOutput } from './recordings.ts';

/** What a target of a test server says to tools. Used by tests only. */
export const factsOf = ({
  address,
  port,
  user,
  password,
  database,
}: Record<'address' | 'user' | 'password' | 'database', string> & { port: number }): ConnectionFacts => ({
  kind: 'postgres',
  host: address,
  port,
  user,
  password,
  database,
});

/** Steps of a run of `duration` seconds without a warm-up. */
export const plannedOn = (connection: ConnectionFacts, options: Record<string, unknown>, duration = 3): ToolPlan =>
  pgbenchTool.plan({
    options: PgbenchOptions.parse(options),
    connection,
    warmup: 0,
    duration,
    seed: 1,
    nodePath: process.execPath,
    assetsDir: '/nonexistent',
  });

export const readEnded = ({ stdout, stderr, exit }: Ended, phase: Phase = 'run'): Read =>
  readOutput(stdout, stderr, { phase, exit });
