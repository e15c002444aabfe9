import { describe, expect, it } from 'vitest';
import type { BoundVerdict } from '../../../shared/model/analysis.ts';
import { caveatsOf } from '../../../shared/model/figure.ts';
import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import { boundOfCell } from '../judging/index.ts';
import { pairFindings, warningFindings } from './compare.ts';
import type { ComparedSession } from './pairs.ts';

const evidence = (value: number) => ({ source: 'db1', id: 'cpu.busy', value, unit: '%' });
const judged = (...verdicts: BoundVerdict[]) =>
  new Map(
    verdicts.map((verdict, index) => [
      index + 1,
      { verdict, sentence: `Run ${index + 1}: ${verdict}.`, evidence: [evidence(index + 1)] },
    ]),
  );
const ids = [1, 2, 3];

describe('the bottleneck of a cell', () => {
  it('is the bottleneck of more than half of its judged runs', () => {
    expect(boundOfCell(judged('disk', 'cpu', 'cpu'), ids)).toEqual({
      verdict: 'cpu',
      sentence: 'Run 2: cpu.',
      evidence: [evidence(2)],
      runId: 2,
      runs: 2,
      of: 3,
    });
  });

  it('is absent if runs differ or none was judged', () => {
    expect(boundOfCell(judged('disk', 'cpu'), ids)).toBeUndefined();
    expect(boundOfCell(judged('disk', 'cpu', 'locks'), ids)).toBeUndefined();
    expect(boundOfCell(judged(), ids)).toBeUndefined();
  });
});

describe('cells limited by the load', () => {
  const cell = (threads: number, verdict: BoundVerdict) => ({
    levels: { threads },
    ...caveatsOf({
      ...{ partial: false, means: [1, 2], errors: 0 },
      bound: { verdict, sentence: `${verdict} at ${threads}.` },
    }),
  });

  it('are named once for each kind of limit, and the others are not', () => {
    const cells = [cell(1, 'cpu'), cell(8, 'generator-cpu'), cell(16, 'generator-cpu'), cell(32, 'network')];
    expect(
      warningFindings(cells).map(({ code, severity, message, evidence }) => [code, severity, message, evidence]),
    ).toEqual([
      [
        'bound-by-generator',
        'warn',
        '2 cells of 4 were limited by the CPU of the load generator, not by the system under test: threads 8, threads 16.',
        'generator-cpu at 8.',
      ],
      [
        'bound-by-network',
        'warn',
        '1 cell of 4 was limited by the network, not by the system under test: threads 32.',
        'network at 32.',
      ],
    ]);
    expect(warningFindings([cell(1, 'cpu'), cell(2, 'not-known'), cell(3, 'locks'), { levels: {} }])).toEqual([]);
  });
});

it('different queue depths on a disk are reported', () => {
  const cell = { levels: {} } as CellResult;
  const side = (name: string, depth: number) =>
    ({ detail: { session: { name } }, queueDepth: () => depth }) as unknown as ComparedSession;
  const compared = { levels: {}, baseline: cell, other: cell } as ComparedCell;
  const messages = (one: number, other: number) =>
    pairFindings([compared], side('log', one), side('scan', other)).map(({ message }) => message);
  expect(messages(1, 32)).toEqual(['“log” keeps 1 I/O in flight, “scan” 32 I/Os.']);
  expect(messages(8, 8)).toEqual([]);
});

it('different I/Os per read and per write are both reported, each with its number of cells', () => {
  const cell = { levels: {} } as CellResult;
  const side = (name: string, reads: number, writes: number) =>
    ({
      detail: { session: { name } },
      costs: () => [
        { id: 'reads', label: 'Reads', value: reads, digits: 1, unit: '', formula: 'reads ÷ operations' },
        { id: 'writes', label: 'Writes', value: writes, digits: 1, unit: '', formula: 'writes ÷ operations' },
      ],
    }) as unknown as ComparedSession;
  const compared = { levels: {}, baseline: cell, other: cell } as ComparedCell;
  const messages = pairFindings([compared, compared], side('a', 1, 2), side('b', 5, 9)).map(({ message }) => message);
  expect(messages).toEqual([
    'Reads per operation: 1.0 in “a”, 5.0 in “b”. Also in 1 more cell.',
    'Writes per operation: 2.0 in “a”, 9.0 in “b”. Also in 1 more cell.',
  ]);
});
