import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CostComponent, CostSpec } from '../model/cost.ts';
import { breakEven, breakEvenWords, lineWords, parseCatalogue, pictureOf } from './index.ts';

const catalogue = parseCatalogue(
  JSON.parse(readFileSync(`${import.meta.dirname}/../../../assets/prices/catalogue.json`, 'utf8')),
);
const spec = (...components: CostComponent[]): CostSpec => ({ label: '', currency: 'USD', components });
const volume = (path: string, sizeGb: number, iops?: number): CostComponent => ({
  ...{ kind: 'volume', id: path, sizeGb, count: 1 },
  ...(iops !== undefined && { iops }),
});
const aws = (type: string, sizeGb: number, iops?: number) => volume(`aws/us-east-1/volumes/${type}`, sizeGb, iops);
const own = (label: string, amount: number, per: 'hour' | 'month'): CostComponent => ({
  ...{ kind: 'own', label, amount, per },
});

/** The published rates, written out: dollars per month for a volume of `gb`, or undefined if it does not sustain `iops`. */
const gp2 = (gb: number, iops: number) =>
  Math.min(16_000, Math.max(100, 3 * gb)) < iops || gb > 16_384 ? undefined : 0.1 * gb;
const gp3 = (gb: number, iops: number) =>
  Math.min(80_000, Math.max(3000, 500 * gb)) < iops || gb > 65_536
    ? undefined
    : 0.08 * gb + 0.005 * Math.max(0, iops - 3000);
const io1 = (gb: number, iops: number) =>
  Math.min(64_000, 50 * gb) < iops || gb < 4 || gb > 16_384 ? undefined : 0.125 * gb + 0.065 * Math.max(100, iops);
type Price = typeof gp2;

/** Every whole number of an axis in turn. */
function bruteForce(
  from: number,
  to: number,
  one: (x: number) => number | undefined,
  other: (x: number) => number | undefined,
) {
  const segments: { from: number; to: number; cheaper: string; alone?: true }[] = [];
  for (let x = from; x <= to; x += 1) {
    const [a, b] = [one(x), other(x)];
    if (a === undefined && b === undefined) continue;
    const alone = a === undefined || b === undefined;
    const cheaper =
      a === undefined ? 'other' : b === undefined ? 'one' : Math.abs(a - b) < 1e-9 ? 'equal' : a < b ? 'one' : 'other';
    const last = segments.at(-1);
    if (last && last.cheaper === cheaper && Boolean(last.alone) === alone && last.to === x - 1) last.to = x;
    else segments.push({ from: x, to: x, cheaper, ...(alone && { alone: true as const }) });
  }
  return segments;
}
/** The same at the smallest size from `gb` on that sustains this many; called with IOPS that never fall. */
const sized = (price: Price, gb: number) => {
  let size = gb;
  return (iops: number) => {
    while (size <= 65_536 && price(size, iops) === undefined) size += 1;
    return price(size, iops);
  };
};
const lineOf = (axis: string, one: CostSpec, other: CostSpec) =>
  breakEven(one, other, catalogue).lines.find((line) => line.axis === axis)?.segments;

describe('the crossing of two cost lines', () => {
  it.each([
    ['gp2 and gp3 with 6,000 IOPS', aws('gp2', 2000), aws('gp3', 2000, 6000), gp2, gp3, 0, 6000],
    ['gp2 and io1 with 1,000 IOPS', aws('gp2', 500), aws('io1', 500, 1000), gp2, io1, 0, 1000],
    ['gp3 and io1, both with 20,000 IOPS', aws('gp3', 500, 20_000), aws('io1', 500, 20_000), gp3, io1, 20_000, 20_000],
  ] as const)('over the size is that of brute force: %s', (_, one, other, left, right, leftIops, rightIops) => {
    expect(lineOf('size', spec(one), spec(other))).toEqual(
      bruteForce(
        1,
        65_536,
        (gb) => left(gb, leftIops),
        (gb) => right(gb, rightIops),
      ),
    );
  });

  it('over the size is where 15 dollars of IOPS equal 750 GB at 2 cents of difference', () => {
    const [, ...segments] = lineOf('size', spec(aws('gp2', 2000)), spec(aws('gp3', 2000, 6000))) ?? [];
    expect(segments.slice(0, 3)).toEqual([
      { from: 12, to: 749, cheaper: 'one' },
      { from: 750, to: 750, cheaper: 'equal' },
      { from: 751, to: 16_384, cheaper: 'other' },
    ]);
  });

  it('has points for a picture: costs, ends of segments and crossings', () => {
    const line = breakEven(spec(aws('gp2', 2000)), spec(aws('gp3', 2000, 6000)), catalogue).lines[0];
    expect(line && pictureOf(line)).toMatchObject({ axis: { unit: 'GB' }, crossings: [750] });
    expect(line?.points.length).toBeGreaterThan(100);
    expect(line?.points.map(({ at }) => at)).toEqual(expect.arrayContaining([1, 749, 750, 751, 16_384, 65_536]));
    for (const { at, one, other } of line?.points ?? []) {
      const [left, right] = [gp2(at, 0), gp3(at, 6000)];
      expect([at, one, other]).toEqual([at, ...[left, right].map((price) => price && expect.closeTo(price, 6))]);
    }
  });

  it.each([
    ['gp2 and gp3 of 100 GB', 'gp2', gp2, 'gp3', gp3, 100],
    ['gp2 and io1 of 200 GB', 'gp2', gp2, 'io1', io1, 200],
    ['gp3 and io1 of 2,000 GB', 'gp3', gp3, 'io1', io1, 2000],
  ] as const)(
    'over the IOPS, with the size that they require, is that of brute force: %s',
    (_, a, left, b, right, gb) => {
      expect(lineOf('iops', spec(aws(a, gb)), spec(aws(b, gb)))).toEqual(
        bruteForce(100, 80_000, sized(left, gb), sized(right, gb)),
      );
    },
  );

  it('over the hours of a month: 50 a month against 0.096 an hour', () => {
    const [byHour, byMonth] = [spec(own('m5.large', 0.096, 'hour')), spec(own('contract', 50, 'month'))];
    // 50 / 0.096 = 520.83.
    expect(lineOf('hours', byHour, byMonth)).toEqual([
      { from: 1, to: 520, cheaper: 'one' },
      { from: 521, to: 744, cheaper: 'other' },
    ]);
    const [line] = breakEven(byHour, byMonth, catalogue).lines;
    expect(line && pictureOf(line).crossings).toEqual([521]);
    expect(line && lineWords(line, { one: 'm5.large', other: 'contract' })).toBe(
      'Hours per month: m5.large costs less from 1 to 520 h, contract costs less from 521 to 744 h.',
    );
  });
});

describe('the throughput that justifies the higher price', () => {
  it('is the ratio of the prices, in either order', () => {
    // 500 GB: gp2 50, io1 62.50 + 4,000 × 0.065 = 322.50.
    const [plain, fast] = [spec(aws('gp2', 500)), spec(aws('io1', 500, 4000))];
    const found = breakEven(plain, fast, catalogue);
    expect(found.dearer).toBe('other');
    expect(found.ratio).toBeCloseTo(6.45, 9);
    expect(breakEven(fast, plain, catalogue)).toMatchObject({ dearer: 'one', ratio: expect.closeTo(6.45, 9) });
    expect(breakEvenWords(found, { one: 'gp2', other: 'io1' })).toBe(
      'io1 costs 6.45 times as much as gp2: it is worth its price at 6.45 times the throughput or more (545 % more).',
    );
    expect(breakEven(plain, plain, catalogue)).toMatchObject({ ratio: 1 });
    expect(breakEven(plain, plain, catalogue).dearer).toBeUndefined();
  });

  it('comes with the ratio of each part: × 2.5 for machines, × 1.25 for sizes, and what only one pays for', () => {
    const one = spec(own('machine', 100, 'month'), aws('gp2', 500));
    const other = spec(own('machine', 250, 'month'), aws('io1', 500, 4000));
    expect(breakEven(one, other, catalogue).parts).toEqual([
      { what: 'Volumes: size', one: 50, other: 62.5, ratio: 1.25 },
      { what: 'Volumes: IOPS', one: 0, other: 260 },
      { what: 'Custom items', one: 100, other: 250, ratio: 2.5 },
      { what: 'Total', one: 150, other: 572.5, ratio: expect.closeTo(3.816_666_667, 8) },
    ]);
  });

  it('throws across currencies', () => {
    const euro = { ...spec(own('x', 1, 'hour')), currency: 'EUR' };
    expect(() => breakEven(spec(own('x', 1, 'hour')), euro, catalogue)).toThrow('does not convert currencies');
  });
});
