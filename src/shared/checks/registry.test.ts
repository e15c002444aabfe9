import { expect, it } from 'vitest';
import { CHECKS, checkOf } from './index.ts';

const sentences = (text: string): number => text.split(/[.?](?:\s|$)/).filter(Boolean).length;

it('every check has a code of its own, a reason of two sentences and advice', () => {
  expect(new Set(CHECKS.map(({ code }) => code)).size).toBe(CHECKS.length);
  for (const { code, title, why, avoid } of CHECKS) {
    expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect([code, sentences(why)]).toEqual([code, 2]);
    expect(avoid, code).toMatch(/\.$/);
  }
});

it('is found by the code of a finding', () => {
  expect(checkOf('stranger-process')?.title).toBe('Something else used the CPU');
  expect(checkOf('exit-code')).toBeUndefined();
});
