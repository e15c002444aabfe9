import { expect, it } from 'vitest';
import { kindsFor } from './AddPlace.tsx';

const tool = { drives: ['mysql', 'postgres'] };
const kinds = [
  { kind: 'mysql', ownSettings: '^innodb_' },
  { kind: 'postgres', ownSettings: '^wal_' },
  { kind: 'other' },
];
const factors = (...settings: string[]) => ({
  factors: settings.map((setting) => ({ name: setting, kind: 'server-setting', setting, levels: ['1'] })),
});

it.each([
  ['those that have the setting', factors('innodb_io_capacity', 'max_connections'), ['mysql']],
  ['all where the setting is of any server', factors('max_connections'), ['mysql', 'postgres']],
  [
    'all where nothing is varied on a server',
    { factors: [{ name: 'threads', kind: 'option', levels: [1] }] },
    ['mysql', 'postgres'],
  ],
  [
    'all where targets are levels',
    { factors: [...factors('innodb_io_capacity').factors, { name: 'server', kind: 'target', levels: ['a'] }] },
    ['mysql', 'postgres'],
  ],
])('%s', (_name, experiment, fitting) => {
  expect(kindsFor(tool, experiment, kinds)).toEqual(fitting);
});
