import { expect, it } from 'vitest';
import { memoryWords } from './remarks.ts';

const GIB = 2 ** 30;

it('compares the data size with the cache over all cells', () => {
  expect(memoryWords([{ data: 24 * GIB, cache: 8 * GIB }])).toBe('data 24.0 GiB, 3.00 × the server’s cache');
  const halves = [1, 2, 4].map((part) => ({ data: 24 * GIB, cache: (24 * GIB) / part }));
  expect(memoryWords(halves)).toBe('data 24.0 GiB, 1.00 to 4.00 × the server’s cache');
  expect(memoryWords([{ data: GIB / 1024, cache: GIB }])).toBe('data 1.00 MiB, less than 0.01 × the server’s cache');
  expect(memoryWords([])).toBeUndefined();
  expect(memoryWords([{ data: 0, cache: GIB }])).toBeUndefined();
});
