import { describe, expect, it } from 'vitest';
import { Factor } from '../../../shared/model/factor.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import type { RunFact, SessionDetail } from '../../../shared/model/session.ts';
import { experimentOf, type Measured, storeSession } from '../figures/testing/measured.ts';
import { reportParts } from '../reports/document/sections.ts';
import { makeReport, type ReportData } from '../reports/index.ts';
import { sessionResult } from '../results/index.ts';
import type { Store } from '../store/store.ts';
import { withStore } from '../store/testing/for-each.ts';

let store: Store;
withStore((opened) => {
  store = opened;
});

const server = (found: string): RunFact => ({
  ...{ place: { kind: 'server', name: 'mysql' }, what: 'log_bin', wanted: found, found, first: 'on' },
});

/** `binlog` off and on, `sync` where it is on; three repeats interleaved, four canaries; the best repeat represents a cell. */
function varied(excluded?: string): ReportData {
  const experiment = experimentOf({});
  experiment.factors = [
    Factor.parse({ name: 'binlog', levels: ['off', 'on'], baseline: 'off' }),
    Factor.parse({ name: 'sync', levels: [0, 1], when: { binlog: 'on' } }),
  ];
  experiment.measure.pick = 'best';
  const cells = [{ binlog: 'off' }, { binlog: 'on', sync: 0 }, { binlog: 'on', sync: 1 }].map((levels, index) => ({
    index,
    levels,
  }));
  const trials: Plan['trials'] = [];
  const add = (cell: number, repeat: number, canary?: true): void => {
    trials.push({ index: trials.length, cell, repeat, ...(canary && { canary }) });
  };
  add(0, 3, true);
  for (const repeat of [0, 1, 2]) {
    for (const { index } of cells) add(index, repeat);
    add(0, 4 + repeat, true);
  }
  const runs = trials.map(({ cell, repeat, canary, index }): Measured => {
    const mean = canary ? 500 - index : ([1000, 800, 600][cell] ?? 0);
    const tps = [0, 0, -8, 8, -4, 4].map((off) => mean + off + 5 * (repeat % 3));
    return { cell, repeat, seconds: { tps }, startedAt: index * 60_000, facts: [server(cell === 0 ? 'off' : 'on')] };
  });
  const plan: Plan = { cells, trials, seconds: 0, findings: [] };
  const id = storeSession(store, cells, runs, experiment, plan);
  const cut = store.runs.ofSession(id)[1];
  if (excluded) store.runs.update(cut?.id ?? 0, { excluded: { reason: excluded, at: 0 } });
  const result = sessionResult(
    store,
    { experiment, plan },
    { primary: 'tps', failures: [] },
    { sessionId: id, metric: 'tps' },
  );
  const row = store.sessions.get(id);
  const session = { ...row, generators: ['this computer'], cells: 3, repeats: 3 };
  const detail = {
    session,
    experiment,
    experimentText: 'kneepoint: 1\n',
    plan,
    hosts: [],
    appVersion: '0.1.0',
    findings: [],
  };
  return {
    detail: detail as unknown as SessionDetail,
    runs: store.runs.ofSession(id).map(({ id: runId, trial, cell, repeat, levels, facts, excluded: left }) => ({
      ...(left && { excluded: left }),
      ...{
        id: runId,
        sessionId: id,
        trial,
        cell,
        repeat,
        levels,
        facts,
        state: 'done' as const,
        warmup: 2,
        duration: 4,
      },
      ...{ summary: {}, findings: [], partial: false, seconds: 6 },
    })),
    results: [result],
    damage: [],
    series: (runId, metric) => store.samples.readable(runId, metric).series,
    seriesAndWhole: (runId, metric) => store.samples.readable(runId, metric).series,
    madeAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    assetsDir: '.',
  };
}

const linesOf = async (format: 'csv' | 'csv-cells'): Promise<Record<string, string>[]> => {
  const text = new TextDecoder().decode((await makeReport(format, varied())).bytes);
  const [head = [], ...rows] = text
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
};

describe('the files of a session whose levels change a server', () => {
  it('contain read-back values, the canary and absent levels, second by second', async () => {
    const lines = await linesOf('csv');
    const first = lines.filter(({ second }) => second === '1');
    expect(
      first.map((line) => [line.canary, line.binlog, line.sync, line['found server mysql: log_bin']]).slice(0, 4),
    ).toEqual([
      ['true', 'off', '', 'off'],
      ['false', 'off', '', 'off'],
      ['false', 'on', '0', 'on'],
      ['false', 'on', '1', 'on'],
    ]);
  });

  it('contain the picked figure by name, all repeats, and ratios to the baseline, cell by cell', async () => {
    const cells = await linesOf('csv-cells');
    expect(cells.map(({ value, value_is: is, repeats }) => [value, is, repeats])).toEqual([
      ['1010', 'best repeat', '1000 1005 1010'],
      ['810', 'best repeat', '800 805 810'],
      ['610', 'best repeat', '600 605 610'],
    ]);
    expect(cells.map((cell) => [cell.ratio_binlog_verdict, cell.ratio_binlog_baseline])).toEqual([
      ['', ''],
      ['worse', 'off'],
      ['worse', 'off'],
    ]);
    expect(Number(cells[1]?.ratio_binlog)).toBeCloseTo(0.8, 2);
    expect(Number(cells[1]?.ratio_binlog_low)).toBeLessThan(0.8);
    expect(cells.map((cell) => cell['found server mysql: log_bin'])).toEqual(['off', 'on', 'on']);
  });

  it('list excluded runs with reasons in the PDF, while JSON keeps all runs', async () => {
    const text = JSON.stringify(reportParts(varied('its link was cut')));
    expect(text).toContain('1 run excluded (trial 2: its link was cut).');
    expect(text).toContain('binlog off. Excluded: its link was cut.');
    expect(text).toContain('done, excluded');
    const json = JSON.parse(new TextDecoder().decode((await makeReport('json', varied('cut'))).bytes));
    expect(json.runs[1]).toMatchObject({
      excluded: { reason: 'cut' },
      series: [{ v: expect.objectContaining({ length: 6 }) }],
    });
    expect(json.results[0].cells[0]).toMatchObject({ means: [1005, 1010], excluded: [{ trial: 1, reason: 'cut' }] });
    expect(JSON.stringify(reportParts(varied()))).not.toMatch(/runs? excluded|Excluded:/);
  });

  it('print a measure of the session in a section of its own', () => {
    const data = varied();
    const measure = 'measure:orders each minute:orders/min:higher:level:0';
    const of = (...metrics: string[]) =>
      JSON.stringify(
        reportParts({ ...data, results: data.results.flatMap((one) => metrics.map((metric) => ({ ...one, metric }))) }),
      );
    expect(of('tps', measure)).toContain('orders each minute, best repeat (orders/min)');
    expect(of('tps', 'queue_length')).not.toContain('Queue length');
  });

  it('contain all of it in the PDF', () => {
    const text = JSON.stringify(reportParts(varied()));
    for (const words of [
      'Best repeat (tps)',
      'Against binlog off',
      'Canary (binlog off)',
      'Settings applied to the runs',
      'server mysql',
      '"canary"',
      'Transactions, best repeat (tps)',
    ])
      expect(text).toContain(words);
  });
});
