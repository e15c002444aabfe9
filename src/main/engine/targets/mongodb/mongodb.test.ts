import type { Document } from 'mongodb';
import { describe, expect, it, test } from 'vitest';
import { problemOf } from '../testing/servers.ts';
import { type MongoConnection, readUrl, urlProblem } from './connection.ts';
import { mongoRoom } from './data.ts';
import { type MongoPromise, mongoDurability, mongoProduct, topologyWords } from './settings.ts';
import { mongoControl } from './varying.ts';

const judge = (change: Partial<MongoPromise>) =>
  mongoDurability({
    persistent: true,
    journal: true,
    writeConcern: undefined,
    majorityJournals: undefined,
    replicaSet: true,
    ...change,
  });

describe('durability', () => {
  test.each<[Partial<MongoPromise>, string]>([
    [{}, 'safe'],
    [{ writeConcern: { w: 'majority', from: 'server' } }, 'safe'],
    [{ writeConcern: { w: 1, from: 'server' } }, 'relaxed'],
    [{ writeConcern: { w: 1, j: true, from: 'URL' } }, 'safe'],
    [{ writeConcern: { w: 'majority', j: false, from: 'URL' } }, 'relaxed'],
    [{ writeConcern: { w: 0, j: true, from: 'URL' } }, 'relaxed'],
    [{ majorityJournals: false }, 'relaxed'],
    [{ replicaSet: false }, 'relaxed'],
    [{ replicaSet: false, writeConcern: { j: true, from: 'URL' } }, 'safe'],
    [{ journal: false, writeConcern: { j: true, from: 'URL' } }, 'relaxed'],
    [{ persistent: false }, 'unsafe'],
    [{ persistent: undefined, writeConcern: { w: 1, from: 'server' } }, 'unknown'],
  ])('%o is %s', (change, level) => {
    const found = judge(change);
    expect(found.level).toBe(level);
    expect(found.why).toMatch(/\.$/);
  });
});

test('the product is identified by its build info', () => {
  expect(mongoProduct({ version: '8.0.4' })).toEqual({ product: 'MongoDB', version: '8.0.4' });
  expect(mongoProduct({ version: '7.0.15-9', psmdbVersion: '7.0.15-9' }).product).toBe('Percona Server for MongoDB');
  expect(mongoProduct({ version: '7.0.42', ferretdbVersion: 'v1.24.0' })).toEqual({
    product: 'FerretDB',
    version: 'v1.24.0',
  });
});

test.each([
  [{}, 'single server'],
  [{ msg: 'isdbgrid', isWritablePrimary: true }, 'mongos, router of a sharded cluster'],
  [
    { setName: 'rs0', hosts: ['a', 'b'], arbiters: ['c'], isWritablePrimary: true },
    'primary of the replica set rs0 (3 members)',
  ],
  [{ setName: 'rs0', hosts: ['a'], secondary: true }, 'secondary of the replica set rs0 (1 members)'],
])('%o is a %s', (hello, words) => {
  expect(topologyWords(hello)).toBe(words);
});

describe('a MongoDB URL', () => {
  test.each([
    'mongodb://db1',
    'mongodb://db1:27018/',
    'mongodb://db1:27017,db2:27017,db3/shop?replicaSet=rs0&w=majority',
    'mongodb://[::1]:27017/',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/',
  ])('%s is accepted', (url) => {
    expect(urlProblem(url)).toBeUndefined();
  });

  test.each([
    ['mongodb+srv://cluster.example.org/', /List the members/],
    ['mongodb://me:secret@db1/', /separate fields/],
    ['mongodb://db1/?tlsInsecure=true', /tlsInsecure/],
    ['mongodb://db1/?authMechanism=PLAIN', /authMechanism/],
    ['mongodb://db1/?proxyHost=x', /proxyHost/],
    ['mongodb://db1:0/', /db1:0/],
    ['mongodb://db1:99999/', /db1:99999/],
    ['mongodb://db1,,db2/', /not an address/],
    ['mongodb://-x/', /not an address/],
    ['db1:27017', /A URL such as/],
    ['http://db1/', /A URL such as/],
  ])('%s is refused with a message', (url, words) => {
    expect(urlProblem(url)).toMatch(words);
  });

  test('has members, database and options', () => {
    const { seeds, database, options } = readUrl('mongodb://db1:27018,[::1]/shop?replicaSet=rs0&w=2');
    expect(seeds).toEqual([
      { address: 'db1', port: 27_018, socket: '' },
      { address: '::1', port: 27_017, socket: '' },
    ]);
    expect(database).toBe('shop');
    expect([...options]).toEqual([
      ['replicaSet', 'rs0'],
      ['w', '2'],
    ]);
    expect(readUrl('mongodb://%2Ftmp%2Fmongodb-27017.sock').seeds[0]?.socket).toBe('/tmp/mongodb-27017.sock');
  });
});

const PARAMETERS = {
  cursorTimeoutMillis: { value: 600_000, settableAtRuntime: true, settableAtStartup: true },
  notablescan: { value: false, settableAtRuntime: true, settableAtStartup: true },
  logComponentVerbosity: { value: { verbosity: 0 }, settableAtRuntime: true, settableAtStartup: true },
  enableTestCommands: { value: false, settableAtRuntime: false, settableAtStartup: true },
};

/** A fake mongod, and the commands that it received to set values. */
function mongod(): { connection: MongoConnection; commands: Document[] } {
  const commands: Document[] = [];
  const command = async (_database: string, asked: Document): Promise<Document> => {
    if (asked.buildInfo) return { version: '8.0.4' };
    if (asked.getParameter) return { ...PARAMETERS, ok: 1 };
    if (asked.serverStatus) return { uptime: 3600 };
    if (asked.getCmdLineOpts) return { parsed: { storage: { dbPath: '/data/db' } } };
    if (asked.dbStats) return { fsTotalSize: 8e9, fsUsedSize: 5e9 };
    const { setParameter: _one, ...values } = asked;
    if (values.cursorTimeoutMillis === -1)
      throw Object.assign(new Error('Invalid value'), { name: 'MongoServerError', code: 2 });
    commands.push(values);
    return { ok: 1 };
  };
  const hello = { setName: 'rs0', hosts: ['a:1', 'b:2'], me: 'a:1' };
  const place = { address: 'a', port: 1, socket: '' };
  return {
    connection: { command, find: async () => [], hello, place, database: 'x', close: async () => {} },
    commands,
  };
}

describe('parameters of MongoDB', () => {
  it('are described with the effect of a change, with a remedy for those that need a restart', async () => {
    const control = await mongoControl(mongod().connection);
    const names = ['cursorTimeoutMillis', 'enableTestCommands', 'nothing'];
    expect(await control.look(names)).toMatchObject([
      { value: '600000', effect: 'live', keptIn: 'memory' },
      { effect: 'restart', obstacle: { next: expect.stringContaining('vary the target') } },
      undefined,
    ]);
    expect(await control.shared()).toEqual({
      clients: [],
      replicas: ['the member b:2 of its replica set'],
      upSeconds: 3600,
    });
  });

  it('are set in their type: number, boolean, document', async () => {
    const { connection, commands } = mongod();
    const control = await mongoControl(connection);
    const values = { cursorTimeoutMillis: '1000', notablescan: 'on', logComponentVerbosity: '{"verbosity":2}' };
    await control.set(new Map(Object.entries(values)));
    await control.restore([{ name: 'cursorTimeoutMillis', value: '600000', undo: {} }]);
    expect(commands).toEqual([
      { cursorTimeoutMillis: 1000 },
      { notablescan: true },
      { logComponentVerbosity: { verbosity: 2 } },
      { cursorTimeoutMillis: 600_000 },
    ]);
  });

  it('that are refused return the message of the server', async () => {
    const control = await mongoControl(mongod().connection);
    expect(await problemOf(control.set(new Map([['cursorTimeoutMillis', '-1']])))).toMatchObject({
      code: 'change-refused',
      message: expect.stringContaining('Invalid value'),
    });
  });
});

it('reports the free space at its data, except for a router', async () => {
  const { connection } = mongod();
  expect(await mongoRoom(connection)).toEqual({ folder: '/data/db', free: 3e9 });
  expect(await mongoRoom({ ...connection, command: async () => ({ ok: 1 }) })).toBeUndefined();
});
