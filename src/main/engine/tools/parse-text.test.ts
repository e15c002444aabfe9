import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTool } from './command/index.ts';
import { parseText, toolById, tryText } from './index.ts';
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
