import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atDepth } from '../../util/testing/depth.ts';
import { chartTheme } from '../theme.ts';
import { MOST_POINTS, seenOf } from './columns.ts';
import { drawLane, tilesOf } from './draw-lane.ts';
import type { ChartLane, LaneLine, LaneShape } from './lane.ts';
import type { Pen } from './pen.ts';

/** Counts the points at which lines, edges of areas and tiles are drawn. */
class CountingPen implements Pen {
  places = 0;
  line(_xy: Float64Array, count: number): void {
    this.places += count;
  }
  area(_x: Float64Array, _upper: Float64Array, _lower: Float64Array, count: number): void {
    this.places += 2 * count;
  }
  tiles(_box: unknown, columns: number, rows: number): void {
    this.places += columns * rows;
  }
  clip(_box: unknown, draw: () => void): void {
    draw();
  }
  widthOf = (words: string): number => 6 * words.length;
  rect = (): void => undefined;
  hatch = (): void => undefined;
  text = (): void => undefined;
}

/** Quiet seconds with a single spike; values of the engine may be segments with their extremes. */
function lineOf(
  key: string,
  seconds: number,
  spike: number,
  { each, over }: { each: number; over?: boolean },
): LaneLine {
  const count = Math.ceil(seconds / each);
  const t = Float64Array.from({ length: count }, (_, index) => (index + 1) * each);
  const v = Float64Array.from({ length: count }, (_, index) => 10 + (index % 3));
  if (spike < 0) return { key, label: key, slot: 0, t, v, ...(over && { over: 'whole' as const }) };
  const at = Math.min(count - 1, Math.floor(spike / each));
  const base = { key, label: key, slot: 0, t, ...(over && { over: 'whole' as const }) };
  if (each === 1) return { ...base, v: v.with(at, 1000) };
  return { ...base, v: v.with(at, 10 + 990 / each), low: v.map(() => 10), high: v.with(at, 1000) };
}

const lane = (shape: LaneShape, lines: readonly LaneLine[]): ChartLane => ({
  ...{ id: 'a', group: 'g', title: 'A', unit: '', digits: 0, shape, rows: lines.length, lines },
});
const placesOf = (one: ChartLane, view: { from: number; to: number }, width: number): number => {
  const pen = new CountingPen();
  const box = { x: 0, y: 0, width, height: 100 };
  drawLane(pen, one, { trials: [], marks: [] }, { box, view, theme: chartTheme('light'), gutter: 0 });
  return pen.places;
};

const width = fc.integer({ min: 100, max: 3840 });
const seconds = fc.integer({ min: 5, max: 20_000 });
const share = fc.double({ min: 0, max: 0.999, noNaN: true });

it('limits the points of lines and stacks, and keeps a spike of one second at its height', () => {
  fc.assert(
    fc.property(
      ...([fc.integer({ min: 1, max: 8 }), fc.constantFrom('lines', 'stack'), width, seconds] as const),
      ...([share, fc.constantFrom(1, 5), fc.boolean()] as const),
      (count, shape: 'lines' | 'stack', wide, long, where, each, hasOver) => {
        const spike = Math.floor(where * long);
        const over = shape === 'stack' && (hasOver || each > 1);
        const lines = Array.from({ length: count }, (_, index) =>
          lineOf(`${index}`, long, index === 0 ? spike : -1, { each, ...(over && index === 0 && { over }) }),
        );
        const one = lane(shape, lines);
        const view = { from: 0, to: long + each };
        expect(placesOf(one, view, wide)).toBeLessThanOrEqual(MOST_POINTS);
        const seen = seenOf(one, view, wide);
        const spiking = seen.lines.findIndex(({ key }) => key === '0');
        const highest = (values: Float64Array | undefined): number =>
          Math.max(0, ...(values ?? []).filter((value) => !Number.isNaN(value)));
        expect(highest(seen.parts[spiking]?.high)).toBe(1000);
        if (shape === 'stack' && !over)
          expect(Math.max(highest(seen.edges.at(-1)), highest(seen.whole?.high))).toBeGreaterThanOrEqual(1000);
      },
    ),
    { numRuns: atDepth(60, 10) },
  );
});

it('limits the tiles of a heat map, and shows a core that was busy for one second', () => {
  fc.assert(
    fc.property(fc.constantFrom(2, 8, 64, 128), width, seconds, share, share, (cores, wide, long, where, which) => {
      const busy = Math.floor(which * cores);
      const spike = Math.floor(where * long);
      const lines = Array.from({ length: cores }, (_, core) =>
        lineOf(`${core}`, long, core === busy ? spike : -1, { each: 1 }),
      );
      const view = { from: 0, to: long + 1 };
      expect(placesOf(lane('heat', lines), view, wide)).toBeLessThanOrEqual(MOST_POINTS);
      const { columns, step, from, values } = tilesOf(lines, view, wide);
      const column = Math.ceil((spike + 1) / step - 1e-9) - 1 - Math.round(from / step);
      expect(values[busy * columns + column]).toBe(1000);
      expect(values.filter((value) => value === 1000)).toHaveLength(1);
    }),
    { numRuns: atDepth(40, 8) },
  );
});

it('keeps its columns at the same seconds while panning', () => {
  const lines = [lineOf('a', 20_000, 7000, { each: 1 })];
  const highs = (from: number): number[] => {
    const [points] = seenOf(lane('lines', lines), { from, to: from + 10_000 }, 500).parts;
    return [...(points?.high ?? [])];
  };
  expect(highs(1000).filter((value) => value === 1000)).toHaveLength(1);
  // Two hundred seconds are ten columns of twenty.
  expect(highs(1200).slice(90, 290)).toEqual(highs(1000).slice(100, 300));
});
