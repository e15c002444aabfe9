import { init } from 'echarts';
import { expect, it } from 'vitest';
import type { SessionResult } from '../model/result.ts';
import { chartTheme, latencyCurve, loadFactor, scalingCurve } from './index.ts';

const theme = chartTheme('light');
const all = (): boolean => true;
const factors = [
  { name: 'sync', levels: ['FULL', 'OFF'] },
  { name: 'threads', levels: [1, 2, 4, 8] },
];

/** Cells of both lines with these means; only what is drawn is filled in. */
function measured(metric: string, means: readonly number[]): SessionResult {
  const cells = ['FULL', 'OFF'].flatMap((sync, row) =>
    means.map((value, column) => {
      const mean = value * (row + 1);
      return {
        cell: row * means.length + column,
        levels: { sync, threads: factors[1]?.levels[column] ?? 0 },
        runs: [],
        means: [mean],
        errors: 0,
        partial: false,
        spread: { n: 1, mean, median: mean, p5: mean, p95: mean, min: mean, max: mean, cv: 0 },
      };
    }),
  );
  return { sessionId: 1, metric, metrics: [metric], factors, warmup: 0, cells };
}

const rates = measured('tps', [100, 190, 300, 310]);
const latencies = measured('latency_p95_ms', [1, 1.1, 1.4, 4]);

it('names the factor that raises the load, when it is one of numbers', () => {
  expect(loadFactor(rates)).toBe('threads');
  expect(loadFactor({ factors: [{ name: 'sync', levels: ['FULL', 'OFF'] }] })).toBeUndefined();
  expect(loadFactor({ factors: [{ name: 'threads', levels: [4] }] })).toBeUndefined();
});

it('sets latency against throughput along the load and marks the knee', () => {
  const { columns, rows } = latencyCurve(rates, latencies, theme, all).table();
  expect(columns).toEqual(['sync', 'threads', 'Transactions (tps)', 'Latency, 95th percentile (ms)', 'knee']);
  expect(rows).toHaveLength(8);
  expect(rows.filter((row) => row[4] === 'yes').map((row) => row.slice(0, 2))).toEqual([
    ['FULL', '4'],
    ['OFF', '4'],
  ]);
});

it('draws both with their units and a legend', () => {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 640, height: 320 });
  chart.setOption(latencyCurve(rates, latencies, theme, all).option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  for (const words of ['Latency, 95th percentile (ms)', 'Transactions (tps)', 'sync FULL', '>8<'])
    expect(svg).toContain(words);
});

it('shows what is lost on the way up, in shares of the smallest load', () => {
  const { rows } = scalingCurve(rates, theme, (cell) => cell.levels.sync === 'OFF').table();
  expect(rows.map((row) => [row[0], row[2]])).toEqual([
    ['1', 100],
    ['2', 95],
    ['4', 75],
    ['8', 38.75],
  ]);
});
