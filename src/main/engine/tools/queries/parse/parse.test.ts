import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMetric, metricOf } from '../../../../../shared/metrics/index.ts';
import { cutEverywhere, mixedLines, tries, withForeignBytes } from '../../testing/damage.ts';
import { finder, outputReader, recordingsIn } from '../../testing/recordings.ts';
import { failureFinding } from '../faults.ts';
import { queriesTool } from '../index.ts';
import { tableText } from './index.ts';

const RECORDINGS = recordingsIn(join(import.meta.dirname, '../fixtures'));
const named = finder(RECORDINGS);
const read = outputReader(queriesTool);

interface Expected {
  ok: boolean;
  reason?: string;
  samples: number;
  rows?: number;
  findings: string[];
}

describe.each(RECORDINGS.map((entry) => [entry.name, entry] as const))('%s', (_name, entry) => {
  const expected = entry.expected as unknown as Expected;
  const found = read(entry.stdout, entry.stderr, { exit: entry.exit });

  it('is read with the expected samples, findings and result', () => {
    expect(found.ok).toBe(expected.ok);
    expect(found.reason?.code).toBe(expected.reason);
    expect(found.samples).toHaveLength(expected.samples);
    expect(found.summary.result_rows).toBe(expected.rows);
    expect(found.findings.map(({ code }) => code)).toEqual(expected.findings);
    expect(found.unparsed).toEqual([]);
    for (const { t, metrics } of found.samples) {
      expect(t).toBeGreaterThan(0);
      for (const id of Object.keys(metrics)) expect(isMetric(id)).toBe(true);
    }
  });

  it('reports failures with a remedy', () => {
    for (const finding of [...found.findings, ...(found.reason ? [found.reason] : [])]) {
      expect(finding.message).toMatch(/\.$/);
      if (finding.severity !== 'note' && finding.code !== 'stopped') expect(finding.next).toMatch(/[.)]$/);
    }
  });

  it('has no invented values if cut anywhere, mixed or damaged', () => {
    const times = new Set(found.samples.map(({ metrics }) => metrics.latency_avg_ms));
    // The last line is complete without its end.
    cutEverywhere(
      entry.stdout.slice(0, -2),
      (end) => {
        const cut = read(entry.stdout.slice(0, end), '', { exit: entry.exit });
        expect(cut.ok).toBe(false);
        for (const { metrics } of cut.samples) expect(times).toContain(metrics.latency_avg_ms);
      },
      7,
    );
    fc.assert(
      fc.property(withForeignBytes(entry.stdout, 3), (text) => {
        for (const { metrics } of read(text, '', {}).samples) expect(times).toContain(metrics.latency_avg_ms);
      }),
      tries(20),
    );
    fc.assert(
      fc.property(mixedLines(entry.stdout, 'a line of something else\n{"kind":"new"}\n'), (text) => {
        const mixed = read(text, '', {});
        expect(mixed.samples).toHaveLength(found.samples.length);
        expect(mixed.unparsed.length).toBeGreaterThan(0);
      }),
      tries(20),
    );
  });
});

describe('figures', () => {
  it('are minimum, mean, median and maximum of counted executions', () => {
    const lines = [5, 1, 2, 4, 3].map((ms, index) => ({
      ...{ kind: 'execution', n: index + 1, t: index, ms, rows: 7, checksum: 9, measured: index > 0 },
    }));
    const output = [...lines, { kind: 'summary', ended: 'complete', executions: 5 }];
    const { ok, summary, samples } = read(`${output.map((line) => JSON.stringify(line)).join('\n')}\n`, '');
    expect(ok).toBe(true);
    expect(samples).toHaveLength(4);
    expect(summary).toEqual({
      latency_min_ms: 1,
      latency_avg_ms: 2.5,
      latency_p50_ms: 2.5,
      latency_max_ms: 4,
      executions_total: 4,
      result_rows: 7,
      result_checksum: 9,
    });
  });

  it('have the data read by the server for an execution, by the second', () => {
    const execution = (n: number, ms: number) => ({
      kind: 'execution',
      n,
      t: n,
      ms,
      rows: 1,
      checksum: 9,
      measured: true,
    });
    const output = [
      ...[execution(1, 30), execution(2, 50), { kind: 'read', rows: 20_000, bytes: 2 ** 20 }],
      { kind: 'summary', ended: 'complete', executions: 2 },
    ];
    const { summary, unparsed } = read(`${output.map((line) => JSON.stringify(line)).join('\n')}\n`, '');
    expect(unparsed).toEqual([]);
    expect(summary).toMatchObject({ latency_avg_ms: 40, rows_read_per_s: 500_000, data_read_mib_s: 25 });
  });

  it('are of all clients together, of each query and of each stream', () => {
    const execution = (stream: number, query: string, t: number, ms: number, rows = 1) => ({
      ...{
        kind: 'execution',
        n: stream,
        t,
        ms,
        rows,
        checksum: 2 ** 47,
        measured: true,
        client: stream,
        query,
        stream,
      },
    });
    const output = [
      ...[execution(1, 'Q 1', 0, 1000, 3), execution(2, 'Q:2', 0, 2000), { kind: 'stream', stream: 1, seconds: 5 }],
      ...[execution(1, 'Q:2', 1, 4000), execution(2, 'Q 1', 2, 7000, 3), { kind: 'stream', stream: 2, seconds: 9 }],
      { kind: 'summary', ended: 'complete', executions: 4 },
    ];
    const { ok, summary, samples, findings } = read(`${output.map((line) => JSON.stringify(line)).join('\n')}\n`, '');
    expect(ok).toBe(true);
    expect(samples.map(({ t }) => t)).toEqual([1, 2, 5, 9]);
    expect(summary).toMatchObject({
      ...{ latency_avg_ms: 3500, executions_total: 4, took_s: 9, queries_per_h: 1600 },
      ...{ stream_1_took_s: 5, stream_2_took_s: 9, result_rows: 4, result_checksum: 0 },
      ...{ 'query:Q 1:_latency_avg_ms': 4000, 'query:Q~.2:_latency_max_ms': 4000, 'query:Q~.2:_latency_min_ms': 2000 },
    });
    expect(metricOf('query:Q~.2:_latency_max_ms').label).toBe('Q:2: Latency, maximum');
    expect(metricOf('stream_2_took_s')).toMatchObject({ label: 'Stream 2: Time taken', better: 'lower' });
    expect(Object.keys(summary).filter((id) => /^(?:query|stream)/.test(id) && !isMetric(id))).toEqual([]);
    expect(findings).toMatchObject([{ code: 'query-streams' }]);
    expect(findings[0]?.evidence?.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['query', 'mean', 'stream 1', 'stream 2'],
      ['Q 1', '4000.0', '1000.0', '7000.0'],
      ['Q:2', '3000.0', '4000.0', '2000.0'],
      ['whole stream', '7000.0', '5000.0', '9000.0'],
    ]);
  });

  it('have a warning if an execution had a different result', () => {
    const output = named('mariadb-complete').stdout.replace(/("n":4,.*?"rows":)3/, '$12');
    const { findings, ok } = read(output, '');
    expect(ok).toBe(true);
    expect(findings.at(-1)).toMatchObject({ code: 'result-changed', message: expect.stringMatching(/^Execution 4 /) });
    expect(read(output, '', { options: { agreement: 'none' } }).findings.map(({ code }) => code)).not.toContain(
      'result-changed',
    );
  });

  it('are absent if the program was ended from outside', () => {
    const half = named('postgres-complete').stdout.split('\n').slice(0, 6).join('\n');
    expect(read(`${half}\n`, '', { exit: { signal: 'SIGKILL' } }).reason?.code).toBe('killed-by-signal');
    expect(read(`${half}\n`, '', { exit: { code: 0 } }).reason?.code).toBe('output-truncated');
    expect(read('', 'The settings cannot be read (SyntaxError).\n', { exit: { code: 2 } }).reason).toMatchObject({
      code: 'tool-error',
      evidence: 'The settings cannot be read (SyntaxError).',
    });
  });
});

it.each([
  ['08006', 'server-gone'],
  ['57P01', 'server-gone'],
  ['EPIPE', 'server-gone'],
  ['ER_NEW_ABORTING_CONNECTION 08S01 1184', 'server-gone'],
  ['70100 1927', 'server-gone'],
  ['ER_CLIENT_INTERACTION_TIMEOUT HY000 4031', 'server-gone'],
  ['MongoServerError 91 ShutdownInProgress', 'server-gone'],
  ['57014', 'statement-failed'],
  ['ER_QUERY_INTERRUPTED 70100 1317', 'statement-failed'],
  ['ER_NET_PACKET_TOO_LARGE 08S01 1153', 'statement-failed'],
])('the code %s is a failure of kind %s', (code, kind) => {
  expect(failureFinding({ kind: 'error', doing: 'the query', fatal: true, code, message: 'words' }).code).toBe(kind);
});

it('reports a delayed tear-down at once, and no failure that ends the run', () => {
  const reported: unknown[] = [];
  const parser = queriesTool.parser('run', queriesTool.options.parse({ queries: 'SELECT 1' }), {
    ...{ sample: () => {}, unparsed: () => {} },
    finding: ({ severity, evidence }, atOnce) => reported.push([severity, evidence, atOnce]),
  });
  const line = (fatal: boolean, message: string): void =>
    parser.line(JSON.stringify({ kind: 'error', doing: 'the tear-down of “v”', fatal, code: '', message }), 'stdout');
  line(false, 'it is not done after 15 s');
  line(true, 'it is broken');
  expect(reported).toEqual([['warn', 'it is not done after 15 s', true]]);
});

it('has numbers of fact tables as final figures', () => {
  const parser = queriesTool.parser('run', queriesTool.options.parse({ queries: 'SELECT 1' }), {
    ...{ sample: () => {}, unparsed: () => {}, finding: () => {} },
  });
  const table = (name: string, columns: string[], rows: (string | null)[][]): void =>
    parser.line(JSON.stringify({ kind: 'table', what: 'facts', name, columns, rows, left: 0 }), 'stdout');
  table('columns', ['uncompressed_bytes', 'ratio', 'size'], [['4096', '-2.5e1', '12 MB']]);
  table(
    'sizes',
    ['id', 'bytes'],
    [
      ['1', '100'],
      ['2: b', '200'],
      [null, null],
      ['1', '300'],
    ],
  );
  expect(parser.end({ code: 0 }).summary).toEqual({
    ...{ executions_total: 0, 'fact:columns:uncompressed_bytes': 4096, 'fact:columns:ratio': -25 },
    ...{ 'fact:sizes:bytes:1': 100, 'fact:sizes:bytes:2~. b': 200 },
  });
});

it('shows tables as aligned text and plans line by line', () => {
  expect(
    tableText({
      columns: ['name', 'bytes'],
      rows: [
        ['pages', '16384'],
        ['a\nb', null],
      ],
      left: 3,
    }),
  ).toBe('name   bytes\npages  16384\na b    NULL\n… and 3 more rows');
  expect(
    tableText({ columns: ['QUERY PLAN'], rows: [['Sort'], ['  ->  Seq Scan on a very long name']], left: 0 }),
  ).toBe('Sort\n  ->  Seq Scan on a very long name');
});
