import { expect, it } from 'vitest';
import { CHECKS, measureChecks } from '../../../../../shared/checks/index.ts';
import { Experiment } from '../../../../../shared/model/experiment.ts';
import { ladder } from '../../../../testing/documents.ts';
import { hasAnswer, remedyOf } from './remedies.ts';

const finding = (code: string, message = '') => ({ code, severity: 'warn' as const, message });

it('has a remedy for every check before a start, even if only an explanation', () => {
  const asked = CHECKS.filter(({ when }) => when === 'start').map(({ code }) => code);
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((code) => !hasAnswer(code))).toEqual([]);
});

it('removes the finding by a change of the document', () => {
  const measure = { ...ladder.measure, repeats: 3, order: 'interleaved' as const, duration: 5, warmup: 0 };
  const before = { ...ladder, measure };
  const changed = (code: string): Experiment | undefined => {
    const remedy = remedyOf(finding(code), before);
    return remedy?.kind === 'change' ? Experiment.parse(remedy.change(before)) : undefined;
  };
  expect(changed('odd-rounds')?.measure.repeats).toBe(4);
  expect(changed('short-duration')?.measure.duration).toBe(60);
  const [short] = measureChecks({ ...before, measure: { ...measure, answer: 'steadiness' } }).filter(
    ({ code }) => code === 'steadiness-too-short',
  );
  const long = changed('steadiness-too-short')?.measure.duration;
  expect(short?.next).toContain(`Measure ${long} s or longer`);
  expect(remedyOf(short, before)).toMatchObject({ words: `Measure ${long} s per trial` });
  expect(changed('no-warm-up')?.measure.warmup).toBe(10);
  expect(changed('data-mismatch')?.workload.data).toBe('recreate');
});

it('opens the named target, even if targets are levels', () => {
  const factors = [{ name: 'server', kind: 'target', levels: ['old', 'new'] }];
  const remedy = remedyOf(finding('place-not-known', 'The host that “new” runs on is not known.'), {
    ...ladder,
    factors,
  });
  expect(remedy).toEqual({ kind: 'open', place: 'target', name: 'new' });
  expect(remedyOf(finding('place-not-known', 'The host that “other” runs on is not known.'), ladder)).toBeUndefined();
});
