import { expect, it } from 'vitest';
import { isLoopback, readCpus } from './virtual-disk.ts';

it('reads lists of CPUs', () => {
  expect([...(readCpus('0-2,5') ?? [])]).toEqual([0, 1, 2, 5]);
  expect(['', '1-', '-1', '2-1', 'x', '0-8192'].map(readCpus)).toEqual(Array(6).fill(undefined));
});

it.each(['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', 'LOCALHOST'])('%s is this machine', (address) => {
  expect(isLoopback(address)).toBe(true);
});

it.each(['', '10.0.0.1', '127.0.0.1.example.org', 'localhost.example.org', '127.1', '::2', '0.0.0.0'])(
  '%s may be another machine',
  (address) => {
    expect(isLoopback(address)).toBe(false);
  },
);
