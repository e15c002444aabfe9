import { expect, test } from 'vitest';
import { Experiment } from '../../../shared/model/experiment.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { TargetAccess } from '../runs/index.ts';
import { TARGETS, targetByKind } from '../targets/index.ts';
import { TOOLS } from '../tools/index.ts';
import { unwatchedIn, watchedIn } from './wanted.ts';

const server = (name: string, kind: string, port: number, more: Partial<TargetSpec>): TargetSpec => ({
  ...{ name, kind, via: null, config: { address: '10.0.0.9', port, user: 'u', database: 'd' } },
  ...more,
});
const UNIT = { kind: 'systemd', unit: 'haproxy.service', sudo: false } as const;
const MANAGED = { kind: 'managed', program: '/usr/sbin/pgbouncer', settings: {} } as const;
const SPECS = [
  server('maria', 'mysql', 3306, { server: { host: 'db', control: { kind: 'none' } } }),
  server('haproxy', 'mysql', 3307, { behind: 'maria', server: { host: 'middle', control: UNIT } }),
  server('router', 'mysql', 3308, { behind: 'haproxy', server: { host: 'load', control: { kind: 'none' } } }),
  server('pg', 'postgres', 5432, { server: { host: 'db', control: { kind: 'none' } } }),
  server('galera-1', 'mysql', 3316, { server: { host: 'db1', control: { kind: 'none' } } }),
  server('galera-2', 'mysql', 3326, { server: { host: 'db2', control: { kind: 'none' } } }),
  server('balanced', 'mysql', 3336, { behind: 'galera-1', server: { host: 'middle', control: UNIT } }),
  server('pool', 'postgres', 6432, { behind: 'pg', server: { host: 'middle', control: MANAGED } }),
];
const specOf = (name: string): TargetSpec => {
  const spec = SPECS.find((each) => each.name === name);
  if (!spec) throw new Error(`There is no target ${name}.`);
  return spec;
};
const shown = (name: string) => {
  const spec = specOf(name);
  const type = targetByKind(spec.kind);
  return type.facts(type.config.parse(spec.config), undefined);
};
const refuse = (): never => {
  throw new Error('Nobody is asked.');
};
const targets: TargetAccess = {
  ...{ spec: specOf, shown, nodes: (name) => (name === 'galera-1' ? ['galera-2'] : []) },
  ...{ connection: refuse, connectionThroughApp: refuse, open: refuse },
};
const wanted = (of: typeof watchedIn | typeof unwatchedIn, names: readonly string[], monitors = {}) =>
  of(
    { targets, tools: TOOLS },
    Experiment.parse({
      ...{ kneepoint: 1, name: 'Way', measure: {}, where: { generators: ['load'] }, monitors },
      workload: { tool: 'sysbench' },
    }),
    { generators: ['load'], targets: names, steps: [{ tool: 'sysbench' }] },
  );
const hostsOf = (names: readonly string[]) =>
  (wanted(watchedIn, names) as ReturnType<typeof watchedIn>).hosts.map(({ name, roles, programs }) => [
    name,
    roles,
    programs.server,
  ]);

test('behind a proxy, the server and its host are monitored, and the host of the proxy in its own role', () => {
  const { servers, asked } = wanted(watchedIn, ['haproxy']) as ReturnType<typeof watchedIn>;
  expect(hostsOf(['haproxy'])).toEqual([
    ['load', ['generator'], []],
    ['db', ['server'], expect.arrayContaining(['mariadbd'])],
    ['middle', ['proxy'], ['haproxy']],
  ]);
  // HAProxy reports nothing over a connection to the server.
  expect(servers).toEqual([{ name: 'maria', host: 'db' }]);
  expect(asked).toEqual({ name: 'maria', host: 'db' });
});

test('a proxy behind another one is monitored too, and so are the hosts of both', () => {
  expect(hostsOf(['router']).map(([name, roles]) => [name, roles])).toEqual([
    ['load', ['generator', 'proxy']],
    ['db', ['server']],
    ['middle', ['proxy']],
  ]);
});

test('PgBouncer is queried for its own figures, in addition to the server behind it', () => {
  const { servers } = wanted(watchedIn, ['pool']) as ReturnType<typeof watchedIn>;
  expect(servers).toEqual([
    { name: 'pg', host: 'db' },
    { name: 'pool', host: 'middle' },
  ]);
  expect(hostsOf(['pg', 'pool']).find(([name]) => name === 'middle')).toEqual(['middle', ['proxy'], ['pgbouncer']]);
});

test('nodes of a target are monitored like the target, also behind a proxy', () => {
  const { servers, asked } = wanted(watchedIn, ['galera-1']) as ReturnType<typeof watchedIn>;
  expect(servers).toEqual([
    { name: 'galera-1', host: 'db1' },
    { name: 'galera-2', host: 'db2' },
  ]);
  expect(asked).toEqual({ name: 'galera-1', host: 'db1' });
  const roles = (names: readonly string[]) => hostsOf(names).map(([name, own]) => [name, own]);
  expect(roles(['galera-1'])).toEqual([
    ['load', ['generator']],
    ['db1', ['server']],
    ['db2', ['server']],
  ]);
  expect(roles(['balanced'])).toEqual([...roles(['galera-1']), ['middle', ['proxy']]]);
});

test('monitoring that is turned off is listed as missing for the server', () => {
  expect(wanted(unwatchedIn, ['haproxy'], { place: false, server: false })).toEqual({
    ...{ generators: [], places: ['db'], servers: ['maria'], nowhere: [] },
  });
});

test('only targets with a pooler have a proxy with its own figures', () => {
  expect(TARGETS.filter(({ managed }) => managed?.pooler).map(({ kind }) => kind)).toEqual(['postgres']);
});
