import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { isRefusal as clickhouse } from './clickhouse/failure.ts';
import { whereto } from './failure.ts';
import { isRefusal as mongodb } from './mongodb/failure.ts';
import { isRefusal as mysql } from './mysql/failure.ts';
import type { PostgresConnection } from './postgres/connection.ts';
import { postgresStored } from './postgres/data.ts';
import { isPoolerRefusal, isRefusal as postgres, postgresProblem } from './postgres/failure.ts';
import { partsOf } from './postgres/monitoring/sample.ts';
import { defineServer } from './server.ts';

const failed = (message: string, fields: object = {}): Error => Object.assign(new Error(message), fields);
const withCode = (code: string): Error => failed('words of the server', { code });
const ofMySql = (errno: number, sqlState: string): Error => failed('words of the server', { errno, sqlState });
const ofMongo = (code: number): Error => failed('words of the server', { name: 'MongoServerError', code });

describe('an error of PostgreSQL', () => {
  it.each([
    ['syntax', '42601'],
    ['a missing right', '42501'],
    ['a value out of range', '22023'],
    ['a full disk', '53100'],
    ['a time limit of statements', '57014'],
    ['a user function', 'P0001'],
    ['an internal error', 'XX000'],
  ])('is a refusal for %s (%s)', (_what, code) => {
    expect(postgres(withCode(code))).toBe(true);
  });

  it.each([
    ['a broken connection', '08006'],
    ['a pooler without a server', '08P01'],
    ['a login', '28P01'],
    ['too many connections', '53300'],
    ['a shutdown', '57P01'],
    ['a crash', '57P02'],
    ['a start', '57P03'],
    ['an idle session', '57P05'],
    ['an idle transaction', '25P03'],
    ['a reset', 'ECONNRESET'],
    ['a closed pipe, whose name is as long as a SQLSTATE', 'EPIPE'],
  ])('is no refusal for %s (%s)', (_what, code) => {
    expect(postgres(withCode(code))).toBe(false);
  });

  it('without a code is that of a connection', () => {
    expect(postgres(failed('Connection terminated unexpectedly'))).toBe(false);
  });

  it('is a refusal on the console of PgBouncer also with the code of protocol violations', () => {
    expect(['08P01', '3D000', '28P01'].map((code) => isPoolerRefusal(withCode(code)))).toEqual([true, true, true]);
    expect(['57P01', '53300', 'EPIPE', ''].map((code) => isPoolerRefusal(withCode(code)))).toEqual(
      Array.from({ length: 4 }, () => false),
    );
  });
});

describe('an error of MySQL or MariaDB', () => {
  it.each([
    ['syntax', 1064, '42000'],
    ['a missing right', 1227, '42000'],
    ['a login that a statement needs', 1045, '28000'],
    ['a cancelled statement', 1317, '70100'],
    ['a number that the driver does not know', 4_999, 'HY000'],
  ])('is a refusal for %s (%d)', (_what, errno, state) => {
    expect(mysql(ofMySql(errno, state))).toBe(true);
  });

  it.each([
    ['a shutdown', 1053, '08S01'],
    ['too many connections', 1040, '08004'],
    ['an aborted connection', 1184, '08S01'],
    ['a killed connection', 1927, '70100'],
    ['a killed session', 3169, 'HY000'],
    ['an idle session', 4031, 'HY000'],
    ['a proxy that lost its server', 2013, 'HY000'],
  ])('is no refusal for %s (%d)', (_what, errno, state) => {
    expect(mysql(ofMySql(errno, state))).toBe(false);
  });

  it('is no refusal without a state: it is one of the driver', () => {
    expect(mysql(failed('Connection lost', { code: 'PROTOCOL_CONNECTION_LOST', fatal: true }))).toBe(false);
  });
});

test('an error of ClickHouse is a refusal if it has a number of the server', () => {
  expect(clickhouse(ofMySql(62, 'HY000'))).toBe(true);
  expect(clickhouse(withCode('PROTOCOL_CONNECTION_LOST'))).toBe(false);
});

describe('an error of MongoDB', () => {
  it.each([
    ['a missing right', 13],
    ['an unknown command', 59],
    ['a document that it cannot read', 9],
  ])('is a refusal for %s (%d)', (_what, code) => {
    expect(mongodb(ofMongo(code))).toBe(true);
  });

  it.each([
    ['a failed login', 18],
    ['a shutdown', 91],
    ['a command interrupted by a shutdown', 11600],
    ['a change of roles', 11602],
    ['a router that lost its server', 6],
  ])('is no refusal for %s (%d)', (_what, code) => {
    expect(mongodb(ofMongo(code))).toBe(false);
  });

  it('is no refusal without a response of the server', () => {
    expect(mongodb(failed('closed', { name: 'MongoNetworkError', code: 13 }))).toBe(false);
  });
});

/** A connection whose statements fail with this error. */
const failing = (error: Error): PostgresConnection => {
  const fail = () => Promise.reject(error);
  return {
    query: fail,
    several: fail,
    another: fail,
    processId: 1,
    encryption: undefined,
    release: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
};

describe('sizes of stored data', () => {
  it('quote a server that denies them', async () => {
    const { sizes } = await postgresStored(
      failing(failed('permission denied for function pg_ls_waldir', { code: '42501' })),
    );
    expect(sizes.map(({ source }) => source)).toContain(
      'not reported by pg_ls_waldir: permission denied for function pg_ls_waldir',
    );
  });

  it.each(['08006', '57P01', '57P03', '53300', 'EPIPE'])(
    'are unknown, not denied, when the connection is lost (%s)',
    async (code) => {
      await expect(postgresStored(failing(withCode(code)))).rejects.toMatchObject({ code });
    },
  );
});

test('statistics of PostgreSQL are queried again after a cancelled query', async () => {
  const connection = { ...failing(withCode('57014')), query: queryOf(withCode('57014')) };
  await expect(partsOf(connection)).rejects.toMatchObject({ code: '57014' });
  const denied = { ...failing(withCode('42501')), query: queryOf(withCode('42501')) };
  const { parts, problems } = await partsOf(denied);
  expect(parts).toEqual([]);
  expect(problems.length).toBeGreaterThan(0);
});

/** Responds to questions about columns and rights, and fails for every view. */
const queryOf =
  (error: Error): PostgresConnection['query'] =>
  (sql) =>
    sql.includes('pg_attribute') || sql.includes('pg_has_role')
      ? Promise.resolve({ columns: [], rows: [[true]] })
      : Promise.reject(error);

/** A server whose statements fail with this error and that responds to a ping. */
const server = (error: Error) =>
  defineServer({
    kind: 'postgres',
    title: 'PostgreSQL',
    family: 'PostgreSQL',
    example: { name: 'pg', config: {} },
    config: z.strictObject({}),
    captures: [],
    facts: () => ({ kind: 'postgres' }),
    where: () => whereto('the PostgreSQL server', { address: 'db1', port: 5432, socket: '' }),
    connect: () => Promise.resolve({ connection: { close: () => Promise.resolve() }, downgraded: undefined }),
    problem: (cause, where) => postgresProblem(cause, where, { user: 'bench', database: 'bench', tls: 'disabled' }),
    isRefusal: postgres,
    ask: {
      ping: () => Promise.resolve(),
      describe: () => Promise.reject(error),
      counters: () => Promise.reject(error),
      countRows: () => Promise.reject(error),
      settings: () => Promise.reject(error),
      sizes: () => Promise.reject(error),
      stored: () => Promise.reject(error),
      firstRows: () => Promise.reject(error),
      sessions: () => Promise.reject(error),
      run: () => Promise.reject(error),
      table: () => Promise.reject(error),
    },
  });

const nowhere = () => Promise.reject(new Error('Nothing may be reached.'));
const opened = (error: Error) =>
  server(error).open?.({}, undefined, { dial: nowhere, dialSocket: nowhere, exec: nowhere }, undefined);

describe('a statement of a user', () => {
  it('is refused with the words of the server', async () => {
    const session = await opened(failed('syntax error at or near “INDEXX”', { code: '42601' }));
    await expect(session?.run?.('CREATE INDEXX')).rejects.toMatchObject({
      code: 'change-refused',
      message: expect.stringContaining('refused a statement: syntax error'),
    });
  });

  it('is not refused when a pooler lost the server and has a new one', async () => {
    const session = await opened(failed('terminating connection due to administrator command', { code: '57P01' }));
    const lost = { code: 'target-unreachable', message: expect.stringContaining('was lost') };
    await expect(session?.run?.('SELECT 1')).rejects.toMatchObject(lost);
    await expect(session?.readTable?.('SELECT 1')).rejects.toMatchObject(lost);
    await expect(session?.sampleStatement?.('SELECT 1')).rejects.toMatchObject(lost);
  });
});
