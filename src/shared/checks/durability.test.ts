import { describe, expect, it } from 'vitest';
import type { Durability, TargetDescription } from '../model/target.ts';
import { durabilityOfTables, leastDurable } from './target.ts';

const promise = (level: Durability['level']): Durability => ({ level, why: `${level}.` });
const stored = (name: string, level: Durability['level'], ...tables: string[]) => ({
  ...{ name, tables, durability: promise(level) },
});
type Storage = NonNullable<TargetDescription['storage']>;

describe('the durability of a workload’s tables', () => {
  const storage: Storage = [
    stored('InnoDB', 'safe', 'orders', 'sbtest1'),
    stored('MyISAM', 'unsafe', 'sbtest2'),
    stored('ROCKSDB', 'relaxed'),
  ];
  const of = (used: Parameters<typeof durabilityOfTables>[1], changes: Partial<TargetDescription> = {}) =>
    durabilityOfTables({ durability: promise('unsafe'), storage, ...changes }, used);

  it('is that of the engine that the workload names', () => {
    expect(of({ storage: 'innodb', names: ['sbtest2'] })?.level).toBe('safe');
    expect(of({ storage: 'rocksdb' })?.level).toBe('relaxed');
    expect(of({ storage: 'myisam' })?.level).toBe('unsafe');
    expect(of({ storage: 'tokudb' })).toEqual({
      level: 'unknown',
      why: 'The server does not report on tables of tokudb.',
    });
  });

  it('is that of the tables in use, the worst of several', () => {
    expect(of({ names: ['sbtest1'] })?.level).toBe('safe');
    expect(of({ names: ['sbtest1', 'sbtest2'] })?.level).toBe('unsafe');
  });

  it('is unknown if the workload does not name its tables and they differ', () => {
    expect(of({})).toMatchObject({ level: 'unknown', why: expect.stringContaining('tables of InnoDB and MyISAM') });
    expect(of({}, { durability: promise('safe'), storage: storage.slice(0, 1) })?.level).toBe('safe');
  });

  it('is that of the server if it has one kind of tables', () => {
    expect(durabilityOfTables({ durability: promise('relaxed') }, { names: ['a'] })?.level).toBe('relaxed');
    expect(durabilityOfTables({}, {})).toBeUndefined();
  });

  it('ranks unknown worse than losing the last moments', () => {
    expect(leastDurable([promise('safe'), promise('relaxed'), promise('unknown')])?.level).toBe('unknown');
    expect(leastDurable([promise('unknown'), promise('unsafe')])?.level).toBe('unsafe');
    expect(leastDurable([])).toBeUndefined();
  });
});
