import { expect, it } from 'vitest';
import { programsOf } from '../index.ts';
import { CommandOptions } from '../options/index.ts';

const of = (command: string): string[] => programsOf(CommandOptions.parse({ command }));

it.each([
  ['ioping -c {seconds} .', 'ioping'],
  ['  # measured twice\n\n  /opt/tool/bin/tester --fast | cat', '/opt/tool/bin/tester'],
  ['LC_ALL=C NICE=5 vmstat 1', 'vmstat'],
  ['while true; do date; done', 'while'],
  ['mysqlslap', 'mysqlslap'],
])('of %j is %s', (command, program) => {
  expect(of(command)).toEqual([program]);
});

it.each([
  '$TOOL run',
  '"my tool" -x',
  './run.sh',
  '(cd /tmp; ls)',
  'measure() { ls; }\nmeasure',
  '{mode} fast',
  'a=$(date) ls',
])('of %j cannot be told', (command) => {
  expect(of(command)).toEqual([]);
});
