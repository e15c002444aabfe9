import { expect, it } from 'vitest';
import { type KeptCapture, SIZES } from '../../../../shared/model/capture.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import type { Run } from '../../../../shared/model/session.ts';
import type { ReportCapture, ReportData } from '../data.ts';
import { keptPart, profilesPart } from './captures.ts';
import type { Part } from './parts.ts';

const runs = [1, 2].map((id) => ({ id, trial: id - 1, levels: { threads: id } }) as unknown as Run);
const kept = (more: Partial<ReportCapture> & Pick<KeptCapture, 'id' | 'name'>): ReportCapture => ({
  ...{ runId: 1, as: 'table', moment: 'end', at: 0, t: 9, tookMs: 3, bytes: 2048, times: 1 },
  ...more,
});
const partsOf = (all: readonly ReportCapture[], more: Partial<ReportData> = {}): Part[] =>
  keptPart({
    runs,
    kept: (runId: number) => all.filter((each) => each.runId === runId),
    captures: (runId: number) => all.filter((each) => each.runId === runId),
    ...more,
  } as unknown as ReportData);

/** Every text in order; rows as their cells. */
const flat = (parts: readonly Part[]): string[] =>
  parts.flatMap((part): string[] => {
    switch (part.kind) {
      case 'together':
        return flat(part.parts);
      case 'table':
        return [part.columns.map(({ title }) => title).join('|'), ...part.rows.map((row) => row.join('|'))];
      case 'heading':
        return [`# ${part.text}`];
      case 'text':
      case 'code':
        return [part.text];
      default:
        return [];
    }
  });

it('lists name, trial, time and size, and shows small tables in full', () => {
  const list = {
    columns: ['id', 'state', 'nothing'],
    rows: [
      [4, 'Sleep', null],
      [9, 'Query', null],
    ],
  };
  expect(
    flat(
      partsOf([
        kept({ id: 1, name: 'process list', table: list }),
        kept({ id: 2, runId: 2, name: 'process list', table: list }),
      ]),
    ),
  ).toEqual([
    '# Captures',
    'Name|When|Stored as|Captures|Size of each|Truncated',
    'process list|after the end|table|2 of 2|2.00 KiB|no',
    '# process list, trial 1 (threads 1), after the end',
    'id|state',
    '4|Sleep',
    '9|Query',
    '1 more of this name in the JSON export.',
  ]);
});

it('marks truncation in the file and in the capture', () => {
  const rows = Array.from({ length: 40 }, (_, index) =>
    Array.from({ length: 13 }, (_, column) => `${index} ${column}`),
  );
  const wide = kept({
    ...{ id: 1, name: 'wide', table: { columns: [...'abcdefghijklm'], rows } },
    left: { count: 7, unit: 'rows' },
  });
  const log = kept({
    id: 2,
    name: 'log',
    as: 'text',
    text: `${'x'.repeat(200)}\n${'line\n'.repeat(30)}`,
    moment: 'every',
    t: 65,
  });
  const texts = flat(partsOf([wide, log]));
  expect(texts).toContain('wide|after the end|table|1 of 1|2.00 KiB|7 rows more');
  expect(texts).toContain('a|b|c|d|e|f|g|h|i|j');
  expect(texts.filter((text) => /^\d+ 0\|/.test(text))).toHaveLength(15);
  expect(texts).toContain('Truncated: 25 more rows. The JSON export has all.');
  expect(texts).toContain('Truncated: 3 more columns. The JSON export has all.');
  expect(texts).toContain('Truncated at the storage limit: 7 rows more.');
  expect(texts).toContain('# log, trial 1 (threads 1), interval, 1:05');
  expect(texts.find((text) => text.startsWith('xxx'))?.split('\n')[0]).toBe(`${'x'.repeat(99)}…`);
  expect(texts).toContain('Truncated: 16 more lines. The JSON export has all.');
});

it('shows a difference per operation, and the reason for missing data', () => {
  const part = { name: 'waits', as: 'difference' } as const;
  const difference = {
    ...{ runId: 1, name: 'waits', keys: ['event'], counters: ['waits', 'idle'] },
    ...{ rows: [{ key: ['io'], grew: [500, 0] }], unchanged: 3, gone: 0, seconds: 60 },
    ...{ operations: { count: 100, word: 'transaction' }, notes: ['A note.'] },
  };
  const all = [
    kept({ ...part, id: 1, moment: 'start' }),
    kept({ ...part, id: 2 }),
    kept({ id: 3, name: 'broken', bytes: 0, problem: 'Access denied.' }),
  ];
  const texts = flat(partsOf(all, { differences: () => [difference] }));
  expect(texts).toContain('waits|start to end|difference|1 of 1|2.00 KiB|no|');
  expect(texts).toContain('broken|after the end|table|0 of 1|–|–|Access denied.');
  expect(texts).toContain('event|waits');
  expect(texts).toContain('io|500 · 5');
  expect(texts).toContain('A note.');
  expect(texts.filter((text) => text.startsWith('# broken'))).toEqual([]);
});

it('lists the sizes that every run stores last', () => {
  const texts = flat(partsOf([kept({ id: 1, name: SIZES, moment: 'start' }), kept({ id: 2, name: 'mine' })]));
  expect(texts.slice(2, 4).map((text) => text.split('|')[0])).toEqual(['mine', SIZES]);
});

it('names a file with its type and size, whose content is in the JSON export', () => {
  const file = { name: 'trace.gz', bytes: Uint8Array.from([0x1f, 0x8b, 0]) };
  const words = flat(partsOf([kept({ id: 1, name: 'trace', as: 'attachment', bytes: 3, file })]));
  expect(words).toContain('trace.gz: gzip archive, 3 B. It is in the JSON export.');
});

it('is empty for a session without captures', () => {
  expect(partsOf([])).toEqual([]);
});

it('shows counters of each level next to its baseline, per operation', () => {
  const asked: unknown[] = [];
  const value = (one: number, other: number) => ({
    one: { mean: one },
    other: { mean: other },
    change: other / one - 1,
  });
  const result = {
    factors: [{ name: 'engine', levels: ['MyISAM', 'InnoDB'] }],
    cells: ['MyISAM', 'InnoDB'].map((engine, place) => ({ levels: { engine }, runs: [{ runId: place + 1 }] })),
  } as unknown as SessionResult;
  const data = {
    profiles: (...sides: unknown[]) => {
      asked.push(sides);
      return [
        {
          ...{ name: 'digests', keys: ['query'], counters: ['calls', 'ms', 'rows'], word: 'transaction' },
          ...{
            runs: { one: 1, other: 1 },
            rows: [{ key: ['SELECT a'], values: [value(2, 3), value(1, 0.5), value(1, 1)] }],
          },
        },
      ];
    },
  } as unknown as ReportData;
  expect(flat(profilesPart(data, result))).toEqual([
    '# Profiles side by side',
    '# digests, per transaction',
    'query|calls: engine MyISAM|calls: engine InnoDB|change|ms: engine MyISAM|ms: engine InnoDB|change',
    'SELECT a|2.00|3.00|+50 %|1.00|0.500|−50 %',
  ]);
  expect(asked).toEqual([[[1], [2]]]);
  expect(profilesPart({ profiles: () => [] } as unknown as ReportData, result)).toEqual([]);
});
