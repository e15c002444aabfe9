import { describe, expect, it } from 'vitest';
import type { CellResult } from '../../../shared/model/result.ts';
import type { RunFact, SessionDetail } from '../../../shared/model/session.ts';
import { factRows, foundIn } from '../../../shared/model/session-words.ts';
import { experimentOf } from '../figures/testing/measured.ts';
import { compareLevels, compareSessions } from './compare.ts';
import type { ComparedSession } from './pairs.ts';

const fact = (what: string, found: string | null, more: Partial<RunFact> = {}): RunFact => ({
  ...{ place: { kind: 'server', name: 'mysql-8.0' }, what, wanted: found ?? '', found, first: '1' },
  ...more,
});

/** Two levels of one factor, three repeats each, interleaved; each cell with the facts of its runs. */
function session(facts: readonly (readonly RunFact[])[], id = 1): ComparedSession {
  const factors = { durability: ['safe', 'relaxed'] };
  const cells = factors.durability.map((durability, cell): CellResult => {
    const means = [100, 101, 99].map((value) => value * (cell + 1));
    return {
      ...{ cell, levels: { durability }, runs: [], means, trials: [cell, cell + 2, cell + 4], errors: 0 },
      ...{ partial: false, value: 100 * (cell + 1) },
      facts: foundIn([{ facts: [...(facts[cell] ?? [])] }]),
    };
  });
  const detail = {
    session: { id, name: `Session ${id}`, tool: 'sysbench' },
    experiment: experimentOf(factors),
    hosts: [],
  };
  return {
    detail: detail as unknown as SessionDetail,
    result: {
      ...{ sessionId: id, metric: 'tps', metrics: ['tps'], warmup: 0, cells },
      factors: [{ name: 'durability', levels: factors.durability }],
    },
  };
}

const codes = ({ findings }: ReturnType<typeof compareSessions>): string[] => findings.map(({ code }) => code);

describe('read-back values of hosts and servers', () => {
  const sync = (found: string, name = 'mysql-8.0') => fact('sync_binlog', found, { place: { kind: 'server', name } });

  it('are a configuration difference and unfair if the same levels had other values', () => {
    const compared = compareSessions(session([[sync('1')], [sync('0')]]), session([[sync('1')], [sync('100')]], 2));
    expect(compared.differences).toContainEqual({
      what: 'Read back, server: sync_binlog',
      baseline: '0',
      other: '100',
    });
    expect(codes(compared)).toContain('found-otherwise');
    expect(compared.findings.find(({ code }) => code === 'found-otherwise')?.message).toContain(
      'server: sync_binlog is 0 and 100 (durability relaxed)',
    );
    expect(compared.overall?.sentence).toBe('No overall ratio: settings differ at the same levels.');
  });

  it('match servers of other names if each side has one', () => {
    const compared = compareSessions(
      session([[sync('1', 'blue')], [sync('0', 'blue')]]),
      session([[sync('1', 'green')], [sync('0', 'green')]], 2),
    );
    expect(compared.differences.map(({ what }) => what)).not.toContain('Read back, server: sync_binlog');
    expect(codes(compared)).not.toContain('found-otherwise');
  });

  it('distinguish the levels of one session', () => {
    const compared = compareLevels(session([[sync('1')], [sync('0')]]), { factor: 'durability', level: 'safe' });
    expect(compared.differences).toEqual([{ what: 'Read back, server: sync_binlog', baseline: '1', other: '0' }]);
    expect(codes(compared)).toEqual([]);
  });

  it('are listed once for runs with the same values, with their number', () => {
    const rows = factRows([
      { id: 1, facts: [fact('thp', 'always')] },
      { id: 2, facts: [fact('thp', 'never')] },
      { id: 3, facts: [fact('thp', 'always'), fact('swappiness', null)] },
      { id: 4 },
    ]);
    expect(rows.map(({ what, found, runs }) => [what, found, runs])).toEqual([
      ['thp', 'always', [1, 3]],
      ['thp', 'never', [2]],
      ['swappiness', null, [3]],
    ]);
  });
});
