import { describe, expect, it } from 'vitest';
import { painterOf } from '../../../shared/charts/index.ts';
import type { Run } from '../../../shared/model/session.ts';
import { lacksHead, lineWords, marksOf, metricsOf, runningLines } from './running-lines.ts';

const run = (id: number, changes: Partial<Run> = {}): Run => ({
  id,
  sessionId: 1,
  trial: id,
  cell: id,
  repeat: 0,
  levels: { mode: 'on', threads: id },
  state: 'done',
  warmup: 0,
  duration: 10,
  summary: {},
  findings: [],
  partial: false,
  seconds: 4,
  ...changes,
});
const series = (runId: number, t: number[]) => ({
  runId,
  generator: 0,
  metric: 'tps',
  t: Float64Array.from(t),
  v: Float64Array.from(t, (second) => 10 * second),
});
const samples = (t: number[]) => {
  const { v, ...rest } = series(2, t);
  return { ...rest, columns: { tps: v } };
};
const now = run(2, { state: 'running' });
const factors = [
  { name: 'mode', levels: ['off', 'on'] },
  { name: 'threads', levels: [1, 2, 4] },
];
const data = { run: now, earlier: [run(1)], metric: 'tps', factor: 'threads', paint: painterOf(factors) };

describe('lines of the live chart', () => {
  it('draws the running trial bold over the earlier ones, named by the level of the ladder', () => {
    const lines = runningLines({ ...data, stored: [series(1, [1, 2])], samples: [samples([1, 2, 3])] });
    expect(lines.map(({ label, weight }) => [label, weight])).toEqual([
      ['threads 1, repeat 1', 'thin'],
      ['threads 2, repeat 1', 'bold'],
    ]);
  });
  it('paints each in the hue of its line in the load curve, deeper along the ladder', () => {
    const lines = runningLines({ ...data, stored: [series(1, [1, 2])], samples: [samples([1])] });
    expect(lines.map(({ slot, shade }) => [slot, shade])).toEqual([
      [1, 0],
      [1, 0.5],
    ]);
  });
  it('puts what the store has before what the stream brought, no second twice', () => {
    const [line] = runningLines({ ...data, earlier: [], stored: [series(2, [1, 2, 3])], samples: [samples([3, 4])] });
    expect([...(line?.t ?? [])]).toEqual([1, 2, 3, 4]);
    expect([...(line?.v ?? [])]).toEqual([10, 20, 30, 40]);
  });
  it('draws a trial that has ended from the store', () => {
    const lines = runningLines({ ...data, run: run(2), stored: [series(2, [1, 2])], samples: [] });
    expect(lines.map(({ key, weight }) => [key, weight])).toEqual([['run 2/0', 'bold']]);
  });
  it('asks the store only for what is missing', () => {
    expect(lacksHead(now, [])).toBe(true);
    expect(lacksHead(now, [samples([1, 2])])).toBe(false);
    expect(lacksHead(now, [samples([601, 602])])).toBe(true);
    expect(lacksHead(run(3, { seconds: 0 }), [])).toBe(false);
  });
});

describe('around it', () => {
  it('says what the lines are, where they are not one of one run', () => {
    expect(lineWords(0, 1)).toBe('');
    expect(lineWords(3, 1)).toBe('over earlier ones');
    expect(lineWords(3, 2)).toBe('over earlier ones · one line per generator');
  });

  it('lists the metrics there are, the primary one first', () => {
    expect(metricsOf('tps', ['qps', 'tps'])).toEqual(['tps', 'qps']);
    expect(metricsOf('tps', ['qps'])).toEqual(['qps']);
  });
  it('marks notes made while the run was going on', () => {
    const note = (id: number, at: number) => ({ id, sessionId: 1, at, level: 'note' as const, message: `note ${id}` });
    const log = [note(1, 500), note(2, 4000), { ...note(3, 5000), level: 'info' as const }, note(4, 99_000)];
    expect(marksOf(log, run(1, { startedAt: 1000, endedAt: 11_000 }))).toEqual([{ at: 3, label: 'note 2' }]);
  });
});
