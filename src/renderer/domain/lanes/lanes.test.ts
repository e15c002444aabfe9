import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Choosable,
  collapsed,
  isShown,
  moved,
  NOTHING_CHOSEN,
  shownLanes,
  switched,
} from '../../../shared/chart-models/index.ts';
import { sourceName, sourceNotes } from './lane-marks.ts';
import { askedRange, POINTS, pointsFor } from './MonitoredRow.tsx';

const lane = (id: string, isMain: boolean): Choosable => ({
  ...{ id, isMain, group: 'g', title: id, unit: '', digits: 0, shape: 'lines', rows: 1 },
});
const lanes = [lane('a', true), lane('b', true), lane('c', false), lane('d', true)];
const shown = (choice = NOTHING_CHOSEN, all: readonly Choosable[] = lanes): string =>
  shownLanes('g', all, choice)
    .map(({ id }) => id)
    .join('');

describe('the choice of lanes', () => {
  it('shows the main ones at first, with later changes applied', () => {
    expect(shown()).toBe('abd');
    const choice = switched(switched(NOTHING_CHOSEN, [lane('c', false)], true), [lane('a', true)], false);
    expect(shown(choice)).toBe('bcd');
    expect(shown(switched(choice, lanes, true))).toBe('abcd');
    expect(shown(switched(choice, lanes, false))).toBe('');
  });

  it('is the same after toggling a switch twice', () => {
    fc.assert(
      fc.property(fc.subarray(lanes), fc.boolean(), (some, isOn) => {
        const there = switched(switched(NOTHING_CHOSEN, some, isOn), some, !isOn);
        for (const one of some) expect(isShown(one, there)).toBe(!isOn);
        for (const one of lanes.filter((each) => !some.includes(each))) expect(isShown(one, there)).toBe(one.isMain);
      }),
    );
  });

  it('keeps the order after a move, within the ends', () => {
    const up = moved(NOTHING_CHOSEN, 'g', lanes, 'd', -1);
    expect(shown(up)).toBe('adb');
    expect(shown(moved(up, 'g', lanes, 'd', -9))).toBe('dab');
    expect(moved(up, 'g', lanes, 'b', 1)).toBe(up);
    expect(moved(up, 'g', lanes, 'unknown', 1)).toBe(up);
  });

  it('inserts a new lane after its neighbour, and never loses or duplicates one', () => {
    const choice = moved(NOTHING_CHOSEN, 'g', lanes, 'd', -2);
    expect(shown(choice)).toBe('dab');
    expect(shown(choice, [...lanes, lane('e', true)])).toBe('deab');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: -4, max: 4 }))), (moves) => {
        const after = moves.reduce((before, [id, by]) => moved(before, 'g', lanes, id, by), NOTHING_CHOSEN);
        expect([...shown(after)].sort().join('')).toBe('abd');
      }),
    );
  });

  it('collapses and expands groups', () => {
    const closed = collapsed(NOTHING_CHOSEN, 'g');
    expect(closed.collapsed).toEqual(['g']);
    expect(collapsed(closed, 'g').collapsed).toEqual([]);
  });
});

describe('the requested range', () => {
  it('is everything if that is little', () => {
    expect(askedRange({ from: 10, to: 20 }, { from: 0, to: POINTS })).toEqual({});
  });

  it('covers the visible part with a margin, is not much larger, and is stable under small moves', () => {
    const bounds = { from: 0, to: 36_000 };
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 35_000, noNaN: true }),
        fc.double({ min: 4, max: 900, noNaN: true }),
        (from, length) => {
          const { from: low = bounds.from, to: high = bounds.to } = askedRange({ from, to: from + length }, bounds);
          expect(low).toBeLessThanOrEqual(Math.max(0, from - length / 2));
          expect(high).toBeGreaterThanOrEqual(Math.min(bounds.to, from + length + length / 2));
          expect(high - low).toBeLessThanOrEqual(8 * length);
        },
      ),
    );
    expect(askedRange({ from: 1000, to: 1100 }, bounds)).toEqual(askedRange({ from: 1010, to: 1110 }, bounds));
  });
});

describe('the requested number of values', () => {
  const bounds = { from: 0, to: 36_000 };
  const points = (view: { from: number; to: number }, within = bounds): number =>
    pointsFor(view, askedRange(view, within), within);

  it('is low for all of a long session, so that the engine replies from its cache', () => {
    expect(points(bounds)).toBe(1000);
    expect(points({ from: 2000, to: 34_000 })).toBe(1000);
  });

  it('is low for all of a long source, however much longer the session was', () => {
    const session = { from: 0, to: 36_000 * 64 };
    const run = { from: 0, to: 38_000 };
    expect(pointsFor(run, askedRange(run, session), bounds)).toBe(1000);
    expect(pointsFor(run, askedRange(run, session), session)).toBe(POINTS);
    expect(pointsFor(session, askedRange(session, session), bounds)).toBe(1000);
  });

  it('is several per pixel for a part, and everything for a short session', () => {
    expect(points({ from: 12_000, to: 24_000 })).toBe(POINTS);
    expect(points({ from: 0, to: POINTS }, { from: 0, to: POINTS })).toBe(POINTS);
  });
});

it('describes a source with its clock error, cost and gaps', () => {
  const source = {
    ...{ id: 1, kind: 'host' as const, name: 'db1', roles: ['server' as const], samples: 60, series: [] },
    ...{ clockErrorMs: 180, costPercent: 0.114, gaps: [{ from: 1000, to: 5000 }] },
  };
  expect(sourceName(source)).toBe('db1, server’s host');
  expect(sourceNotes(source)).toEqual(['clock ±0.2 s', 'monitoring used 0.11 % of one core', '1 gap, 4 s in all']);
  expect(sourceNotes({ ...source, samples: 0, gaps: [] }).at(-1)).toBe('no samples');
  const server = { ...source, kind: 'server' as const };
  expect(sourceNotes(server)[0]).toBe('read over Kneepoint’s own connection');
  expect(sourceNotes({ ...server, host: 'db1' })[0]).toBe('read on db1 by the server’s client');
});
