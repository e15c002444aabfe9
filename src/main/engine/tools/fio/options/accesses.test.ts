import { expect, it } from 'vitest';
import { accessShares } from '../../accesses.ts';
import { blockAccesses } from './accesses.ts';
import { FioOptions } from './index.ts';

const ofFile = (...lines: string[]) =>
  blockAccesses(FioOptions.parse({ source: 'job-file', 'job-file': lines.join('\n') }));
const ofJob = (...lines: string[]) => ofFile('[a]', 'rw=randread', 'size=1g', ...lines);

it('describes random forms as drawing each block once before any repeats', () => {
  const words = (rw: string) => blockAccesses(FioOptions.parse({ directory: '/d', rw })).map((each) => each.words);
  for (const rw of ['randread', 'randwrite', 'randrw'])
    expect(words(rw)).toEqual(['uniform: every block once before any repeats']);
  for (const rw of ['read', 'write', 'rw']) expect(words(rw)).toEqual([]);
});

it('describes each job of a file by its options over those of [global]', () => {
  const accesses = ofFile(
    ...['[global]', 'bs=4k', 'size=1g', 'random_distribution=zipf:1.1', 'rw=randread'],
    ...[
      '[a]',
      '[b]',
      'random_distribution=pareto:0.3',
      '[c]',
      'rw=write',
      '[d]',
      'random_distribution=random',
      'norandommap',
    ],
  );
  expect(accesses.map(({ words }) => words)).toEqual([
    'zipf, theta 1.1, 262,144 blocks',
    'pareto, h = 0.3',
    'uniform: all blocks equally',
  ]);
});

it('describes zones with their shares', () => {
  const [zoned] = ofJob('random_distribution=zoned:50/5:30/15:20/');
  if (!zoned) throw new Error('Nothing is told.');
  expect(zoned.words).toBe(
    'zoned: 50 % of the accesses in 5 % of the file, 30 % of the accesses in 15 % of the file, 20 % of the accesses in 80 % of the file',
  );
  const [half, most] = accessShares(zoned).shares;
  expect(half?.rows).toBeCloseTo(0.05, 3);
  // 5 and 15 % get 80 %, and half of the rest another 10 %.
  expect(most?.rows).toBeCloseTo(0.6, 3);
});

it('finds small shares among very many blocks', () => {
  const [zipf] = ofFile('[a]', 'rw=randread', 'bs=4k', 'size=4t', 'random_distribution=zipf:0.99');
  if (!zipf) throw new Error('Nothing is told.');
  const [half] = accessShares(zipf).shares;
  // Half of the sum of 1 / rank^0.99 up to 2^30, solved for the rank by summation.
  let sum = 0;
  for (let rank = 1; rank <= 2 ** 20; rank += 1) sum += rank ** -0.99;
  const total = sum + ((2 ** 30 + 0.5) ** 0.01 - (2 ** 20 + 0.5) ** 0.01) / 0.01;
  let [rank, upTo] = [0, 0];
  while (upTo < total / 2) {
    rank += 1;
    upTo += rank ** -0.99;
  }
  expect((half?.rows ?? 0) * 2 ** 30).toBeGreaterThan(rank * 0.99);
  expect((half?.rows ?? 0) * 2 ** 30).toBeLessThan(rank * 1.01);
});

it('is silent about unknown distributions', () => {
  for (const line of [
    'random_distribution=normal:10',
    'random_distribution=zoned:50/5',
    'percentage_random=40',
    'random_distribution=zipf',
  ])
    expect(ofJob(line), line).toEqual([]);
  expect(ofJob('random_distribution=zipf:1.1', 'bs=4k,8k')).toEqual([]);
});
