import { expect, it } from 'vitest';
import { replacement } from './LoadedEditor.tsx';

it.each([
  ['a letter in the middle', 'warmup: 1\nrepeats: 2', 'warmup: 5\nrepeats: 2', { from: 8, to: 9, insert: '5' }],
  ['something at the end', 'a', 'ab', { from: 1, to: 1, insert: 'b' }],
  ['one of two that are the same', 'aa', 'a', { from: 1, to: 2, insert: '' }],
  ['all', '', 'abc', { from: 0, to: 0, insert: 'abc' }],
])('replaces only %s', (_, before, after, change) => {
  expect(replacement(before, after)).toEqual(change);
  expect(before.slice(0, change.from) + change.insert + before.slice(change.to)).toBe(after);
});

it('does not change an equal text', () => {
  expect(replacement('same', 'same')).toBeUndefined();
});
