import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Run, Session, SessionEvent } from '../../shared/model/session.ts';
import { ladder } from '../testing/documents.ts';
import { sampleSession, type TestEngine, testEngine } from '../testing/engine.ts';
import { showView } from './testing/view.tsx';

beforeAll(() => import('../views/live/index.tsx'));
beforeEach(() => {
  window.location.hash = '/sessions/1/live';
});
// The DOM of tests has no canvas; its content is not tested here.
const paper = new Proxy({}, { get: (_, name) => (name === 'measureText' ? () => ({ width: 8 }) : () => undefined) });
beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(paper as CanvasRenderingContext2D);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const running = (id: number, changes: Partial<Run> = {}): Run => ({
  ...{ id, sessionId: 1, trial: id - 1, cell: 0, repeat: id - 1, levels: { threads: 2 }, state: 'running', warmup: 1 },
  ...{ duration: 30, startedAt: 1000, summary: {}, findings: [], partial: false, seconds: 3, ...changes },
});

const samples = (runId: number, columns: Record<string, number[]>): SessionEvent => ({
  kind: 'samples',
  batch: {
    runId,
    generator: 0,
    first: 0,
    t: Float64Array.from(Object.values(columns)[0] ?? [], (_value, index) => index + 1),
    columns: Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)])),
  },
});

/** The live page of a session with a stream controlled by the test. `ends`: the openings of the stream so far, each with its end. */
function show(first: Session) {
  const openings: { send: (...events: SessionEvent[]) => void; end: () => void }[] = [];
  let now = first;
  async function* watch(): AsyncGenerator<SessionEvent> {
    const queue: (SessionEvent | 'end')[] = [];
    let wake = (): void => undefined;
    const put = (...entries: (SessionEvent | 'end')[]): void => {
      queue.push(...entries);
      wake();
    };
    openings.push({ send: put, end: () => put('end') });
    for (;;) {
      const entry = queue.shift();
      if (entry === 'end') return;
      if (entry) yield entry;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  const engine: TestEngine = testEngine({
    sessions: {
      list: () => [now],
      watch,
      events: () => [],
      get: () => ({
        session: now,
        experiment: { ...ladder, factors: [] },
        experimentText: '',
        plan: { cells: [{ index: 0, levels: {} }], trials: [], seconds: 0, findings: [] },
        hosts: [],
        appVersion: '0',
        findings: [],
      }),
      resume: () => now,
      addNote: ({ id, message }) => ({ id: 7, sessionId: id, kind: 'note', at: 1, level: 'note', message }),
    },
    results: {
      session: () => ({ sessionId: 1, metric: 'tps', metrics: ['tps'], factors: [], warmup: 0, cells: [] }),
      series: () => [],
    },
  });
  showView(engine.link);
  return {
    engine,
    openings,
    /** Changes the state of the session and notifies all listeners. */
    become: (session: Session) => {
      now = session;
      engine.send({ kind: 'session', session });
    },
    opened: async (count: number) => {
      await waitFor(() => expect(openings).toHaveLength(count));
      const opening = openings[count - 1];
      if (!opening) throw new Error('The stream was not opened.');
      return opening;
    },
  };
}

describe('a resumed session', () => {
  it('is followed again, and its banner disappears', async () => {
    const failed = sampleSession({ state: 'failed', message: 'mariadb does not answer.', trialsEnded: 2 });
    const { opened, become } = show(failed);
    const first = await opened(1);
    first.send({ kind: 'session', session: failed });
    first.end();
    await screen.findByText('mariadb does not answer.');
    fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
    const going = sampleSession({ state: 'running', trialsEnded: 3 });
    become(going);
    const second = await opened(2);
    second.send({ kind: 'session', session: going });
    await waitFor(() => expect(screen.queryByText('mariadb does not answer.')).toBeNull());
    expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Pause after this trial' })).toBeDefined();
  });

  it('is not requested repeatedly once it has ended', async () => {
    const done = sampleSession({ state: 'done' });
    const { opened, become, openings } = show(done);
    const first = await opened(1);
    first.send({ kind: 'session', session: done });
    first.end();
    become({ ...done, name: 'Renamed' });
    await screen.findAllByText('Renamed');
    expect(openings).toHaveLength(1);
  });
});

describe('a finished session', () => {
  const end = async (changes: Partial<Session>): Promise<void> => {
    const done = sampleSession({ state: 'done', best: { value: 1250, levels: { threads: 4 } }, ...changes });
    const { opened } = show(done);
    const first = await opened(1);
    first.send({ kind: 'run', run: running(1, { state: 'done', endedAt: 9000 }) });
    first.send({ kind: 'session', session: done });
    first.end();
  };

  it('names the highest figure, and calls no cell the best', async () => {
    await end({});
    await screen.findByText(/Highest: threads 4 with 1,250/);
    expect(screen.queryByText(/best/i)).toBeNull();
  });

  it('answers its question, and names no highest figure that the answer does not support', async () => {
    const answer = 'Inconclusive: variation of throughput with directory b vs. a: ×0.50 (0.22 – 1.16).';
    await end({ question: 'Which file system writes more steadily?', answer });
    await screen.findByText(new RegExp(`^Done: \\d+ trials?\\. ${answer.replace(/[.()]/g, '\\$&')}$`));
    expect(screen.queryByText(/Highest/)).toBeNull();
    // The session, not its last trial.
    expect(screen.getByText('Which file system writes more steadily?')).toBeDefined();
    expect(screen.queryByText('threads 2')).toBeNull();
  });
});

describe('the wait before a trial', () => {
  it('names the next one, also if it was added to the plan, and says when there is none', async () => {
    const activity = { activity: 'Waiting 5 s before the next trial', activitySince: Date.now() };
    const { opened } = show(sampleSession({ state: 'running', trialsEnded: 1, ...activity }));
    const stream = await opened(1);
    stream.send({ kind: 'run', run: running(1, { state: 'done', endedAt: 9000 }) });
    stream.send({ kind: 'run', run: running(3, { state: 'pending' }) });
    stream.send({ kind: 'run', run: running(2, { state: 'pending', levels: { threads: 8 } }) });
    await screen.findByText(/Next: threads 8, repeat 2\./);
    expect(screen.getByText(/^Waiting 5 s before the next trial · .* elapsed$/)).toBeDefined();
    stream.send({ kind: 'run', run: running(2, { state: 'done' }) }, { kind: 'run', run: running(3) });
    await screen.findByText(/This is the last trial\./);
  });
});

describe('alerts', () => {
  it('of several trials merge if equal, in the words of the newest', async () => {
    const { opened } = show(sampleSession({ state: 'running', trialsEnded: 3 }));
    const stream = await opened(1);
    const slow = (share: number) => ({
      code: 'x',
      severity: 'warn' as const,
      message: `${share} % of the time was idle.`,
    });
    const other = { code: 'y', severity: 'warn' as const, message: 'The clock was set.' };
    const findings = [[slow(31), other], [slow(32)], [slow(33)]];
    for (const [at, found] of findings.entries())
      stream.send({ kind: 'run', run: running(at + 1, { state: 'done', endedAt: 9000, findings: found }) });
    const tab = await screen.findByRole('tab', { name: 'Alerts 2' });
    fireEvent.click(tab);
    const panel = within(screen.getByRole('tabpanel'));
    await panel.findByText(/^Trial 3: /);
    const [first, second] = panel.getAllByText(/^Trial /);
    expect(first?.textContent).toBe('Trial 3: 33 % of the time was idle. Also in 2 more runs.');
    expect(second?.textContent).toBe('Trial 1: The clock was set.');
  });
});

describe('a note', () => {
  it('appears in the log of an ended session too', async () => {
    const done = sampleSession({ state: 'done' });
    const { opened } = show(done);
    const first = await opened(1);
    first.send({ kind: 'session', session: done });
    first.end();
    await screen.findByText('Nothing has been logged yet.');
    fireEvent.click(screen.getByRole('button', { name: 'Note' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value: 'The fan was loud.' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save note' }));
    await screen.findByRole('log', { name: 'Log' });
    expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
  });
});

describe('the tiles of the running trial', () => {
  const going = sampleSession({ state: 'running', trialsEnded: 0, generators: ['load1'] });
  const tile = (name: string) => screen.getByRole('radio', { name: new RegExp(`^${name}`) }).closest('label');
  const tiles = () => within(screen.getByRole('radiogroup', { name: 'Metric' })).getAllByRole('radio').length;

  it('show counts as integers, and keep their place between two trials', async () => {
    const { opened } = show(going);
    const { send } = await opened(1);
    const columns = { tps: [430.2, 431.5], errors_per_s: [0, 0], threads_running: [1, 1] };
    send({ kind: 'run', run: running(1) }, samples(1, columns), { kind: 'session', session: going });
    await waitFor(() => expect(tile('Transactions')?.textContent).toContain('43'));
    expect(tile('Errors')?.textContent).toBe('Errors0 per s');
    expect(tile('Running threads')?.textContent).toBe('Running threads1 threads');
    send({ kind: 'run', run: running(1, { state: 'done' }) }, { kind: 'run', run: running(2, { seconds: 0 }) });
    await waitFor(() => expect(tile('Transactions')?.textContent).not.toContain('43'));
    expect(tiles()).toBe(3);
  });

  it('show the elapsed time of a step without samples instead of the metric of the session', async () => {
    const steps = [
      { name: 'load', tool: 'sysbench', metric: 'tps' },
      { name: 'backup', tool: 'step-run', metric: 'took_s' },
    ];
    const { opened } = show({ ...going, steps });
    const { send } = await opened(1);
    send({ kind: 'run', run: running(1, { stepName: 'load' }) }, samples(1, { tps: [430, 431], errors_per_s: [0, 0] }));
    await waitFor(() => expect(tile('Transactions')?.textContent).toContain('431'));
    const backup = { step: 1, stepName: 'backup', warmup: 0, duration: 0, seconds: 0 };
    send(
      { kind: 'run', run: running(1, { stepName: 'load', state: 'done' }) },
      { kind: 'run', run: running(2, { ...backup, startedAt: Date.now() - 7000 }) },
    );
    await waitFor(() => expect(tile('Time taken')?.textContent).toMatch(/^Time taken[78] s$/));
    expect(tiles()).toBe(1);
    expect(screen.getByText(/reports no samples: its time is measured/)).toBeDefined();
    const ended = { ...backup, state: 'done' as const, startedAt: 2000, endedAt: 10_250 };
    send({ kind: 'run', run: running(2, ended) });
    await waitFor(() => expect(tile('Time taken')?.textContent).toBe('Time taken8.25 s'));
    send({ kind: 'run', run: running(3, { stepName: 'load' }) }, samples(3, { tps: [222], errors_per_s: [0] }));
    await waitFor(() => expect(tile('Transactions')?.textContent).toContain('222'));
    expect(tiles()).toBe(2);
  });

  it('keep their place when a metric starts late, in the next trial too', async () => {
    const { opened } = show(going);
    const { send } = await opened(1);
    const group = () => screen.getByRole('radiogroup', { name: 'Metric' });
    const order = () =>
      [...group().querySelectorAll('label')].map((each) => /^[A-Z][a-z]+/.exec(each.textContent)?.[0]);
    const early = { tps: [430], qps: [900], errors_per_s: [0], threads_running: [1] };
    const places = ['Transactions', 'Errors', 'Queries', 'Latency'];
    send({ kind: 'run', run: running(1) }, samples(1, early), { kind: 'session', session: going });
    await waitFor(() => expect(order()).toEqual(['Transactions', 'Errors', 'Queries', 'Running']));
    send(samples(1, { ...early, latency_p95_ms: [2.5] }));
    await waitFor(() => expect(order()).toEqual(places));
    send({ kind: 'run', run: running(1, { state: 'done' }) }, { kind: 'run', run: running(2, { seconds: 0 }) });
    send(samples(2, { ...early, tps: [222] }));
    await waitFor(() => expect(tile('Transactions')?.textContent).toContain('222'));
    expect(order()).toEqual(places);
  });

  it('show since when an unreachable host has sent no data, until it is back', async () => {
    const { opened, engine } = show(going);
    const { send } = await opened(1);
    send({ kind: 'run', run: running(1) }, samples(1, { tps: [430, 431] }), { kind: 'session', session: going });
    await waitFor(() => expect(tile('Transactions')?.textContent).toContain('431'));
    const link = { host: 'load1', since: 0 };
    engine.send({ kind: 'links', links: [{ ...link, state: 'down' }] });
    expect(await screen.findByText(/^No data from load1 since \d\d:\d\d:\d\d/)).toBeDefined();
    const group = screen.getByRole('radiogroup', { name: 'Metric' });
    expect(group.dataset.stale).toBe('true');
    expect(tile('Transactions')?.textContent).toContain('431');
    engine.send({ kind: 'links', links: [{ ...link, state: 'up' }] });
    await waitFor(() => expect(screen.queryByText(/^No data from load1/)).toBeNull());
    expect(group.dataset.stale).toBeUndefined();
  });
});
