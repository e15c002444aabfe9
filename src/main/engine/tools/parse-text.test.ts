import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTool } from './command/index.ts';
import { uncopied } from './copied-text.ts';
import { fioTool } from './fio/index.ts';
import { recordingNamed as fioRecording } from './fio/testing/recordings.ts';
import { parseText, toolById, tryText } from './index.ts';
import { sysbenchTool } from './sysbench/index.ts';
import { recordingNamed } from './sysbench/testing/recordings.ts';
import type { Tool } from './tool.ts';

describe('patterns tried on a text', () => {
  const tried = (now?: () => number) => tryText(commandTool, 'request=1 time=2 us\n'.repeat(1000), {}, now);
  it('are tried for at most two seconds', () => {
    let clock = 0;
    const { lines, findings } = tried(() => (clock += 100));
    expect(lines).toHaveLength(20);
    expect(findings[0]).toMatchObject({ code: 'not-all-tried', message: expect.stringContaining('first 20 lines') });
  });
  it('are tried on the whole text if that is fast', () => {
    expect(tried(() => 0).lines).toHaveLength(1000);
  });
});

it('reports lines that are too long to be checked', () => {
  const { findings, samples } = parseText(commandTool, `${'x'.repeat(5000)}\nrequest=1 time=2 us\n`);
  expect(samples).toHaveLength(1);
  expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['lines-too-long', 'note']]);
});

it('omits latencies that are impossible durations, from any tool', () => {
  const file = join(import.meta.dirname, 'ycsb/fixtures/c-readonly/stdout.txt');
  const right = readFileSync(file, 'utf8');
  const wrapped = right.replaceAll(/(\[READ\], MaxLatency\(us\), )\d+/g, '$118446744073709551615');
  const ycsb = toolById('ycsb') as Tool;
  const [before, after] = [parseText(ycsb, right), parseText(ycsb, wrapped)];
  const lost = Object.keys(before.summary).filter((key) => !Object.hasOwn(after.summary, key));
  expect(lost.toSorted()).toEqual(['latency_max_ms', 'read_latency_max_ms']);
  expect(before.findings.map(({ code }) => code)).not.toContain('values-implausible');
  expect(after.findings).toContainEqual(
    expect.objectContaining({ code: 'values-implausible', message: expect.stringContaining('latency_max_ms') }),
  );
  const own = { pattern: 't=(?<t>\\d+) max=(?<latency_max_ms>\\S+) ops=(?<ops>\\d+)', metrics: '' };
  const { samples } = parseText(
    toolById('command') as Tool,
    't=1 max=18446744073709551615 ops=7\nt=2 max=3 ops=8\n',
    '',
    own,
  );
  expect(samples).toEqual([
    { t: 1, metrics: { ops: 7 } },
    { t: 2, metrics: { latency_max_ms: 3, ops: 8 } },
  ]);
});

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
