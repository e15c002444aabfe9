import { describe, expect, test } from 'vitest';
import { type MongoPromise, mongoDurability, mongoProduct, topologyWords } from './settings.ts';

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
