import { expect, it } from 'vitest';
import { readCpus } from './virtual-disk.ts';

it('reads lists of CPUs', () => {
  expect([...(readCpus('0-2,5') ?? [])]).toEqual([0, 1, 2, 5]);
  expect(['', '1-', '-1', '2-1', 'x', '0-8192'].map(readCpus)).toEqual(Array(6).fill(undefined));
});
