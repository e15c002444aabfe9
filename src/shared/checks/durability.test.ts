import { describe, expect, it } from 'vitest';
import type { Durability, TargetDescription } from '../model/target.ts';
import { durabilityOfTables, leastDurable } from './durability.ts';

const promise = (level: Durability['level']): Durability => ({ level, why: `${level}.` });
const stored = (name: string, level: Durability['level'], ...tables: string[]) => ({
  ...{ name, tables, durability: promise(level) },
});
type Storage = NonNullable<TargetDescription['storage']>;

describe('what a power cut costs the tables of a workload', () => {
  const storage: Storage = [
    stored('InnoDB', 'safe', 'orders', 'sbtest1'),
    stored('MyISAM', 'unsafe', 'sbtest2'),
    stored('ROCKSDB', 'relaxed'),
  ];
  const of = (used: Parameters<typeof durabilityOfTables>[1], changes: Partial<TargetDescription> = {}) =>
    durabilityOfTables({ durability: promise('unsafe'), storage, ...changes }, used);

  it('is what is true of the engine that the workload names', () => {
    expect(of({ storage: 'innodb', names: ['sbtest2'] })?.level).toBe('safe');
    expect(of({ storage: 'rocksdb' })?.level).toBe('relaxed');
    expect(of({ storage: 'myisam' })?.level).toBe('unsafe');
    expect(of({ storage: 'tokudb' })).toEqual({
      level: 'unknown',
      why: 'The server does not report on tables of tokudb.',
    });
  });

  it('is what is true of the tables that it uses, the worst of several', () => {
    expect(of({ names: ['sbtest1'] })?.level).toBe('safe');
    expect(of({ names: ['sbtest1', 'sbtest2'] })?.level).toBe('unsafe');
  });

  it('is not known where it does not tell which of unlike tables it uses', () => {
    expect(of({})).toMatchObject({ level: 'unknown', why: expect.stringContaining('tables of InnoDB and MyISAM') });
    expect(of({}, { durability: promise('safe'), storage: storage.slice(0, 1) })?.level).toBe('safe');
  });

  it('is what the server says where it has tables of one kind only', () => {
    expect(durabilityOfTables({ durability: promise('relaxed') }, { names: ['a'] })?.level).toBe('relaxed');
    expect(durabilityOfTables({}, {})).toBeUndefined();
  });

  it('counts what is not known before what may lose the last moments', () => {
    expect(leastDurable([promise('safe'), promise('relaxed'), promise('unknown')])?.level).toBe('unknown');
    expect(leastDurable([promise('unknown'), promise('unsafe')])?.level).toBe('unsafe');
    expect(leastDurable([])).toBeUndefined();
  });
});
