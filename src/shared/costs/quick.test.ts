import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalogueEntries, parseCatalogue } from './catalogue.ts';
import { readQuick } from './quick.ts';

const entries = catalogueEntries(
  parseCatalogue(JSON.parse(readFileSync(`${import.meta.dirname}/../../../assets/prices/catalogue.json`, 'utf8'))),
);
const read = (text: string) => readQuick(text, entries);

it('reads an instance and a volume with its amounts, in one region', () => {
  expect(read('m5.large gp3')).toEqual({
    spec: {
      ...{ label: 'm5.large + gp3 100 GB', currency: 'USD' },
      components: [
        { kind: 'instance', id: 'aws/us-east-1/instances/m5.large', count: 1 },
        { kind: 'volume', id: 'aws/us-east-1/volumes/gp3', sizeGb: 100, count: 1 },
      ],
    },
  });
  expect(read('M5.large + io2 500 GB, 3,000 IOPS').spec).toMatchObject({
    label: 'm5.large + io2 500 GB, 3,000 IOPS',
    components: [{}, { sizeGb: 500, iops: 3000 }],
  });
  expect(read('m5.large io2 3000').spec?.label).toBe('m5.large + io2 100 GB, 3,000 IOPS');
  expect(read('gp3 1 TB 250 MiB/s').spec?.label).toBe('gp3 1,024 GB, 250 MiB/s');
});

it('states what is missing or unknown', () => {
  expect(read('m5.large gp9').problem).toBe(
    'The catalogue has no “gp9”. Build other configurations from the catalogue below.',
  );
  expect(read('m5.large io2').problem).toMatch(/ sells IOPS separately: add their number, such as 3000 IOPS\.$/);
  expect(read('m5.large 500 GB').problem).toBe('Size, IOPS and throughput belong to a volume: add one, such as gp3.');
  expect(read(' ').problem).toBe('Enter an instance, a volume or both: m5.large gp3 500 GB.');
  // A machine of one provider and a volume of another.
  expect(read('m5.large pd-ssd').problem).toBe('No region of the catalogue has m5.large and pd-ssd.');
});
