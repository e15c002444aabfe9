import { expect, it } from 'vitest';
import type { Run } from '../../../shared/model/session.ts';
import { runningWords } from './progress.ts';

const run = (id: number, more: Partial<Run>): Run =>
  ({ id, levels: {}, warmup: 5, duration: 60, seconds: 12, ...more }) as Run;
const STEPS = [
  { name: 'both / load', tool: 'sysbench', metric: 'tps' },
  { name: 'both / copy', tool: 'step-run', metric: 'took_s' },
];

it('shows every running parallel step with its elapsed seconds and latest figure', () => {
  const running = [
    run(1, { step: 0, stepName: 'both / load', levels: { threads: 4 } }),
    run(2, { step: 1, stepName: 'both / copy', warmup: 0, duration: 0, seconds: 7, levels: { threads: 4 } }),
  ];
  const last = (id: number): number | undefined => (id === 1 ? 812.3 : undefined);
  expect(runningWords({ steps: STEPS, primaryMetric: 'tps' }, running, last)).toEqual([
    'both / load · threads 4 12/65 s',
    '812 tps',
    'both / copy 7 s',
  ]);
});

it('shows only the levels if trials have no steps', () => {
  const running = [run(1, { levels: { threads: 4 } })];
  expect(runningWords({ primaryMetric: 'tps' }, running, () => Number.NaN)).toEqual(['threads 4 12/65 s']);
});
