import { join } from 'node:path';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import type { Ended } from '../../testing/perform.ts';
import { finder, outputReader, type Read, type Recording, recordingsIn } from '../../testing/recordings.ts';
import type { Phase, ToolPlan } from '../../tool.ts';
import { pgbenchTool } from '../index.ts';
import { PgbenchOptions } from '../options/index.ts';

/** Recorded outputs of pgbench. */
export const RECORDINGS = recordingsIn(join(import.meta.dirname, '../fixtures'));
export const recordingNamed = finder(RECORDINGS);
export const readOutput = outputReader(pgbenchTool);

/** The phase that a recording belongs to. */
export const stepOf = ({ argv }: Recording): Phase => (argv.includes('-i') ? 'prepare' : 'run');

export const readRecording = (entry: Recording): Read =>
  readOutput(entry.stdout, entry.stderr, { phase: stepOf(entry), exit: entry.exit });

/** Connection facts of a target on a test server. */
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

/** Commands for a run of `duration` seconds without a warm-up. */
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
