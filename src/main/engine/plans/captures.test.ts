import { expect, it } from 'vitest';
import { TOOLS } from '../tools/index.ts';
import { checkDocument, formatDocument, readDocument } from './index.ts';

const text = (captures: string, measure = '{ duration: 10 }'): string => `kneepoint: 1
name: Kept
workload: { tool: sysbench }
where: { target: db }
measure: ${measure}
captures:
${captures}
`;
const HOST: readonly string[] = ['db1'];

/** Place, line and message of each problem of a document with these captures. */
const against = (captures: string, measure?: string) =>
  checkDocument(text(captures, measure), {
    tools: TOOLS,
    steps: () => ({ run: 'true' }),
    connection: () => ({ kind: 'mysql' }),
    monitors: { isHost: (name) => HOST.includes(name), takesStatements: (name) => name === 'db' },
  }).problems.map(({ path, line, message }) => [path, line, message]);

it.each([
  '  - { name: a, statement: SHOW ENGINE INNODB STATUS, as: text, at: [stall] }',
  '  - { name: a, statement: SELECT 1, as: difference, key: [query] }',
  '  - { name: a, statement: SHOW PROFILE, first: [SET profiling = 1, SELECT 1] }',
  '  - { name: a, statement: DO SLEEP(0), writes: true }',
  '  - { name: a, command: uname -r, as: fact }\n  - { name: b, statement: SELECT 1, as: fact }',
  '  - { name: a, command: cat /proc/vmstat, host: db1, as: difference }',
  '  - { name: a, file: /var/log/mysqld.log, marks: "(?P<mark>ready) for" }',
  '  - { name: a, file: /var/log/mysqld.log }\n  - { name: b, command: dmesg, every: 1m }',
])('accepts %s', (captures) => expect(against(captures)).toEqual([]));

it.each([
  ['{ name: a }', '', 'A capture needs a source: a statement, a command or a file.'],
  ['{ name: a, statement: SELECT 1, file: /x }', 'file', 'It already has a statement; use one capture per source.'],
  [
    '{ name: a, statement: FLUSH STATUS }',
    'statement',
    'Only read-only statements are sent, but this one begins with FLUSH. If that is intended, add “writes: true”.',
  ],
  ['{ name: a, statement: SELECT 1, first: [SET GLOBAL a = 1] }', 'first.0', 'sets more than its own connection'],
  ['{ name: a, statement: SELECT 1, host: db1 }', 'host', 'A statement runs on the target'],
  [
    '{ name: a, command: ls, first: [SELECT 1] }',
    'first',
    '“first” is only valid with a statement; this is a command.',
  ],
  ['{ name: a, file: /x, only-reads: /dev/sdb }', 'only-reads', '“only-reads” is only valid with a command'],
  ['{ name: a, file: x }', 'file', 'must be an absolute path.'],
  ['{ name: a, command: ls, as: table }', 'as', 'Only the result of a statement can be a table'],
  ['{ name: a, statement: SELECT 1, as: attachment }', 'as', 'Only a file or the output of a command can be'],
  ['{ name: a, command: ls, key: [x] }', 'key', '“key” is only valid with “as: difference”.'],
  ['{ name: a, command: ls, as: difference, at: [end, stall] }', 'at', 'A difference needs both “start” and “end”.'],
  ['{ name: a, statement: SELECT 1, marks: x }', 'as', 'Marks are read from a log: specify a file or a command.'],
  ['{ name: a, file: /x, as: marks }', 'as', 'Specify the lines of the log under “marks”.'],
  ['{ name: a, file: /x, as: text, marks: x }', 'marks', '“marks” is only valid with “as: marks”'],
  ['{ name: a, file: /x, marks: x, every: 10 }', 'every', 'Marks are read once, at the end of the run.'],
  ['{ name: a, file: /x, marks: (x }', 'marks', 'is not a valid pattern'],
  ['{ name: a, command: ls, at: [event] }', 'at', 'No trial has an event'],
  ['{ name: a, command: ls, host: nowhere }', 'host', 'There is no host named “nowhere”.'],
  ['{ name: sizes on disk, command: df }', 'name', 'is reserved for the sizes that each run records.'],
  ['{ name: a, command: ls, every: 1 }', 'every', 'at least 5.'],
  ['{ name: a, command: mkfs.ext4 /dev/sdb }', 'command', 'This names the device /dev/sdb'],
  ['{ name: a, statement: "SELECT 1 FROM x WHERE y = \'/dev/sdb\'" }', 'statement', 'This names the device /dev/sdb'],
])('refuses %s', (capture, part, message) => {
  const [problem, ...others] = against(`  - ${capture}`);
  expect(others).toEqual([]);
  expect(problem).toEqual([`captures.0${part && `.${part}`}`, 7, expect.stringContaining(message)]);
});

it('refuses two captures of one name, and accepts captures at events if there are events', () => {
  const two = '  - { name: a, command: ls }\n  - { name: a, command: df }';
  expect(against(two)).toEqual([['captures.1.name', 8, 'Two captures are named “a”.']]);
  const events = '{ duration: 10, events: [{ at: 1, do: run, command: ls }] }';
  expect(against('  - { name: a, command: ls, at: [event] }', events)).toEqual([]);
});

it('keeps the notation of a capture when another part of the document changes', () => {
  const written = text('  # who waits\n  - { name: a, command: ls, every: 1m }');
  const { experiment } = readDocument(written);
  expect(experiment?.captures).toEqual([{ name: 'a', command: 'ls', every: 60 }]);
  expect(experiment && formatDocument({ ...experiment, name: 'Other' }, written)).toMatch(
    /captures:\n {2}# who waits\n {2}- \{name: a, command: ls, every: 1m\}/,
  );
});
