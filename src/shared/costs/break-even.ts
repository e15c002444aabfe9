import type { CostBreakEven, CostComponent, CostResult, CostSpec } from '../model/cost.ts';
import { KneepointError } from '../model/problem.ts';
import type { PriceCatalogue, Volume } from './catalogue.ts';
import { evaluateCost } from './evaluate.ts';
import { HOURS_PER_MONTH } from './value.ts';
import { priceVolume, sustainsIops } from './volume.ts';
import { amount, withoutNoise } from './words.ts';

type Line = CostBreakEven['lines'][number];
type Axis = Line['axis'];
type Segment = Line['segments'][number];
type VolumeComponent = Extract<CostComponent, { kind: 'volume' }>;

const LONGEST_MONTH = 744;
/** Prices that differ by a smaller share are equal: sums of decimals have rounding errors. */
const NOISE = 1e-9;
/** Points along an axis between which the cheaper one is determined; each change is then located to the unit. */
const POINTS = 120;

/**
 * The additional throughput that the more expensive of two configurations needs, the parts of its price, and where the two cost lines
 * cross. Throws like `evaluateCost`, also if they are priced in two currencies.
 */
export function breakEven(one: CostSpec, other: CostSpec, catalogue: PriceCatalogue): CostBreakEven {
  const [left, right] = [evaluateCost(one, catalogue), evaluateCost(other, catalogue)];
  if (left.currency !== right.currency)
    throw new KneepointError({
      code: 'bad-request',
      message: `One is priced in ${left.currency}, the other in ${right.currency}: Kneepoint does not convert currencies.`,
      next: 'Compare configurations in one currency.',
    });
  const [less, more] = [left.perHour, right.perHour].sort((a, b) => a - b) as [number, number];
  const same = more - less <= NOISE * more;
  return {
    currency: left.currency,
    perHour: { one: left.perHour, other: right.perHour },
    ...(!same && { dearer: left.perHour > right.perHour ? ('one' as const) : ('other' as const) }),
    ...(less > 0 && { ratio: same ? 1 : more / less }),
    parts: partsOf(amounts(left, one), amounts(right, other)),
    lines: (['size', 'iops', 'hours'] as const).flatMap((axis) => lineOf(axis, one, other, catalogue) ?? []),
  };
}

/** Parts of a price; for volumes, separately for each purchased dimension. */
function amounts({ items, perMonth }: CostResult, { components }: CostSpec): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (what: string, value: number): void => void sums.set(what, (sums.get(what) ?? 0) + value);
  items.forEach((item, at) => {
    const kind = components[at]?.kind;
    if (kind === 'volume') for (const share of item.shares ?? []) add(`Volumes: ${share.what}`, share.perMonth);
    else add(kind === 'instance' ? 'Machines' : 'Custom items', item.perMonth);
  });
  return sums.set('Total', perMonth);
}

const PARTS = ['Machines', 'Volumes: size', 'Volumes: IOPS', 'Volumes: throughput', 'Custom items', 'Total'];

const partsOf = (left: Map<string, number>, right: Map<string, number>): CostBreakEven['parts'] =>
  PARTS.flatMap((what) => {
    const [one = 0, other = 0] = [left.get(what), right.get(what)];
    if (one === 0 && other === 0) return [];
    return [{ what, one: withoutNoise(one), other: withoutNoise(other), ...(one > 0 && { ratio: other / one }) }];
  });

/** The cost lines of the two along an axis; undefined if neither depends on it, or something is unknown. */
function lineOf(axis: Axis, one: CostSpec, other: CostSpec, catalogue: PriceCatalogue): Line | undefined {
  const range = rangeOf(axis, one, other, catalogue);
  if (!range) return undefined;
  const costs = new Map<number, readonly [one: number | undefined, other: number | undefined]>();
  const costsAt = (x: number): readonly [number | undefined, number | undefined] => {
    const known = costs.get(x) ?? [costAt(axis, one, x, catalogue), costAt(axis, other, x, catalogue)];
    costs.set(x, known);
    return known;
  };
  const stateAt = (x: number): Segment => {
    const [a, b] = costsAt(x);
    const here = { from: x, to: x };
    if (a === undefined && b === undefined) return here;
    if (a === undefined || b === undefined) return { ...here, cheaper: a === undefined ? 'other' : 'one', alone: true };
    if (Math.abs(a - b) <= NOISE * Math.max(a, b)) return { ...here, cheaper: 'equal' };
    return { ...here, cheaper: a < b ? 'one' : 'other' };
  };
  const segments: Segment[] = [];
  let current = stateAt(range.from);
  for (const point of pointsOf(range)) {
    const next = stateAt(point);
    // There may be several changes between two points: each is located to the unit.
    while (!isAlike(current, next)) {
      let [last, first] = [current.to, point];
      while (first - last > 1) {
        const middle = Math.floor((last + first) / 2);
        if (isAlike(stateAt(middle), current)) last = middle;
        else first = middle;
      }
      segments.push({ ...current, to: last });
      current = stateAt(first);
    }
    current = { ...current, to: point };
  }
  segments.push(current);
  const bought = segments.filter(({ cheaper }) => cheaper !== undefined);
  if (bought.length === 0) return undefined;
  const places = [...bought.flatMap(({ from, to }) => [from, to]), range.from, ...pointsOf(range)];
  const points = [...new Set(places)]
    .sort((a, b) => a - b)
    .map((at) => {
      const [a, b] = costsAt(at);
      return { at, ...(a !== undefined && { one: a }), ...(b !== undefined && { other: b }) };
    });
  return { axis, segments: bought, points };
}

const isAlike = (one: Segment, other: Segment): boolean => one.cheaper === other.cheaper && one.alone === other.alone;

/** Whole numbers, dense where they are small. */
function* pointsOf({ from, to }: { from: number; to: number }): Generator<number> {
  for (let at = from; at < to; ) {
    at = Math.min(to, Math.max(at + 1, Math.round(at * (to / from) ** (1 / POINTS))));
    yield at;
  }
}

const volumesOf = ({ components }: CostSpec, catalogue: PriceCatalogue): { entry: Volume; part: VolumeComponent }[] =>
  components.flatMap((part) => {
    const entry = part.kind === 'volume' && catalogue.entries.find(({ id }) => id === part.id);
    return part.kind === 'volume' && entry && entry.kind === 'volume' ? [{ entry, part }] : [];
  });

const largestOf = ({ size, steps }: Volume): number => size?.max ?? steps?.at(-1)?.size ?? 65_536;

function rangeOf(
  axis: Axis,
  one: CostSpec,
  other: CostSpec,
  catalogue: PriceCatalogue,
): { from: number; to: number } | undefined {
  if (axis === 'hours') {
    const alike = (spec: CostSpec): boolean => spec.components.every(({ kind }) => kind === 'volume');
    return alike(one) && alike(other) ? undefined : { from: 1, to: LONGEST_MONTH };
  }
  const sides = [volumesOf(one, catalogue), volumesOf(other, catalogue)];
  // Without volumes on one side, a size is no basis for a comparison.
  if (sides.some((volumes) => volumes.length === 0)) return undefined;
  const all = sides.flat();
  if (axis === 'size') return { from: 1, to: Math.max(...all.map(({ entry }) => largestOf(entry))) };
  const most = all.map(({ entry }) => mostIops(entry));
  return most.some((value) => value === undefined)
    ? undefined
    : { from: 100, to: Math.max(100, ...most.flatMap((value) => value ?? [])) };
}

/** Maximum that a volume of this type sustains; undefined if unknown. */
const mostIops = (entry: Volume): number | undefined =>
  priceVolume(entry, { sizeGb: largestOf(entry), iops: Number.MAX_SAFE_INTEGER }, HOURS_PER_MONTH).gives.iops
    ?.sustained;

/** Money per month at this place of the axis; undefined if it cannot be bought there. */
function costAt(axis: Axis, spec: CostSpec, x: number, catalogue: PriceCatalogue): number | undefined {
  if (axis === 'hours') return evaluateCost({ ...spec, hoursPerMonth: x }, catalogue).perMonth;
  const components = spec.components.map((part): CostComponent | undefined => {
    const entry = part.kind === 'volume' && catalogue.entries.find(({ id }) => id === part.id);
    if (part.kind !== 'volume' || !entry || entry.kind !== 'volume') return part;
    if (axis === 'size') {
      const sized = { ...part, sizeGb: x };
      return x <= largestOf(entry) && x >= (entry.size?.min ?? 1) && sustainsIops(entry, x, part.iops ?? 0)
        ? sized
        : undefined;
    }
    return withIops(entry, part, x);
  });
  return components.some((part) => part === undefined)
    ? undefined
    : evaluateCost({ ...spec, components: components.flatMap((part) => part ?? []) }, catalogue).perMonth;
}

/** The volume with the smallest size, at least its own, that sustains this many IOPS; undefined if there is none. */
function withIops(entry: Volume, part: VolumeComponent, iops: number): VolumeComponent | undefined {
  let [small, large] = [Math.max(1, Math.ceil(part.sizeGb)), largestOf(entry)];
  if (small > large || !sustainsIops(entry, large, iops)) return undefined;
  while (small < large) {
    const middle = Math.floor((small + large) / 2);
    if (sustainsIops(entry, middle, iops)) large = middle;
    else small = middle + 1;
  }
  return { ...part, sizeGb: large, iops };
}

const AXES: Readonly<Record<Axis, { label: string; unit: string; digits: number }>> = {
  size: { label: 'Size of each volume', unit: 'GB', digits: 0 },
  iops: { label: 'IOPS that each volume sustains', unit: 'IOPS', digits: 0 },
  hours: { label: 'Hours per month', unit: 'h', digits: 0 },
};

/** Axis and crossings for a chart of these lines: where one becomes the cheaper of two that can both be bought. */
export function pictureOf({ axis, segments }: Line): { axis: (typeof AXES)[Axis]; crossings: number[] } {
  const both = segments.filter(({ alone }) => !alone);
  return {
    axis: AXES[axis],
    crossings: both.flatMap((segment, index) => {
      const before = both[index - 1];
      if (!before || before.to + 1 < segment.from || segment.cheaper === 'equal') return [];
      return [before.cheaper === 'equal' ? before.to : segment.from];
    }),
  };
}

/** A sentence on where the lines cross: “Size of each volume: gp2 costs less up to 3,249 GB, gp3 from 3,251 GB.” */
export function lineWords({ axis, segments }: Line, names: { one: string; other: string }): string {
  const { label, unit } = AXES[axis];
  // A single point at which both cost the same is merged with its neighbours.
  const parts = segments.filter(({ cheaper, from, to }) => cheaper !== 'equal' || to > from);
  const merged: Segment[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last && isAlike(last, part)) last.to = part.to;
    else merged.push({ ...part });
  }
  const words = merged.map(({ from, to, cheaper, alone }) => {
    const range = from === to ? `at ${amount(from)} ${unit}` : `from ${amount(from)} to ${amount(to)} ${unit}`;
    if (cheaper === undefined || cheaper === 'equal') return `both cost the same ${range}`;
    // A name may contain the size that it is sold with, so it is the other one that is named.
    return alone
      ? `${range} ${names[cheaper === 'one' ? 'other' : 'one']} is not offered`
      : `${names[cheaper]} costs less ${range}`;
  });
  return `${label}: ${words.join(', ')}.`;
}

/** A sentence on what the more expensive one needs; with throughputs, also whether it reaches that. */
export function breakEvenWords(
  { dearer, ratio }: Pick<CostBreakEven, 'dearer' | 'ratio'>,
  names: { one: string; other: string },
): string {
  if (!dearer) return 'Both cost the same: the one with more throughput is the better value.';
  const [dear, cheap] = dearer === 'one' ? [names.one, names.other] : [names.other, names.one];
  if (ratio === undefined) return `${cheap} costs nothing: no throughput makes ${dear} better value for money.`;
  const times = amount(Number(ratio.toPrecision(4)));
  return `${dear} costs ${times} times as much as ${cheap}: it is worth its price at ${times} times the throughput or more (${amount(Number(((ratio - 1) * 100).toPrecision(3)))} % more).`;
}
