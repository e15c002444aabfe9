import { expect, it } from 'vitest';
import type { Finding } from '../model/finding.ts';
import { gatheredFindings } from './gathered.ts';

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
    'apt on load one. Also in 1 more run, and in 2 about other hosts, processes or devices.',
  ]);
  expect(messages([], runs.slice(0, 2))).toEqual([
    'apt on load one. Also in 1 more run, about other hosts, processes or devices.',
  ]);
});

it('omits expectations from before the start once runs have confirmed them', () => {
  const expected: Finding = { code: 'same-machine', severity: 'warn', message: 'They share a machine.' };
  const seen: Finding = { code: 'co-located', severity: 'warn', message: 'They shared db1.' };
  expect(messages([expected], [{ findings: [seen] }])).toEqual(['They shared db1.']);
  expect(messages([expected], [{ findings: [] }])).toEqual(['They share a machine.']);
});
