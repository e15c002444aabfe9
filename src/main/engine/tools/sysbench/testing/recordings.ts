import { join } from 'node:path';
import {
  finder,
  fixtureText,
  outputReader,
  type Read,
  type Recording,
  recordingsIn,
} from '../../testing/recordings.ts';
import type { Phase } from '../../tool.ts';
import { sysbenchTool } from '../index.ts';

const FOLDER = join(import.meta.dirname, '../fixtures');

/** Recorded outputs of sysbench. */
export const RECORDINGS = ['v1.0', 'legacy'].flatMap((version) => recordingsIn(join(FOLDER, version)));
export const recordingNamed = finder(RECORDINGS);
export const readOutput = outputReader(sysbenchTool);

/** Table of passwords and their form in a configuration file. */
export const passwordTable = (): string => fixtureText(join(FOLDER, 'config-file-passwords.tsv'));

/** The phase that a recording belongs to. Help and version have no run, so they are checked like a cleanup. */
export function stepOf({ argv }: Recording): Phase {
  const words = argv.join(' ');
  if (/\brun( \||$)/.test(words)) return 'run';
  return /\bprepare$/.test(words) ? 'prepare' : 'cleanup';
}

/** Unread lines. sysbench ends the thread that prints the seconds together with the run, so its last line can be truncated; that one is ignored. */
export const unread = ({ unparsed }: Read): string[] =>
  unparsed.filter((line, index) => index < unparsed.length - 1 || !/^\[ \d+s \]/.test(line));

export const readRecording = (entry: Recording): Read =>
  readOutput(entry.stdout, entry.stderr, { phase: stepOf(entry), exit: entry.exit });
