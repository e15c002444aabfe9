import { describe, expect, test } from 'vitest';
import { ServerPlace, type Target, type TargetKindInfo } from '../../../../shared/model/target.ts';
import { problemsOf } from '../../../forms/index.ts';
import { CONTROLS, placeFields } from './fields.ts';
import { placeOf, placeProblems, valuesOf } from './values.ts';

const KIND: TargetKindInfo = {
  kind: 'postgres',
  title: 'PostgreSQL',
  family: 'PostgreSQL',
  nameExample: 'pg',
  schema: {},
  takesSecret: true,
  connects: true,
  via: 'connection',
  tells: [],
  settingsFile: true,
  managed: {
    programs: ['postgres', 'pgbouncer'],
    pooler: {
      program: 'pgbouncer',
      schema: {
        type: 'object',
        properties: {
          pool_mode: { type: 'string', enum: ['session', 'transaction'], default: 'session' },
          default_pool_size: { type: 'integer', minimum: 0, default: 20 },
        },
      },
    },
  },
};
const target = (name: string, kind = 'postgres'): Target => ({
  id: 1,
  spec: { name, kind, via: null, config: {} },
  hasSecret: false,
  createdAt: 0,
});
const CHOICES = {
  kind: KIND,
  hosts: ['this computer', 'db-01'],
  targets: [target('pool'), target('pg'), target('maria', 'mysql')],
  name: 'pool',
};
const namesOf = (values: Parameters<typeof placeFields>[1]) => placeFields(CHOICES, values).map(({ name }) => name);

test.each([
  ['a host alone', { host: 'db-01' }],
  [
    'a unit',
    { host: 'db-01', control: { kind: 'systemd', unit: 'pg.service', sudo: true }, settingsFile: '/etc/k.conf' },
  ],
  [
    'commands',
    { host: 'db-01', control: { kind: 'commands', start: 'up', stop: 'down', reload: 'again' }, limitSeconds: 30 },
  ],
  [
    'a managed server',
    {
      host: 'this computer',
      control: {
        kind: 'managed',
        program: 'postgres',
        folder: '/srv/pg',
        settings: { fsync: 'off', port_hint: 7, shared_buffers: '1GB' },
      },
    },
  ],
  [
    'a managed pooler',
    {
      host: 'db-01',
      control: {
        kind: 'managed',
        program: '/usr/sbin/pgbouncer',
        upstream: 'pg',
        settings: { max_db_connections: 9, pool_mode: 'transaction', default_pool_size: 7 },
      },
    },
  ],
])('%s stays what it is when it is saved again', (_name, place) => {
  const saved = ServerPlace.parse(place);
  const values = valuesOf(saved, KIND);
  expect(placeOf(values, KIND)).toEqual(saved);
  expect(problemsOf(placeFields(CHOICES, values), values)).toEqual({});
});

test('a server whose host is not known has no place', () => {
  expect(valuesOf(undefined, KIND)).toEqual({});
  expect(placeOf({ control: CONTROLS.systemd, unit: 'left over' }, KIND)).toBeUndefined();
  expect(namesOf({})).toEqual(['host']);
});

describe('the fields', () => {
  test('are those of the control', () => {
    expect(namesOf({ host: 'db-01' })).toEqual(['host', 'control', 'settingsFile']);
    expect(namesOf({ host: 'db-01', control: CONTROLS.managed, program: 'postgres' })).not.toContain('upstream');
    const pooler = placeFields(CHOICES, { host: 'db-01', control: CONTROLS.managed, program: '/opt/pgbouncer-1.22' });
    expect(pooler.map(({ name }) => name)).toEqual(expect.arrayContaining(['upstream', 'pool_mode']));
    expect(pooler.find(({ name }) => name === 'upstream')?.shape).toEqual({ kind: 'choice', choices: ['pg'] });
  });

  test('of another control leave nothing in what is saved', () => {
    const values = {
      host: 'db-01',
      control: CONTROLS.systemd,
      unit: 'pg',
      start: 'up',
      program: 'postgres',
      folder: '/x',
    };
    expect(placeOf(values, KIND)).toEqual({ host: 'db-01', control: { kind: 'systemd', unit: 'pg', sudo: false } });
  });

  test('a kind that Kneepoint does not start offers no managed server', () => {
    const { managed: _managed, ...kind } = KIND;
    const control = placeFields({ ...CHOICES, kind }, { host: 'db-01' }).find(({ name }) => name === 'control');
    expect(control?.shape).toMatchObject({ choices: ['not controlled', 'systemd unit', 'own commands'] });
  });
});

test('a line of the base settings that is no setting is named', () => {
  const values = { host: 'db-01', control: CONTROLS.managed, settings: '# mine\n\nfsync = off\nnonsense' };
  expect(placeProblems(values)).toEqual({ settings: '“nonsense” is not name = value.' });
  expect(placeProblems({ settings: 'a = 1\nb=x = y' })).toEqual({});
});
