import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MonitoredSeries, MonitoredSource } from '../../model/monitored.ts';
import { chartTheme } from '../theme.ts';
import { pointsOf, seenOf } from './columns.ts';
import { clockWords, drawHead, ticksOf } from './draw-head.ts';
import { drawLane } from './draw-lane.ts';
import { limitsIn, withRunLimits } from './draw-limits.ts';
import { FoldedAxis, idleSpans } from './folded-axis.ts';
import { type ChartLane, type LaneLine, reachOf, valueAt } from './lane.ts';
import { drawPicture, laneSummary, laneTable, pictureHeight } from './lane-picture.ts';
import { roundStep, scaleOf, tickWords } from './lane-scale.ts';
import { groupsOf } from './lanes-of-sources.ts';
import { gapsOnAxis, linesOf } from './monitored-lines.ts';
import { SvgPen } from './svg-pen.ts';

const line = (values: readonly number[], more: Partial<LaneLine> = {}): LaneLine => ({
  ...{ key: 'a', label: 'A', slot: 0 },
  t: Float64Array.from(values, (_, index) => index),
  v: Float64Array.from(values),
  ...more,
});
const lane = (lines: readonly LaneLine[], more: Partial<ChartLane> = {}): ChartLane => ({
  ...{ id: 'host/db1/cpu', group: 'host/db1', title: 'CPU', unit: '%', digits: 1, shape: 'lines' },
  rows: lines.length,
  lines,
  ...more,
});
const place = { box: { x: 40, y: 0, width: 200, height: 72 }, theme: chartTheme('light'), gutter: 40 };

/** A drawn lane, as vectors. */
function drawn(one: ChartLane, view = { from: 0, to: 10 }, scene: Parameters<typeof drawLane>[2] = NOTHING): string {
  const pen = new SvgPen('Inter');
  drawLane(pen, one, scene, { ...place, view });
  return pen.markup(240, 72, '#ffffff');
}
const NOTHING = { trials: [], marks: [] };
const paths = (markup: string): string[] => [...markup.matchAll(/<path d="([^"]*)"/g)].map(([, d = '']) => d);

describe('points of a line', () => {
  it('are the values themselves if they fit, with one beyond either end', () => {
    const points = pointsOf(line([1, 2, 3, 4, 5, 6]), { from: 1.5, to: 3.5 }, 100);
    expect([...points.v.subarray(0, points.count)]).toEqual([2, 3, 4, 5]);
    expect([...points.x.subarray(0, points.count)]).toEqual([-25, 25, 75, 125]);
  });

  it('keep every extreme when condensed, and are the means of their columns', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof({ weight: 9, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) }, fc.constant(NaN)),
          {
            minLength: 100,
            maxLength: 2000,
          },
        ),
        fc.integer({ min: 5, max: 60 }),
        (values, width) => {
          const view = { from: 0, to: values.length };
          const points = pointsOf(line(values), view, width);
          const columns = Array.from({ length: width }, (_, column) =>
            values.filter(
              (value, index) => Math.floor(index * (width / values.length)) === column && !Number.isNaN(value),
            ),
          );
          for (let index = 0; index < points.count; index += 1) {
            const own = columns[Math.floor(points.x[index] ?? -1)] ?? [];
            if (own.length === 0) expect(points.v[index]).toBeNaN();
            else {
              expect(points.low[index]).toBe(Math.min(...own));
              expect(points.high[index]).toBe(Math.max(...own));
              expect(points.v[index]).toBeCloseTo(own.reduce((sum, value) => sum + value, 0) / own.length, 3);
            }
          }
          expect(points.count).toBeLessThanOrEqual(width + 2);
        },
      ),
    );
  });

  it('of a stack are cumulative edges; a missing part takes no space', () => {
    const stack = lane(
      [line([1, 2, 3]), line([10, NaN, 30], { key: 'b' }), line([7, 7, 7], { key: 'c', over: 'whole' })],
      {
        shape: 'stack',
      },
    );
    const { edges, parts } = seenOf(stack, { from: 0, to: 2 }, 100);
    expect(edges.map((edge) => [...edge])).toEqual([
      [1, 2, 3],
      [11, 2, 33],
    ]);
    expect(parts).toHaveLength(3);
  });
});

describe('the vertical axis', () => {
  const scale = (values: readonly number[], more: Partial<ChartLane> = {}, height = 62) => {
    const one = lane([line(values)], more);
    const view = { from: 0, to: values.length };
    return scaleOf(one, limitsIn(one, view), seenOf(one, view, 500), height);
  };

  it('begins at zero and ends at a round value above the highest', () => {
    expect(scale([3, 47])).toEqual({ from: 0, to: 50, ticks: [0, 25, 50] });
    expect(scale([-4, 8])).toEqual({ from: -10, to: 10, ticks: [-10, 0, 10] });
    expect(scale([0, 0])).toEqual({ from: 0, to: 1, ticks: [0] });
  });

  it('extends to a limit only near it, and always to that of a whole', () => {
    const limit = { value: 1192, words: 'link 10 Gbit/s' };
    expect(scale([100], { limit }).to).toBe(100);
    expect(scale([700], { limit }).to).toBe(1192);
    expect(scale([1300], { limit }).to).toBeGreaterThanOrEqual(1300);
    expect(scale([3], { limit: { value: 100, words: '100 %' }, shape: 'stack' }).to).toBe(100);
  });

  it('has few, round steps', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), fc.integer({ min: 1, max: 8 }), (range, most) => {
        const step = roundStep(range, most);
        expect(range / step).toBeLessThanOrEqual(most * (1 + 1e-6));
        const first = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
        expect([1, 2, 2.5, 5, 10].some((round) => Math.abs(first - round) < 1e-6)).toBe(true);
      }),
    );
    expect([250, 12_500, 3_000_000, 0.25].map(tickWords)).toEqual(['250', '12.5 k', '3 M', '0.25']);
  });
});

describe('a drawn lane', () => {
  it('breaks its line at unknown values, and hatches missing samples', () => {
    const values = [1, 2, 3, NaN, NaN, 6, 7];
    expect(paths(drawn(lane([line(values)])))[0]?.match(/M/g)).toHaveLength(2);
    const hatched = drawn(lane([line(values)], { gaps: [{ from: 3, to: 5 }] }));
    expect(paths(hatched)).toHaveLength(2);
    expect(paths(drawn(lane([line(values)], { gaps: [{ from: 30, to: 50 }] })))).toHaveLength(1);
  });

  it('shows a gap shorter than a pixel', () => {
    const gap = { from: 5000, to: 5001 };
    const far = drawn(lane([line([1])], { gaps: [gap] }), { from: 0, to: 100_000 });
    expect(paths(far).at(-1)).toContain('M');
  });

  it('draws its limit with a label, or states that it is off scale', () => {
    const limit = { value: 1192, words: 'link speed' };
    const near = drawn(lane([line([900, 1000])], { limit, unit: 'MiB/s' }));
    expect(near).toContain('>link speed, 1,192 MiB/s<');
    expect(near).toContain('stroke-dasharray');
    const far = drawn(lane([line([9, 10])], { limit, unit: 'MiB/s' }));
    expect(far).toContain('>limit off scale: link speed, 1,192 MiB/s<');
    expect(far).not.toContain('stroke-dasharray');
  });

  it('draws the limit of a run over the run, and the usual limit outside', () => {
    const limit = { value: 1192, words: 'link speed' };
    const runLimits = [
      { value: 12, words: 'the rate set on it, 100 Mbit', from: 2, to: 4 },
      { value: 12, words: 'the rate set on it, 100 Mbit', from: 4, to: 9 },
    ];
    const values = Array.from({ length: 10 }, () => 11);
    const one = lane([line(values)], { limit, runLimits, unit: 'MiB/s' });
    expect(limitsIn(one, { from: 0, to: 10 }).map(({ value, from, to }) => [value, from, to])).toEqual([
      [1192, 0, 2],
      [1192, 9, 10],
      [12, 2, 4],
      [12, 4, 9],
    ]);
    const whole = drawn(one);
    expect(whole.match(/stroke-dasharray/g)).toHaveLength(2);
    expect(whole.match(/>the rate set on it, 100 Mbit, 12 MiB\/s</g)).toHaveLength(2);
    expect(whole).toContain('>limit off scale: link speed, 1,192 MiB/s<');
    expect(drawn(one, { from: 3, to: 8 })).not.toContain('link speed');
  });

  it('draws simultaneous limits of two runs in the colours of the runs, with separate labels', () => {
    const of = (slot: number, value: number) => ({ slot, value, words: 'link speed', from: 0, to: 10 });
    const picture = drawn(lane([line([100, 110])], { unit: 'MiB/s', runLimits: [of(0, 118), of(1, 119)] }));
    const [first, second] = [...picture.matchAll(/<text [^>]*y="([\d.]+)"[^>]*fill="(#\w+)">link speed, \d+ MiB/g)];
    expect(first?.[2]).not.toBe(second?.[2]);
    expect(Math.abs(Number(first?.[1]) - Number(second?.[1]))).toBeGreaterThanOrEqual(11);
  });

  it('shows a single second, and heat-map rows in the colour of their value', () => {
    expect(drawn(lane([line([5])]))).toContain('width="3"');
    const cores = lane([line([0, 0, 0]), line([100, 100, 100], { key: 'b' })], {
      shape: 'heat',
      limit: { value: 100, words: '100 %' },
    });
    const picture = drawn(cores, { from: 0, to: 2 });
    expect(picture).toContain('#440154');
    expect(picture).toContain('#fde725');
  });

  it('has a line for every trial and event in view', () => {
    const rects = (picture: string): number => picture.match(/<rect/g)?.length ?? 0;
    const trial = { runId: 1, from: 2, measured: 4, to: 8, label: 'threads 8', slot: 0 };
    const before = rects(drawn(lane([line([1, 2])])));
    expect(rects(drawn(lane([line([1, 2])]), undefined, { trials: [trial], marks: [] }))).toBe(before + 3);
    const note = (at: number) => ({ at, kind: 'note' as const, label: 'failed over' });
    expect(rects(drawn(lane([line([1, 2])]), undefined, { trials: [], marks: [note(5), note(50)] }))).toBe(before + 1);
  });
});

describe('the value at the cursor', () => {
  it('is the nearest one within reach', () => {
    const one = line([10, 20, 30]);
    expect(reachOf(one)).toBe(1);
    expect(valueAt(one, 1.4, 1)).toBe(20);
    expect(valueAt(one, 1.6, 1)).toBe(30);
    expect(valueAt(one, 9, 1)).toBeNaN();
    expect(valueAt(line([]), 1, 1)).toBeNaN();
  });
});

describe('the axis of time', () => {
  it('counts from the start of a run, or shows the time of day', () => {
    const run = { zero: Date.UTC(2026, 0, 5, 10, 0, 0), from: 95 };
    expect(ticksOf({ from: 90, to: 130 }, run, 5)).toEqual([
      { at: 95, words: '0 s' },
      { at: 105, words: '10 s' },
      { at: 115, words: '20 s' },
      { at: 125, words: '30 s' },
    ]);
    expect(clockWords(80, run)).toBe('−15 s');
    expect(clockWords(95 + 3725, run)).toBe('1:02:05');
    const zero = new Date(2026, 0, 5, 9, 58, 30).getTime();
    expect(ticksOf({ from: 0, to: 300 }, { zero }, 6)).toEqual([
      { at: 30, words: '09:59' },
      { at: 90, words: '10:00' },
      { at: 150, words: '10:01' },
      { at: 210, words: '10:02' },
      { at: 270, words: '10:03' },
    ]);
  });

  it('names the days of a session longer than one day', () => {
    const zero = new Date(2026, 0, 5, 21, 30).getTime();
    const hour = 3600;
    expect(ticksOf({ from: 0, to: 24 * hour }, { zero }, 4).map(({ words }) => words)).toEqual([
      '6 Jan',
      '06:00',
      '12:00',
      '18:00',
    ]);
    // Across the end of summer time, if it applies: every tick is at midnight.
    const autumn = new Date(2026, 9, 10, 9, 0).getTime();
    const days = ticksOf({ from: 0, to: 26 * 24 * hour }, { zero: autumn }, 9);
    expect(days.map(({ words }) => words)).toEqual([
      ...['11 Oct', '14 Oct', '17 Oct', '20 Oct', '23 Oct', '26 Oct', '29 Oct'],
      ...['1 Nov', '4 Nov'],
    ]);
    for (const { at } of days) expect(new Date(autumn + at * 1000).getHours()).toBe(0);
  });
});

const series = (id: string, lane: MonitoredSeries['lane'], unit: string, more: Partial<MonitoredSeries> = {}) => ({
  ...{ id, rule: id, label: id, unit, lane },
  ...more,
});
const source = (all: readonly MonitoredSeries[]): MonitoredSource => ({
  ...{ id: 7, kind: 'host', name: 'db1', roles: ['server'], samples: 10, gaps: [] },
  series: [...all],
});

describe('lanes of monitored series', () => {
  const [group] = groupsOf([
    source([
      series('net.eth0.rx', 'network', 'MiB/s', { rule: 'net.*.rx', instance: 'eth0', main: true }),
      series('cpu.user', 'cpu', '%', { stack: 'cpu', limit: { value: 100, words: '100 %' } }),
      series('cpu.system', 'cpu', '%', { stack: 'cpu' }),
      series('cpu.busy', 'cpu', '%', { main: true, limit: { value: 100, words: '100 %' } }),
      series('cpu.busiest_core', 'cpu', '%', { limit: { value: 100, words: '100 %' } }),
      series('freq.mean', 'cpu', 'MHz'),
      ...[0, 1, 2].map((core) =>
        series(`core.${core}.busy`, 'cpu', '%', { rule: 'core.*.busy', instance: `${core}`, label: 'Core busy' }),
      ),
      ...[0, 1, 2].map((core) =>
        series(`core.${core}.irq`, 'cpu', '%', { rule: 'core.*.irq', instance: `${core}`, label: 'Core interrupts' }),
      ),
      ...['sda', 'sdb'].flatMap((instance) => [
        series(`disk.${instance}.read`, 'disk', 'IO/s', { rule: 'disk.*.read', instance, main: true }),
        series(`disk.${instance}.write`, 'disk', 'IO/s', { rule: 'disk.*.write', instance, main: true }),
        series(`disk.${instance}.await`, 'disk', 'ms', { rule: 'disk.*.await', instance }),
      ]),
      ...['mariadbd', 'sysbench'].map((instance) =>
        series(`proc.${instance}.cpu`, 'processes', '%', { rule: 'proc.*.cpu', instance, label: 'CPU of one core' }),
      ),
      series('net.eth0.tx', 'network', 'MiB/s', { rule: 'net.*.tx', instance: 'eth0', main: true }),
    ]),
  ]);
  const lanes = group?.lanes ?? [];

  it('group related series: stack, cores, devices, processes, in the order of the timeline', () => {
    expect(lanes.map(({ id, shape }) => `${id} ${shape}`)).toEqual([
      'host/db1/cpu/cpu/ stack',
      'host/db1/cpu/core.*.busy heat',
      'host/db1/cpu/core.*.irq heat',
      'host/db1/cpu/freq.mean lines',
      'host/db1/disk/disk.sda.read lines',
      'host/db1/disk/disk.sda.await lines',
      'host/db1/disk/disk.sdb.read lines',
      'host/db1/disk/disk.sdb.await lines',
      'host/db1/network/net.eth0.rx lines',
      'host/db1/processes/proc.*.cpu lines',
    ]);
    expect(lanes.map(({ series: own }) => own.map(({ id }) => id).join())).toContain('net.eth0.rx,net.eth0.tx');
    expect(lanes.at(-1)?.series.map(({ label }) => label)).toEqual(['mariadbd', 'sysbench']);
  });

  it('draw the busy share over its parts, with the limit of the whole', () => {
    expect(lanes[0]?.series.map(({ id, over }) => [id, over ?? false])).toEqual([
      ['cpu.user', false],
      ['cpu.system', false],
      ['cpu.busy', 'whole'],
      ['cpu.busiest_core', 'other'],
    ]);
    expect(lanes[0]?.limit).toEqual({ value: 100, words: '100 %' });
  });

  it('are visible at first if one of their series is a main one', () => {
    expect(lanes.filter(({ isMain }) => isMain).map(({ title }) => title)).toEqual([
      'CPU',
      'Core busy, each',
      'sda: disk.sda.read, disk.sda.write',
      'sdb: disk.sdb.read, disk.sdb.write',
      'eth0: net.eth0.rx, net.eth0.tx',
    ]);
  });

  it('are a single lane for the core of a host with one core', () => {
    const parts = ['busy', 'user', 'irq'];
    const one = parts.map((part) => series(`core.0.${part}`, 'cpu', '%', { rule: `core.*.${part}`, instance: '0' }));
    expect(groupsOf([source(one)])[0]?.lanes.map(({ id, title }) => `${id}: ${title}`)).toEqual([
      'host/db1/cpu/core.0.busy: core.0.busy, core.0.user …',
    ]);
  });

  it('separate unrelated names, and group the instances of a name', () => {
    const server = [
      series('statements', 'statements', '/s', { main: true }),
      series('rows.read', 'statements', '/s', { main: true }),
      series('rows.written', 'statements', '/s', { main: true }),
      ...['select', 'insert'].map((one) => series(`Com_${one}`, 'statements', '/s', { stack: 'commands' })),
      ...['running', 'waiting', 'idle'].map((instance) =>
        series(`sessions.${instance}`, 'connections', '', { rule: 'sessions.*', instance }),
      ),
    ];
    expect(groupsOf([source(server)])[0]?.lanes.map(({ series: own }) => own.map(({ id }) => id).join())).toEqual([
      'sessions.running,sessions.waiting,sessions.idle',
      'statements',
      'rows.read,rows.written',
      'Com_select,Com_insert',
    ]);
  });

  it('split lines that are too many to distinguish', () => {
    const many = Array.from({ length: 14 }, (_, index) => series(`status.${index}`, 'statements', '/s'));
    expect(groupsOf([source(many)])[0]?.lanes.map(({ series: own }) => own.length)).toEqual([6, 6, 2]);
  });

  it('show each of many processes once, in lanes with ids and titles of their own', () => {
    const names = Array.from({ length: 8 }, (_, index) => `process${index}`);
    const all = names.map((instance) =>
      series(`proc.${instance}.cpu`, 'processes', '%', { rule: 'proc.*.cpu', instance, label: 'CPU', main: true }),
    );
    const lanes = groupsOf([source(all)])[0]?.lanes ?? [];
    expect(lanes.map(({ id, title, rows }) => [id, title, rows])).toEqual([
      ['host/db1/processes/proc.*.cpu', 'CPU', 6],
      ['host/db1/processes/proc.process6.cpu', 'CPU, part 2', 2],
    ]);
    expect(lanes.flatMap((lane) => lane.series.map(({ label }) => label))).toEqual(names);
  });
});

it('places the limits of each run on the axis, if they belong to a series of the lane', () => {
  const [group] = groupsOf([
    source([
      series('net.eth0.rx', 'network', 'MiB/s', { rule: 'net.*.rx', instance: 'eth0', main: true }),
      series('net.eth0.tx', 'network', 'MiB/s', { rule: 'net.*.tx', instance: 'eth0', main: true }),
    ]),
  ]);
  const [net] = group?.lanes ?? [];
  if (!net) throw new Error('There is no lane.');
  const rate = { value: 12, words: 'the rate set on it, 100 Mbit' };
  const limits = [
    {
      runId: 1,
      limits: [
        { sourceId: 7, ids: ['net.eth0.rx'], ...rate },
        { sourceId: 7, ids: ['net.eth0.tx'], ...rate },
        { sourceId: 7, ids: ['net.eth1.tx'], ...rate, value: 13 },
        { sourceId: 8, ids: ['net.eth0.tx'], ...rate, value: 14 },
      ],
    },
    { runId: 2, limits: [] },
  ];
  const windows = [{ runId: 1, zero: 10_000, from: 12_000, to: 30_000 }];
  expect(withRunLimits(net, limits, windows, 5000).runLimits).toEqual([{ ...rate, from: 5, to: 25 }]);
  expect(withRunLimits(net, limits, [], 5000)).toBe(net);
});

describe('lines of values', () => {
  const zero = 1_000_000;
  const lane2 = {
    sourceId: 7,
    series: [
      { id: 'a', label: 'A', slot: 0 },
      { id: 'missing', label: 'M', slot: 1 },
    ],
  };
  const at = (seconds: readonly number[]): Float64Array => Float64Array.from(seconds, (second) => zero + second * 1000);

  it('are on the axis, break at missing samples, and keep every value', () => {
    const values = { sourceId: 7, id: 'a', t: at([0, 1, 2, 12, 13]), v: Float64Array.of(5, 5, 5, 6, 6) };
    const gaps = gapsOnAxis({ gaps: [{ from: zero + 2000, to: zero + 12_000 }] }, zero);
    const [only, ...more] = linesOf(lane2, [values], gaps, zero);
    expect(more).toHaveLength(0);
    expect([...(only?.t ?? [])]).toEqual([0, 1, 2, 7, 12, 13]);
    expect([...(only?.v ?? [])]).toEqual([5, 5, 5, Number.NaN, 6, 6]);
  });

  it('have no break for a gap outside them', () => {
    const values = { sourceId: 7, id: 'a', t: at([5, 6]), v: Float64Array.of(1, 2) };
    const gaps = [0, 90].map((from) => ({ from, to: from + 4 }));
    expect([...(linesOf(lane2, [values], gaps, zero)[0]?.v ?? [])]).toEqual([1, 2]);
  });
});

describe('lanes as table and picture', () => {
  const lanes = [
    lane([line([1, 2, 3])]),
    lane([line([10, NaN, 30], { label: 'B' })], { title: 'Disk', unit: 'MiB/s' }),
  ];
  const groups = new Map([['host/db1', 'db1']]);

  it('have a row for each second', () => {
    expect(laneTable(lanes, groups, { from: 1, to: 2 }, 1)).toEqual({
      columns: ['t (s)', 'db1: CPU (%): A', 'db1: Disk (MiB/s): B'],
      rows: [
        [0, 2, ''],
        [1, 3, 30],
      ],
    });
    expect(laneSummary(lanes, groups, { from: 0, to: 2 }).rows).toEqual([
      ['db1', 'CPU (%)', 'A', 2, 1, 3],
      ['db1', 'Disk (MiB/s)', 'B', 20, 10, 30],
    ]);
  });

  it.each([
    {
      levels: ['off', 'on'],
      short: ['off, repeat 1', 'off, repeat 2', 'on, repeat 1', 'on, repeat 2'],
      narrow: ['off, 1', 'off, 2', 'on, 1', 'on, 2'],
    },
    {
      levels: ['off', 'remote_write'],
      short: ['off, repeat 1', 'off, repeat 2', 'remote_write, 1', 'remote_write, 2'],
      narrow: ['off, 1', 'off, 2', 're…te, 1', 're…te, 2'],
    },
  ])('have trials above them, named by their differences while there is room: $levels', (each) => {
    const label = (level: string, repeat: number) => `synchronous_commit ${level} · threads 8, repeat ${repeat}`;
    const trials = each.levels.flatMap((level, slot) =>
      [1, 2].map((repeat) => {
        const from = 40 * slot + 20 * repeat;
        return { runId: from, from, measured: from, to: from + 20, label: label(level, repeat), slot };
      }),
    );
    const namesAt = (width: number): string[] => {
      const pen = new SvgPen('Inter');
      const box = { x: 0, y: 0, width, height: 100 };
      const head = { box, view: { from: 20, to: 100 }, theme: chartTheme('light') };
      drawHead(pen, { trials, marks: [] }, { zero: 0, from: 0 }, head);
      const markup = pen.markup(width, 100, '#ffffff');
      return [...markup.matchAll(/>([^<>]+)<\/text>/g)].flatMap(([, words = '']) =>
        /o(n|f)|re/.test(words) ? [words] : [],
      );
    };
    expect(namesAt(2000)).toEqual(trials.map((trial) => trial.label));
    expect(namesAt(480)).toEqual(each.short);
    expect(namesAt(240)).toEqual(each.narrow);
    expect(namesAt(48)).toEqual([]);
  });

  it('are one picture with names, axis and events', () => {
    const pen = new SvgPen('Inter');
    const killed = 'The server of “shop” is killed.';
    const marks = [
      { at: 1, kind: 'note' as const, label: 'failed <over>' },
      { at: 1.2, kind: 'scenario' as const, label: killed, short: 'kill shop' },
    ];
    const picture = {
      lanes,
      groups,
      scene: { trials: [], marks },
      clock: { zero: 0, from: 0 },
      view: { from: 0, to: 2 },
    };
    drawPicture(pen, picture, 900, chartTheme('dark'));
    const markup = pen.markup(900, pictureHeight(picture), '#000000');
    for (const words of ['CPU (%)', 'Disk (MiB/s)', 'db1', 'failed &#60;over&#62;', '2 s', '⚑ kill shop'])
      expect(markup).toContain(words);
    expect(markup).not.toContain(killed);
  });
});

const trialAt = (from: number, to: number) => ({
  ...{ runId: from, from, measured: from + 10, to, label: `trial ${from}`, slot: 0 },
});

describe('an axis without idle time', () => {
  const trials = [trialAt(100, 160), trialAt(3760, 3820), trialAt(3824, 3884)];
  const bounds = { from: 0, to: 3900 };
  const folded = new FoldedAxis(idleSpans(trials, bounds));

  it('skips long idle time between trials, except two seconds at both ends', () => {
    expect(idleSpans(trials, bounds)).toEqual([{ from: 162, to: 3758 }]);
    expect(idleSpans([trialAt(0, 100), trialAt(120, 300)], { from: 0, to: 300 })).toEqual([]);
    expect(folded.skipped).toBe(3596);
  });

  it('folds and unfolds each second', () => {
    expect([50, 162, 1000, 3758, 3760, 3900].map((at) => folded.fold(at))).toEqual([50, 162, 162, 162, 164, 304]);
    expect([50, 161, 163, 164, 304].map((at) => folded.real(at))).toEqual([50, 161, 3759, 3760, 3900]);
  });

  it('drops values in skipped time, and marks it', () => {
    const t = Float64Array.of(161, 500, 3759, 3761);
    const line = folded.line({ key: 'a', label: 'a', slot: 0, t, v: Float64Array.of(1, 2, 3, 4) });
    expect([[...line.t], [...line.v]]).toEqual([
      [161, 163, 165],
      [1, 3, 4],
    ]);
    const scene = folded.scene({ trials, marks: [{ at: 600, kind: 'note', label: 'lunch' }] });
    expect(scene.trials.map(({ from, to }) => [from, to])).toEqual([
      [100, 160],
      [164, 224],
      [228, 288],
    ]);
    expect(scene.marks).toEqual([
      { at: 162, kind: 'note', label: 'lunch' },
      { at: 162, kind: 'skip', label: '59 min 56 s skipped' },
    ]);
  });

  it('labels ticks with the time of day, outside skipped time and with room between them', () => {
    const zero = new Date(2026, 10, 1, 12, 0, 0).getTime();
    const ticks = ticksOf({ from: 0, to: 304 }, { zero, folded }, 8);
    expect(ticks.map(({ at }) => at)).toEqual(ticks.map(({ at }) => folded.fold(folded.real(at))));
    expect(ticks[0]).toEqual({ at: 0, words: '12:00' });
    expect(ticks.at(-1)?.words).toBe('13:05');
    for (const [index, { at }] of ticks.slice(1).entries()) expect(at - (ticks[index]?.at ?? 0)).toBeGreaterThan(30);
  });
});
