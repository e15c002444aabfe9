import { expect, it } from 'vitest';
import type { Finding } from '../model/finding.ts';
import { CHECKS, checkOf, kindOf } from './index.ts';
import { gatheredFindings } from './registry.ts';

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

const errors = (count: number): Finding => ({ code: 'errors', severity: 'warn', message: `${count} events failed.` });
const written: Finding = { code: 'data-written', severity: 'note', message: 'The data was written to.' };
const messages = (...given: Parameters<typeof gatheredFindings>) =>
  gatheredFindings(...given).map((each) => each.message);

it('puts the most severe first, and each sentence once', () => {
  const worse: Finding = { code: 'cut-short', severity: 'error', message: 'It was cut short.' };
  const other = { ...written, message: 'Other data was written to.' };
  expect(messages([written, other, written], [{ findings: [errors(1)] }, { findings: [worse] }])).toEqual([
    'It was cut short.',
    '1 events failed.',
    'The data was written to.',
    'Other data was written to.',
  ]);
});

it('counts runs, not generators', () => {
  const runs = [{ findings: [errors(4), errors(9)] }, { findings: [] }, { findings: [errors(7), errors(2)] }];
  expect(messages([], runs)).toEqual(['4 events failed. Also in 1 more run.']);
});

it('keeps findings apart that differ in more than figures', () => {
  const plan = (variant: string): Finding => ({ code: 'plan', severity: 'note', message: `The plan of “${variant}”.` });
  const runs = ['in', 'exists', 'in'].map((variant) => ({ findings: [plan(variant)] }));
  expect(messages([], runs)).toEqual(['The plan of “in”. Also in 1 more run.', 'The plan of “exists”.']);
});

it('groups what a check found in several runs, whatever hosts and processes it names', () => {
  const busy = (host: string): Finding => ({ code: 'stranger-process', severity: 'warn', message: `apt on ${host}.` });
  const runs = ['load one', 'load two', 'load one', 'db'].map((host) => ({ findings: [busy(host)] }));
  expect(messages([], runs)).toEqual([
    'apt on load one. Also in 1 more run, and in 2 with another host, process or device.',
  ]);
  expect(messages([], runs.slice(0, 2))).toEqual([
    'apt on load one. Also in 1 more run with another host, process or device.',
  ]);
});

it('omits expectations from before the start once runs have confirmed them', () => {
  const expected: Finding = { code: 'same-machine', severity: 'warn', message: 'They share a machine.' };
  const seen: Finding = { code: 'co-located', severity: 'warn', message: 'They shared db1.' };
  expect(messages([expected], [{ findings: [seen] }])).toEqual(['They shared db1.']);
  expect(messages([expected], [{ findings: [] }])).toEqual(['They share a machine.']);
});
