import { join } from 'node:path';
import { outputReader, recordingsIn } from '../../testing/recordings.ts';
import { commandTool } from '../index.ts';

/** Recorded outputs of several kinds of programs. */
export const RECORDINGS = recordingsIn(join(import.meta.dirname, '../fixtures'));
export const readOutput = outputReader(commandTool);
