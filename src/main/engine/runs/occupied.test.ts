import { afterEach, beforeEach, expect, it } from 'vitest';
import { Experiment } from '../../../shared/model/experiment.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { libraryFolder, SESSION, SNAPSHOT } from '../store/testing/library.ts';
import { databaseKey, findOccupant } from './occupied.ts';

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
});
afterEach(() => {
  store.close();
  folder.remove();
});

const config = (port: number, database = 'shop') => ({ address: '10.0.0.8', port, user: 'bench', database });
const server = (name: string, port: number): TargetSpec => ({
  name,
  kind: 'postgres',
  via: null,
  config: config(port),
});
const pooler = (name: string, port: number, upstream: string): TargetSpec => ({
  ...server(name, port),
  behind: upstream,
});
const save = (...specs: TargetSpec[]) => {
  for (const spec of specs) store.targets.insert(spec, 1);
};
const key = (name: string): string => databaseKey(store, name);

it('treats a pooler and the database of its server as the same place', () => {
  save(
    server('direct', 5432),
    server('other', 5433),
    pooler('pooled', 6432, 'direct'),
    pooler('twice', 6433, 'pooled'),
  );
  expect([key('pooled'), key('twice')]).toEqual([key('direct'), key('direct')]);
  expect(key('other')).not.toBe(key('direct'));
  save({ ...pooler('shop 2', 6434, 'direct'), config: config(6434, 'shop 2') });
  expect(key('shop 2')).not.toBe(key('direct'));
});

it('treats a pooler as a separate server if the one behind it is unknown or itself', () => {
  save(pooler('lost', 6432, 'gone'), pooler('one', 6433, 'two'), pooler('two', 6434, 'one'), server('plain', 6432));
  expect(key('lost')).toBe(key('plain'));
  expect([key('one'), key('two')]).toEqual([expect.any(String), expect.any(String)]);
});

it('refuses a session on a server that another one loads through its pooler', () => {
  save(server('direct', 5432), pooler('pooled', 6432, 'direct'), server('other', 5433));
  const experiment = Experiment.parse({ ...SNAPSHOT.experiment, where: { generators: ['a'], target: 'pooled' } });
  const { id } = store.sessions.insert({ ...SESSION, snapshot: { ...SNAPSHOT, experiment } }, []);
  const occupant = (target: string) => findOccupant(store, { targets: [target], generators: ['b'] }, () => true);
  expect(occupant('direct')).toMatchObject({ session: { id }, what: 'the target “direct”' });
  expect(occupant('other')).toBeUndefined();
});

it('refuses a session on a server that another one loads at a further address of its target', () => {
  const cluster = server('cluster', 5432);
  save({ ...cluster, config: { ...cluster.config, addresses: '10.0.0.9, 10.0.0.8:5433' } });
  save(server('second port', 5433), server('alone', 5434));
  const experiment = Experiment.parse({ ...SNAPSHOT.experiment, where: { generators: ['a'], target: 'cluster' } });
  store.sessions.insert({ ...SESSION, snapshot: { ...SNAPSHOT, experiment } }, []);
  const occupant = (target: string) => findOccupant(store, { targets: [target], generators: ['b'] }, () => true);
  expect(occupant('second port')?.what).toBe('the target “second port”');
  expect(occupant('alone')).toBeUndefined();
});
