import { expect, it } from 'vitest';
import { CHECKS, checkOf, kindOf } from './index.ts';

const sentences = (text: string): number => text.split(/[.?](?:\s|$)/).filter(Boolean).length;

it('every check has a unique code, a reason of two sentences and advice', () => {
  expect(new Set(CHECKS.map(({ code }) => code)).size).toBe(CHECKS.length);
  for (const { code, title, why, avoid } of CHECKS) {
    expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect([code, sentences(why)]).toEqual([code, 2]);
    expect(avoid, code).toMatch(/\.$/);
  }
});

it('finds a check by the code of a finding', () => {
  expect(checkOf('stranger-process')?.title).toBe('Something else used the CPU');
  expect(checkOf('exit-code')).toBeUndefined();
});

it('derives the source of a finding from its code, unless it is stored', () => {
  expect(kindOf({ code: 'caches-dropped' })).toEqual({ by: 'before', about: 'host' });
  expect(kindOf({ code: 'generator-core' }).by).toBe('watching');
  expect(kindOf({ code: 'same-machine' }).by).toBe('start');
  expect(kindOf({ code: 'exit-code' }).by).toBe('output');
  expect(kindOf({ code: 'scenario-effect' }).by).toBe('output');
  expect(kindOf({ code: 'scenario-effect', from: 'watching' }).by).toBe('watching');
  expect(
    CHECKS.flatMap(({ code, when }) => (kindOf({ code }).by === (when === 'run' ? 'watching' : when) ? [] : [code])),
  ).toEqual([]);
});
