import { expect, it } from 'vitest';
import { outputReader } from '../../testing/recordings.ts';
import { commandTool } from '../index.ts';
import { updatesOf } from './updates.ts';

it.each<[string, string, string[]]>([
  ['nothing of it', 'ops=1', ['ops=1']],
  ['carriage returns', 'ops=1\rops=22\rops=3', ['ops=1', 'ops=22', 'ops=3']],
  ['several at once', '\r\rops=1\r\r\nops=2', ['ops=1', '\nops=2']],
  ['blanks that wipe the line', 'ops=1\r          \rops=2', ['ops=1', 'ops=2']],
  ['backspaces over all of it', 'ops=1\b\b\b\b\bops=2', ['ops=1', 'ops=2']],
  ['backspaces over a part', 'ops=100\b\b\b22', ['ops=100', 'ops=22']],
  ['backspaces that wipe', 'ops=100\b \b\b \b\b \b7', ['ops=100', 'ops=7']],
  ['more backspaces than letters', 'a=1\b\b\b\b\b\b\bb=2', ['a=1', 'b=2']],
  ['the way of terminals to the beginning', 'ops=1\u001B[Gops=2\u001B[1Gops=3', ['ops=1', 'ops=2', 'ops=3']],
  ['nothing at all', '', ['']],
  ['blanks alone', '  \r ', ['']],
])('a line that is written over with %s is one for each update', (_, text, updates) => {
  expect(updatesOf(text)).toEqual(updates);
});

it('a progress is read update by update, and the final figures behind it', () => {
  const read = outputReader(commandTool)('ops=1\rops=2\b3\rall: 7 ops\n', '', {
    options: { pattern: 'ops=(?<ops>\\d+)', metrics: '', 'final-pattern': 'all: (?<ops>\\d+) ops' },
  });
  expect(read.samples.map(({ metrics }) => metrics.ops)).toEqual([1, 2, 3]);
  expect(read.summary).toEqual({ ops: 7 });
  expect(read.unparsed).toEqual([]);
});

it.each<[string, string, string[]]>([
  ['once', 'all: 7 ops\n', []],
  ['again and again with the same figure', 'all: 7 ops\nall: 7 ops\n', []],
  ['with different figures', 'all: 7 ops\nall: 8 ops\n', ['final-replaced']],
])('final figures that are printed %s', (_, text, codes) => {
  const options = { pattern: 'ops=(?<ops>\\d+)', metrics: '', 'final-pattern': 'all: (?<ops>\\d+) ops' };
  const read = outputReader(commandTool)(`ops=1\n${text}`, '', { options });
  expect(read.findings.map(({ code }) => code)).toEqual(codes);
});
