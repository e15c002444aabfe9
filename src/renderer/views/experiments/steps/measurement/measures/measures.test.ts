import { expect, it } from 'vitest';
import type { Experiment } from '../../../../../../shared/model/experiment.ts';
import { choicesFor, problemsByPlace, withChanged, withMeasures, withPrimary } from './measures.ts';

const DOCUMENT: Experiment = {
  ...{ kneepoint: 1, name: 'Measures', where: { generators: ['gen'] }, factors: [] },
  workload: { tool: 'fio', options: {}, data: 'create' },
  measure: { warmup: 0, duration: 10, repeats: 1, order: 'rounds', seed: 1, pause: 0 },
};
const TRAFFIC = { name: 'traffic', is: 'read_mib_s + write_mib_s' };
const SHARE = { name: 'share', is: 'read_mib_s / traffic' };

it('removes all fields of measures with the last one', () => {
  const one = withPrimary(withMeasures(DOCUMENT, [TRAFFIC]), 'traffic');
  expect(one).toEqual({ ...DOCUMENT, derived: [TRAFFIC], primary: 'traffic' });
  expect(withMeasures(one, [])).toEqual(DOCUMENT);
  expect(withPrimary(one, undefined)).toEqual({ ...DOCUMENT, derived: [TRAFFIC] });
});

it('updates the primary measure when it is renamed or removed', () => {
  const two = withPrimary(withMeasures(DOCUMENT, [TRAFFIC, SHARE]), 'traffic');
  const renamed = withChanged(two, TRAFFIC, { ...TRAFFIC, name: 'all' });
  expect([renamed.primary, renamed.derived?.map(({ name }) => name)]).toEqual(['all', ['all', 'share']]);
  expect(withMeasures(renamed, [SHARE]).primary).toBeUndefined();
  expect(withMeasures(withPrimary(two, 'iops'), [SHARE]).primary).toBe('iops');
});

it('offers the series of commands, except time', () => {
  const commands = [
    { name: 'dTLB', command: 'perf', pattern: '^(?<t>\\d+) (?<misses>\\d+)\n(?<power>\\d+)', units: { power: 'W' } },
  ];
  const [tool, own] = choicesFor({ ...DOCUMENT, monitors: { commands } });
  expect(tool?.series.map(({ series }) => series)).toContain('write_mib_s');
  expect(own).toEqual({
    name: 'dTLB',
    series: [
      { of: 'command dTLB', series: 'misses', label: 'misses', unit: '' },
      { of: 'command dTLB', series: 'power', label: 'power (W)', unit: 'W' },
    ],
  });
});

it('shows the first problem of each measure', () => {
  expect(problemsByPlace({ '0.is': 'The formula is empty.', '0.name': 'Twice.', '2.of': 'No source.' })).toEqual({
    0: 'The formula is empty.',
    2: 'No source.',
  });
});
