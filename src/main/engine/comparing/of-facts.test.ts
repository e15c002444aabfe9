import { describe, expect, it } from 'vitest';
import type { StoragePlace, TargetFacts } from '../../../shared/model/session-snapshot.ts';
import { nodeFindings } from './differences.ts';
import { differentWays, factFindings } from './found.ts';

const db = (more: Partial<TargetFacts>, name = 'db'): TargetFacts => ({ name, kind: 'mysql', ...more });
const table = (rows: number, bytes: number, packed: number) => ({
  ...{ name: 'sbtest1', bytes: 1e6, rows, sample: { rows, bytes, packed } },
});
const described = (more: object) => ({ product: 'MySQL', version: '8.4', settings: [], readAt: 0, ...more });

describe('data of a session', () => {
  const found = (tables: TargetFacts['tables']) =>
    factFindings({ target: db(tables === undefined ? {} : { tables }) }).map(({ code, severity }) => [code, severity]);

  it('is described as absent, compressible, or compressible to nothing', () => {
    expect(found(undefined)).toEqual([]);
    expect(found([{ name: 't', bytes: 9 }])).toEqual([]);
    expect(found([table(200, 40_000, 19_000)])).toEqual([]);
    expect(found([table(200, 40_000, 8_000)])).toEqual([['data-compresses', 'note']]);
    expect(found([table(200, 40_000, 800)])).toEqual([['data-compresses', 'warn']]);
    expect(found([table(0, 0, 0)])).toEqual([['tables-empty', 'warn']]);
    // A history table that a run fills is empty at first.
    expect(found([table(200, 40_000, 19_000), table(0, 0, 0)])).toEqual([]);
  });
});

it('a folder of the tool in memory is a warning, that of a server is none', () => {
  const place = (type: string, more = {}) => ({
    ...{ host: 'load', path: '/srv/data', ...more },
    fileSystem: { type, source: type, mount: '/srv', options: [] },
  });
  const codes = (...places: StoragePlace[]) => factFindings({ places }).map(({ code }) => code);
  expect(codes(place('tmpfs'), place('ext4'), place('tmpfs', { target: 'db' }))).toEqual(['folder-in-memory']);
  expect(codes({ host: 'load', path: '/dev/sdb' })).toEqual([]);
});

const unit = {
  'started by': 'systemd (process 1)',
  'control group': '/system.slice/mysql.service',
  'limit of open files': '10000',
};
const shell = {
  'started by': 'sh',
  'control group': '/user.slice/user-0.slice/session-4.scope',
  'limit of open files': '1024',
};

describe('start options of servers', () => {
  const words = (one: TargetFacts['process'], other: TargetFacts['process']) =>
    differentWays({ target: db(one ? { process: one } : {}) }, { target: db(other ? { process: other } : {}) }).map(
      ({ code, message }) => [code, message],
    );

  it('are compared between sessions, and between the servers of cells', () => {
    const message =
      'The servers were started differently: started by systemd (process 1) and sh, control group /system.slice/mysql.service and /user.slice/user-0.slice/session-4.scope, limit of open files 10000 and 1024.';
    expect(words(unit, shell)).toEqual([['different-start', message]]);
    expect(words(unit, unit)).toEqual([]);
    const targets = [db({ process: unit }, 'one'), db({ process: shell }, 'two')];
    expect(factFindings({ targets }).map(({ code }) => code)).toEqual(['started-otherwise']);
  });

  it('are compared between nodes, with their versions and relevant settings', () => {
    const pool = (value: string) => [{ name: 'innodb_buffer_pool_size', value, unit: 'B', why: 'Cache.' }];
    const node = (name: string, more: object, started = unit) =>
      db({ process: started, description: described(more) }, name);
    const first = node('one', { settings: pool('1024') });
    const nodesOf = (...nodes: TargetFacts[]) =>
      nodeFindings({ target: { ...first, nodes } }).map(({ code, message }) => [code, message]);
    expect(nodesOf(node('two', { settings: pool('1024') }), db({}, 'silent'))).toEqual([]);
    expect(nodesOf(node('two', { version: '8.0', settings: pool('2048') }), node('three', {}, shell))).toEqual([
      [
        'nodes-differ',
        expect.stringMatching(
          /^Nodes differ from “one”: “two”: MySQL 8\.4 and MySQL 8\.0, innodb_buffer_pool_size .*1.* and .*2.*; “three”: started by systemd/,
        ),
      ],
    ]);
  });

  it('ignore session numbers and values that one side does not report', () => {
    expect(words(shell, { ...shell, 'control group': '/user.slice/user-0.slice/session-19.scope' })).toEqual([]);
    expect(words(unit, undefined)).toEqual([]);
    expect(words({ ...unit, 'NUMA policy': 'interleave:0-1' }, unit)).toEqual([]);
  });

  it('include a variable that is set on one side only', () => {
    const preloaded = { ...unit, 'environment LD_PRELOAD': '/usr/lib/libjemalloc.so.2' };
    expect(words(preloaded, unit)[0]?.[1]).toContain('environment LD_PRELOAD /usr/lib/libjemalloc.so.2 and not set');
    expect(words(unit, preloaded)[0]?.[1]).toContain('environment LD_PRELOAD not set and /usr/lib/libjemalloc.so.2');
  });
});

it('compares cipher and TLS library, but not certificate checks of this app', () => {
  const ways = (one: object, other: object) =>
    differentWays(
      { target: db({ description: described(one) }) },
      { target: db({ description: described(other) }) },
    ).map(({ message }) => message);
  const tls = {
    encrypted: true,
    tls: 'TLSv1.3, TLS_AES_256_GCM_SHA384, certificate not checked',
    tlsLibrary: 'OpenSSL 3.0.15',
  };
  expect(ways(tls, { ...tls, tls: 'TLSv1.3, TLS_AES_256_GCM_SHA384, certificate checked' })).toEqual([]);
  expect(ways(tls, { encrypted: false, tls: 'none' })).toEqual([
    'Encryption differs: TLSv1.3, TLS_AES_256_GCM_SHA384 and none.',
  ]);
  expect(ways(tls, { ...tls, tlsLibrary: 'OpenSSL 1.0.2k' })).toEqual([
    'Encryption differs: library OpenSSL 3.0.15 and OpenSSL 1.0.2k.',
  ]);
});

it('compares round trips if they differ by more than they vary', () => {
  const trips = (one: number, other: number) =>
    differentWays(
      { target: db({ roundTrips: [{ from: 'gen', ms: one }] }) },
      { target: db({ roundTrips: [{ from: 'gen', ms: other }] }) },
    ).map(({ message }) => message);
  expect(trips(0.05, 0.09)).toEqual([]);
  expect(trips(2, 2.3)).toEqual([]);
  expect(trips(0.05, 0.4)).toEqual([
    'A round trip to the target takes 0.050 ms on one side and 0.400 ms on the other.',
  ]);
});
