import { join } from 'node:path';
import { finder, fixtureText, outputReader, type Read, type Recording, recordingsIn } from '../testing/recordings.ts';
import type { Phase } from '../tool.ts';
import { sysbenchTool } from './index.ts';

const FOLDER = join(import.meta.dirname, 'fixtures');

/** What sysbench printed in recorded runs. Used by tests only. */
export const RECORDINGS = ['v1.0', 'legacy'].flatMap((version) => recordingsIn(join(FOLDER, version)));
export const recordingNamed = finder(RECORDINGS);
export const readOutput = outputReader(sysbenchTool);

/** Rows of password, and how it stands in a configuration file. */
export const passwordTable = (): string => fixtureText(join(FOLDER, 'config-file-passwords.tsv'));

/** The command that the recording ran. Help and version print no run: they are held to the rules of a cleanup. */
export function stepOf({ argv }: Recording): Phase {
  const words = argv.join(' ');
  if (/\brun( \||$)/.test(words)) return 'run';
  return /\bprepare$/.test(words) ? 'prepare' : 'cleanup';
}

/**
 * What was not read. sysbench ends the thread that prints the seconds together with the run, so the last of its lines can be interrupted:
 * that one is left out.
 */
export const unread = ({ unparsed }: Read): string[] =>
  unparsed.filter((line, index) => index < unparsed.length - 1 || !/^\[ \d+s \]/.test(line));

export const readRecording = (entry: Recording): Read =>
  readOutput(entry.stdout, entry.stderr, { phase: stepOf(entry), exit: entry.exit });
