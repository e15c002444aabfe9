import { describe, expect, test } from 'vitest';
import { ServerPlace, type Target, type TargetKindInfo } from '../../../../shared/model/target.ts';
import { problemsOf } from '../../../forms/index.ts';
import { CONTROLS, NO_PROXY, placeFields } from './fields.ts';
import { placeOf, placeProblems, proxiedTarget, valuesOf } from './values.ts';

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
        settings: { max_db_connections: 9, pool_mode: 'transaction', default_pool_size: 7 },
      },
    },
  ],
])('%s is unchanged when saved again', (name, place) => {
  const saved = ServerPlace.parse(place);
  const behind = name === 'a managed pooler' ? { behind: 'pg' } : {};
  const values = valuesOf({ server: saved, ...behind }, KIND);
  expect(placeOf(values, KIND)).toEqual(saved);
  expect(proxiedTarget(values)).toBe(behind.behind);
  expect(problemsOf(placeFields(CHOICES, values), values)).toEqual({});
});

test('a server with unknown host has no place', () => {
  expect(valuesOf({}, KIND)).toEqual({});
  expect(placeOf({ control: CONTROLS.systemd, unit: 'left over' }, KIND)).toBeUndefined();
  expect(namesOf({})).toEqual(['behind', 'host']);
  expect(placeFields({ ...CHOICES, targets: [] }, {}).map(({ name }) => name)).toEqual(['host']);
});

describe('the fields', () => {
  test('depend on the control', () => {
    expect(namesOf({ host: 'db-01' })).toEqual(['behind', 'host', 'control', 'settingsFile']);
    const pooler = placeFields(CHOICES, { host: 'db-01', control: CONTROLS.managed, program: '/opt/pgbouncer-1.22' });
    expect(pooler.map(({ name }) => name)).toEqual(expect.arrayContaining(['behind', 'pool_mode']));
    expect(pooler.find(({ name }) => name === 'behind')).toMatchObject({
      shape: { kind: 'choice', choices: ['pg'] },
      required: true,
    });
  });

  test('of an unmanaged proxy name the server behind it, or none', () => {
    const [behind] = placeFields(CHOICES, {});
    expect(behind).toMatchObject({ name: 'behind', required: false, shape: { choices: [NO_PROXY, 'pg'] } });
    expect(proxiedTarget({ behind: NO_PROXY })).toBeUndefined();
    expect(proxiedTarget({ behind: 'pg' })).toBe('pg');
    expect(placeFields(CHOICES, { behind: 'pg' })[1]?.title).toBe('Proxy host');
  });

  test('of another control are not saved', () => {
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

  test('omit the managed control for a kind that Kneepoint cannot start', () => {
    const { managed: _managed, ...kind } = KIND;
    const control = placeFields({ ...CHOICES, kind }, { host: 'db-01' }).find(({ name }) => name === 'control');
    expect(control?.shape).toMatchObject({ choices: ['not controlled', 'systemd unit', 'custom commands'] });
  });
});

test('names an invalid line of the base settings', () => {
  const values = { host: 'db-01', control: CONTROLS.managed, settings: '# mine\n\nfsync = off\nnonsense' };
  expect(placeProblems(values)).toEqual({ settings: '“nonsense” does not have the form name = value.' });
  expect(placeProblems({ settings: 'a = 1\nb=x = y' })).toEqual({});
});
