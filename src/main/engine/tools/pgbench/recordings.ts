import { join } from 'node:path';
import { finder, outputReader, type Read, type Recording, recordingsIn } from '../testing/recordings.ts';
import type { Phase } from '../tool.ts';
import { pgbenchTool } from './index.ts';

/** What pgbench printed in recorded runs. Used by tests only. */
export const RECORDINGS = recordingsIn(join(import.meta.dirname, 'fixtures'));
export const recordingNamed = finder(RECORDINGS);
export const readOutput = outputReader(pgbenchTool);

/** The step that a recording is of. */
export const stepOf = ({ argv }: Recording): Phase => (argv.includes('-i') ? 'prepare' : 'run');

export const readRecording = (entry: Recording): Read =>
  readOutput(entry.stdout, entry.stderr, { phase: stepOf(entry), exit: entry.exit });
