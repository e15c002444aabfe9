import { expect, it } from 'vitest';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { checkLimits } from './limits.ts';
import { addressesOf, addressFindings } from './target-checks.ts';
import { stateOf } from './testing/states.ts';

const connection: ConnectionFacts = {
  ...{ kind: 'mysql', host: 'db1', port: 3306 },
  addresses: ['db1', 'db2', 'db3'].map((host) => ({ host, port: 3306 })),
};
const postgres: ConnectionFacts = { ...connection, kind: 'postgres' };

const NODES = (levels: string) => `[{ name: nodes, kind: nodes, levels: ${levels} }]`;
type Known = Parameters<typeof stateOf>[0];
const found = (known: Known) =>
  addressFindings(stateOf({ connection, ...known }), { name: 'db', connection: known.connection ?? connection }).map(
    ({ code, message }) => [code, message],
  );

it('refuses more addresses than the target has', () => {
  expect(found({ tool: 'sysbench', factors: NODES('[1, 2, 3]') })).toEqual([]);
  expect(found({ tool: 'sysbench', factors: NODES('[1, 4]') })).toEqual([
    ['addresses-missing', 'A cell needs 4 addresses, but target “db” has 3.'],
  ]);
});

it('refuses addresses that generators do not connect to', () => {
  const pgbench = { tool: 'pgbench', connection: postgres };
  expect(found({ ...pgbench, factors: NODES('[1, 2, 3]') })).toEqual([
    [
      'addresses-unused',
      'On each generator, pgbench connects to only one address of “db”, so 1 generator cannot use 2 addresses.',
    ],
  ]);
  expect(found({ ...pgbench, factors: NODES('[1, 2, 3]'), generators: ['one', 'two', 'three'] })).toEqual([]);
  expect(found({ ...pgbench, factors: NODES('[1]') })).toEqual([]);
});

it('accepts a target without an address, such as a socket', () => {
  const socket: ConnectionFacts = { kind: 'mysql', socket: '/run/my.sock' };
  expect(found({ tool: 'sysbench', connection: socket })).toEqual([]);
  expect(found({ tool: 'sysbench', connection: socket, factors: NODES('[1, 2]') })).toMatchObject([
    ['addresses-missing', expect.any(String)],
  ]);
});

it('assigns addresses to each generator, in turn if a tool takes one', () => {
  const of = (known: Known, to: ConnectionFacts) => {
    const state = stateOf(known);
    const [step] = state.steps;
    return step?.generators.map((_, index) => addressesOf(state, to, step, index).map(({ host }) => host));
  };
  const generators = ['one', 'two'];
  expect(of({ tool: 'sysbench', generators }, connection)).toEqual([
    ['db1', 'db2', 'db3'],
    ['db2', 'db3', 'db1'],
  ]);
  expect(of({ tool: 'pgbench', generators }, postgres)).toEqual([['db1'], ['db2']]);
  // If ports differed between hosts, some combinations would have no listener.
  const ports = { ...connection, addresses: [3306, 3307].map((port, at) => ({ host: `db${at}`, port })) };
  expect(of({ tool: 'sysbench', generators }, ports)).toEqual([['db0'], ['db1']]);
  // The connection through Kneepoint has one address.
  expect(of({ tool: 'sysbench', generators }, { ...connection, relay: '/run/way' })).toEqual([['db1'], ['db1']]);
});

it('counts the local ports of a generator for each address separately', () => {
  const options = '{ threads: 50000 }';
  const short = (to: ConnectionFacts) => {
    const state = stateOf({ tool: 'sysbench', options, connection: to });
    const generators = state.generators.map(({ facts, ...generator }) => ({
      ...generator,
      ...(facts && { facts: { ...facts, localPorts: { first: 32_768, last: 60_999 } } }),
    }));
    return checkLimits({ ...state, generators }, { name: 'db', connection: to }).flatMap(({ code, message }) =>
      code === 'ports-limit' ? [message] : [],
    );
  };
  const { addresses: _all, ...one } = connection;
  expect(short(one)).toEqual([expect.stringMatching(/has 28232 ports/)]);
  expect(short(connection)).toEqual([]);
});
