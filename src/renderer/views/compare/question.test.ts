import { expect, it } from 'vitest';
import { isOneSession, questionOf, withSide } from './question.ts';

const asked = (text: string) => questionOf(new URLSearchParams(text));

it('reads one or more sessions per side from the address, and ignores invalid ones', () => {
  expect(asked('baseline=7,8,8&other=9')).toMatchObject({ baseline: [7, 8], other: [9], margin: 0.03 });
  expect(asked('baseline=x&other=-1')).toMatchObject({ baseline: [], other: [], metric: undefined });
  expect(withSide('other', [9, 10])).toEqual({ other: '9,10' });
  expect(withSide('other', [])).toEqual({ other: undefined });
});

it('ignores an invalid margin', () => {
  expect(asked('margin=0.01').margin).toBe(0.01);
  for (const margin of ['0', '-1', '7', 'x']) expect(asked(`margin=${margin}`).margin).toBe(0.03);
});

it('compares the levels of one session if it is on both sides', () => {
  const levels = asked('baseline=7&other=7&factor=threads&level=1');
  expect(isOneSession(levels)).toBe(true);
  expect(levels.against).toEqual({ factor: 'threads', level: '1' });
  expect(isOneSession(asked('baseline=7&other=8'))).toBe(false);
  expect(isOneSession(asked('baseline=7,8&other=7,8'))).toBe(false);
});

it('compares with one cell, counted from 1', () => {
  expect(asked('baseline=7&other=8&cell=3').cell).toBe(2);
  for (const cell of ['', '0', '-1', '1.5', 'x']) expect(asked(`cell=${cell}`).cell).toBeUndefined();
});

it('ignores an invalid warm-up cut', () => {
  expect(asked('warmup=20').warmup).toBe(20);
  expect(asked('warmup=0').warmup).toBe(0);
  for (const warmup of ['', '-1', 'x', 'Infinity']) expect(asked(`warmup=${warmup}`).warmup).toBeUndefined();
});
