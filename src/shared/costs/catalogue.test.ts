import { expect, it } from 'vitest';
import type { CostComponent, CostSpec } from '../model/cost.ts';
import { parseCatalogue, systemWords } from './index.ts';

const CATALOGUE = parseCatalogue({
  ...{ format: 'kneepoint-prices/1', compiled: '2026-11-20', disclaimer: '', confidence: {}, sources: {} },
  entries: [
    {
      ...{
        id: 'cloud/here/volumes/gp9',
        kind: 'volume',
        title: 'General Purpose gp9',
        provider: 'Cloud',
        region: 'here',
      },
      ...{ currency: 'USD', sources: [], asOf: '2026-11-20', confidence: 'high', throughputUnit: 'MB/s' },
    },
  ],
});
const spec = (label: string, ...components: CostComponent[]): CostSpec => ({ label, currency: 'USD', components });
const machine = { kind: 'instance', id: 'cloud/here/instances/m9.large', count: 1 } as const;
const volume = { kind: 'volume', id: 'cloud/here/volumes/gp9', sizeGb: 500, count: 1 } as const;
const words = (...prices: CostSpec[]): string => systemWords(prices, CATALOGUE);

it('uses the name of a configuration', () => {
  expect(words(spec('small one', machine, volume))).toBe('small one');
});

it('lists instance, volume, IOPS and throughput in their sold unit without a name', () => {
  expect(words(spec('', machine, { ...volume, iops: 6000, throughputMibS: 250 }))).toBe(
    'm9.large + gp9 500 GB, 6,000 IOPS, 250 MB/s',
  );
  expect(words(spec(' ', { ...machine, count: 3 }, { ...volume, count: 2 }))).toBe('3 × m9.large + 2 × gp9 500 GB');
  expect(words(spec('', { kind: 'own', label: 'Licence', amount: 100, per: 'year' }))).toBe('Licence');
});

it('puts the price of the level after that of the session', () => {
  expect(words(spec('', machine), spec('io9'))).toBe('m9.large + io9');
});
