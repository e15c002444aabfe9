import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Bound } from '../../shared/model/analysis.ts';
import type { MonitoredSeries, MonitoredSource } from '../../shared/model/monitored.ts';
import type { Run, SessionEvent } from '../../shared/model/session.ts';
import { blankCanvas } from '../testing/canvas.ts';
import { ladder } from '../testing/documents.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { showView } from './testing/view.tsx';

beforeEach(() => {
  localStorage.clear();
  window.location.hash = '';
  blankCanvas();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const ZERO = Date.UTC(2026, 10, 1);
const SECONDS = 100;
const at = (second: number): number => ZERO + second * 1000;
const series = (id: string, lane: MonitoredSeries['lane'], label: string, main?: true): MonitoredSeries => ({
  ...{ id, rule: id, label, unit: '%', lane, digits: 0 },
  ...(main && { main }),
});
const source: MonitoredSource = {
  ...{ id: 4, kind: 'host', name: 'db1', roles: ['server'], from: at(0), to: at(SECONDS), samples: SECONDS, gaps: [] },
  ...{ clockErrorMs: 200, costPercent: 0.15 },
  series: [
    series('cpu.busy', 'cpu', 'CPU busy', true),
    series('mem.used', 'memory', 'Used', true),
    series('load.1', 'run-queue', 'Load average'),
  ],
};
const run = (id: number, from: number, state: Run['state'] = 'done'): Run => ({
  ...{ id, sessionId: 1, trial: id - 1, cell: 0, repeat: id - 1, levels: {}, state, warmup: 5, duration: 25 },
  ...{ startedAt: at(from), summary: {}, findings: [], partial: false, seconds: 30 },
});
const runs = [run(1, 10), run(2, 60)];
/** Each value equals its second. */
const rising = (from: number, to: number) => ({
  t: Float64Array.from({ length: to - from + 1 }, (_, index) => at(from + index)),
  v: Float64Array.from({ length: to - from + 1 }, (_, index) => from + index),
});
const window4 = ({ id, startedAt = 0, warmup, duration }: Run) => ({
  ...{ runId: id, zero: startedAt, from: startedAt + warmup * 1000, to: startedAt + (warmup + duration) * 1000 },
  errorMs: 150,
});

const bound: Bound = {
  ...{ verdict: 'cpu', host: 'db1', share: 1, sentence: 'CPU of db1 at its limit.', runnersUp: [], notWatched: [] },
  evidence: [{ source: 'db1', id: 'load.1', value: 9, unit: '%' }],
};
const judgement = {
  ...{ runId: 2, version: 1, warmup: 5, operations: [], bound },
  blackBox: {
    count: 1,
    events: [
      {
        ...{ kind: 'stall' as const, from: 12, to: 15, depth: 1, sentence: 'At second 12 throughput stopped for 3 s.' },
        changes: [
          {
            ...{ source: 'db1', id: 'load.1', label: 'Load average', unit: '%', direction: 'rose' as const },
            ...{ value: 1, reached: 9, effect: 9, onset: 0, follows: false },
          },
        ],
      },
    ],
  },
};
const cell = {
  ...{ cell: 0, levels: {}, runs: [], means: [2000], value: 2000, errors: 0, partial: false },
  bound: { verdict: bound.verdict, sentence: bound.sentence, evidence: bound.evidence, runId: 2, runs: 1, of: 1 },
};

function show(place: string, events: readonly SessionEvent[] = []) {
  const asked: string[] = [];
  const session = sampleSession(events.length > 0 ? { state: 'running' } : {});
  const wait = (): Promise<void> => new Promise(() => undefined);
  const engine = testEngine({
    sessions: {
      get: () => ({
        ...{ session, experiment: { ...ladder, factors: [] }, experimentText: '', hosts: [], appVersion: '0' },
        ...{ plan: { cells: [{ index: 0, levels: {} }], trials: [], seconds: 0, findings: [] }, findings: [] },
      }),
      runs: () => runs,
      events: () => [],
      async *watch() {
        yield* events;
        await wait();
      },
    },
    results: {
      session: () => ({ sessionId: 1, metric: 'tps', metrics: ['tps'], factors: [], warmup: 0, cells: [cell] }),
      judgements: () => [judgement],
      series: ({ runIds, metrics }) =>
        runIds.flatMap((runId) =>
          metrics.map((metric) => ({
            ...{ runId, generator: 0, metric },
            ...{ t: Float64Array.of(1, 2, 3), v: Float64Array.of(1000 * runId, 1000 * runId, 1000 * runId) },
          })),
        ),
    },
    monitors: {
      sources: () => [source],
      windows: () => runs.map(window4),
      series: ({ wanted }) =>
        wanted.flatMap(({ sourceId, ids }) => {
          asked.push(...ids);
          return ids.map((id) => ({ sourceId, id, ...rising(0, SECONDS) }));
        }),
      async *watch() {
        yield [{ sourceId: 4, id: 'cpu.busy', ...rising(0, 70) }];
        yield [{ sourceId: 4, id: 'cpu.busy', ...rising(71, 80) }];
        await wait();
      },
    },
  });
  showView(engine.link, place);
  return asked;
}

const lane = (name: string) => screen.findByRole('group', { name });
const figure = (region: HTMLElement) => within(region).getByRole('status').textContent;

it('shows tool and hosts at one second of the session', async () => {
  const asked = show('/sessions/1/results/hosts');
  const [cpu, tool] = [await lane('CPU busy'), await lane('Transactions')];
  await waitFor(() => expect(figure(cpu)).toBe('50'));
  expect(screen.getByText('clock ±0.2 s · monitoring used 0.15 % of one core')).toBeDefined();
  // Second 0 of the session is at the first sample: the second run began 60 s later.
  const cursor = screen.getByRole('slider', { name: 'Cursor through all lanes' });
  fireEvent.keyDown(cursor, { key: 'Home' });
  for (let leap = 0; leap < 6; leap += 1) fireEvent.keyDown(cursor, { key: 'ArrowRight', shiftKey: true });
  for (let second = 0; second < 2; second += 1) fireEvent.keyDown(cursor, { key: 'ArrowRight' });
  await waitFor(() => expect(figure(cpu)).toBe('62'));
  expect(figure(tool)).toBe('2,000');
  expect(cursor.getAttribute('aria-valuetext')).toContain('repeat 2');
  expect(new Set(asked)).toEqual(new Set(['cpu.busy', 'mem.used']));
});

it('counts from the start of the run in the address', async () => {
  show('/sessions/1/results/hosts?lanes=2');
  await waitFor(async () => expect(figure(await lane('CPU busy'))).not.toBe(''));
  expect(screen.getByRole('heading', { name: 'Run timeline' })).toBeDefined();
  expect(screen.getByText(/its second 0 is known to ±0.2 s/)).toBeDefined();
  const cursor = screen.getByRole('slider', { name: 'Cursor through all lanes' });
  fireEvent.keyDown(cursor, { key: 'Home' });
  fireEvent.keyDown(cursor, { key: 'ArrowRight', shiftKey: true });
  await waitFor(() => expect(cursor.getAttribute('aria-valuetext')).toMatch(/^At [89] s\./));
});

/** The visible seconds of the session. */
const seen = async () => {
  const cursor = await screen.findByRole('slider', { name: 'Cursor through all lanes' });
  return [cursor.getAttribute('aria-valuemin'), cursor.getAttribute('aria-valuemax')];
};

it("shows the lanes of a sentence's evidence, and keeps the earlier choice", async () => {
  show('/sessions/1/results/runs?run=2');
  fireEvent.click(await screen.findByRole('link', { name: 'Show the run timeline' }));
  const evidence = await lane('Load average');
  expect(evidence.closest('[data-evidence]')).not.toBeNull();
  expect((await lane('CPU busy')).closest('[data-evidence]')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Run timeline' })).toBeDefined();
  await waitFor(async () => expect(await seen()).toEqual(['58', '92']));
  cleanup();
  show('/sessions/1/results/hosts?lanes=2');
  await lane('CPU busy');
  expect(screen.queryByRole('group', { name: 'Load average' })).toBeNull();
});

it('opens the lanes from the table of cells too, and keeps them once chosen', async () => {
  show('/sessions/1/results');
  fireEvent.click(await screen.findByRole('link', { name: 'the CPU' }));
  await lane('Load average');
  fireEvent.click(screen.getByRole('button', { name: 'Hide Used' }));
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Used' })).toBeNull());
  expect(window.location.hash).not.toContain('series=');
  await lane('Load average');
});

it('shows ten seconds around a stall, with its mark in all lanes, until another run is chosen', async () => {
  show('/sessions/1/results/runs?run=2');
  fireEvent.click(await screen.findByRole('link', { name: 'Show in the run timeline' }));
  await lane('Load average');
  await waitFor(async () => expect(await seen()).toEqual(['62', '85']));
  const cursor = screen.getByRole('slider', { name: 'Cursor through all lanes' });
  fireEvent.keyDown(cursor, { key: 'Home' });
  fireEvent.keyDown(cursor, { key: 'ArrowRight', shiftKey: true });
  await waitFor(() => expect(cursor.getAttribute('aria-valuetext')).toContain('▼ throughput stopped for 3 s'));
  fireEvent.click(screen.getByRole('combobox', { name: 'Shown on the axis' }));
  fireEvent.click(await screen.findByRole('option', { name: 'the whole session' }));
  await waitFor(async () => expect(await seen()).toEqual(['0', '100']));
  expect(screen.queryByRole('group', { name: 'Load average' })).toBeNull();
});

it('remembers which lanes are shown', async () => {
  show('/sessions/1/results/hosts');
  await lane('CPU busy');
  fireEvent.click(screen.getByRole('button', { name: 'Hide Used' }));
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Used' })).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Lanes' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Find a series' }), { target: { value: 'load aver' } });
  fireEvent.click(await screen.findByRole('checkbox', { name: /Load average/ }));
  await lane('Load average');
  cleanup();
  show('/sessions/1/results/hosts');
  await lane('Load average');
  expect(screen.queryByRole('group', { name: 'Used' })).toBeNull();
});

it('draws the hosts below the running trial every second', async () => {
  const session = sampleSession({ state: 'running' });
  show('/sessions/1/live', [
    { kind: 'session', session },
    { kind: 'run', run: run(2, 60, 'running') },
  ]);
  const cpu = await lane('CPU busy');
  const strips = within(screen.getByRole('region', { name: 'Hosts and servers' }));
  const cursor = strips.getByRole('slider', { name: 'Cursor through all lanes' });
  fireEvent.keyDown(cursor, { key: 'Home' });
  for (let leap = 0; leap < 2; leap += 1) fireEvent.keyDown(cursor, { key: 'ArrowRight', shiftKey: true });
  await waitFor(() => expect(figure(cpu)).toBe('80'));
  expect(screen.queryByRole('group', { name: 'Used' })).toBeNull();
});
