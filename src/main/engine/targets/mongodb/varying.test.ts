import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../testing/servers.ts';
import type { MongoConnection } from './connection.ts';
import { mongoRoom } from './data.ts';
import { mongoControl } from './varying.ts';

const PARAMETERS = {
  cursorTimeoutMillis: { value: 600_000, settableAtRuntime: true, settableAtStartup: true },
  notablescan: { value: false, settableAtRuntime: true, settableAtStartup: true },
  logComponentVerbosity: { value: { verbosity: 0 }, settableAtRuntime: true, settableAtStartup: true },
  enableTestCommands: { value: false, settableAtRuntime: false, settableAtStartup: true },
};

/** A fake mongod, and the commands that it received to set values. */
function mongod(): { connection: MongoConnection; told: Document[] } {
  const told: Document[] = [];
  const command = async (_database: string, asked: Document): Promise<Document> => {
    if (asked.buildInfo) return { version: '8.0.4' };
    if (asked.getParameter) return { ...PARAMETERS, ok: 1 };
    if (asked.serverStatus) return { uptime: 3600 };
    if (asked.getCmdLineOpts) return { parsed: { storage: { dbPath: '/data/db' } } };
    if (asked.dbStats) return { fsTotalSize: 8e9, fsUsedSize: 5e9 };
    const { setParameter: _one, ...values } = asked;
    if (values.cursorTimeoutMillis === -1)
      throw Object.assign(new Error('Invalid value'), { name: 'MongoServerError', code: 2 });
    told.push(values);
    return { ok: 1 };
  };
  const hello = { setName: 'rs0', hosts: ['a:1', 'b:2'], me: 'a:1' };
  const place = { address: 'a', port: 1, socket: '' };
  return { connection: { command, find: async () => [], hello, place, database: 'x', close: async () => {} }, told };
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
    const { connection, told } = mongod();
    const control = await mongoControl(connection);
    const values = { cursorTimeoutMillis: '1000', notablescan: 'on', logComponentVerbosity: '{"verbosity":2}' };
    await control.set(new Map(Object.entries(values)));
    await control.putBack([{ name: 'cursorTimeoutMillis', value: '600000', undo: {} }]);
    expect(told).toEqual([
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
