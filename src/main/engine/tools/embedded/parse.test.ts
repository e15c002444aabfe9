import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isMetric } from '../../../../shared/metrics/index.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { ParsedSample } from '../tool.ts';
import { embeddedTool } from './index.ts';
import { Line } from './program/lines.ts';

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url));
const CASES = readdirSync(FIXTURES);
const read = (name: string, file: string): string => readFileSync(`${FIXTURES}${name}/${file}`, 'utf8');

/** Passes a recording to the parser as the engine does: line by line, stderr after or before stdout. */
function parse(name: string, stderrFirst = false) {
  const samples: ParsedSample[] = [];
  const findings: Finding[] = [];
  const unparsed: string[] = [];
  const parser = embeddedTool.parser('run', embeddedTool.options.parse({}), {
    sample: (sample) => samples.push(sample),
    finding: (finding) => findings.push(finding),
    unparsed: (line) => unparsed.push(line),
  });
  const streams = stderrFirst ? (['stderr', 'stdout'] as const) : (['stdout', 'stderr'] as const);
  for (const stream of streams) {
    for (const line of read(name, `${stream}.txt`).split('\n').slice(0, -1)) parser.line(line, stream);
  }
  const outcome = parser.end({ code: Number(read(name, 'exit.txt')) });
  return { samples, findings, unparsed, outcome };
}

describe.each(CASES)('recording %s', (name) => {
  test('is read equally when read again, with the two streams in any order', () => {
    expect(parse(name)).toEqual(parse(name));
    expect(parse(name, true)).toEqual(parse(name));
  });

  test('has registered metrics, and operations of all seconds add up to the total', () => {
    const { samples, outcome } = parse(name);
    for (const sample of samples) {
      for (const [id, value] of Object.entries(sample.metrics)) {
        expect(isMetric(id)).toBe(true);
        expect(Number.isFinite(value)).toBe(true);
      }
    }
    const seconds = read(name, 'stdout.txt')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Line.parse(JSON.parse(line)))
      .filter((line) => line.kind === 'interval')
      .map((line) => line.seconds);
    const total = samples.reduce(
      (sum, sample, index) => sum + (sample.metrics.ops ?? Number.NaN) * (seconds[index] ?? Number.NaN),
      0,
    );
    expect(total).toBeCloseTo(outcome.summary.operations_total ?? 0, 3);
  });
});

describe('recordings', () => {
  test('of a complete run have seconds and totals', () => {
    const { samples, outcome, findings, unparsed } = parse('complete-a');
    expect(outcome.ok).toBe(true);
    expect(samples.map((sample) => sample.t)).toEqual([1, 2, 3]);
    expect(samples[0]?.metrics).toMatchObject({ latency_p99_ms: 0.1354, errors_per_s: 0 });
    expect(samples[0]?.metrics.ops).toBeCloseTo(21_603.3, 1);
    expect(outcome.summary).toMatchObject({
      operations_total: 70_678,
      errors_total: 0,
      latency_max_ms: 938.3,
      load_seconds: 0.15,
    });
    expect([...findings, ...unparsed]).toEqual([]);
  });

  test('omit kinds that the mix does not contain instead of reporting zero', () => {
    expect(Object.keys(parse('complete-e-rate').samples[0]?.metrics ?? {})).not.toContain('ops_read');
  });

  test('report failed operations', () => {
    const { outcome, findings } = parse('busy');
    expect(outcome.ok).toBe(true);
    expect(outcome.summary.errors_total).toBe(86_682);
    expect(findings).toMatchObject([{ code: 'operations-failed', severity: 'warn' }]);
  });

  test('of a stopped run keep its seconds without a result', () => {
    const { outcome, samples } = parse('stopped');
    expect(outcome).toMatchObject({ ok: false, reason: { code: 'stopped' } });
    expect(outcome.summary.operations_total).toBe(28_623);
    expect(samples).toHaveLength(3);
  });

  test('report a full disk and a database in memory', () => {
    const { outcome, findings } = parse('disk-full');
    expect(outcome).toMatchObject({ ok: false, reason: { code: 'disk-full' } });
    expect(findings).toMatchObject([{ code: 'database-in-memory', severity: 'warn' }]);
  });

  test('repeat a refused option in the reason', () => {
    expect(parse('wrong-option').outcome.reason?.message).toContain('--records must be a whole number');
  });
});

test('keeps the seconds of output with a truncated line, foreign text and no summary', () => {
  const unparsed: string[] = [];
  const samples: ParsedSample[] = [];
  const parser = embeddedTool.parser('run', embeddedTool.options.parse({}), {
    sample: (sample) => samples.push(sample),
    finding: () => undefined,
    unparsed: (line) => unparsed.push(line),
  });
  parser.line('{"kind":"interval","t":1,"seconds":1,"ops":5,"errors":0}', 'stdout');
  parser.line('{"kind":"interval","t":2,"seco', 'stdout', true);
  parser.line('{"kind":"interval","t":"two"}', 'stdout');
  parser.line('(node:1) Warning', 'stderr');
  const outcome = parser.end({ signal: 'SIGKILL' });
  expect(samples).toEqual([{ t: 1, metrics: { ops: 5, errors_per_s: 0 } }]);
  expect(unparsed).toHaveLength(3);
  expect(outcome).toMatchObject({
    ok: false,
    reason: { code: 'no-summary', message: expect.stringContaining('SIGKILL') },
  });
});
