import { describe, expect, it } from 'vitest';
import type { Bound, BoundVerdict, OperationCost } from '../../model/analysis.ts';
import { type ComparedSide, comparedFindings } from '../index.ts';
import { RUN_CHECKS } from './index.ts';

const bound = (verdict: BoundVerdict): Bound => ({
  verdict,
  share: verdict === 'not-known' ? 0 : 1,
  sentence: `It was ${verdict}.`,
  evidence: [],
  runnersUp: [],
  notWatched: [],
});
const reads = (value: number): OperationCost => ({
  id: 'reads',
  label: 'Disk read I/Os',
  unit: 'I/Os',
  digits: 3,
  value,
  formula: '(reads) ÷ (transactions)',
  from: [],
});
const side = (name: string, more: Partial<ComparedSide> = {}): ComparedSide => ({ name, ...more });
const codes = (one: Partial<ComparedSide>, other: Partial<ComparedSide>): string[] =>
  comparedFindings(side('A', one), side('B', other)).map(({ code }) => code);

const CASES: readonly (readonly [string, Partial<ComparedSide>, Partial<ComparedSide>, Partial<ComparedSide>])[] = [
  ['bound-by-generator', { bound: bound('generator-core') }, {}, { bound: bound('cpu') }],
  ['bound-by-network', {}, { bound: bound('network') }, { bound: bound('disk') }],
  ['bounded-unlike', { bound: bound('cpu') }, { bound: bound('disk') }, { bound: bound('cpu') }],
  ['io-per-operation-differs', { costs: [reads(0.9)] }, { costs: [reads(0.2)] }, { costs: [reads(0.8)] }],
  ['queue-depth-differs', { queueDepth: 1 }, { queueDepth: 32 }, { queueDepth: 1 }],
];

describe('a comparison', () => {
  it.each(CASES)('finds %s', (code, one, other, alike) => {
    expect(codes(one, other)).toContain(code);
    expect(codes(alike, alike)).not.toContain(code);
  });

  it('ignores unknown bottlenecks and low I/O', () => {
    expect(codes({ bound: bound('not-known') }, { bound: bound('disk') })).toEqual([]);
    expect(codes({ costs: [reads(0.001)] }, { costs: [reads(0.03)] })).toEqual([]);
    expect(codes({}, {})).toEqual([]);
  });

  it('names the side', () => {
    const [finding] = comparedFindings(side('8.0', { bound: bound('generator-cpu') }), side('5.7'));
    expect(finding?.message).toBe('8.0: It was generator-cpu.');
  });

  it('is tested with every check of comparisons', () => {
    const all = RUN_CHECKS.filter(({ when }) => when === 'comparison').map(({ code }) => code);
    expect(CASES.map(([code]) => code).sort()).toEqual(all.sort());
  });
});
