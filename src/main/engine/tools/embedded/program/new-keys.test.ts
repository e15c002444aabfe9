import { expect, test } from 'vitest';
import { NewKeys } from './new-keys.ts';
import { sharedMemory } from './shared.ts';

test('a record counts only when all before it are inserted', () => {
  const { control } = sharedMemory(2, 100);
  const first = new NewKeys(control, 0);
  const second = new NewKeys(control, 1);
  expect(first.count()).toBe(100);
  expect([first.take(), second.take()]).toEqual([100, 101]);
  second.inserted();
  expect(second.count()).toBe(100);
  first.inserted();
  expect(second.count()).toBe(102);
});

test('a failed insert is tried again with the same number, so no number is left out', () => {
  const { control } = sharedMemory(1, 5);
  const keys = new NewKeys(control, 0);
  expect([keys.take(), keys.take()]).toEqual([5, 5]);
  keys.inserted();
  expect(keys.take()).toBe(6);
});
