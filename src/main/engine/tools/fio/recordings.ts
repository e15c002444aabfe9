import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import type { ParsedSample, ParseOutcome } from '../tool.ts';
import { FioParser } from './parse.ts';

type StepName = 'prepare' | 'run' | 'cleanup';

/** One recorded run: what fio printed, how it ended, and what a careful reader finds in it. Used by tests only. */
export interface Recording {
  name: string;
  stdout: string;
  stderr: string;
  argv: readonly string[];
  exit: ExitStatus;
  expected: Record<string, unknown>;
}

const FOLDER = join(import.meta.dirname, 'fixtures');

function recording(name: string): Recording {
  const read = (file: string): string => readFileSync(join(FOLDER, name, file), 'utf8');
  const meta = JSON.parse(read('meta.json')) as { argv: string[]; exit_code: number | null; signal: string | null };
  return {
    name,
    stdout: read('stdout.txt'),
    stderr: read('stderr.txt'),
    argv: meta.argv,
    exit: {
      ...(meta.exit_code === null ? {} : { code: meta.exit_code }),
      ...(meta.signal === null ? {} : { signal: meta.signal }),
    },
    expected: JSON.parse(read('expected.json')) as Record<string, unknown>,
  };
}

export const RECORDINGS: readonly Recording[] = readdirSync(FOLDER)
  .filter((name) => existsSync(join(FOLDER, name, 'meta.json')))
  .map(recording);

export function recordingNamed(name: string): Recording {
  const found = RECORDINGS.find((entry) => entry.name === name);
  if (!found) throw new Error(`no recording ${name}`);
  return found;
}

export interface Read extends ParseOutcome {
  samples: ParsedSample[];
  findings: Finding[];
  unparsed: string[];
}

/** Feeds both streams line by line, as the engine does. */
export function readOutput(stdout: string, stderr: string, how: { step?: StepName; exit?: ExitStatus } = {}): Read {
  const read: Omit<Read, keyof ParseOutcome> = { samples: [], findings: [], unparsed: [] };
  const parser = new FioParser(how.step ?? 'run', {
    sample: (sample) => read.samples.push(sample),
    finding: (finding) => read.findings.push(finding),
    unparsed: (line) => read.unparsed.push(line),
  });
  for (const [output, stream] of [[stdout, 'stdout'] as const, [stderr, 'stderr'] as const]) {
    const lines = output.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) parser.line(line, stream);
    if (last !== '') parser.line(last, stream, true);
  }
  return { ...read, ...parser.end(how.exit) };
}

export const readRecording = (entry: Recording): Read => readOutput(entry.stdout, entry.stderr, { exit: entry.exit });
