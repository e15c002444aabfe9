import { describe, expect, it } from 'vitest';
import type { TimelineEvent } from '../model/session.ts';
import { eventMarks, steadyMarks } from './event-marks.ts';
import { chartTheme } from './theme.ts';
import { type Timeline, timeline } from './timeline.ts';

let next = 0;
const event = (changes: Partial<TimelineEvent>): TimelineEvent => {
  next += 1;
  return { id: next, sessionId: 1, kind: 'note', at: 4000, level: 'note', message: `event ${next}`, ...changes };
};
const run = (id: number) => ({ id, startedAt: 1000, endedAt: 11_000, name: `threads ${id}` });

describe('marks of events', () => {
  it('are placed by the second of their run, or by the time of day during it', () => {
    const events = [
      event({ at: 500, message: 'before' }),
      event({ at: 4000, message: 'a note' }),
      event({ runId: 1, kind: 'warm-up-end', at: 99_000, t: 5.2, message: 'The warm-up of trial 1 ended.' }),
      event({ runId: 2, kind: 'alert', message: 'of another run' }),
      event({ runId: 1, kind: 'state', message: 'not marked' }),
      event({ at: 99_000, message: 'after' }),
    ];
    expect(eventMarks(events, [run(1)])).toEqual([
      { at: 3, kind: 'note', label: 'a note' },
      { at: 5, kind: 'warm-up-end', label: 'Warm-up ended' },
    ]);
    expect(eventMarks(events, [{ id: 1, name: 'not started' }])).toEqual([]);
  });

  it('name their run if there are several, and merge if they are the same', () => {
    const end = (runId: number, t: number) =>
      event({ runId, t, kind: 'warm-up-end', message: `The warm-up of trial ${runId} ended.` });
    expect(eventMarks([end(1, 5), end(2, 5.3), end(3, 9)], [run(1), run(2), run(3)])).toEqual([
      { at: 5, kind: 'warm-up-end', label: '2 runs: Warm-up ended' },
      { at: 9, kind: 'warm-up-end', label: 'threads 3: Warm-up ended' },
    ]);
  });
});

describe('marks on a timeline', () => {
  const t = Float64Array.from({ length: 60 }, (_, index) => index + 1);
  const lines = [{ key: 'run 1', name: 'threads 1', slot: 0, t, v: t }];
  const measure = { label: 'Transactions', unit: 'tps', digits: 0 };
  const modelOf = (count: number, more: Partial<Timeline> = {}) => {
    const notes = Array.from({ length: count }, (_, at) => ({ at: 30, kind: 'note' as const, label: `note <${at}>` }));
    const end = { at: 5, kind: 'warm-up-end' as const, label: 'warm-up ended' };
    return timeline(
      { measure, lines: lines.map((line) => ({ ...line, weight: 'bold' })), marks: [...notes, end], ...more },
      chartTheme('light'),
    ).option;
  };
  const series = (option: ReturnType<typeof modelOf>, id: string) =>
    [option.series ?? []].flat().find((each) => each.id === id);
  const tooltipAt = (option: ReturnType<typeof modelOf>, second: number): string => {
    const { formatter } = [option.tooltip ?? {}].flat()[0] as { formatter: (items: unknown) => string };
    return formatter([{ seriesId: 'run 1', value: [second, 7] }]);
  };

  it('are glyphs on the axis, described only in the tooltip at their second', () => {
    const option = modelOf(1);
    expect(series(option, 'marks')?.data).toMatchObject([
      { value: [30, 0], symbol: 'circle' },
      { value: [5, 0], symbol: 'diamond' },
    ]);
    expect(tooltipAt(option, 30)).toContain('note &#60;0&#62;');
    expect(tooltipAt(option, 30)).not.toContain('warm-up ended');
    expect(tooltipAt(option, 5)).toContain('warm-up ended');
    expect(tooltipAt(option, 20)).not.toMatch(/note|warm-up/);
  });

  it('label notes at their lines up to six', () => {
    expect(series(modelOf(6), 'marking')).toMatchObject({ markLine: { data: { length: 6 } } });
    expect(series(modelOf(7), 'marking')).toMatchObject({ markLine: { data: [] } });
  });

  it('stack in the same second', () => {
    const marks = [5, 5, 9].map((at) => ({ at, kind: 'alert' as const, label: 'full' }));
    expect(series(modelOf(0, { marks }), 'marks')?.data).toMatchObject([
      { symbolOffset: [0, -6] },
      { symbolOffset: [0, -16] },
      { symbolOffset: [0, -6] },
    ]);
  });

  it('have no labels at the lines if several runs are drawn alike', () => {
    expect(series(modelOf(1, { lines }), 'marking')).toMatchObject({ markLine: { data: [] } });
  });

  it('come with a hatched span for missing seconds only', () => {
    expect(series(modelOf(0, { gap: { from: 20, to: 32 } }), 'gap')?.data).toEqual([[20, 32]]);
    expect(series(modelOf(0), 'gap')?.data).toEqual([]);
    expect(series(modelOf(0, { gap: { from: 20, to: 20 } }), 'gap')?.data).toEqual([]);
  });

  it('are omitted if the axis is not time', () => {
    const option = modelOf(1, { along: { label: 'Rows', unit: 'rows', digits: 0 } });
    expect(series(option, 'marks')?.data).toEqual([]);
    expect(series(option, 'marking')).toMatchObject({ markLine: { data: [] } });
  });
});

it('marks steps and regular dips of the visible cells', () => {
  const cell = (index: number) => ({
    cell: index,
    levels: { threads: index },
    runs: [],
    means: [],
    errors: 0,
    partial: false,
  });
  const dips = { period: 25, depth: 0.7, length: 2, count: 4, at: [30, 55] };
  const result = {
    cells: [cell(1), cell(2)],
    steadiness: [
      { cell: 1, verdict: 'step' as const, change: -0.1, at: 75 },
      { cell: 2, verdict: 'settled' as const, dips },
    ],
  };
  expect(steadyMarks(result, () => true)).toEqual([
    { at: 75, kind: 'alert', label: 'threads 1: the level changes by −10 %' },
    { at: 30, kind: 'alert', label: 'threads 2: falls by 70 % every 25 s' },
    { at: 55, kind: 'alert', label: 'threads 2: falls by 70 % every 25 s' },
  ]);
  expect(steadyMarks(result, ({ cell: index }) => index === 1)).toHaveLength(1);
});
