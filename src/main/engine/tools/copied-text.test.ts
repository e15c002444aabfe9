import { describe, expect, it } from 'vitest';
import { commandTool } from './command/index.ts';
import { uncopied } from './copied-text.ts';
import { fioTool } from './fio/index.ts';
import { recordingNamed as fioRecording } from './fio/recordings.ts';
import { parseText } from './index.ts';
import { sysbenchTool } from './sysbench/index.ts';
import { recordingNamed } from './sysbench/recordings.ts';

const { stdout } = recordingNamed('mariadb-rw-t1');
const asPrinted = parseText(sysbenchTool, stdout);
const numbered = (text: string, mark: string, blank: boolean): string => {
  let number = 0;
  return text
    .split('\n')
    .map((line) => (line === '' && !blank ? line : `${String(++number).padStart(6)}${mark}${line}`))
    .join('\n');
};

describe('output copied from a page', () => {
  it.each<[string, (text: string) => string]>([
    ['no-break spaces', (text) => text.replaceAll(' ', '\u00A0')],
    ['no-break spaces for the second of two', (text) => text.replaceAll('  ', ' \u00A0')],
    ['invisible letters', (text) => `\uFEFF${text.replaceAll('\n', '\u200B\n')}`],
    ['a margin', (text) => text.replace(/^/gm, '    ')],
    ['a margin but in empty lines', (text) => text.replace(/^(?=.)/gm, '\t')],
    ['signs of a quotation', (text) => text.replace(/^/gm, '> ')],
    ['line numbers', (text) => numbered(text, '\t', true)],
    ['line numbers of what is not empty', (text) => numbered(text, '  ', false)],
    ['line numbers with a bar', (text) => numbered(text, ' | ', true).replace(/^( *\d+) \| /gm, '$1| ')],
    ['no last newline', (text) => text.trimEnd()],
    ['the line ends of Windows', (text) => text.replaceAll('\n', '\r\n')],
    ['all of it', (text) => numbered(text, '\u00A0', true).trimEnd().replaceAll(' ', '\u00A0')],
  ])('with %s is read like the original', (_, copied) => {
    expect(copied(stdout)).not.toBe(stdout);
    expect(parseText(sysbenchTool, copied(stdout))).toEqual(asPrinted);
  });

  it('with typographic quotation marks is read like the original', () => {
    const json = fioRecording('randread-json-nointerval').stdout;
    const quoted = json.replaceAll(/"([^"]*)"/g, '“$1”');
    expect(parseText(fioTool, quoted)).toEqual(parseText(fioTool, json));
  });

  it('is otherwise unchanged', () => {
    expect(uncopied(stdout)).toBe(stdout);
    expect(uncopied('')).toBe('');
    expect(uncopied('\n\n')).toBe('\n\n');
  });
});

it('does not take printed numbers for line numbers', () => {
  const { samples } = parseText(commandTool, '1 500\n2 600\n3 700\n', '', {
    pattern: '^(?<t>\\d+) (?<ops>\\d+)$',
    metrics: '',
  });
  expect(samples.map(({ t, metrics }) => [t, metrics.ops])).toEqual([
    [1, 500],
    [2, 600],
    [3, 700],
  ]);
});
