import { beforeEach, describe, expect, it } from 'vitest';
import { normalFrom } from '../../stats/testing/load-worlds.ts';
import { randomFrom } from '../../util/numbers.ts';
import { atDepth, leastOf, mostOf } from '../../util/testing/depth.ts';
import type { RunEvidence, WatchedSeries } from '../evidence.ts';
import { ComparedRuns, seriesDifferences } from '../index.ts';
import { differencesOf } from '../testing/differences.ts';
import { hostWith, watched } from '../testing/lines.ts';

const SEED = 33_440;
let random = randomFrom(SEED);
let normal = normalFrom(random);
// A test draws the same numbers alone as together with others.
beforeEach(() => {
  random = randomFrom(SEED);
  normal = normalFrom(random);
});
const SECONDS = 130;
const EQUAL = atDepth(150, 15);
const UNEQUAL = atDepth(40, 8);

function noisy(level: number, share = 0.1, memory = 0.5): Float64Array {
  let error = normal();
  return Float64Array.from({ length: SECONDS }, () => {
    error = memory * error + Math.sqrt(1 - memory ** 2) * normal();
    return Math.max(0, level * (1 + share * error));
  });
}

const run = (series: readonly WatchedSeries[], host = 'db1'): RunEvidence => ({
  window: { from: 10, to: SECONDS },
  load: [],
  hosts: [hostWith(series, { name: host })],
  servers: [],
});

/** Ninety series of all kinds; some of them are changed by a factor. */
const LEVELS = Array.from({ length: 90 }, (_, index) => ({
  level: 10 ** (3 * random()),
  share: [0.02, 0.1, 0.4][index % 3] ?? 0.1,
  memory: [0, 0.5, 0.9][Math.floor(index / 3) % 3] ?? 0,
}));
const runWith = (factors: Readonly<Record<number, number>> = {}, each = 1): RunEvidence =>
  run(
    LEVELS.map(({ level, share, memory }, index) =>
      watched(`series.${index}`, noisy(level * (factors[index] ?? 1) * each ** normal(), share, memory)),
    ),
  );

describe(`the largest differences between two runs (seed ${SEED})`, () => {
  it('include nothing significant in at least 95 % of pairs of equal runs, however autocorrelated the noise', () => {
    const pairs = Array.from({ length: EQUAL }, () => differencesOf([runWith()], [runWith()]));
    const wrong = pairs.filter((all) => all.some(({ sure }) => sure));
    expect(wrong.length).toBeLessThanOrEqual(mostOf(EQUAL, 0.05));
  });

  it('are the changed series, with the size of the change', () => {
    const changed = { 4: 2, 30: 0.5, 61: 2.5 };
    const hits = Array.from({ length: UNEQUAL }, () => {
      const found = differencesOf([runWith()], [runWith(changed)]);
      const first = found.slice(0, 3).map(({ one }) => one.id);
      return (
        ['series.4', 'series.30', 'series.61'].every((id) => first.includes(id)) &&
        found.slice(0, 3).every(({ sure }) => sure)
      );
    });
    expect(hits.filter(Boolean).length).toBeGreaterThanOrEqual(leastOf(UNEQUAL, 0.9));
    const [first] = differencesOf([runWith()], [runWith({ 30: 0.5 })]);
    expect(first?.one.id).toBe('series.30');
    expect(first?.change).toBeCloseTo(-0.5, 1);
    expect(first?.effect).toBeLessThan(-3);
  });

  it('are judged by the repeats if these vary', () => {
    const cell = () => Array.from({ length: 4 }, () => runWith({}, 1.2));
    const alone = Array.from({ length: 10 }, () => differencesOf([runWith({}, 1.2)], [runWith({}, 1.2)]));
    expect(alone.some((all) => all.some(({ sure }) => sure))).toBe(true);
    const pairs = Array.from({ length: UNEQUAL }, () => differencesOf(cell(), cell()));
    expect(pairs.filter((all) => all.some(({ sure }) => sure)).length).toBeLessThanOrEqual(mostOf(UNEQUAL, 0.1));
  });

  it('ignore a repeat with too few values, and its steadiness', () => {
    const drift = (from: number, to: number) =>
      watched(
        'level',
        Float64Array.from({ length: SECONDS }, (_, second) => from + ((to - from) * second) / SECONDS),
      );
    const few = watched(
      'level',
      Float64Array.from({ length: SECONDS }, (_, second) => (second > 123 ? 50 : Number.NaN)),
    );
    const side = (from: number, to: number) => [run([few]), run([drift(from, to)])];
    expect(differencesOf(side(30, 70), side(35, 75))[0]).toMatchObject({ sure: false });
  });

  it('exclude small changes of a constant level, and of almost zero', () => {
    const still = (value: number, unit: string) => watched('memory', noisy(value, 0), { unit });
    const of = (from: number, to: number, unit: string) =>
      differencesOf([run([still(from, unit)])], [run([still(to, unit)])])[0];
    expect(of(10_000, 10_100, 'MiB')).toMatchObject({ sure: false });
    expect(of(10_000, 12_000, 'MiB')).toMatchObject({ sure: true, change: 0.2 });
    expect(of(0.01, 0.03, '%')).toMatchObject({ sure: false });
    expect(of(0, 40, '%')).toMatchObject({ sure: true });
    expect(of(0, 40, '%')).not.toHaveProperty('change');
  });
});

it('hosts are matched by role, and devices if there is one on each side', () => {
  const disk = (instance: string, level: number) => watched('disk.*.iops', noisy(level), { instance });
  const one = run([disk('sda', 100)], 'db-old');
  const found = differencesOf([one], [run([disk('nvme0n1', 900)], 'db-new')]);
  expect(found).toMatchObject([
    {
      one: { source: 'db-old', id: 'disk.sda.iops' },
      other: { source: 'db-new', id: 'disk.nvme0n1.iops' },
      sure: true,
    },
  ]);
  expect(differencesOf([one], [run([disk('nvme0n1', 900), disk('nvme1n1', 900)])])).toEqual([]);
  expect(differencesOf([run([])], [one])).toEqual([]);
});

it('omits bridges and container links that carry the traffic of another link', () => {
  const link = (instance: string, level: number) => watched('net.*.tx_mib_s', noisy(level), { instance });
  const links = (level: number) => run(['eth0', 'docker0', 'br-7a1'].map((name) => link(name, level)));
  expect(differencesOf([links(10)], [links(50)]).map(({ instance }) => instance)).toEqual(['eth0']);
});

it('looks up each series once, also among many series on hosts with other names', () => {
  const SERIES = 3000;
  const side = (host: string, device: string) => {
    const all = Array.from({ length: SERIES }, (_, index) =>
      watched(`disk.*.figure${index}`, new Float64Array(20).fill(index), { instance: device }),
    );
    const runs = new ComparedRuns();
    // Two with the same role, so that their names decide, and no series has a counterpart.
    runs.add({ ...run([]), hosts: [hostWith(all, { name: host }), hostWith([], { name: `${host}-idle` })] });
    return runs;
  };
  const [left, right] = [side('old', 'sda'), side('new', 'nvme0n1')];
  let looks = 0;
  const onlyOf = right.onlyOf.bind(right);
  right.onlyOf = (rule) => {
    looks += 1;
    return onlyOf(rule);
  };
  expect(seriesDifferences(left, right)).toEqual([]);
  expect(looks).toBe(SERIES);
});
