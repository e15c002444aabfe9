import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { CostComponent, CostSpec } from '../model/cost.ts';
import { parseCatalogue, volumeLimits } from './index.ts';

const catalogue = parseCatalogue(
  JSON.parse(readFileSync(`${import.meta.dirname}/../../../assets/prices/catalogue.json`, 'utf8')),
);
const spec = (...components: CostComponent[]): CostSpec => ({ label: '', currency: 'USD', components });
const limits = (...components: CostComponent[]) => volumeLimits([spec(...components)], catalogue);
const volume = (id: string, sizeGb: number, more: { iops?: number; count?: number } = {}): CostComponent => ({
  kind: 'volume',
  id: `aws/us-east-1/volumes/${id}`,
  sizeGb,
  count: 1,
  ...more,
});
const machine = (id: string): CostComponent => ({ kind: 'instance', id: `aws/us-east-1/instances/${id}`, count: 1 });

it('returns the limits of the volume with its burst', () => {
  expect(limits(volume('gp2', 100))).toEqual({
    iops: 300,
    mibS: 128,
    burst: { iops: 3000 },
    words: 'EBS General Purpose SSD gp2, 100 GB',
  });
  expect(limits(volume('io1', 500, { iops: 5000 }))).toMatchObject({ iops: 5000, mibS: 500 });
});

it('returns the limits of the machine if these are lower', () => {
  const capped = limits(machine('m7g.4xlarge'), volume('io1', 2000, { iops: 30_000 }));
  expect(capped?.iops).toBe(20_000);
  expect(capped?.words).toBe('EBS Provisioned IOPS SSD io1, 2,000 GB, on m7g.4xlarge');
});

it('caps the burst at the limit of the machine', () => {
  // The machine sustains 20,000, and 40,000 for half an hour.
  expect(limits(machine('m7g.4xlarge'), volume('io1', 2000, { iops: 30_000 }))).toMatchObject({
    iops: 20_000,
    burst: { iops: 30_000 },
  });
  // 3,000 for a while; the machine sustains 2,000.
  expect(limits(machine('t4g.medium'), volume('gp2', 100))).toMatchObject({ iops: 300, burst: { iops: 3000 } });
  const own: CostComponent = { kind: 'own', label: 'licence', amount: 100, per: 'month' };
  expect(limits(own, machine('m7g.4xlarge'), volume('io1', 2000, { iops: 30_000 }))?.words).toBe(
    'EBS Provisioned IOPS SSD io1, 2,000 GB, on m7g.4xlarge',
  );
});

it('returns the limits of each of several equal volumes', () => {
  expect(limits(volume('io1', 500, { iops: 5000, count: 2 }))).toMatchObject({
    iops: 5000,
    words: 'each of 2 × EBS Provisioned IOPS SSD io1, 500 GB',
  });
});

it('ignores parts without a price, and includes the price of a level', () => {
  const own: CostComponent = { kind: 'own', label: 'support', amount: null, per: 'month' };
  expect(limits(own, volume('gp2', 100))).toMatchObject({ iops: 300 });
  expect(volumeLimits([spec(own), spec(volume('gp2', 100))], catalogue)).toMatchObject({ iops: 300 });
});

it('returns undefined for mixed volumes, no volume, or mixed currencies', () => {
  expect(limits(volume('gp2', 100), volume('io1', 500, { iops: 5000 }))).toBeUndefined();
  expect(limits(machine('m7g.4xlarge'))).toBeUndefined();
  expect(limits(volume('no-such', 100))).toBeUndefined();
  const euro = { ...spec(volume('gp2', 100)), currency: 'EUR' };
  expect(volumeLimits([euro, spec(volume('gp2', 100))], catalogue)).toBeUndefined();
});
