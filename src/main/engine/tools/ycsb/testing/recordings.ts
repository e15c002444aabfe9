import { join } from 'node:path';
import {
  finder,
  fixtureText,
  outputReader,
  type Read,
  type Recording,
  recordingsIn,
} from '../../testing/recordings.ts';
import { ycsbTool } from '../index.ts';

const FOLDER = join(import.meta.dirname, '../fixtures');

export interface YcsbRecording extends Recording {
  /** The report, if YCSB wrote it to a file. */
  exported: string;
}

/** Recorded outputs of YCSB. */
export const RECORDINGS: readonly YcsbRecording[] = recordingsIn(FOLDER).map((entry) => ({
  ...entry,
  exported: fixtureText(join(FOLDER, entry.name, 'out.json')),
}));
export const recordingNamed = finder(RECORDINGS);
export const readOutput = outputReader(ycsbTool);

const isLoad = ({ argv }: Recording): boolean => argv.includes('-load');
const argument = ({ argv }: Recording, name: string): string | undefined =>
  argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);

export const readRecording = (entry: Recording): Read =>
  readOutput(entry.stdout, entry.stderr, {
    phase: isLoad(entry) ? 'prepare' : 'run',
    exit: entry.exit,
    options: { recordcount: Number(argument(entry, 'recordcount') ?? 1000) },
  });
