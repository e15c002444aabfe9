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

  it.each(worked.catalog_calls)('is what the evaluator says of $path', (call) => {
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

  it('keeps its month and year when it is entered as an own figure', () => {
    const [month, year] = [known[worked.monthly_step] ?? 0, known[worked.yearly_step] ?? 0];
    expect(cost(own(month, 'month')).perMonth).toBeCloseTo(month, 6);
    expect(cost(own(year, 'year')).perYear).toBeCloseTo(year, 6);
    expect(cost(own(year, 'year')).perHour).toBeCloseTo(year / HOURS_PER_YEAR, 9);
  });
});

describe('systems of several parts', () => {
  it('are the sums of the 2018 table', () => {
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

  it('are instance and volume today', () => {
    const known = stepsOf(example('today-c5.9xlarge-gp3'));
    const result = cost(
      { kind: 'instance', id: 'aws/us-east-1/instances/c5.9xlarge', count: 1 },
      volume('aws/us-east-1/volumes/gp3', 1_000, { iops: 10_000, throughputMibS: 250 }),
    );
    expect(result.perMonth).toBeCloseTo(known.month ?? 0, 6);
    expect(result.perYear).toBeCloseTo(known.year ?? 0, 6);
    expect(result.items[1]?.how).toBe('1,000 GB × 0.08 + 7,000 IOPS × 0.005 + 125 MiB/s × 0.04 per month');
  });

  it('compare across four clouds', () => {
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
  it('are what the worked example says', () => {
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

  it('are a percentage of the best', () => {
    expect(percentOfBest([50, 200, 100])).toEqual([25, 100, 50]);
    expect(percentOfBest([0, 0])).toEqual([0, 0]);
    expect(percentOfBest([])).toEqual([]);
  });

  it('follow the hours of a month and a year', () => {
    const known = stepsOf(example('time-and-unit-conventions'));
    const result = cost(own(1.53, 'hour'));
    expect(result.perMonth).toBeCloseTo(known.m730 ?? 0, 9);
    expect(result.perYear).toBeCloseTo(known.y8760 ?? 0, 9);
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
    expect(warningsOf(C5, io1(30_000, 2)).join()).toContain('60,000 IOPS, but c5.9xlarge can use 40,000 at most');
    expect(warningsOf(M7G, io1(30_000)).join()).toContain('can use 20,000 for long (40,000 for 30 min per 24 h');
    expect(warningsOf(M7G, io1(30_000, 2)).join()).toContain('can use 40,000 at most and 20,000 for long');
    expect(warningsOf({ ...M7G, count: 2 }, io1(30_000)).filter((text) => text.includes('IOPS'))).toEqual([]);
    expect(warningsOf({ ...C5, id: 'gcp/us-central1/instances/n4-standard-16' }, io1(60_000))).toEqual([
      'EBS Provisioned IOPS SSD io1 reaches at most 50,000 IOPS here: priced with that, not 60,000.',
    ]);
  });

  it('of a volume: IOPS are brought between what its size allows', () => {
    const clamped = cost(volume('aws/us-east-1/volumes/gp3', 100, { iops: 80_000 }));
    expect(clamped.perMonth).toBeCloseTo(100 * 0.08 + (50_000 - 3_000) * 0.005, 9);
    expect(clamped.items[0]?.warnings[0]).toContain('at most 50,000 IOPS');
    const small = cost(volume('aws/us-east-1/volumes/gp3', 1, { iops: 1_000 }));
    expect(small.perMonth).toBeCloseTo(0.08, 9);
    expect(small.items[0]?.warnings).toEqual([]);
    expect(warningsOf(volume('aws/us-east-1/volumes/gp3', 1_000, { iops: 3_000, throughputMibS: 1_000 }))[0]).toContain(
      'at most 750 MiB/s',
    );
    expect(warningsOf(volume('aws/us-east-1/volumes/io1', 1_000))[0]).toContain('priced with 100');
    expect(warningsOf(volume('aws/us-east-1/volumes/gp2', 1_000, { iops: 10_000 }))[0]).toBe(
      'EBS General Purpose SSD gp2 of 1,000 GB gives 3,000 IOPS, not 10,000 (3,334 GB are needed for that).',
    );
    expect(warningsOf(volume('azure/eastus/volumes/premium-ssd', 1_000, { iops: 9_000 }))).toEqual([
      'P30 gives 5,000 IOPS, not 9,000.',
    ]);
    expect(warningsOf(volume('aws/us-east-1/volumes/standard', 10))[0]).toContain('0.05 USD per million requests');
  });

  it('of sizes: raised to the smallest, refused past the largest', () => {
    expect(cost(volume('aws/us-east-1/volumes/st1', 10)).perMonth).toBeCloseTo(125 * 0.045, 9);
    expect(() => cost(volume('aws/us-east-1/volumes/gp3', 70_000))).toThrow(/at most 65,536 GB/);
    expect(() => cost(volume('azure/eastus/volumes/premium-ssd', 40_000))).toThrow(/cannot be bought/);
  });

  it('of a month’s price', () => {
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

  it('of knowledge: no price is no price', () => {
    expect(() => cost({ kind: 'instance', id: 'aws/us-east-1/instances/none', count: 1 })).toThrow(/no entry/);
    expect(() => cost({ kind: 'instance', id: 'aws/us-east-1/volumes/gp3', count: 1 })).toThrow(/no entry/);
    expect(() => cost({ kind: 'instance', id: 'hetzner/eu-de-fi/instances/ccx33', count: 1 })).toThrow(/priced in EUR/);
    const holes = {
      ...catalogue,
      entries: catalogue.entries.map((entry) => (entry.kind === 'instance' ? { ...entry, rate: null } : entry)),
    };
    expect(() => evaluateCost({ label: '', currency: 'USD', components: [C5] }, holes)).toThrow(/is not known/);
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

  it('describes itself in words', () => {
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
