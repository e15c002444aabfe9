import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Levels } from '../../../shared/model/experiment.ts';
import { caveatsOf } from '../../../shared/model/figure.ts';
import type { CellResult, Comparison, SessionResult } from '../../../shared/model/result.ts';
import type { Run, SessionDetail } from '../../../shared/model/session.ts';
import { spreadOf } from '../../../shared/stats/index.ts';
import { csvField } from './csv.ts';
import { curveFigure } from './document/charts.ts';
import { figureOf } from './document/parts.ts';
import { reportParts } from './document/sections.ts';
import { makeReport, type ReportData } from './index.ts';

const WARMUP = 1;

/** A session of one factor with two generators: the output of each run per metric, generator and second (t = 1, 2, …). */
function dataOf(name: string, levels: readonly string[], printed: Record<string, number[][]>[] = []): ReportData {
  const cells = levels.map((level, index) => ({ index, levels: { mode: level } satisfies Levels }));
  const runs = cells.map(
    ({ index, levels: own }): Run => ({
      ...{ id: 10 + index, sessionId: 3, trial: index, cell: index, repeat: 0, levels: own, state: 'done' },
      ...{ warmup: WARMUP, duration: 2, summary: { tps: 7 }, findings: [], partial: false, seconds: 3 },
    }),
  );
  const results = ['tps', 'latency_p95_ms'].map(
    (metric): SessionResult => ({
      ...{ sessionId: 3, metric, metrics: ['tps', 'latency_p95_ms'], warmup: WARMUP },
      factors: [{ name: 'mode', levels: [...levels] }],
      cells: cells.map(({ index, levels: own }): CellResult => {
        const spread = spreadOf(Float64Array.from(printed[index]?.[metric]?.[0]?.slice(WARMUP) ?? []));
        const means = spread ? [spread.mean] : [];
        return {
          cell: index,
          levels: own,
          runs: [],
          means,
          errors: 0,
          partial: false,
          ...(spread && { value: spread.mean, spread }),
          ...caveatsOf({ means, errors: 0, partial: false }),
        };
      }),
    }),
  );
  const detail = {
    session: {
      id: 3,
      name,
      primaryMetric: 'tps',
      tool: 'sysbench',
      state: 'done',
      tags: [],
      generators: ['this computer'],
      cells: cells.length,
      repeats: 1,
    },
    experiment: {
      ...{ kneepoint: 1, name, workload: { tool: 'sysbench', options: {}, data: 'create' } },
      where: { generators: ['this computer'] },
      factors: [{ name: 'mode', kind: 'option', levels: [...levels] }],
      measure: { warmup: WARMUP, duration: 2, repeats: 1, order: 'rounds', seed: 1, pause: 0 },
    },
    experimentText: 'kneepoint: 1\n',
    plan: { cells, trials: [], seconds: 0, findings: [] },
    hosts: [],
    appVersion: '0.1.0',
    findings: [],
  } as unknown as SessionDetail;
  const series: ReportData['series'] = (runId, metric) =>
    (printed[runId - 10]?.[metric] ?? []).map((values, generator) => ({
      ...{ runId, metric, generator },
      t: Float64Array.from(values, (_, index) => index + 1),
      v: Float64Array.from(values),
    }));
  return {
    detail,
    runs,
    results,
    damage: [],
    series,
    seriesAndWhole: series,
    madeAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    assetsDir: '.',
  };
}

const textOf = async (...args: Parameters<typeof makeReport>): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true }).decode((await makeReport(...args)).bytes);
const rowsOf = (csv: string): string[][] =>
  csv
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(','));

describe('damaged samples', () => {
  const whole = (): ReportData => dataOf('Damaged', ['a'], [{ tps: [[1, 2, 3]] }]);
  const damage = [{ runId: 10, generator: 0, metric: 'tps', first: 1, last: 2 }];
  const sentence = 'Stored samples of run 10 are damaged: tps, samples 2 to 3 of generator 1.';
  const data = (): ReportData => {
    const report = whole();
    const results = report.results.map((result) => (result.metric === 'tps' ? { ...result, damage } : result));
    return { ...report, results, damage };
  };

  it('are marked in the seconds, in an extra column', async () => {
    const [head = [], ...rows] = rowsOf((await textOf('csv', data())).replaceAll(`"${sentence}"`, 'the sentence'));
    const named = rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index]])));
    expect(rows.every((row) => row.length === head.length)).toBe(true);
    expect(named.filter(({ damage: words }) => words !== '')).toEqual([
      {
        ...{
          session: '3',
          run: '10',
          trial: '1',
          cell: '1',
          repeat: '1',
          state: 'done',
          partial: 'false',
          mode: 'a',
          generator: '0',
        },
        ...{ second: '', measured: '', tps: '', latency_p95_ms: '', damage: 'the sentence' },
      },
    ]);
    expect(await textOf('csv', whole())).not.toContain('damage');
  });

  it('are named in JSON and in the PDF', async () => {
    expect(JSON.parse(await textOf('json', data())).damage).toEqual([{ ...damage[0], message: sentence }]);
    expect(JSON.stringify(reportParts(data()))).toContain(sentence);
  });
});

describe('a warm-up cut', () => {
  it('other than planned determines the measured seconds, and is named in JSON and PDF', async () => {
    const data: ReportData = { ...dataOf('Cut', ['a'], [{ tps: [[1, 2, 3]] }]), cut: 2 };
    const [head = [], ...rows] = rowsOf(await textOf('csv', data));
    expect(rows.map((row) => row[head.indexOf('measured')])).toEqual(['false', 'false', 'true']);
    expect(JSON.parse(await textOf('json', data)).cut).toBe(2);
    expect(JSON.stringify(reportParts(data))).toContain('after the first 2 s of each run, not as planned');
  });
});

describe('a field of CSV', () => {
  it.each([
    ['plain', 'plain'],
    ['with, comma', '"with, comma"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['', ''],
    [true, 'true'],
    [undefined, ''],
    [1234.5678901234567, '1234.5678901234567'],
    [-0.5, '-0.5'],
    [1e-9, '1e-9'],
    [Number.NaN, ''],
    [Number.POSITIVE_INFINITY, ''],
  ])('%j becomes %j', (value, field) => {
    expect(csvField(value)).toBe(field);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '=HYPERLINK("http://x","y")'])(
    '%j is not a formula in a spreadsheet',
    (text) => {
      const field = csvField(text);
      expect(field.replace(/^"/, '')).toMatch(/^'/);
      // Nothing is lost: without quotes and apostrophe it is the original text.
      const unquoted = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
      expect(unquoted.slice(1)).toBe(text);
    },
  );
});

describe('CSV of every second', () => {
  it('has a line per run, generator and second, empty if a value is absent', async () => {
    const data = dataOf(
      'x',
      ['a', 'b'],
      [
        {
          tps: [
            [5, 6, 7, 9],
            [50, 60],
          ],
          latency_p95_ms: [[1.5, 2.5]],
        },
        { tps: [[8]] },
      ],
    );
    const [head, ...rows] = rowsOf(await textOf('csv', data));
    expect(head?.join()).toBe(
      'session,run,trial,cell,repeat,state,partial,mode,generator,second,measured,tps,latency_p95_ms',
    );
    // Numbered as on the screen, from 1; the run's id is another number.
    expect(rows.map((row) => row.slice(2, 4).join())).toEqual([...Array(6).fill('1,1'), '2,2']);
    expect(rows.map((row) => row.slice(7).join())).toEqual([
      'a,0,1,false,5,1.5',
      'a,0,2,true,6,2.5',
      'a,0,3,true,7,',
      'a,0,4,false,9,',
      'a,1,1,false,50,',
      'a,1,2,true,60,',
      'b,0,1,false,8,',
    ]);
  });

  it('keeps a second that was printed twice', async () => {
    const data = dataOf('x', ['a'], [{}]);
    const series: ReportData['series'] = (runId, metric) => [
      { runId, metric, generator: 0, t: Float64Array.of(1, 2, 2), v: Float64Array.of(1, metric === 'tps' ? 2 : 4, 3) },
    ];
    const rows = rowsOf(await textOf('csv', { ...data, series }));
    expect(rows.slice(1).map((row) => row.slice(9).join())).toEqual(['1,false,1,1', '2,true,2,4', '2,true,3,3']);
  });

  it('never turns a level into a formula', async () => {
    const data = dataOf('x', ['=cmd|x', 'a,"b"'], [{ tps: [[1]] }, { tps: [[1]] }]);
    const csv = await textOf('csv', data);
    expect(csv).toContain(`,'=cmd|x,`);
    expect(csv).toContain(',"a,""b""",');
  });
});

describe('CSV of cells', () => {
  it('has the figures of the table to the last digit', async () => {
    const data = dataOf('x', ['a', 'b'], [{ tps: [[1, 0.1, 0.2]], latency_p95_ms: [[1, 3, 4]] }, {}]);
    const [head = [], ...rows] = rowsOf(await textOf('csv-cells', data));
    const figure = (row: readonly string[] | undefined, name: string) => row?.[head.indexOf(name)];
    expect(rows).toHaveLength(4);
    const { spread } = data.results[0]?.cells[0] ?? {};
    for (const name of ['mean', 'median', 'p5', 'p95', 'min', 'max', 'cv'] as const)
      expect(Number(figure(rows[0], name))).toBe(spread?.[name]);
    expect([figure(rows[0], 'metric'), figure(rows[0], 'unit'), figure(rows[0], 'seconds')]).toEqual([
      'tps',
      'tps',
      '2',
    ]);
    expect([figure(rows[1], 'mean'), figure(rows[1], 'seconds'), figure(rows[1], 'runs')]).toEqual(['', '0', '0']);
    expect(figure(rows[2], 'metric')).toBe('latency_p95_ms');
  });
});

describe('JSON', () => {
  it('contains everything and reads back unchanged', async () => {
    const data = dataOf('x', ['a'], [{ tps: [[1, 2, Number.NaN]], latency_p95_ms: [[3]] }]);
    const read = JSON.parse(await textOf('json', data)) as Record<string, unknown>;
    expect(read).toMatchObject({
      format: 'kneepoint-session',
      version: 1,
      madeAt: '2026-01-02T03:04:05.000Z',
      session: { id: 3 },
      experimentText: 'kneepoint: 1\n',
    });
    expect(read.results).toEqual(JSON.parse(JSON.stringify(data.results)));
    expect((read.runs as { series: unknown }[])[0]?.series).toEqual([
      { metric: 'tps', generator: 0, t: [1, 2, 3], v: [1, 2, null] },
      { metric: 'latency_p95_ms', generator: 0, t: [1], v: [3] },
    ]);
    expect(read).not.toHaveProperty('cost');
  });
});

describe('file names', () => {
  it.each([
    ['Ladder / 8.0 vs. 5.7', 'kneepoint-3-ladder-8-0-vs-5-7'],
    ['../../etc/passwd', 'kneepoint-3-etc-passwd'],
    ['Größe', 'kneepoint-3-gro-e'],
    ['測試', 'kneepoint-3'],
    ['x'.repeat(200), `kneepoint-3-${'x'.repeat(60)}`],
  ])('of “%s” fit every file system', async (name, stem) => {
    const names = await Promise.all(
      (['csv', 'csv-cells', 'json'] as const).map(
        async (format) => (await makeReport(format, dataOf(name, ['a']))).fileName,
      ),
    );
    expect(names).toEqual([`${stem}-seconds.csv`, `${stem}-cells.csv`, `${stem}.json`]);
  });
});

/** A session of two levels, each measured four times, with its answer; generator and server are on different hosts. */
function answered(level: string, question: string): ReportData {
  const { detail, results, ...rest } = dataOf(
    'Answered',
    ['a', level],
    [{ tps: [[1, 1000, 1000]] }, { tps: [[1, 1300, 1300]] }],
  );
  const [tps, ...others] = results;
  if (!tps) throw new Error('It has figures.');
  const host = (cpuCount: number) => ({
    ...{ hostname: 'h', os: 'Debian GNU/Linux 12', kernel: '6.1.0-9', architecture: 'x86_64', cpuCount },
    ...{ disks: [], networks: [], filesystems: [], tools: [], readAt: 0 },
  });
  const interval = { low: 1.25, high: 1.35 };
  const compared = {
    cell: 1,
    baseline: 0,
    ratio: 1.3,
    interval,
    verdict: 'better' as const,
    sentence: 'It is faster.',
  };
  const result: SessionResult = {
    ...tps,
    cells: tps.cells.map((cell) => ({
      ...cell,
      means: [0.99, 1, 1, 1.01].map((part) => part * (cell.value ?? 0)),
      runs: [0, 1, 2, 3].map((repeat) => ({
        ...{ runId: repeat, repeat, state: 'done' as const },
        partial: false,
        errors: 0,
      })),
    })),
    answer: {
      ...{ factor: 'mode', baseline: 'a', verdict: 'settled' },
      sentences: [[{ text: `mode ${level} is faster than a: ×1.30 (1.25 – 1.35).` }]],
    },
    ratios: [{ factor: 'mode', level: 'a', verdict: 'One level is faster.', cells: [compared] }],
  };
  const noticed = { code: 'errors-ignored', severity: 'warn' as const, message: '39 events failed.' };
  return {
    ...rest,
    results: [result, ...others],
    detail: {
      ...detail,
      session: { ...detail.session, question, repeats: 4 },
      hosts: [{ name: 'load1', facts: host(2) }],
      target: {
        ...{ name: 'shop', kind: 'mysql', address: 'db1:3306', server: { host: 'db1', started: 'by systemd' } },
        ...{
          hostFacts: host(8),
          description: { product: 'MariaDB', version: 'MariaDB 11.4.5', settings: [], readAt: 0 },
        },
      },
      findings: [noticed],
    },
  };
}

describe('PDF', () => {
  // From Debian's poppler-utils.
  const read = (bytes: Uint8Array, how = '-layout'): string | undefined => {
    if (!existsSync('/usr/bin/pdftotext')) return undefined;
    const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-pdf-'));
    try {
      writeFileSync(path.join(folder, 'report.pdf'), bytes);
      return execFileSync('pdftotext', [how, path.join(folder, 'report.pdf'), '-'], { encoding: 'utf8' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('shows the figures of the table', async () => {
    const data = dataOf('Ladder', ['a', 'b'], [{ tps: [[1, 4321, 4323]] }, { tps: [[1, 1000, 1002]] }]);
    const { bytes, mediaType } = await makeReport('pdf', data);
    expect(mediaType).toBe('application/pdf');
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-');
    const text = read(bytes);
    if (text === undefined) return;
    expect(text).toMatch(/mode a\s+1\s+4,322\s/);
    expect(text).toMatch(/mode b\s+1\s+1,001\s/);
    expect(text).toContain('How to reproduce');
  });

  it.each([
    ['short names', 'b', 'Is b faster than a?'],
    [
      'long names',
      'b with a checkpoint every 30 seconds and huge pages',
      `Is it faster, ${'and by how much, '.repeat(9)}?`,
    ],
  ])('has the whole answer on its first page: %s', async (_, level, question) => {
    const page = read((await makeReport('pdf', answered(level, question))).bytes, '-raw')?.split('\f')[0];
    if (page === undefined) return;
    const text = page.replace(/\s+/g, ' ');
    const answer = `mode ${level} is faster than a: ×1.30 (1.25 – 1.35).`;
    for (const words of [question, answer, '4 repeats', '1 warning: see Findings.', 'MariaDB 11.4.5'])
      expect(text).toContain(words);
    expect(text).toContain('Generators load1 (Debian GNU/Linux 12, kernel 6.1.0-9, 2 CPUs)');
    expect(text).toContain('Server host db1 (Debian GNU/Linux 12, kernel 6.1.0-9, 8 CPUs)');
    // Axes of the curve and of the ratios: the pictures are on this page.
    expect(text).toContain('Transactions (tps)');
    expect(text).toContain('ratio to the baseline, log scale');
    expect(text).not.toContain('How to reproduce');
  });

  it('names workload, throughput, memory and the decisive warnings on its first page', async () => {
    const data = answered('b', 'Is b steadier than a?');
    const [tps, ...others] = data.results;
    if (!tps) throw new Error('It has figures.');
    const workload = [
      'fio: pattern randwrite, block size 4k, fdatasync every 1 write; 1 file of fio, 256 MiB; numjobs 1',
    ];
    const severe = {
      ...{ code: 'stranger-process', severity: 'error' as const, next: 'Find it.' },
      message: 'Others used 123 % of a core vs. 1 before. Largest: tsc.',
    };
    const [host] = data.detail.hosts;
    const report: ReportData = {
      ...{ ...data, workload, results: [{ ...tps, metric: 'variation_pct' }, tps, ...others] },
      detail: {
        ...data.detail,
        findings: [...data.detail.findings, severe],
        hosts: [{ name: 'load1', facts: { ...host?.facts, memoryBytes: 8 * 2 ** 30 } }],
      } as ReportData['detail'],
    };
    const page = read((await makeReport('pdf', report)).bytes, '-raw')?.split('\f')[0];
    if (page === undefined) return;
    const text = page.replace(/\s+/g, ' ');
    expect(text).toContain(`Workload ${workload[0]}`);
    expect(text).toContain('Throughput mode a: 1,000; mode b: 1,300 tps');
    expect(text).toContain('2 CPUs, 8.00 GiB of memory');
    expect(text).toContain(
      '1 error, 1 warning: see Findings. Others used 123 % of a core vs. 1 before. 39 events failed.',
    );
    expect(text).toContain('Variation of throughput: the standard deviation of the per-second values of a run');
  });

  it('has no second table for a rate that is the same in all cells', () => {
    const data = dataOf('Updates', ['a', 'b'], [{ tps: [[1, 40, 42]] }, { tps: [[1, 50, 52]] }]);
    const [tps, ...others] = data.results;
    if (!tps) throw new Error('It has figures.');
    const queries = (factor: number): SessionResult => ({
      ...{ ...tps, metric: 'qps' },
      cells: tps.cells.map((cell) => ({ ...cell, value: factor * (cell.value ?? 0) })),
    });
    const parts = (result: SessionResult): string =>
      JSON.stringify(reportParts({ ...data, results: [tps, result, ...others] }));
    expect(parts(queries(1))).toContain('Queries: the same figures as transactions.');
    expect(parts(queries(1))).not.toContain('Mean (qps)');
    expect(parts(queries(18))).toContain('Mean (qps)');
  });

  it('draws several generators as a sum, or each if they cannot be added', async () => {
    const data = dataOf(
      'Ladder',
      ['a'],
      [
        {
          tps: [
            [1, 40, 40],
            [1, 40, 40],
          ],
        },
      ],
    );
    const detail = {
      ...data.detail,
      session: { ...data.detail.session, primaryMetric: 'tps', generators: ['gen1', 'gen2'] },
    };
    const [one, other] = data.series(10, 'tps');
    if (!one || !other) throw new Error('There are two generators.');
    const whole = { ...one, generator: null, v: one.v.map((value, at) => value + (other.v[at] ?? 0)) };
    const words = async (seriesAndWhole: ReportData['seriesAndWhole']) =>
      read((await makeReport('pdf', { ...data, detail, seriesAndWhole })).bytes)?.replace(/\s+/g, ' ');
    const together = await words(() => [whole, one, other]);
    const apart = await words(() => [one, other]);
    if (together === undefined) return;
    // The axis covers the sum of all.
    expect(together).toMatch(/80 .*The sum of 2 generators\./);
    expect(apart).not.toMatch(/80 .*The sum of 2 generators\./);
  });

  it('draws the latency curve of each generator, as latencies cannot be added', () => {
    const [, latencies] = dataOf('Ladder', ['a', 'b'], [{ latency_p95_ms: [[1, 4, 4]] }, {}]).results;
    const [cell, empty] = latencies?.cells ?? [];
    if (!latencies || !cell?.spread || !empty) throw new Error('There are two cells.');
    const { value: _, spread, ...rest } = cell;
    const apart = { ...rest, means: [], generators: ['gen1', 'gen2'].map((host) => ({ host, value: 4, spread })) };
    const [drawn] = curveFigure({ ...latencies, cells: [apart] }).flatMap((part) => figureOf(part) ?? []);
    expect(drawn?.svg(drawn.height)).toMatch(/gen1.*gen2/s);
    expect(curveFigure({ ...latencies, cells: [empty] })).toEqual([]);
  });

  it('answers within what the repeats allow, and lists findings of the runs', async () => {
    const data = dataOf('Ladder', ['a', 'b'], [{ tps: [[1, 4321, 4323]] }, { tps: [[1, 1000, 1002]] }]);
    const noticed = { code: 'errors-ignored', severity: 'warn' as const, message: '39 events failed.' };
    const runs = data.runs.map((run) => ({ ...run, findings: [noticed] }));
    const text = read((await makeReport('pdf', { ...data, runs })).bytes)?.replace(/\s+/g, ' ');
    if (text === undefined) return;
    expect(text).toContain('measured once, variance unknown, so no best cell is named.');
    expect(text).toContain('39 events failed. Also in 1 more run.');
  });

  it('lists cells with errors and the conditions of a comparison', async () => {
    const data = dataOf('Ladder', ['a', 'b'], [{ tps: [[1, 4321, 4323]] }, { tps: [[1, 1000, 1002]] }]);
    const failing = { errors: 30_000, failures: [{ events: 30_000, seconds: 60 }] };
    const results = data.results.map((result) => ({
      ...result,
      cells: result.cells.map((cell, index) =>
        index === 0 ? { ...cell, ...failing, ...caveatsOf({ ...cell, ...failing }) } : cell,
      ),
    }));
    const comparison: Comparison = {
      ...{ basis: 'single-sessions', margin: 0.03, warmup: { baseline: 2, other: 2 }, settings: [] },
      ...{ metric: 'tps', metrics: ['tps'], verdict: 'Too few.', cells: [], differences: [] },
      ...{ baseline: { id: 1, name: 'Before' }, other: { id: 3, name: 'Ladder' } },
      findings: [
        { code: 'errors-differ', severity: 'warn', message: 'Errors differ in 1 cell.', next: 'Look into them.' },
      ],
    };
    const text = read((await makeReport('pdf', { ...data, results, comparison })).bytes)?.replace(/\s+/g, ' ');
    if (text === undefined) return;
    expect(text).toMatch(/had 30,000 errors \(500 per s\)\./);
    expect(text).toMatch(/Errors: .*, 30,000 errors \(500 per s\)\./);
    expect(text).toContain('Errors differ in 1 cell. Look into them.');
  });

  it('lists non-default settings, and those that differ from the baseline', async () => {
    const data = dataOf('Ladder', ['a'], [{ tps: [[1, 4321, 4323]] }]);
    const pool = { name: 'innodb_buffer_pool_size', value: '4294967296', unit: 'bytes' };
    // As reported by MariaDB: one long word.
    const switches = Array.from({ length: 30 }, (_, index) => `optimization_${index}=on`).join();
    const target = {
      ...{ name: 'db', kind: 'mysql', address: '127.0.0.1:3306' },
      description: {
        ...{ product: 'MariaDB', version: '11.8.2', readAt: 0 },
        settings: [{ ...pool, why: 'Data beyond it is read from the disk.' }],
      },
      settings: [
        { name: 'datadir', value: '/srv/mysql/', source: 'config' },
        { name: 'innodb_doublewrite', value: 'ON', default: 'ON', source: 'compile-time' },
        { name: 'optimizer_switch', value: switches, default: 'mrr=off', source: 'sql' },
        { ...pool, default: '134217728', source: 'config' },
      ],
    };
    const comparison: Comparison = {
      ...{ basis: 'single-sessions', margin: 0.03, warmup: { baseline: 2, other: 2 } },
      ...{ metric: 'tps', metrics: ['tps'], verdict: 'Too few.', cells: [], differences: [], findings: [] },
      ...{ baseline: { id: 1, name: 'Before' }, other: { id: 3, name: 'Ladder' } },
      settings: [
        { name: 'sync_binlog', baseline: '0', other: '1', rank: 'matters' },
        { name: 'datadir', baseline: '/srv/a', other: '/srv/b', rank: 'start' },
      ],
    };
    const text = read((await makeReport('pdf', { ...data, detail: { ...data.detail, target }, comparison })).bytes);
    if (text === undefined) return;
    expect(text).toMatch(/innodb_buffer_pool_size\s+4\.00 GiB\s+128 MiB\s+config/);
    expect(text).toMatch(/datadir\s+\/srv\/mysql\/\s+–\s+config/);
    expect(text).toMatch(/optimizer_switch\s.*\smrr=off\s+sql/);
    expect(text).not.toContain('innodb_doublewrite');
    expect(text).toMatch(/sync_binlog\s+0\s+1/);
    expect(text).toContain('Always different: datadir.');
  });

  it('has no impossible figure: no negative rate and no zero latency', async () => {
    const data = dataOf('Small', ['a'], [{ tps: [[1, 10, 300]], latency_p95_ms: [[1, 0.004, 0.0042]] }]);
    const results = data.results.map((result) => ({
      ...result,
      cells: result.cells.map((cell) => ({ ...cell, interval: { low: -54.2, high: 189 } })),
    }));
    const runs = data.runs.map((run) => ({ ...run, startedAt: new Date(2026, 10, 22, 10, 7).getTime() }));
    const text = read((await makeReport('pdf', { ...data, results, runs })).bytes);
    if (text === undefined) return;
    expect(text).toMatch(/\b0 … 189\b/);
    expect(text).not.toMatch(/-54|\b0\.0+\b/);
    expect(text).toMatch(/mode a .*0\.0041 /);
    expect(text).toContain('2026-11-22 10:07');
  });

  it('marks documents that it cannot print exactly, and prints leading spaces', async () => {
    const { detail, ...rest } = dataOf('Letters', ['a']);
    const written = (experimentText: string) => ({ ...rest, detail: { ...detail, experimentText } });
    const plain = read((await makeReport('pdf', written('where:\n  target: наблюдение ≥ ΔΩ\n'))).bytes);
    const foreign = read((await makeReport('pdf', written('question: 測試\n'))).bytes);
    if (plain === undefined || foreign === undefined) return;
    expect(plain).toMatch(/where:\n +target: наблюдение ≥ ΔΩ/);
    expect(plain).not.toContain('cannot print');
    expect(foreign).toContain('Characters that this report cannot print are shown as “?”. The JSON export has them.');
  });

  it('never ends a page with a heading', async () => {
    const { detail, ...rest } = dataOf('Long', []);
    const host = { os: 'Debian 12', kernel: '6.1', cpuCount: 4, architecture: 'x86_64', disks: [] };
    const hosts = ['one', 'two', 'three'].map((name) => ({ name, facts: host }));
    const heads = /^(Set-up|Runs|Workload|How to reproduce|Generator “\w+”)$/;
    for (let lines = 20; lines < 60; lines += 2) {
      const note = Array.from({ length: lines }, (_, line) => `Line ${line}`).join('\n');
      const long = { ...rest, detail: { ...detail, note, hosts } } as unknown as ReportData;
      const pages = read((await makeReport('pdf', long)).bytes)
        ?.split('\f')
        .filter((page) => page.trim() !== '');
      for (const page of pages ?? []) {
        const foot = page
          .trim()
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
          .at(-2);
        expect(foot, `${lines} lines`).not.toMatch(heads);
      }
    }
  });

  it('leaves no page half empty for a picture', async () => {
    const rates = { tps: [[1, 40, 42]], latency_p95_ms: [[1, 4, 5]] };
    const modes = ['a', 'b', 'c', 'd', 'e'];
    const { detail, ...rest } = dataOf(
      'Long',
      modes,
      modes.map(() => rates),
    );
    for (let lines = 1; lines < 45; lines += 4) {
      const note = Array.from({ length: lines }, (_, line) => `Line ${line}`).join('\n');
      const long = { ...rest, detail: { ...detail, note } } as unknown as ReportData;
      const text = read((await makeReport('pdf', long)).bytes, '-bbox');
      if (text === undefined) return;
      const pages = text.split('<page ').slice(1);
      // The pages after the pictures have no gap to close.
      const withPictures = pages.slice(
        0,
        pages.findIndex((page) => page.includes('>Set-up<')),
      );
      expect(withPictures.length).toBeGreaterThan(0);
      for (const page of withPictures) {
        const feet = [...page.matchAll(/yMax="([\d.]+)"/g)].map(([, y]) => Number(y)).filter((y) => y < 795);
        expect(Math.max(...feet), `${lines} lines`).toBeGreaterThan(560);
      }
    }
  });

  it('keeps each command at its end on one page, unless it is longer than a page', async () => {
    const { detail, results } = dataOf('Long', []);
    const { runs, ...rest } = { ...dataOf('Long', ['a', 'b', 'c', 'd']), results };
    const called = (command: string) => runs.map((run, index) => ({ ...run, command: `${command} ${index}` }));
    for (let lines = 1; lines < 60; lines += 3) {
      const experimentText = Array.from({ length: lines }, (_, line) => `# line ${line}`).join('\n');
      const long = { ...rest, detail: { ...detail, experimentText }, runs: called('sysbench') };
      const last = read((await makeReport('pdf', long)).bytes)
        ?.split('\f')
        .findLast((page) => page.trim() !== '');
      if (last !== undefined) expect(last).toMatch(/Commands.*sysbench 0.*sysbench 2.*1 more command/s);
    }
    const script = Array.from({ length: 200 }, (_, line) => `echo ${line}`).join('\n');
    const text = read((await makeReport('pdf', { ...rest, detail, runs: called(script) })).bytes);
    if (text !== undefined) expect(text.match(/echo 199/g)).toHaveLength(3);
  });

  it('prints names missing in its font, control characters, and a session without runs', async () => {
    const bytes = (await makeReport('pdf', dataOf('測試 \u001b]52;c;x\u0007 🎉 →', ['a\u202e', '=1']))).bytes;
    const text = read(bytes);
    if (text === undefined) return;
    expect(text).toContain('No cell has a complete run.');
    expect(text).toMatch(/^\?\? \?]52;c;x\? \?+ ->$/m);
  });
});
