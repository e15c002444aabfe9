import { expect, it } from 'vitest';
import { Experiment } from './experiment.ts';
import { placesNamed, withPlace } from './places.ts';

const experiment = Experiment.parse({
  kneepoint: 1,
  name: 'Versions',
  workload: { tool: 'sysbench', data: 'create' },
  where: { generators: ['this computer', 'load-1', 'load-2'] },
  factors: [
    { name: 'server', kind: 'target', levels: ['old', 'new'], baseline: 'old', values: { old: 5, new: 8 } },
    { name: 'pool', kind: 'server-setting', setting: 'pool', levels: ['old', 2], when: { server: ['old', 'new'] } },
    { name: 'price', kind: 'price', levels: ['old'], when: { server: 'old' } },
  ],
  exclude: [{ server: 'old', pool: 'old' }],
  measure: {},
  small: { set: { server: ['old'], pool: 'old' } },
});

it('lists the targets of the factors and the hosts that run the tool', () => {
  expect(placesNamed(experiment)).toEqual([
    { place: 'target', name: 'old' },
    { place: 'target', name: 'new' },
    { place: 'host', name: 'load-1' },
    { place: 'host', name: 'load-2' },
  ]);
  const { where, ...rest } = experiment;
  expect(placesNamed({ ...rest, where: { ...where, target: 'db' }, factors: [] })[0]?.name).toBe('db');
});

it('replaces a target wherever it is meant, and not a level with the same name', () => {
  expect(withPlace(experiment, { place: 'target', name: 'old' }, 'mine')).toMatchObject({
    factors: [
      { levels: ['mine', 'new'], baseline: 'mine', values: { mine: 5, new: 8 } },
      { levels: ['old', 2], when: { server: ['mine', 'new'] } },
      { levels: ['old'], when: { server: 'mine' } },
    ],
    exclude: [{ server: 'mine', pool: 'old' }],
    small: { set: { server: ['mine'], pool: 'old' } },
  });
});

it('replaces a host that runs the tool', () => {
  const { where } = withPlace(experiment, { place: 'host', name: 'load-2' }, 'bench');
  expect(where.generators).toEqual(['this computer', 'load-1', 'bench']);
});

it('lists and replaces hosts of steps', () => {
  const steps = Experiment.shape.steps.parse([
    { name: 'erase', do: 'run', command: 'blkdiscard', on: 'db-1' },
    { name: 'up', do: 'wait', until: { port: 3306, on: 'db-1' } },
    { name: 'reads' },
    { name: 'group', each: [{ name: 'sync', do: 'run', command: 'sync', on: 'db-1' }] },
  ]);
  const named = placesNamed({ ...experiment, steps, factors: [] });
  expect(named.at(-1)).toEqual({ place: 'host', name: 'db-1' });
  expect(withPlace({ ...experiment, steps }, { place: 'host', name: 'db-1' }, 'db-9').steps).toMatchObject([
    { on: 'db-9' },
    { until: { port: 3306, on: 'db-9' } },
    { name: 'reads' },
    { each: [{ on: 'db-9' }] },
  ]);
});
