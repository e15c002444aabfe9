import { Notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChartChoice } from '../../../../shared/model/chart.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import type { Run, SessionDetail } from '../../../../shared/model/session.ts';
import { useCall } from '../../../client/index.ts';
import { blankCanvas } from '../../../testing/canvas.ts';
import { ladder, sampleDetail } from '../../../testing/documents.ts';
import { sampleSession, testEngine } from '../../../testing/engine.ts';
import { renderWithEngine } from '../../../testing/render.tsx';
import type { EditedChart, ResultsState } from '../useResults.ts';
import { ChosenCharts } from './ChosenCharts.tsx';

vi.setConfig({ testTimeout: 60_000 });
beforeEach(blankCanvas);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const SESSION = sampleSession({ id: 7 });
const RUN: Run = {
  ...{ id: 0, sessionId: 7, trial: 0, cell: 0, repeat: 0, levels: {}, state: 'done', warmup: 5, duration: 30 },
  ...{ startedAt: 1000, endedAt: 31_000, findings: [], partial: false, seconds: 30 },
  summary: { hits_1: 5, hits_10: 9, hits_100: 12 },
};
const spread = { n: 3, mean: 9, median: 9, p5: 8, p25: 9, p75: 9, p95: 10, min: 8, max: 10, cv: 0 };
const resultOf = (metric: string): SessionResult => ({
  ...{
    sessionId: 7,
    metric,
    metrics: ['tps', 'latency_p95_ms'],
    runFigures: ['took_s', 'hits_1', 'hits_10', 'hits_100'],
    warmup: 5,
  },
  factors: [
    { name: 'mode', levels: ['off', 'full'] },
    { name: 'threads', levels: [1, 2, 4] },
  ],
  cells: [1, 2, 4].flatMap((threads, column) =>
    ['off', 'full'].map((mode, row) => ({
      ...{ cell: 2 * column + row, levels: { mode, threads }, errors: 0, partial: false, means: [9], value: 9, spread },
      runs: [{ runId: 10 * column + row, repeat: 0, state: 'done' as const, partial: false, errors: 0, spread }],
    })),
  ),
});

function Page() {
  const [chart, setChart] = useState<EditedChart>();
  const detail = useCall('sessions.get', { id: 7 }).data;
  const state = { ...{ id: 7, filter: {}, search: '' }, chart, setChart } as unknown as ResultsState;
  return (
    <>
      <button type="button" onClick={() => setChart({})}>
        New
      </button>
      {detail ? <ChosenCharts detail={detail} result={resultOf('tps')} state={state} /> : null}
      <Notifications />
    </>
  );
}

/** Charts of a session with these; records each saved list. */
function show(own: readonly ChartChoice[], added: readonly ChartChoice[], refused?: string) {
  const saved: (readonly ChartChoice[] | undefined)[] = [];
  const clips: (number | undefined)[] = [];
  const before = sampleDetail(SESSION, 'name: Ladder\n');
  let detail: SessionDetail = {
    ...{ ...before, experiment: { ...ladder, ...(own.length > 0 && { charts: [...own] }) } },
    ...(added.length > 0 && { charts: [...added] }),
  };
  const engine = testEngine({
    sessions: {
      get: () => detail,
      runs: () => [RUN],
      edit: ({ charts }) => {
        if (refused !== undefined) throw new KneepointError({ code: 'bad-request', message: refused });
        saved.push(charts);
        detail = { ...detail, charts };
        engine.send({ kind: 'changed', topic: 'sessions' });
        return SESSION;
      },
    },
    results: {
      session: ({ metric = 'tps' }) => resultOf(metric),
      seconds: ({ groups, clip }) => {
        clips.push(clip);
        return groups.map(() => ({ count: 4, above: clip === undefined ? 0 : 1, ascending: Float64Array.of(7, 8, 9) }));
      },
    },
  });
  renderWithEngine(engine.link, <Page />);
  return { saved, clips };
}

const figure = (words: RegExp) => screen.findByRole('figure', { name: words });
const sheet = async () => within(await screen.findByRole('dialog'));
const open = async () => {
  await screen.findByRole('button', { name: 'New' });
  await waitFor(() => {
    if (!screen.queryByRole('dialog')) fireEvent.click(screen.getByRole('button', { name: 'New' }));
    expect(screen.queryByRole('dialog')).not.toBeNull();
  });
  return sheet();
};
const choose = async (list: HTMLElement, option: string) => {
  fireEvent.click(list);
  fireEvent.click(await screen.findByRole('option', { name: option, hidden: true }));
};

it('adds a useful chart with one click, after those of the document', async () => {
  const { saved } = show([{ kind: 'curve', x: 'mode' }], []);
  await figure(/vs\. mode/);
  const dialog = await open();
  expect(await dialog.findByRole('figure', { name: /by second vs\. threads/ })).toBeDefined();
  fireEvent.click(dialog.getByRole('button', { name: 'Add chart' }));
  await waitFor(() => expect(saved).toEqual([[{ kind: 'dots' }]]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await figure(/by second vs\. threads/);
});

it('saves the entered settings, and previews them with the session’s data', async () => {
  const { saved, clips } = show([], []);
  const dialog = await open();
  await choose(dialog.getByRole('combobox', { name: 'Metric' }), 'Latency, 95th percentile (ms)');
  await choose(dialog.getByRole('combobox', { name: 'Along' }), 'mode');
  fireEvent.change(dialog.getByRole('textbox', { name: 'Axis ends at' }), { target: { value: '20' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Add a line' }));
  const add = dialog.getByRole('button', { name: 'Add chart' });
  expect(add).toHaveProperty('disabled', true);
  fireEvent.change(dialog.getByRole('textbox', { name: 'Name of line 1' }), { target: { value: 'target' } });
  fireEvent.change(dialog.getByRole('textbox', { name: 'Place of line 1' }), { target: { value: '12' } });
  expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveProperty(
    'placeholder',
    'Latency, 95th percentile by second',
  );
  await dialog.findByRole('figure', { name: /Latency.* vs\. mode; 6 of 24 seconds above 20\.00 ms are not drawn/ });
  expect(clips).toContain(20);
  fireEvent.click(add);
  await waitFor(() =>
    expect(saved).toEqual([
      [{ kind: 'dots', metric: 'latency_p95_ms', x: 'mode', clip: 20, markers: [{ name: 'target', value: 12 }] }],
    ]),
  );
});

it('offers a panel for each level of a factor not along the axis', async () => {
  const { saved } = show([], []);
  const dialog = await open();
  fireEvent.click(dialog.getByRole('combobox', { name: 'Panels' }));
  const offered = await screen.findAllByRole('option', { name: /^one for each/, hidden: true });
  expect(offered.map(({ textContent }) => textContent)).toEqual(['one for each mode']);
  await choose(dialog.getByRole('combobox', { name: 'Panels' }), 'one for each mode');
  await dialog.findByRole('figure', { name: /by second vs\. threads, a panel for each mode/ });
  fireEvent.click(dialog.getByRole('button', { name: 'Add chart' }));
  await waitFor(() => expect(saved).toEqual([[{ kind: 'dots', panels: 'mode' }]]));
});

it('offers bars in groups, and as ratios to a level', async () => {
  const { saved } = show([], []);
  const dialog = await open();
  fireEvent.click(dialog.getByRole('radio', { name: 'Bars' }));
  // Other lists have the same options.
  const chooseIn = async (name: string, option: string) => {
    fireEvent.click(dialog.getByRole('combobox', { name }));
    const list = await screen.findByRole('listbox', { name, hidden: true });
    fireEvent.click(within(list).getByRole('option', { name: option, hidden: true }));
  };
  await chooseIn('Groups', 'mode');
  await dialog.findByRole('figure', { name: /\(tps\) by mode, threads/ });
  expect(dialog.queryByRole('combobox', { name: 'Panels' })).toBeNull();
  await chooseIn('Ratio to', 'threads 1');
  await dialog.findByRole('figure', { name: /ratio to threads 1 by mode, threads/ });
  await chooseIn('Only', 'threads 1');
  await chooseIn('Only', 'threads 4');
  fireEvent.click(dialog.getByRole('button', { name: 'Add chart' }));
  const only = { threads: [1, 4] };
  await waitFor(() => expect(saved).toEqual([[{ kind: 'bars', only, groups: ['mode'], against: { threads: 1 } }]]));
});

it('offers a histogram of final figures', async () => {
  const { saved } = show([], []);
  const dialog = await open();
  fireEvent.click(dialog.getByRole('radio', { name: 'Histogram' }));
  const counts = dialog.getByLabelText('Counts', { selector: 'input' });
  fireEvent.change(counts, { target: { value: 'hits_*' } });
  await dialog.findByRole('figure', { name: /Hits vs\. the number in its name, 1 cell/ });
  fireEvent.change(counts, { target: { value: 'misses_*' } });
  await dialog.findByText(/No run has final figures named “misses_\*”/);
  fireEvent.change(counts, { target: { value: 'hits_*' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Add chart' }));
  await waitFor(() => expect(saved).toEqual([[{ kind: 'histogram', counts: 'hits_*' }]]));
});

it('offers figures of whole runs for a curve only', async () => {
  show([], []);
  const dialog = await open();
  const offered = async (): Promise<boolean> => {
    fireEvent.click(dialog.getByRole('combobox', { name: 'Metric' }));
    await screen.findByRole('option', { name: 'Transactions (tps)', hidden: true });
    return screen.queryByRole('option', { name: 'Time taken (s)', hidden: true }) !== null;
  };
  expect(await offered()).toBe(false);
  fireEvent.click(dialog.getByRole('radio', { name: 'Curve' }));
  expect(await offered()).toBe(true);
});

it('edits a chart in place', async () => {
  const { saved } = show([], [{ kind: 'dots' }, { kind: 'density', title: 'Hills' }, { kind: 'histogram' }]);
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Hills' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = await sheet();
  fireEvent.click(dialog.getByRole('radio', { name: 'Histogram' }));
  fireEvent.change(dialog.getByRole('textbox', { name: 'Title' }), { target: { value: '' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved).toEqual([[{ kind: 'dots' }, { kind: 'histogram' }, { kind: 'histogram' }]]));
});

it('removes a chart, and restores it in place', async () => {
  const { saved } = show([], [{ kind: 'density', title: 'Hills' }, { kind: 'dots' }]);
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Hills' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(saved).toEqual([[{ kind: 'dots' }], [{ kind: 'density', title: 'Hills' }, { kind: 'dots' }]]),
  );
});

it('copies a chart as YAML of a document', async () => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  show([], [{ kind: 'dots', title: 'Every second: all', clip: 250 }]);
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Every second: all' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy as YAML' }));
  await waitFor(() => expect(copied).toEqual(['charts:\n  - {kind: dots, title: "Every second: all", clip: 250}\n']));
});

it('stays open with the reason if a chart is refused', async () => {
  show([], [], 'The axis ends at 5, below the marker “limit”.');
  const dialog = await open();
  fireEvent.click(dialog.getByRole('button', { name: 'Add chart' }));
  expect(await dialog.findByText('The axis ends at 5, below the marker “limit”.')).toBeDefined();
});

it('states in place of a chart that its measure is missing', async () => {
  show([], [{ kind: 'curve', metric: 'traffic' }]);
  expect(await screen.findByText('This session has no measure or metric named “traffic”.')).toBeDefined();
  expect(await screen.findByRole('button', { name: /^Actions for/ })).toBeDefined();
});
