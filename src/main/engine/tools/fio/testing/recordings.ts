import { join } from 'node:path';
import { finder, outputReader, type Read, type Recording, recordingsIn } from '../../testing/recordings.ts';
import { fioTool } from '../index.ts';

/** Recorded outputs of fio. */
export const RECORDINGS = recordingsIn(join(import.meta.dirname, '../fixtures'));
export const recordingNamed = finder(RECORDINGS);
export const readOutput = outputReader(fioTool);
export const readRecording = (entry: Recording): Read => readOutput(entry.stdout, entry.stderr, { exit: entry.exit });
