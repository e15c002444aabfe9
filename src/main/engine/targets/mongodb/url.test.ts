import { describe, expect, test } from 'vitest';
import { readUrl, urlProblem } from './connection.ts';

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
