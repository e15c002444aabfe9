import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CostComponent, CostResult } from '../model/cost.ts';
import {
  catalogueEntries,
  evaluateCost,
  HOURS_PER_YEAR,
  operationsPerDollar,
  parseCatalogue,
  percentOfBest,
  priceParts,
  scalesOf,
  scaleWords,
  type Valued,
} from './index.ts';
import { calculate } from './testing/calculate.ts';

const read = (path: string): unknown => JSON.parse(readFileSync(`${import.meta.dirname}/${path}`, 'utf8'));
const catalogue = parseCatalogue(read('../../../assets/prices/catalogue.json'));

interface Call {
  path: string;
  gb?: number;
  iops?: number;
  mib_s?: number;
  vpu?: number;
  expect_step?: string;
  expect_value?: number;
  expect_hourly?: number;
  expect_caps?: [number, number];
}
interface Example {
  id: string;
  inputs: Record<string, number>;
  steps: { name: string; expr: string; value: number }[];
  checks: { step: string; expect: number; tolerance: number }[];
  yearly_usd: number;
  yearly_step: string;
  monthly_step: string;
  catalog_calls: Call[];
}
const { examples } = read('./fixtures/worked-examples.json') as { examples: Example[] };
const example = (id: string): Example => {
  const found = examples.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`There is no example ${id}.`);
  return found;
};
const stepsOf = ({ inputs, steps }: Example): Record<string, number> => {
  const known: Record<string, number> = { ...inputs };
  for (const { name, expr } of steps) known[name] = calculate(expr, known);
  return known;
};
const cost = (...components: CostComponent[]): CostResult =>
  evaluateCost({ label: '', currency: 'USD', components }, catalogue);
const own = (amount: number, per: 'hour' | 'month' | 'year'): CostComponent => ({
  kind: 'own',
  label: 'own',
  amount,
  per,
});
const volume = (
  id: string,
  sizeGb: number,
  rest: { iops?: number; throughputMibS?: number; count?: number } = {},
): CostComponent => ({
  kind: 'volume',
  id,
  sizeGb,
  count: 1,
  ...rest,
});

/** To ten digits: the precision at which two programs agree. */
const near = (figures: object | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(figures ?? {}).map(([name, value]) => [name, Number(value.toPrecision(10))]));
const shown = (value: number): string => Number(value.toPrecision(5)).toLocaleString('en-US');

function componentOf(call: Call): CostComponent {
  if (call.path.includes('/instances/')) return { kind: 'instance', id: call.path, count: 1 };
  const id = call.vpu === undefined ? call.path : `${call.path}-${call.vpu}-vpu`;
  return volume(id, call.gb ?? 0, {
    ...(call.iops === undefined ? {} : { iops: call.iops }),
    ...(call.mib_s === undefined ? {} : { throughputMibS: call.mib_s }),
  });
}

describe.each(examples)('worked example $id', (worked) => {
  const known = stepsOf(worked);

  it('adds up', () => {
    for (const { name, value } of worked.steps) {
      expect(Math.abs((known[name] ?? Number.NaN) - value), name).toBeLessThan(Math.max(1e-5, Math.abs(value) * 1e-6));
    }
    for (const { step, expect: wanted, tolerance } of worked.checks) {
      expect(Math.abs((known[step] ?? Number.NaN) - wanted), step).toBeLessThanOrEqual(tolerance + 1e-9);
    }
    expect(known[worked.yearly_step]).toBeCloseTo(worked.yearly_usd, 1);
  });

  it.each(worked.catalog_calls)('has the calculated price of $path', (call) => {
    const result = cost(componentOf(call));
    if (call.expect_step !== undefined) expect(result.perMonth).toBeCloseTo(known[call.expect_step] ?? Number.NaN, 6);
    if (call.expect_value !== undefined) expect(result.perMonth).toBeCloseTo(call.expect_value, 6);
    if (call.expect_hourly !== undefined) expect(result.perHour).toBeCloseTo(call.expect_hourly, 9);
    if (call.expect_caps !== undefined) {
      const entry = catalogue.entries.find((candidate) => candidate.id === call.path);
      const caps = entry?.kind === 'instance' ? entry.diskCaps?.iops : undefined;
      expect([caps?.sustained, caps?.burst]).toEqual(call.expect_caps);
    }
    expect(result.items[0]?.warnings).toEqual([]);
    expect(result.items[0]?.asOf).toMatch(/\d{4}|undated/);
    expect(result.perYear).toBeCloseTo(result.perMonth * 12, 6);
  });

  it('keeps its month and year if entered as a custom item', () => {
    const [month, year] = [known[worked.monthly_step] ?? 0, known[worked.yearly_step] ?? 0];
    expect(cost(own(month, 'month')).perMonth).toBeCloseTo(month, 6);
    expect(cost(own(year, 'year')).perYear).toBeCloseTo(year, 6);
    expect(cost(own(year, 'year')).perHour).toBeCloseTo(year / HOURS_PER_YEAR, 9);
  });
});

describe('systems of several parts', () => {
  it('match the sums of the 2018 table', () => {
    const known = stepsOf(example('2018-systems'));
    for (const [step, iops] of [
      ['sys_5k', 5_000],
      ['sys_10k', 10_000],
      ['sys_15k', 15_000],
      ['sys_20k', 20_000],
      ['sys_30k', 30_000],
    ] as const) {
      const result = cost(own(7_881, 'year'), volume('aws/us-east-1/volumes/io1', 1_000, { iops }));
      expect(result.perYear).toBeCloseTo(known[step] ?? Number.NaN, 6);
    }
    const tenThousand = cost(own(7_881, 'year'), volume('aws/us-east-1/volumes/io1', 1_000, { iops: 10_000 }));
    expect(operationsPerDollar(known.tps ?? 0, tenThousand.perHour)).toBeCloseTo(known.tx_per_usd_10k ?? 0, 2);
  });

  it('match the prices of instance and volume today', () => {
    const known = stepsOf(example('today-c5.9xlarge-gp3'));
    const result = cost(
      { kind: 'instance', id: 'aws/us-east-1/instances/c5.9xlarge', count: 1 },
      volume('aws/us-east-1/volumes/gp3', 1_000, { iops: 10_000, throughputMibS: 250 }),
    );
    expect(result.perMonth).toBeCloseTo(known.month ?? 0, 6);
    expect(result.perYear).toBeCloseTo(known.year ?? 0, 6);
    expect(result.items[1]?.how).toBe('1,000 GB × 0.08 + 7,000 IOPS × 0.005 + 125 MiB/s × 0.04 per month');
  });

  it('match across four clouds', () => {
    const known = stepsOf(example('cross-cloud-16vcpu'));
    const calls = example('cross-cloud-16vcpu').catalog_calls.map(componentOf);
    for (const [index, step] of ['aws_year', 'az_year', 'gcp_year', 'oci_year'].entries()) {
      const [instance, disk] = [calls[index], calls[index + 4]];
      if (instance === undefined || disk === undefined) throw new Error('The example lacks a call.');
      expect(cost(instance, disk).perYear, step).toBeCloseTo(known[step] ?? Number.NaN, 4);
    }
  });
});

describe('operations per dollar', () => {
  it('match the worked example', () => {
    const known = stepsOf(example('metrics'));
    const { perHour, perMonth, perYear } = cost({
      kind: 'instance',
      id: 'aws/us-east-1/instances/a1.4xlarge',
      count: 1,
    });
    expect(operationsPerDollar(500, perHour)).toBeCloseTo(known.tx_per_hour_per_usd ?? 0, 3);
    expect([perMonth, perYear]).toEqual([297.84, 3_574.08]);
    expect(operationsPerDollar(500, 0)).toBe(0);
  });

  it('are shown in percent of the best', () => {
    expect(percentOfBest([50, 200, 100])).toEqual([25, 100, 50]);
    expect(percentOfBest([0, 0])).toEqual([0, 0]);
    expect(percentOfBest([])).toEqual([]);
  });

  it('use the hours of a month and a year', () => {
    const known = stepsOf(example('time-and-unit-conventions'));
    const result = cost(own(1.53, 'hour'));
    expect(result.perMonth).toBeCloseTo(known.m730 ?? 0, 9);
    expect(result.perYear).toBeCloseTo(known.y8760 ?? 0, 9);
  });
});

interface Expected {
  volume: string;
  sizeGb: number;
  askedIops: number | null;
  askedThroughput: number | null;
  machine: string | null;
  size: number;
  month: number;
  iops: number;
  throughput: number;
  /** The level, and its duration in seconds with full credits; null seconds: on demand. */
  iopsBurst: [number, number | null] | null;
  throughputBurst: [number, number | null] | null;
  unit: string;
  usable: { iops: number; mibS: number } | null;
}
const expected = read('./fixtures/volumes-240.json') as Expected[];

/** `fixtures/volumes-240.py` documents what they are calculated from. */
describe('240 volumes on machines, calculated independently', () => {
  const configured = (row: Expected): CostResult => {
    const disk = volume(row.volume, row.sizeGb, {
      ...(row.askedIops !== null && { iops: row.askedIops }),
      ...(row.askedThroughput !== null && { throughputMibS: row.askedThroughput }),
    });
    return cost(disk, ...(row.machine === null ? [] : [{ kind: 'instance', id: row.machine, count: 1 } as const]));
  };
  const performance = (sustained: number, burst: Expected['iopsBurst']) => {
    const [level, seconds] = burst ?? [null, null];
    return near({
      sustained,
      ...(level !== null && { burst: level }),
      ...(seconds !== null && { burstSeconds: seconds }),
    });
  };

  it('cover 12 types of 5 providers', () => {
    expect(expected).toHaveLength(240);
    expect(new Set(expected.map((row) => row.volume)).size).toBe(12);
  });

  it.each(expected)('$volume: $sizeGb GB, $askedIops IOPS, $askedThroughput $unit, $machine', (row) => {
    const result = configured(row);
    const item = result.items[0];
    expect(item?.perMonth).toBeCloseTo(row.month, 6);
    expect(item?.how).toContain(`${row.size.toLocaleString('en-US')} GB`);
    expect(near(item?.gives?.iops)).toEqual(performance(row.iops, row.iopsBurst));
    const { unit, ...throughput } = item?.gives?.throughput ?? { unit: '' };
    expect(unit).toBe(row.unit);
    expect(near(throughput)).toEqual(performance(row.throughput, row.throughputBurst));
    if (row.usable) expect(near(result.usable)).toMatchObject(near(row.usable));
    else expect(result.usable).toBeUndefined();
  });

  it('state the end of every burst, and warn about a machine exactly if it is the limit', () => {
    for (const row of expected) {
      const { items } = configured(row);
      const words = items[0]?.performance?.join(' ') ?? '';
      for (const [what, burst] of [
        [row.iops, row.iopsBurst],
        [row.throughput, row.throughputBurst],
      ] as const)
        if (burst)
          expect(words).toMatch(
            burst[1] === null
              ? `${shown(burst[0])} on demand, for an extra charge that is not in this price`
              : new RegExp(`bursts to ${shown(burst[0])} for .* with full credits, then ${shown(what)}`),
          );
      const offered = { iops: row.iops, mibS: row.unit === 'MB/s' ? row.throughput / 1.048576 : row.throughput };
      const limits = (['iops', 'mibS'] as const).filter(
        (what) => row.usable && row.usable[what] < offered[what] * (1 - 1e-9),
      );
      const warned = items.slice(1).flatMap((item) => item.warnings.filter((text) => text.includes('volumes offer')));
      expect(warned.length, JSON.stringify(row)).toBe(limits.length);
    }
  });
});

describe('limits', () => {
  const warningsOf = (...components: CostComponent[]): string[] =>
    cost(...components).items.flatMap((item) => item.warnings);
  const C5 = { kind: 'instance', id: 'aws/us-east-1/instances/c5.9xlarge', count: 1 } as const;
  const M7G = { kind: 'instance', id: 'aws/us-east-1/instances/m7g.4xlarge', count: 1 } as const;
  const io1 = (iops: number, count = 1): CostComponent => volume('aws/us-east-1/volumes/io1', 1_000, { iops, count });

  it('of a machine: more IOPS than it can use, or only for a while', () => {
    expect(cost(io1(30_000, 2)).perMonth).toBeCloseTo(stepsOf(example('instance-cap')).month ?? 0, 6);
    expect(warningsOf(C5, io1(30_000, 2)).join()).toContain('60,000 IOPS, but c5.9xlarge can use 40,000 IOPS at most');
    expect(warningsOf(M7G, io1(30_000)).join()).toContain(
      'can use 20,000 IOPS sustained (30,000 IOPS for 30 min per 24 h',
    );
    expect(warningsOf(M7G, io1(30_000, 2)).join()).toContain('can use 40,000 IOPS at most and 20,000 IOPS sustained');
    expect(warningsOf({ ...M7G, count: 2 }, io1(20_000, 2)).filter((text) => text.includes('IOPS'))).toEqual([]);
    expect(warningsOf({ ...C5, id: 'gcp/us-central1/instances/n4-standard-16' }, io1(60_000))).toEqual([
      'EBS Provisioned IOPS SSD io1 is sold by Amazon Web Services: no machine of this configuration can use it.',
      'EBS Provisioned IOPS SSD io1 of 1,000 GB reaches at most 50,000 IOPS, 50 per GB: priced with that, not 60,000 (1,200 GB are needed for that).',
    ]);
  });

  it('of two machines: a volume belongs to one of them', () => {
    const two = { ...M7G, count: 2 };
    const result = cost(two, io1(30_000));
    expect(result.usable?.iops).toBe(20_000);
    expect(result.items[0]?.warnings).toEqual([
      'The volumes offer 30,000 IOPS, but 2 × m7g.4xlarge can use 20,000 IOPS sustained (30,000 IOPS for 30 min per 24 h, then baseline). A volume belongs to one machine.',
    ]);
    // Three on two machines: two of them share one.
    expect(cost(two, io1(15_000, 3)).usable?.iops).toBe(35_000);
    expect(cost(two, io1(20_000, 2)).usable?.iops).toBe(40_000);
    // The second machine takes the volume that does not fit on the first.
    expect(cost(C5, M7G, io1(40_000), io1(20_000)).usable?.iops).toBe(60_000);
    expect(cost(C5, M7G, io1(40_000), io1(20_000)).items[0]?.warnings).toEqual([]);
  });

  it('of a provider: its volumes work only with its machines', () => {
    const result = cost(C5, volume('azure/eastus/volumes/premium-ssd', 100), io1(5_000));
    expect(result.items[0]?.warnings).toEqual([
      'Azure Premium SSD (LRS) is sold by Microsoft Azure: no machine of this configuration can use it.',
    ]);
    expect(result.usable).toBeUndefined();
  });

  it('of throughput: MiB are not MB', () => {
    const gp3 = (throughputMibS: number): CostComponent =>
      volume('aws/us-east-1/volumes/gp3', 1_000, { iops: 16_000, throughputMibS });
    // 1,187.5 MB/s are 1,132.49 MiB/s.
    expect(warningsOf(C5, gp3(1_132))).toEqual([]);
    expect(warningsOf(C5, gp3(1_150))).toEqual([
      'The volumes offer 1,150 MiB/s, but c5.9xlarge can use 1,132.5 MiB/s at most.',
    ]);
    // Azure sells MB/s: the machine can use 848 of them, 849 are more.
    const machine = { kind: 'instance', id: 'azure/eastus/instances/Standard_D16s_v5', count: 1 } as const;
    const [entry] = catalogue.entries.filter(({ id }) => id === machine.id);
    const most = (entry?.kind === 'instance' && entry.diskCaps?.throughput?.sustained) || 0;
    const v2 = (throughputMibS: number): CostComponent =>
      volume('azure/eastus/volumes/premium-ssd-v2', 1_000, { iops: 10_000, throughputMibS });
    expect(warningsOf(machine, v2(most))).toEqual([]);
    expect(warningsOf(machine, v2(most + 1)).join()).toContain('sustained');
  });

  it('of a machine are not mentioned if unused or bypassed', () => {
    // 1,000 IOPS include 250 MiB/s, less than the 437.5 MB/s of the machine; the highest of its type would be 1,000.
    const a1 = { kind: 'instance', id: 'aws/us-east-1/instances/a1.4xlarge', count: 1 } as const;
    expect(warningsOf(a1, io1(1_000))).toEqual([]);
    // Disks inside the machine are not subject to its limit of network disks; their performance is unknown.
    expect(cost(a1, volume('aws/us-east-1/volumes/instance-store', 1_000)).usable).toBeUndefined();
    expect(cost(a1, volume('aws/us-east-1/volumes/instance-store', 1_000)).items[1]?.performance).toEqual([
      'Its performance is not in the catalogue.',
    ]);
  });

  it('of a volume state how long a burst lasts and what remains after it', () => {
    const words = (component: CostComponent): string[] | undefined => cost(component).items[0]?.performance;
    expect(words(volume('aws/us-east-1/volumes/gp2', 500))).toEqual([
      '1,500 IOPS sustained; bursts to 3,000 for 1 h with full credits, then 1,500.',
      '250 MiB/s sustained.',
    ]);
    expect(words(volume('aws/us-east-1/volumes/st1', 1_024))).toEqual([
      '500 IOPS sustained.',
      '40 MiB/s sustained; bursts to 250 for 1 h 23 min with full credits, then 40.',
    ]);
    expect(words(volume('azure/eastus/volumes/premium-ssd', 500))?.[0]).toBe(
      '2,300 IOPS sustained; bursts to 3,500 for 30 min with full credits, then 2,300.',
    );
    expect(warningsOf(volume('aws/us-east-1/volumes/gp2', 500, { iops: 2_000 }))).toEqual([
      'EBS General Purpose SSD gp2 of 500 GB gives 1,500 IOPS sustained; 2,000 only for 1 h with full credits (667 GB are needed for that).',
    ]);
    expect(
      warningsOf(io1(1_000)).concat(
        warningsOf(volume('aws/us-east-1/volumes/io1', 1_000, { iops: 1_000, throughputMibS: 500 })),
      ),
    ).toEqual([
      'EBS Provisioned IOPS SSD io1 with 1,000 IOPS gives 250 MiB/s, not 500 (2,000 IOPS are needed for that).',
    ]);
  });

  it('of a volume clamp IOPS to the range for its size', () => {
    const clamped = cost(volume('aws/us-east-1/volumes/gp3', 100, { iops: 80_000 }));
    expect(clamped.perMonth).toBeCloseTo(100 * 0.08 + (50_000 - 3_000) * 0.005, 9);
    expect(clamped.items[0]?.warnings[0]).toContain('at most 50,000 IOPS');
    const small = cost(volume('aws/us-east-1/volumes/gp3', 1, { iops: 1_000 }));
    expect(small.perMonth).toBeCloseTo(0.08, 9);
    expect(small.items[0]?.warnings).toEqual([]);
    expect(warningsOf(volume('aws/us-east-1/volumes/gp3', 1_000, { iops: 3_000, throughputMibS: 1_000 }))[0]).toContain(
      'at most 750 MiB/s',
    );
    expect(warningsOf(volume('aws/us-east-1/volumes/gp2', 1_000, { iops: 10_000 }))[0]).toBe(
      'EBS General Purpose SSD gp2 of 1,000 GB gives 3,000 IOPS, not 10,000 (3,334 GB are needed for that).',
    );
    expect(warningsOf(volume('azure/eastus/volumes/premium-ssd', 1_000, { iops: 9_000 }))).toEqual([
      'P30 gives 5,000 IOPS sustained; 9,000 only on demand, for an extra charge.',
    ]);
    expect(warningsOf(volume('azure/eastus/volumes/premium-ssd', 1_000, { iops: 40_000 }))).toEqual([
      'P30 gives 5,000 IOPS, not 40,000.',
    ]);
    expect(warningsOf(volume('aws/us-east-1/volumes/standard', 10))[0]).toContain('0.05 USD per million requests');
  });

  it.each([
    [
      'io1',
      {},
      'EBS Provisioned IOPS SSD io1 includes no IOPS, and none are given: priced with 100. Enter the purchased amount, 100 to 50,000 for 1,000 GB.',
    ],
    [
      'io1',
      { iops: 70_000 },
      'EBS Provisioned IOPS SSD io1 of 1,000 GB reaches at most 50,000 IOPS, 50 per GB: priced with that, not 70,000 (no volume of this type has more than 64,000 IOPS).',
    ],
    ['io1', { iops: 50 }, 'EBS Provisioned IOPS SSD io1 has at least 100 IOPS: priced with that, not 50.'],
    [
      'gp3',
      { iops: 90_000 },
      'EBS General Purpose SSD gp3 reaches at most 80,000 IOPS: priced with that, not 90,000 (no volume of this type has more than 80,000 IOPS).',
    ],
    [
      'gp3',
      { iops: 3_000, throughputMibS: 1_000 },
      'EBS General Purpose SSD gp3 with 3,000 IOPS reaches at most 750 MiB/s, 0.25 per IOPS: priced with that, not 1,000 (4,000 IOPS are needed for that).',
    ],
    [
      'gp2',
      { iops: 1_000 },
      'EBS General Purpose SSD gp2 of 1,000 GB gives 3,000 IOPS, not 1,000: they come with the volume and are not sold separately. Omit IOPS.',
    ],
    [
      'instance-store',
      { iops: 5_000 },
      'Instance store (NVMe on the host) does not sell IOPS separately: 5,000 are not in this price. Omit IOPS.',
    ],
  ] as const)('of contradicting parts, with the correct values: %s %o', (type, given, words) => {
    expect(warningsOf(volume(`aws/us-east-1/volumes/${type}`, 1_000, given))).toEqual([words]);
  });

  it('of included performance are not mentioned if the input matches', () => {
    expect(warningsOf(volume('aws/us-east-1/volumes/gp2', 1_000, { iops: 3_000, throughputMibS: 250 }))).toEqual([]);
    expect(warningsOf(volume('azure/eastus/volumes/premium-ssd', 1_000, { iops: 5_000 }))).toEqual([]);
    expect(warningsOf(volume('azure/eastus/volumes/premium-ssd', 1_000, { iops: 1_000 }))).toEqual([
      'P30 gives 5,000 IOPS, not 1,000: they come with the volume and are not sold separately. Omit IOPS.',
    ]);
  });

  it('of sizes: raised to the minimum, refused above the maximum', () => {
    expect(cost(volume('aws/us-east-1/volumes/st1', 10)).perMonth).toBeCloseTo(125 * 0.045, 9);
    expect(() => cost(volume('aws/us-east-1/volumes/gp3', 70_000))).toThrow(/at most 65,536 GB/);
    expect(() => cost(volume('azure/eastus/volumes/premium-ssd', 40_000))).toThrow(/cannot be bought/);
  });

  it('round up to whole GB', () => {
    const gp3 = (sizeGb: number): number => cost(volume('aws/us-east-1/volumes/gp3', sizeGb)).perMonth;
    expect([gp3(100), gp3(100.01), gp3(101)]).toEqual([8, 8.08, 8.08]);
    expect(cost(volume('azure/eastus/volumes/premium-ssd', 128.5)).items[0]?.how).toBe(
      'P15 (256 GB) 38.012142 per month',
    );
    expect(cost(volume('oci/all-commercial/volumes/block-volume-10-vpu', 1)).perMonth).toBeCloseTo(50 * 0.0425, 9);
  });

  it('cap the hours of a month', () => {
    const ocean = { kind: 'instance', id: 'digitalocean/nyc/instances/g-2vcpu-8gb', count: 1 } as const;
    expect(cost(ocean).perMonth).toBeCloseTo(672 * 0.09375, 9);
    expect(cost(ocean).items[0]?.how).toContain('at most 672 h a month');
    const inHours = (hoursPerMonth: number, ...components: CostComponent[]): CostResult =>
      evaluateCost({ label: '', currency: 'USD', components, hoursPerMonth }, catalogue);
    expect(inHours(160, ocean).perMonth).toBeCloseTo(160 * 0.09375, 9);
    expect(inHours(160, ocean).items[0]?.how).not.toContain('at most');
    // Hourly items cost for these hours, monthly items for the whole month; an hour of use then costs more.
    const system = inHours(160, C5, volume('aws/us-east-1/volumes/gp3', 1_000));
    expect(system.perMonth).toBeCloseTo(160 * 1.53 + 80, 9);
    expect(system.perHour).toBeCloseTo(1.53 + 80 / 160, 9);
    expect(inHours(744, own(1, 'hour')).perYear).toBe(744 * 12);
  });

  it('of an unknown monthly cap: it can cost less', () => {
    const components = [{ kind: 'instance', id: 'hetzner/eu-de-fi/instances/ccx13', count: 1 } as const];
    const [item] = evaluateCost({ label: '', currency: 'EUR', components }, catalogue).items;
    expect(item?.warnings).toEqual([
      'ccx13 has a monthly cap that is not in the catalogue: it can cost less than this.',
    ]);
  });

  it('cap the price of a month', () => {
    const [item] = evaluateCost(
      {
        label: '',
        currency: 'EUR',
        components: [{ kind: 'instance', id: 'hetzner/eu-de-fi/instances/ccx33', count: 2 }],
      },
      catalogue,
    ).items;
    expect(item?.perMonth).toBeCloseTo(2 * 138.49, 9);
    expect(item?.how).toContain('at most 138.49 a month');
  });

  it('throw for an entry that is missing, in another currency or without a price', () => {
    expect(() => cost({ kind: 'instance', id: 'aws/us-east-1/instances/none', count: 1 })).toThrow(/no entry/);
    expect(() => cost({ kind: 'instance', id: 'aws/us-east-1/volumes/gp3', count: 1 })).toThrow(/no entry/);
    expect(() => cost({ kind: 'instance', id: 'hetzner/eu-de-fi/instances/ccx33', count: 1 })).toThrow(/priced in EUR/);
    const holes = {
      ...catalogue,
      entries: catalogue.entries.map((entry) => (entry.kind === 'instance' ? { ...entry, rate: null } : entry)),
    };
    expect(() => evaluateCost({ label: '', currency: 'USD', components: [C5] }, holes)).toThrow(/is unknown/);
  });
});

describe('a missing price', () => {
  const C5 = { kind: 'instance', id: 'aws/us-east-1/instances/c5.9xlarge', count: 1 } as const;
  const support: CostComponent = { kind: 'own', label: 'Support', amount: null, per: 'year' };
  const parts = (...components: CostComponent[]) => priceParts({ label: '', currency: 'USD', components }, catalogue);

  it('is reported at its part; other parts are priced, and there is no total', () => {
    const { parts: priced, total } = parts(C5, support, { ...C5, id: 'none' });
    expect(total).toBeUndefined();
    expect(priced[0]?.item?.perHour).toBe(1.53);
    expect(priced.map(({ problem }) => problem?.message)).toEqual([
      undefined,
      'The price of Support is missing.',
      'The price catalogue has no entry none.',
    ]);
    expect(() => cost(C5, support)).toThrow('The price of Support is missing.');
  });

  it('differs from a price of zero', () => {
    expect(parts(C5, { ...support, amount: 0 }).total?.perHour).toBe(1.53);
    expect(parts(C5).total).toEqual(cost(C5));
  });
});

describe('prices', () => {
  const C5 = { kind: 'instance', id: 'aws/us-east-1/instances/c5.9xlarge', count: 1 } as const;
  const gp3 = volume('aws/us-east-1/volumes/gp3', 1_000);

  it('have their date', () => {
    expect(cost(C5, gp3).asOf).toBe('2024-07-01 to 2026-07-20');
    expect(cost(C5).asOf).toBe('2026-07-20');
    expect(cost(own(1, 'hour')).asOf).toBeUndefined();
    const hyperdisk = volume('gcp/us-central1/volumes/hyperdisk-throughput', 100);
    expect(cost(C5, hyperdisk).asOf).toBe('2026-07-20, some undated');
  });

  it('are noted if old or undated', () => {
    const at = (date: string, ...components: CostComponent[]): string[] | undefined =>
      evaluateCost({ label: '', currency: 'USD', components }, catalogue, Date.parse(date)).notes;
    expect(at('2026-11-20', C5)).toBeUndefined();
    expect(at('2027-08-01', C5)).toEqual([
      'The oldest price is dated 2026-07-20, more than a year ago. Check it before deciding.',
    ]);
    expect(at('2026-11-20', C5, gp3)?.[0]).toContain('2024-07-01');
    expect(at('2026-11-20', volume('gcp/us-central1/volumes/hyperdisk-throughput', 1))).toEqual([
      'Undated: the price of Hyperdisk Throughput. Check it before deciding.',
    ]);
  });

  it('show money per month for 1,000 usable IOPS', () => {
    const { usable, perMonth } = cost(C5, volume('aws/us-east-1/volumes/io1', 1_000, { iops: 30_000 }));
    expect(usable?.iops).toBe(30_000);
    expect(usable?.perThousandIops).toBeCloseTo(perMonth / 30, 9);
  });
});

describe('work per money', () => {
  const done = (name: string, metric: string, currency: string, rate: number, perHour: number): Valued => ({
    ...{ sessionId: 1, name, system: name, repeats: 4, levels: {}, errors: 0, perYear: perHour * HOURS_PER_YEAR },
    ...{ metric, currency, rate, perHour },
  });
  const scales = scalesOf([
    done('slow', 'tps', 'USD', 100, 1),
    done('disk', 'read_mib_s', 'USD', 2_000, 1),
    done('euro', 'tps', 'EUR', 90_000, 1),
    done('fast', 'tps', 'USD', 900, 3),
    done('keys', 'ops', 'USD', 50_000, 1),
  ]);

  it('is ranked separately for each metric and currency', () => {
    expect(scales.map(({ metric, currency, rows }) => [metric, currency, rows.map(({ name }) => name)])).toEqual([
      ['tps', 'USD', ['fast', 'slow']],
      ['read_mib_s', 'USD', ['disk']],
      ['tps', 'EUR', ['euro']],
      ['ops', 'USD', ['keys']],
    ]);
    for (const { rows } of scales) expect(rows[0]?.percent).toBe(100);
    expect(scales[0]?.rows[1]?.percent).toBeCloseTo(100 / 3, 9);
    expect(scales[0]?.rows[0]?.operationsPerDollar).toBe(900 * 1_200);
  });

  it('names the counted unit', () => {
    expect(scales.map(scaleWords)).toEqual([
      'Transactions per USD',
      'MiB read per USD',
      'Transactions per EUR',
      'Operations per USD',
    ]);
    expect(scaleWords({ metric: 'iops', currency: 'EUR' })).toBe('I/O operations per EUR');
    expect(scaleWords({ metric: 'job_2_write_mib_s', currency: 'USD' })).toBe('MiB written per USD');
  });
});

describe('the catalogue', () => {
  it('has unique ids, and a source, a date and a confidence for every price', () => {
    const entries = catalogueEntries(catalogue);
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
    expect(entries.length).toBeGreaterThan(200);
    for (const entry of entries) {
      expect(entry.source, entry.id).not.toBe('');
      expect(entry.asOf, entry.id).not.toBe('');
      expect(Object.keys(catalogue.confidence)).toContain(entry.confidence);
    }
    for (const entry of catalogue.entries)
      for (const id of entry.sources) expect(catalogue.sources).toHaveProperty([id]);
  });

  it('summarises each entry in words', () => {
    const summaries = new Map(catalogueEntries(catalogue).map((entry) => [entry.id, entry.summary]));
    expect(summaries.get('aws/us-east-1/instances/m5.4xlarge')).toBe('16 vCPU, 64 GiB, 0.768 USD/h');
    expect(summaries.get('aws/us-east-1/volumes/gp3')).toBe(
      '0.08 USD per GB-month, 3,000 IOPS included, then 0.005 per IOPS-month, 125 MiB/s included, then 0.04 per MiB/s-month',
    );
    expect(summaries.get('azure/eastus/volumes/premium-ssd')).toContain('P1 to P80');
  });

  it('has no price per vCPU out of line with its family (a doubled machine costs double, within 2 %)', () => {
    const prices = new Map<string, number>();
    for (const entry of catalogue.entries) {
      if (
        entry.kind !== 'instance' ||
        entry.rate === null ||
        !['Amazon Web Services', 'Google Cloud'].includes(entry.provider)
      )
        continue;
      const family = `${entry.region} ${entry.title.replace(/[.-][^.-]*$/, '')} ${entry.memoryGib / entry.vcpu}`;
      const perCpu = entry.rate / entry.vcpu;
      const known = prices.get(family) ?? perCpu;
      expect(Math.abs(perCpu / known - 1), entry.id).toBeLessThan(0.02);
      prices.set(family, known);
    }
    expect(prices.size).toBeGreaterThan(10);
  });
});
