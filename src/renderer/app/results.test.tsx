import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SampleDamage } from '../../shared/model/damage.ts';
import { KneepointError } from '../../shared/model/problem.ts';
import type { StepResult } from '../../shared/model/result.ts';
import type { Run } from '../../shared/model/session.ts';
import { blankCanvas } from '../testing/canvas.ts';
import { ladder } from '../testing/documents.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { showView } from './testing/view.tsx';

beforeEach(() => {
  window.location.hash = '';
  blankCanvas();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const run = (id: number, changes: Partial<Run> = {}): Run => ({
  ...{ id, sessionId: 1, trial: id - 1, cell: 0, repeat: id - 1, levels: {}, state: 'done', warmup: 1, duration: 30 },
  ...{ startedAt: 1000, endedAt: 31_000, summary: {}, findings: [], partial: false, seconds: 30 },
  ...changes,
});

type Sessions = NonNullable<Parameters<typeof testEngine>[0]['sessions']>;

/** Results of a session with two runs; reading again repairs damaged samples. */
function show(
  tab: string,
  runs: readonly Run[],
  reingest: Sessions['reingest'],
  damaged: readonly number[] = [],
  more: Partial<StepResult> = {},
  session: Parameters<typeof sampleSession>[0] = {},
) {
  const mended = new Set<number>();
  const edited: unknown[] = [];
  const damageOf = (runId: number): SampleDamage => ({ runId, generator: 0, metric: 'tps', first: 3, last: 9 });
  const engine = testEngine({
    sessions: {
      runs: () => [...runs],
      list: () => [sampleSession({ id: 3 }), sampleSession({ id: 2, damaged: true }), sampleSession({ id: 1 })],
      get: () => ({
        session: sampleSession(session),
        experiment: { ...ladder, factors: [] },
        experimentText: '',
        plan: { cells: [{ index: 0, levels: {} }], trials: [], seconds: 0, findings: [] },
        hosts: [],
        appVersion: '0',
        findings: [],
      }),
      edit: (change) => {
        edited.push(change);
        return sampleSession({ id: change.id });
      },
      reingest: async (input, control) => {
        const read = (await reingest?.(input, control)) ?? [];
        for (const { id } of read) mended.add(id);
        engine.send({ kind: 'changed', topic: 'sessions' });
        return read;
      },
    },
    results: {
      session: () => {
        const damage = damaged.filter((id) => !mended.has(id)).map(damageOf);
        const figures = { sessionId: 1, metrics: ['tps'], factors: [], warmup: 0, cells: [] };
        return { ...figures, metric: 'tps', ...more, ...(damage.length > 0 && { damage }) } as StepResult;
      },
      series: ({ runIds, metrics }) =>
        runIds.flatMap((runId) =>
          metrics
            .filter((metric) => metric.startsWith('latency_'))
            .map((metric) => ({
              ...{ runId, metric, generator: 0 },
              ...{ t: Float64Array.of(1, 2, 3), v: Float64Array.of(4, 5, 6) },
            })),
        ),
      stretches: ({ groups }) => ({
        seconds: 10,
        groups: groups.map(([id = 0]) => ({
          ...{ t: Float64Array.of(0, 10), median: Float64Array.of(id, id) },
          ...{ low: Float64Array.of(id, id), high: Float64Array.of(id, id) },
        })),
      }),
      raw: () => ({ bytes: new TextEncoder().encode('as printed'), total: 10 }),
    },
  });
  showView(engine.link, `/sessions/1/results/${tab}`);
  return { edited };
}

const reparseButton = () => screen.findByRole('button', { name: 'Re-parse raw output' });

it('re-parses one run from its raw output, with progress and result', async () => {
  let finish = (): void => undefined;
  const asked: unknown[] = [];
  show('raw', [run(1), run(2)], async (input) => {
    asked.push(input);
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return [run(1)];
  });
  fireEvent.click(await reparseButton());
  await waitFor(async () => expect((await reparseButton()).hasAttribute('data-loading')).toBe(true));
  finish();
  expect(await screen.findByText('30 seconds re-parsed.')).toBeDefined();
  expect(asked).toEqual([{ id: 1, runId: 1 }]);
  expect((await reparseButton()).hasAttribute('data-loading')).toBe(false);
});

it('does not offer to re-parse a run while recording it', async () => {
  show('raw', [run(1, { state: 'running' })], () => []);
  expect((await reparseButton()).hasAttribute('disabled')).toBe(true);
});

it('shows why it could not be re-parsed', async () => {
  show('raw', [run(1)], () => {
    throw new KneepointError({ code: 'disk-full', message: 'Nothing can be written.', next: 'Make room.' });
  });
  fireEvent.click(await reparseButton());
  const words = await screen.findByText('Nothing can be written.');
  expect(words.closest('[role=alert]')?.textContent).toContain('Make room.');
});

it('rebuilds the damaged samples of each named run once, and then the figures', async () => {
  const asked: (number | undefined)[] = [];
  const reingest: Sessions['reingest'] = ({ runId }) => {
    asked.push(runId);
    return [run(runId ?? 0)];
  };
  show('setup', [run(1), run(2)], reingest, [1, 2, 2]);
  expect(await screen.findByText(/Stored samples of run 2 are damaged/)).toBeDefined();
  fireEvent.click(await reparseButton());
  expect(await screen.findByText('60 seconds of 2 runs re-parsed.')).toBeDefined();
  await waitFor(() => expect(screen.queryByText(/are damaged/)).toBeNull());
  expect(asked).toEqual([1, 2]);
});

it('reports unsettled cells, and applies the proposed cut with one click', async () => {
  const value = 1000;
  const spread = {
    n: 30,
    mean: value,
    median: value,
    p5: value,
    p25: value,
    p75: value,
    p95: value,
    min: value,
    max: value,
    cv: 0,
  };
  show('overview', [run(1)], () => [], [], {
    cells: [{ cell: 0, levels: {}, runs: [], means: [value], errors: 0, partial: false, value, spread }],
    proposedCut: 20,
    findings: [
      {
        code: 'not-settled',
        severity: 'warn',
        message: 'The only cell had not settled.',
        next: 'Set the cut at 20 s.',
      },
    ],
  });
  expect(await screen.findByText(/The only cell had not settled\./)).toBeDefined();
  fireEvent.click(await screen.findByRole('button', { name: 'Proposed cut, 20 s' }));
  await waitFor(() => expect(window.location.href).toContain('warmup=20'));
});

it('has no knee without a load factor', async () => {
  show('efficiency', [run(1)], () => [], [], { factors: [{ name: 'buffer-pool', levels: [1, 2, 4] }] });
  expect(await screen.findByText('No load factor')).toBeDefined();
});

const CELLS = [1, 8].flatMap((threads, row) =>
  ['safe', 'relaxed'].map((durability, column) => ({
    ...{ cell: 2 * row + column, levels: { durability, threads }, runs: [], errors: 0, partial: false },
    ...{ means: [100 * threads + column, 101 * threads + column], value: 100.5 * threads + column },
  })),
);
const TWO_FACTORS: Partial<StepResult> = {
  factors: [
    { name: 'durability', levels: ['safe', 'relaxed'] },
    { name: 'threads', levels: [1, 8], load: 'concurrency' },
  ],
  cells: CELLS,
};
const go = (place: string): void => {
  window.history.pushState(null, '', `#${place}`);
  window.dispatchEvent(new Event('hashchange'));
};
const shownCells = async (): Promise<number> =>
  (await screen.findByRole('table', { name: /^Cells/ })).querySelectorAll('tbody tr').length;
const answer = (): string => document.querySelector('.kp-answer')?.textContent ?? '';

it('keeps the filter in the address: headline and table follow it, and another session starts without it', async () => {
  show('overview', [run(1)], () => [], [], TWO_FACTORS);
  expect(await shownCells()).toBe(4);
  expect(answer()).toContain('threads 8');
  fireEvent.click(screen.getByRole('checkbox', { name: '1' }));
  await waitFor(async () => expect(await shownCells()).toBe(2));
  expect(window.location.hash).toContain('only.threads=1');
  expect(answer()).toContain('Showing 2 of 4 cells. ');
  expect(answer()).not.toContain('threads 8');

  go('/sessions/2/results');
  await waitFor(async () => expect(await shownCells()).toBe(4));
  expect(answer()).toContain('threads 8');
  go('/sessions/1/results?only.threads=1&only.nothing=7');
  await waitFor(async () => expect(await shownCells()).toBe(2));
});

it('names levels that all cells have below their table, not in columns', async () => {
  const factors = [...(TWO_FACTORS.factors ?? []), { name: 'cache', levels: ['64M'] }];
  const cells = (TWO_FACTORS.cells ?? []).map((cell) => ({ ...cell, levels: { ...cell.levels, cache: '64M' } }));
  show('overview', [run(1)], () => [], [], { ...TWO_FACTORS, factors, cells });
  const table = await screen.findByRole('table', { name: /^Cells/ });
  expect(within(table).queryByRole('columnheader', { name: 'cache' })).toBeNull();
  screen.getByText('All cells: cache 64M.');
});

it('states that a filter does not narrow the answer', async () => {
  const sentences = [[{ text: 'durability 2 is faster.' }]];
  show('overview', [run(1)], () => [], [], { ...TWO_FACTORS, answer: { sentences, verdict: 'none' as const } });
  expect(await shownCells()).toBe(4);
  expect(answer()).not.toContain('filter');
  fireEvent.click(screen.getByRole('checkbox', { name: '1' }));
  await waitFor(() =>
    expect(answer()).toMatch(/durability 2 is faster\..*Covers all 4 cells: the filter does not apply to the answer\./),
  );
});

it('compares nothing with a baseline in a session that is mechanics only', async () => {
  show('overview', [run(1)], () => [], [], TWO_FACTORS);
  expect(await screen.findByText('Compare with baseline')).toBeDefined();
  cleanup();
  show('overview', [run(1)], () => [], [], { ...TWO_FACTORS, mechanics: 'only' });
  expect(await shownCells()).toBe(4);
  expect(screen.queryByText('Compare with baseline')).toBeNull();
});

it('opens a tab by its number, with metric and filter unchanged', async () => {
  show('overview', [run(1)], () => [], [], TWO_FACTORS);
  await shownCells();
  fireEvent.click(screen.getByRole('checkbox', { name: '1' }));
  await waitFor(() => expect(window.location.hash).toContain('only.threads=1'));
  fireEvent.keyDown(document.body, { key: '8' });
  await waitFor(() => expect(window.location.hash).toMatch(/\/results\/runs\?.*only\.threads=1/));
});

it('opens the session before or after this one in the list with a key, without damaged ones', async () => {
  show('runs', [run(1)], () => []);
  await screen.findByRole('tab', { name: 'Runs' });
  await screen.findByRole('heading', { name: 'Thread ladder' });
  fireEvent.keyDown(document.body, { key: '[' });
  await waitFor(() => expect(window.location.hash).toBe('#/sessions/3/results/runs'));
  fireEvent.keyDown(document.body, { key: ']' });
  await waitFor(() => expect(window.location.hash).toBe('#/sessions/1/results/runs'));
});

it('asks which factor the question is about, and stores the choice', async () => {
  const answer = { choices: ['durability', 'cache'], sentences: [], verdict: 'none' as const };
  const { edited } = show('overview', [run(1)], () => [], [], { ...TWO_FACTORS, answer });
  fireEvent.click(await screen.findByRole('button', { name: 'cache' }));
  await waitFor(() => expect(edited).toEqual([{ id: 1, tested: 'cache' }]));
});

it('opens the runs of a cell with metric and filter at the top, and returns to the same row', async () => {
  show('overview?only.threads=8', [run(1), run(2, { cell: 2 })], () => [], [], TWO_FACTORS);
  expect(await shownCells()).toBe(2);
  const main = document.querySelector('main') as HTMLElement;
  main.scrollTop = 500;
  fireEvent.scroll(main);
  fireEvent.click((await screen.findByRole('table', { name: /^Cells/ })).querySelector('tbody tr') as Element);
  await screen.findByRole('table', { name: 'Runs' });
  expect(window.location.hash).toBe('#/sessions/1/results/runs?only.threads=8&cell=2');
  expect(main.scrollTop).toBe(0);
  fireEvent.click(screen.getByRole('tab', { name: 'Overview' }));
  await screen.findByRole('table', { name: /^Cells/ });
  expect(main.scrollTop).toBe(500);
});

it('gives the runs the height of the window, shared with the details of one', async () => {
  const many = Array.from({ length: 24 }, (_, index) => run(index + 1));
  show('runs', many, () => []);
  const room = async () => (await screen.findByRole('table', { name: 'Runs' })).parentElement?.style.maxHeight;
  const whole = await room();
  expect(whole).toContain('100vh');
  fireEvent.click(screen.getByRole('table', { name: 'Runs' }).querySelectorAll('tbody tr')[20] as Element);
  await waitFor(async () => expect(await room()).not.toBe(whole));
  expect(window.location.hash).toContain('run=21');
  go('/sessions/1/results/raw?run=21');
  expect(await screen.findByDisplayValue(/^Trial 21/)).toBeDefined();
});

it('has columns of runs only for factors that vary, and names the others above', async () => {
  const factors = [
    { name: 'threads', levels: [1, 4] },
    { name: 'size', levels: [10] },
  ];
  const runs = [1, 4].map((threads, index) => run(index + 1, { cell: index, levels: { threads, size: 10 } }));
  show('runs', runs, () => [], [], { factors });
  const table = await screen.findByRole('table', { name: 'Runs' });
  const heads = [...table.querySelectorAll('th')].map(({ textContent }) => textContent);
  expect(heads).toContain('threads');
  expect(heads).not.toContain('size');
  expect(screen.getByText('all with size 10')).toBeDefined();
});

it('lists the figure of each run, and the tool’s own only if it reports that metric', async () => {
  const figures = [12, 17];
  const cells = [
    {
      ...{ cell: 0, levels: {}, errors: 0, partial: false, means: figures, value: 14.5 },
      runs: figures.map((value, index) => ({
        ...{ runId: index + 1, repeat: index, state: 'done' as const, partial: false, errors: 0, value },
      })),
    },
  ];
  const columns = async (metric: string): Promise<string[]> => {
    show(
      'runs',
      [1, 2].map((id) => run(id, { summary: { tps: 14 } })),
      () => [],
      [],
      { cells, metric },
    );
    const table = await screen.findByRole('table', { name: 'Runs' });
    expect(table.textContent).toContain('17');
    const heads = [...table.querySelectorAll('th')].map(({ textContent }) => textContent ?? '');
    cleanup();
    return heads.filter((head) => /Variation|Transactions/.test(head));
  };
  expect(await columns('variation_pct')).toEqual(['Variation of throughput (%)']);
  expect(await columns('tps')).toEqual(['Transactions (tps)', 'Transactions, reported by tool (tps)']);
});

it('names the gravest warnings next to the answer', async () => {
  const found = (code: string, severity: 'warn' | 'note') => ({ code, severity, message: `${code}.` });
  const cells = [{ cell: 0, levels: {}, runs: [], errors: 0, partial: false, means: [5], value: 5 }];
  const findings = [found('hot-core', 'note'), found('stranger-process', 'warn'), found('steal', 'warn')];
  show('overview', [run(1, { findings })], () => [], [], { cells });
  const count = await screen.findByRole('button', { name: '2 warnings, 1 note' });
  expect(count.parentElement?.textContent).toBe(
    '2 warnings, 1 noteCPU steal: time taken by other guests · Something else used the CPU',
  );
});

it('lists many levels with a search, in place of rows of chips', async () => {
  const levels = Array.from({ length: 20 }, (_, index) => index + 1);
  const cells = levels.map((threads, cell) => ({
    ...{ cell, levels: { threads }, runs: [], errors: 0, partial: false, means: [threads], value: threads },
  }));
  show('overview', [run(1)], () => [], [], { factors: [{ name: 'threads', levels }], cells });
  expect(await shownCells()).toBe(20);
  const list = screen.getByRole('combobox', { name: 'Levels of threads' });
  fireEvent.click(list);
  fireEvent.change(list, { target: { value: '17' } });
  // A baseline has the same levels to choose from.
  const options = document.getElementById(list.getAttribute('aria-controls') ?? '');
  if (!options) throw new Error('The list is open.');
  fireEvent.click(await within(options).findByRole('option', { name: '17', hidden: true }));
  await waitFor(async () => expect(await shownCells()).toBe(1));
  expect(window.location.hash).toContain('only.threads=17');
});

it('shows more than a dozen runs as a heat map first, and keeps the chosen view in the address', async () => {
  const levels = [8, 1, 4];
  const many = Array.from({ length: 15 }, (_, index) =>
    run(index + 1, { cell: index % 3, repeat: Math.floor(index / 3), levels: { threads: levels[index % 3] ?? 0 } }),
  );
  show('timeline', many, () => [], [], { factors: [{ name: 'threads', levels }] });
  const chart = async (words: RegExp) => within(await screen.findByRole('figure', { name: words }));
  const heat = await chart(/as colour, median of 10 s, 15 rows/);
  const first = (of: typeof heat) => of.getAllByRole('row')[1]?.textContent;
  expect(first(heat)).toContain('threads 1, repeat 1');
  expect(window.location.hash).not.toContain('view');

  fireEvent.click(screen.getByRole('radio', { name: 'Small multiples' }));
  expect(first(await chart(/3 panels with the same axes/))).toContain('threads 1');
  expect(window.location.hash).toContain('view=panels');
  fireEvent.click(screen.getByRole('radio', { name: 'Heat map' }));
  await chart(/as colour/);
  expect(window.location.hash).not.toContain('view');
});

it('shows only the runs of the chosen step, and those of all steps in lists where none is chosen', async () => {
  const steps = [
    { name: 'reads', tool: 'sysbench', metric: 'tps' },
    { name: 'writes', tool: 'sysbench', metric: 'tps' },
  ];
  const runs = [1, 2, 3, 4].map((id) => run(id, { step: (id - 1) % 2, stepName: id % 2 === 1 ? 'reads' : 'writes' }));
  const second = { step: 1, stepName: 'writes', steps: 2 };
  show('timeline?step=1&view=heat', runs, () => [], [], second, { steps });
  const heat = within(await screen.findByRole('figure', { name: /as colour, median of 10 s, 2 rows/ }));
  const repeats = heat.getAllByRole('row').map(({ textContent }) => /repeat \d/.exec(textContent)?.[0]);
  expect(new Set(repeats.slice(1))).toEqual(new Set(['repeat 2', 'repeat 4']));

  const listed = async () =>
    [...(await screen.findByRole('table', { name: 'Runs' })).querySelectorAll('tbody tr')].map(
      (row) => row.querySelectorAll('td')[1]?.textContent,
    );
  go('/sessions/1/results/runs?step=1');
  expect(await listed()).toEqual(['writes', 'writes']);
  fireEvent.click(screen.getByRole('combobox', { name: 'Step' }));
  fireEvent.click(await screen.findByRole('option', { name: 'All steps', hidden: true }));
  await waitFor(async () => expect(await listed()).toEqual(['reads', 'writes', 'reads', 'writes']));
  expect(window.location.hash).not.toContain('step');

  go('/sessions/1/results/raw?step=1');
  fireEvent.click(await screen.findByRole('combobox', { name: 'Run' }));
  const options = await screen.findAllByRole('option', { name: /^Trial/, hidden: true });
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'Trial 2: writes, repeat 2',
    'Trial 4: writes, repeat 4',
  ]);
});

it('offers a log axis for the timeline, and chooses it where lines are far apart', async () => {
  const factors = [{ name: 'threads', levels: [1, 4] }];
  const many = (of: (cell: number) => number) =>
    Array.from({ length: 14 }, (_, index) =>
      run(index % 2 === 0 ? index + 1 : of(index), {
        ...{ cell: index % 2, repeat: index >> 1, levels: { threads: index % 2 === 0 ? 1 : 4 } },
      }),
    );
  // A figure of a cell is the id of its first run.
  show(
    'timeline',
    many((index) => index + 1),
    () => [],
    [],
    { factors },
  );
  fireEvent.click(await screen.findByRole('radio', { name: 'Lines' }));
  const axis = await screen.findByRole('switch', { name: 'Log axis' });
  expect((axis as HTMLInputElement).checked).toBe(false);
  fireEvent.click(axis);
  expect(window.location.hash).toContain('scale=log');
  cleanup();
  show(
    'timeline',
    many((index) => 1000 + index),
    () => [],
    [],
    { factors },
  );
  fireEvent.click(await screen.findByRole('radio', { name: 'Lines' }));
  await waitFor(() =>
    expect((screen.getByRole('switch', { name: 'Log axis' }) as HTMLInputElement).checked).toBe(true),
  );
});

it('draws percentiles and maximum of a latency on one time axis', async () => {
  const metrics = ['tps', 'latency_max_ms', 'latency_p99_ms', 'latency_p50_ms', 'latency_p95_ms'];
  show('timeline?view=percentiles', [run(1)], () => [], [], { metrics });
  const heads = (await screen.findByRole('columnheader', { name: 'maximum (ms)' })).closest('tr');
  expect([...(heads?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    't (s)',
    'median (ms)',
    '95th percentile (ms)',
    '99th percentile (ms)',
    'maximum (ms)',
  ]);
});

it('replaces the timeline with one line for a step without samples', async () => {
  show('timeline', [run(1)], () => [], [], { metric: 'took_s' });
  await screen.findByText('No timeline for this step');
});

it('offers fewer repeats if the required ones take hours', async () => {
  const more = { repeats: 49, seconds: 49 * 600, words: 'About 49 more repeats would resolve it.' };
  const open = { sentences: [[{ text: 'Inconclusive.' }]], verdict: 'open' as const };
  show('overview', [run(1)], () => [], [], { ...TWO_FACTORS, answer: { ...open, more } });
  fireEvent.click(await screen.findByRole('button', { name: 'Add 6 repeats (1 h)' }));
  expect(window.location.hash).toContain('add=6');
  cleanup();
  const few = { repeats: 4, seconds: 240, words: '4 more repeats would show how much they vary.' };
  show('overview', [run(1)], () => [], [], { ...TWO_FACTORS, answer: { ...open, more: few } });
  await screen.findByRole('button', { name: 'Add 4 repeats (4 min)' });
  expect(screen.queryByText(/would narrow the interval/)).toBeNull();
});

it('starts with the recovery time of a server if there was no load', async () => {
  const finding = {
    ...{ code: 'scenario-effect', severity: 'note' as const, message: 'Second 20: The server is killed. It fell.' },
    recovery: { at: 20, event: 'The server is killed.', seconds: 7.92 },
  };
  show(
    'overview',
    [run(1, { findings: [finding] })],
    () => [],
    [],
    { metric: null, metrics: [] },
    { primaryMetric: null },
  );
  await waitFor(() =>
    expect(answer()).toMatch(/^Time to recover: 7\.9 s\. Second 20: The server is killed\.No load, and no samples/),
  );
});

it('collapses warnings and notes, but not errors', async () => {
  const found = (code: string, severity: 'error' | 'warn' | 'note') => ({
    ...{ code, severity, message: `Words on ${code}.`, next: `Do something about ${code}.` },
  });
  const findings = [found('one', 'note'), found('two', 'warn'), found('three', 'error')];
  show('overview', [run(1, { findings })], () => [], [], { metric: null, metrics: [] }, { primaryMetric: null });
  expect((await screen.findByText('Words on three.')).closest('details')).toBeNull();
  for (const code of ['one', 'two']) {
    const row = screen.getByText(`Words on ${code}.`).closest('details');
    expect(row?.open).toBe(false);
    expect(row?.querySelector('summary')?.textContent).toBe(`Words on ${code}.`);
    expect(row?.textContent).toContain(`Do something about ${code}.`);
  }
});

it('leads from the number of findings to the findings, and an address that is no path to a page that says so', async () => {
  const found = { code: 'one', severity: 'warn' as const, message: 'Words on one.' };
  show('overview', [run(1, { findings: [found] })], () => [], [], TWO_FACTORS);
  const panel = (await screen.findByText('Words on one.')).closest('#findings') as HTMLElement;
  let shown = 0;
  panel.scrollIntoView = () => {
    shown += 1;
  };
  fireEvent.click(await screen.findByRole('button', { name: '1 warning' }));
  expect(shown).toBe(1);
  expect(window.location.hash).toContain('/results');
  window.location.hash = '#findings';
  expect(await screen.findByText('Page not found')).toBeDefined();
});

it('offers nothing for a missing session', async () => {
  const message = 'There is no session 99.';
  const get = (): never => {
    throw new KneepointError({ code: 'not-found', message });
  };
  const engine = testEngine({ sessions: { get }, results: { session: get } });
  showView(engine.link, '/sessions/99/results/timeline');
  expect((await screen.findByRole('alert')).textContent).toContain(message);
  expect(screen.queryAllByRole('tab')).toEqual([]);
  expect(screen.queryAllByRole('button')).toEqual([]);
  expect(screen.getByRole('link', { name: 'All sessions' })).toBeDefined();
});

it('explains next to Export why a comparison has no file', async () => {
  const sessions = [1, 2, 3].map((id) => sampleSession({ id, name: `Session ${id}` }));
  const why = async (search: string): Promise<string | null | undefined> => {
    cleanup();
    const engine = testEngine({ sessions: { list: () => sessions } });
    showView(engine.link, `/compare?${search}`);
    const button = await screen.findByRole('button', { name: 'Export' });
    expect((button as HTMLButtonElement).disabled).toBe(true);
    return document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent;
  };
  expect(await why('baseline=1')).toBe('Choose one session per side to create a file.');
  expect(await why('baseline=1,2&other=3')).toBe('Only a comparison of two sessions can be exported.');
  expect(await why('baseline=1&other=1')).toBe('To export a comparison within one session, export its results.');
});
