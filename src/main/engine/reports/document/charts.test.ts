import { expect, it } from 'vitest';
import type { ChartChoice, SecondsQuery } from '../../../../shared/model/chart.ts';
import type { Comparison, SessionResult } from '../../../../shared/model/result.ts';
import type { SessionDetail } from '../../../../shared/model/session.ts';
import type { ReportData } from '../data.ts';
import { chosenFigures } from './charts.ts';
import { figureOf } from './parts.ts';

const resultOf = (metric: string, value?: number): SessionResult => ({
  ...{ sessionId: 1, metric, metrics: ['tps'], warmup: 3, factors: [{ name: 'threads', levels: [1, 2] }] },
  cells: [1, 2].map((threads, cell) => ({
    ...{ cell, levels: { threads }, errors: 0, partial: false, means: value === undefined ? [] : [value], value },
    runs: [{ runId: 7 + cell, repeat: 0, state: 'done', partial: false, errors: 0, spread: undefined }],
  })),
});

const BEFORE = {
  ...{ baseline: { id: 3, name: 'Before' }, other: { id: 1, name: 'Now' } },
  cells: resultOf('tps', 100).cells.map((cell) => ({ levels: cell.levels, baseline: cell, other: cell })),
};

function drawn(
  charts: readonly ChartChoice[] | undefined,
  added?: readonly ChartChoice[],
  results = [resultOf('tps', 100), resultOf('latency_p95_ms', 4), resultOf('qps')],
): {
  words: string;
  asked: SecondsQuery[];
} {
  const asked: SecondsQuery[] = [];
  const data: ReportData = {
    detail: { session: { id: 1 }, experiment: { charts }, charts: added } as unknown as SessionDetail,
    ...{ runs: [], results, damage: [] },
    ...{ series: () => [], seriesAndWhole: () => [], madeAt: 0, assetsDir: '.' },
    over: (session, metric) => (session === 3 ? ({ metric, ...BEFORE } as unknown as Comparison) : undefined),
    seconds: (query) => {
      asked.push(query);
      return query.groups.map(() => ({ count: 3, above: 1, ascending: Float64Array.of(90, 100) }));
    },
  };
  const parts = chosenFigures(data);
  return { words: JSON.stringify(parts.map((part) => [part, figureOf(part)?.svg(220)])), asked };
}

it('draws the charts of the document, each with its metric after the warm-up cut', () => {
  const { words, asked } = drawn([
    { kind: 'dots', title: 'Every second', clip: 150 },
    { kind: 'curve', metric: 'latency_p95_ms' },
  ]);
  expect(words).toContain('Every second');
  expect(words).toContain('2 of 6 seconds above 150 tps are not drawn');
  expect(words).toContain('Latency, 95th percentile by threads');
  expect(asked).toMatchObject([{ metric: 'tps', warmup: 3, clip: 150 }]);
});

it('omits a chart whose metric no cell has, and draws none if the document has none', () => {
  expect(drawn([{ kind: 'curve', metric: 'qps' }]).words).toBe('[]');
  expect(drawn([{ kind: 'curve', metric: 'read_mib_s' }]).words).toBe('[]');
  expect(drawn(undefined).words).toBe('[]');
});

it('draws a table of the cells', () => {
  const { words } = drawn([{ kind: 'table', title: 'All cells' }]);
  for (const part of ['All cells', 'Transactions (tps) by threads', '>100<']) expect(words).toContain(part);
});

it('draws charts added to the session after those of the document', () => {
  const { words } = drawn([{ kind: 'curve' }], [{ kind: 'density', title: 'Two hills' }]);
  expect(words.indexOf('Two hills')).toBeGreaterThan(words.indexOf('Transactions by threads'));
  expect(drawn(undefined, [{ kind: 'curve', metric: 'a measure that was removed' }]).words).toBe('[]');
});

it('draws the seconds behind a figure of whole runs', () => {
  const ofRuns = { ...resultOf('took_s', 12), overTime: 'tps' };
  const { words, asked } = drawn([{ kind: 'dots' }], [], [ofRuns, resultOf('tps', 100)]);
  expect(asked.map(({ metric }) => metric)).toEqual(['tps']);
  expect(words).toContain('Transactions by second');
});

it('overlays another session on a curve, or draws it alone if that session is missing', () => {
  const { words } = drawn([{ kind: 'curve', over: 3 }], undefined, [resultOf('tps', 100)]);
  expect(words).toContain('over session 3');
  expect(words).toContain('dashed: session 3, “Before”');
  expect(drawn([{ kind: 'curve', over: 4 }]).words).not.toContain('dashed');
});
