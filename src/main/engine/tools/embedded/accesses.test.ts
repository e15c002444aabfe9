import { expect, it } from 'vitest';
import { accessShares } from '../accesses.ts';
import { embeddedOptions, recordAccesses } from './options.ts';
import { type Distribution, keyChooser } from './program/keys.ts';
import { randomOf } from './program/random.ts';

const RECORDS = 1000;
const DRAWS = 400_000;

it.each(['zipfian', 'uniform', 'latest'] as const)('what is told of %s is what the program draws (seed 3)', (name) => {
  const [told] = recordAccesses(embeddedOptions.parse({ distribution: name, records: RECORDS }));
  if (!told) throw new Error('Nothing is told.');
  const counts = new Uint32Array(RECORDS);
  const choose = keyChooser(name satisfies Distribution, RECORDS, randomOf(3, 0));
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const record = choose(RECORDS);
    counts[record] = (counts[record] ?? 0) + 1;
  }
  counts.sort().reverse();
  for (const { accesses, rows } of accessShares(told).shares) {
    let sum = 0;
    const last = counts.findIndex((count) => {
      sum += count;
      return sum >= accesses * DRAWS;
    });
    const drawn = (last + 1) / RECORDS;
    expect(Math.abs(rows - drawn), `${accesses}`).toBeLessThan(0.02);
  }
});

it('takes the distribution that a mix is defined with', () => {
  const words = (mix: string) => recordAccesses(embeddedOptions.parse({ mix }))[0]?.words;
  expect([words('A'), words('D')]).toEqual([
    'zipfian, constant 0.99, 10,000 records',
    'latest: zipfian from the newest on, constant 0.99, 10,000 records',
  ]);
});
