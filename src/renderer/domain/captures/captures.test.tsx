import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { CaptureContent, CounterDifference, KeptCapture } from '../../../shared/model/capture.ts';
import type { Run } from '../../../shared/model/session.ts';
import { testEngine } from '../../testing/engine.ts';
import { renderWithEngine } from '../../testing/render.tsx';
import { KeptCaptures } from './KeptCaptures.tsx';

afterEach(cleanup);

const kept = (id: number, more: Partial<KeptCapture>): KeptCapture => ({
  ...{ id, runId: 1, name: 'status', as: 'text', moment: 'end', at: 0, tookMs: 1, bytes: 5, times: 1 },
  ...more,
});
const CONTENT: Record<number, CaptureContent> = {
  1: { text: 'of the first run' },
  2: { text: 'of the other run' },
  5: {
    table: {
      columns: ['Id', 'Info'],
      rows: [
        [7, null],
        [12, 'SELECT 1'],
      ],
    },
  },
};
CONTENT[7] = {
  table: {
    columns: ['name', 'value'],
    rows: [
      ['pages "a"', '96'],
      ['engine', 'InnoDB'],
      ['twice', 1],
      ['twice', 2],
    ],
  },
};
CONTENT[8] = { file: { name: 'trace.gz', bytes: Uint8Array.from([0x1f, 0x8b, 0, 1]) } };
CONTENT[9] = { file: { name: 'my.cnf', bytes: new TextEncoder().encode('[mysqld]\n') } };
const LIST = [
  kept(1, { left: { count: 2048, unit: 'bytes' } }),
  kept(2, { runId: 2, moment: 'stall', t: 42.4 }),
  kept(3, { name: 'digests', as: 'difference', moment: 'start' }),
  kept(4, { name: 'digests', as: 'difference' }),
  kept(5, { name: 'processes', as: 'table', moment: 'stall', t: 61 }),
  kept(7, { name: 'sizes', as: 'fact' }),
  kept(8, { runId: 3, name: 'trace', as: 'attachment' }),
  kept(9, { runId: 3, name: 'settings', as: 'attachment' }),
  kept(6, { name: 'broken', bytes: 0, problem: 'Access denied.', times: 3 }),
];
const DIFFERENCE: CounterDifference = {
  ...{
    runId: 1,
    name: 'digests',
    keys: ['query'],
    counters: ['calls', 'ms', 'errors'],
    unchanged: 4,
    gone: 0,
    seconds: 62,
  },
  rows: [
    { key: ['SELECT a'], grew: [1000, 2.5, 0] },
    { key: ['SELECT b'], grew: [null, 1, 0] },
  ],
  operations: { count: 100, word: 'transaction' },
  notes: ['Counters of 1 row began again.'],
};
const RUNS = [
  { id: 1, trial: 0, levels: { threads: 1 } },
  { id: 2, trial: 1, levels: { threads: 2 } },
] as unknown as Run[];

function show(onMeasure?: (measure: object) => void, run = 1): void {
  const { link } = testEngine({
    captures: {
      list: () => LIST,
      content: ({ id }) => CONTENT[id] ?? {},
      differences: () => [DIFFERENCE],
    },
  });
  renderWithEngine(
    link,
    <KeptCaptures run={{ id: run }} runs={RUNS} sessionId={1} {...(onMeasure && { onMeasure })} />,
  );
}
const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    );

it('lists the captures of a run, a difference as one, and shows the selected one', async () => {
  show();
  expect(await screen.findByText('of the first run')).toBeTruthy();
  expect(rowsOf('Captures')).toEqual([
    ['status', 'after the end', 'text', '5 B, truncated: 2.00 KiB more', '–'],
    ['digests', 'start to end', 'difference', '5 B', '–'],
    ['processes', 'stall or dip, 1:01', 'table', '5 B', '–'],
    ['sizes', 'after the end', 'fact', '5 B', '–'],
    ['broken', 'after the end', 'text', '–', 'Access denied. (3 times in a row)'],
  ]);
  fireEvent.click(screen.getByText('processes'));
  await screen.findByText('SELECT 1');
  expect(rowsOf('processes')).toEqual([
    ['7', '–'],
    ['12', 'SELECT 1'],
  ]);
  fireEvent.click(screen.getByText('broken'));
  expect(screen.getAllByText('Access denied. (3 times in a row)')).toHaveLength(2);
});

it('shows the growth of counters, in all and per operation, without unchanged ones', async () => {
  show();
  fireEvent.click(await screen.findByText('digests'));
  await screen.findByText(/in 1 min 2 s, with 100 transactions; 4 rows did not change/);
  expect(screen.getByText('Counters of 1 row began again.')).toBeTruthy();
  expect(rowsOf('digests')).toEqual([
    ['SELECT a', '1,000 · 10.0', '2.50 · 0.0250'],
    ['SELECT b', 'unknown', '1 · 0.0100'],
  ]);
});

it('shows the same capture of another run next to it', async () => {
  show();
  await screen.findByText('of the first run');
  fireEvent.click(screen.getByLabelText('Compare with', { selector: 'input' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Trial 2 (threads 2): stall or dip, 0:42', hidden: true }));
  expect(await screen.findByText('of the other run')).toBeTruthy();
  expect(screen.getByText('of the first run')).toBeTruthy();
});

it('shows type and size of a file, its text if it is text, and saves it', async () => {
  const saved: [string, string][] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push([(file as Blob).type, String((file as Blob).size)]);
    return 'blob:saved';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
  // The test page would open the address instead of saving it.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  show(undefined, 3);
  expect(await screen.findByText('trace.gz: gzip archive, 4 B')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Save file' }));
  expect(saved).toEqual([['application/gzip', '4']]);
  fireEvent.click(screen.getByText('settings'));
  expect(await screen.findByText('my.cnf: text, 9 B')).toBeTruthy();
  expect(screen.getByText('[mysqld]')).toBeTruthy();
  vi.restoreAllMocks();
});

it('creates a measure from a number that a formula can reference', async () => {
  const measures: object[] = [];
  show((measure) => measures.push(measure));
  fireEvent.click(await screen.findByText('sizes'));
  fireEvent.click(await screen.findByRole('button', { name: /^Use as measure: pages "a", / }));
  expect(measures).toEqual([{ name: 'pages "a"', is: 'fact("sizes", "value", "pages \\"a\\"")' }]);
  expect(screen.getAllByRole('button', { name: /^Use as measure/ })).toHaveLength(1);
});
