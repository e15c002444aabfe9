import { describe, expect, it } from 'vitest';
import { caveatsOf, caveatWords, rankable, warningGroups, warningsOf } from './figure.ts';
import type { CellResult, ComparedCell } from './result.ts';
import { comparedWarnings } from './result-words.ts';

const SOUND = { partial: false, means: [1, 2], errors: 0 };
const stalls = { count: 2, longest: 2, share: 0.2 };
const bound = { verdict: 'network' as const, sentence: 'Link eth0 at its limit.' };
const all = caveatsOf({
  ...{ partial: true, means: [1], errors: 12, failures: [{ events: 12, seconds: 60 }], stalls, bound },
  excluded: [{ trial: 31, reason: 'its link was cut.', replacedBy: 40 }],
});

describe('the caveats of a cell', () => {
  it('are none if nothing was found', () => {
    expect(caveatsOf({ ...SOUND, stalls: { count: 0, longest: 0, share: 0 }, excluded: [] })).toEqual({});
    expect(caveatsOf({ ...SOUND, bound: { ...bound, verdict: 'cpu' } })).toEqual({});
    expect(warningsOf(undefined)).toEqual([]);
  });

  it('are in the order of the list', () => {
    expect(all.caveats?.map(({ id }) => id)).toEqual([
      ...['partial', 'stalled', 'errors', 'bound-by-network', 'excluded', 'one-repeat'],
    ]);
  });

  it('have one wording for each place', () => {
    const network = 'limited by the network, not by the system under test';
    expect(caveatWords('table', all)).toBe(`partial; 2 stalls, 20.0 % of the time, longest 2.0 s; ${network}`);
    expect(caveatWords('list', all)).toBe(network);
    expect(caveatWords('chart', all)).toBe('12 errors, limited by generator or network');
    expect(caveatWords('counts', all)).toBe('12 errors');
    expect(caveatWords('figure', all)).toBe(`, with 12 errors, ${network}`);
    expect(caveatWords('name', all)).toBe(`had 12 errors (0.200 per s), and was ${network}`);
    expect(caveatWords('note', all)).toBe('2 stalls, 20.0 % of the time, longest 2.0 s.');
    expect(caveatWords('csv', all)).toBe('');
    expect(caveatWords('tooltip', all).split('\n')).toEqual([
      ...['partial', '2 stalls, 20.0 % of the time, longest 2.0 s'],
      ...['1 run excluded (trial 32, replaced by trial 41: its link was cut)', 'measured once'],
    ]);
  });

  it('of several cells are one sentence if equal', () => {
    const cells = [1, 2, 4].map((threads) => ({ levels: { threads }, ...(threads > 1 && all) }));
    expect(warningGroups(cells)).toEqual([
      {
        ...{ id: 'bound-by-network', evidence: bound.sentence, next: expect.stringMatching(/faster network/) },
        message: '2 cells of 3 were limited by the network, not by the system under test: threads 2, threads 4.',
      },
    ]);
  });

  it('of a comparison are listed for each side, except those that a finding covers', () => {
    const side = (more: object) => ({ levels: { threads: 1 }, ...more }) as unknown as CellResult;
    const cells = [{ baseline: side({}), other: side(all) }] as ComparedCell[];
    expect(comparedWarnings({ cells, findings: [] })).toEqual([
      'Compared: The only cell was limited by the network, not by the system under test: threads 1.',
    ]);
    const finding = { code: 'bound-by-network', severity: 'warn', message: '' } as const;
    expect(comparedWarnings({ cells, findings: [finding] })).toEqual([]);
  });

  it('include a clipped percentile, and one of few operations', () => {
    const clipped = caveatsOf({ ...SOUND, clipped: true, tail: { operations: 999, slower: 9.99, bySecond: false } });
    expect(caveatWords('list', clipped)).toBe('at the end of the tool’s scale, so the true value is this or more');
    expect(caveatWords('note', clipped)).toBe(
      'Percentile of 999 operations: only 9 slower; a reliable percentile needs 10.',
    );
    expect(warningsOf(clipped).map(({ id }) => id)).toEqual(['clipped']);
    expect(caveatsOf({ ...SOUND, tail: { operations: 1000, slower: 10, bySecond: false } })).toEqual({});
    const seconds = caveatsOf({ ...SOUND, tail: { operations: 50, slower: 0.5, bySecond: true } });
    expect(caveatWords('csv', seconds)).toBe(
      'Percentile of 50 operations in each second: only 0 slower; a reliable percentile needs 10.',
    );
  });

  it('exclude partial figures from a ranking, and latencies that exclude more time than others', () => {
    const cell = (name: string, facts: Partial<Parameters<typeof caveatsOf>[0]>) => ({
      name,
      ...caveatsOf({ ...SOUND, ...facts }),
    });
    const cells = [
      cell('steady', {}),
      cell('partial', { partial: true }),
      cell('a rate that stalled', { stalls }),
      cell('a latency that stalled', { stalls, excludesStalls: true }),
    ];
    expect(rankable(cells).map(({ name }) => name)).toEqual(['steady', 'a rate that stalled']);
    expect(rankable(cells.slice(3))).toHaveLength(1);
  });
});
