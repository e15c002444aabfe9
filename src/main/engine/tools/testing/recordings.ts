import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import type { ParsedSample, ParseOutcome, Phase, Tool } from '../tool.ts';

/** A recorded run: its output, its exit status, and the expected result of reading it. */
export interface Recording {
  name: string;
  stdout: string;
  stderr: string;
  argv: readonly string[];
  exit: ExitStatus;
  expected: Record<string, unknown>;
}

/** A file's text. Empty if it does not exist. */
export const fixtureText = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function recording(folder: string, name: string): Recording {
  const read = (file: string): string => fixtureText(join(folder, name, file));
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

/** The recordings in a folder: each is a folder with `meta.json`, `expected.json`, `stdout.txt` and optionally `stderr.txt`. */
export const recordingsIn = (folder: string): Recording[] =>
  readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'meta.json')))
    .map((name) => recording(folder, name));

export const finder =
  <Entry extends { name: string }>(recordings: readonly Entry[]) =>
  (name: string): Entry => {
    const found = recordings.find((entry) => entry.name === name);
    if (!found) throw new Error(`no recording ${name}`);
    return found;
  };

/** Everything that a parser read from an output. */
export interface Read extends ParseOutcome {
  samples: ParsedSample[];
  findings: Finding[];
  unparsed: string[];
}

/** Feeds both streams to a tool's parser line by line, as the engine does. */
export const outputReader =
  (tool: Tool) =>
  (
    stdout: string,
    stderr: string,
    how: { phase?: Phase; exit?: ExitStatus; options?: Record<string, unknown> } = {},
  ): Read => {
    const read: Omit<Read, keyof ParseOutcome> = { samples: [], findings: [], unparsed: [] };
    const parser = tool.parser(how.phase ?? 'run', tool.options.parse(how.options ?? {}), {
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
  };
