import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Bound, RunJudgement as Judgement } from '../../../../../shared/model/analysis.ts';
import type { CellResult } from '../../../../../shared/model/result.ts';
import { testEngine } from '../../../../testing/engine.ts';
import { renderWithEngine } from '../../../../testing/render.tsx';
import type { ResultsState } from '../../useResults.ts';
import { OperationsPanel } from './OperationsPanel.tsx';
import { RunJudgement } from './RunJudgement.tsx';

afterEach(cleanup);

const figure = (id: string, source = 'load1') => ({ source, id, value: 99, unit: '%' });
const bound: Bound = {
  ...{ verdict: 'generator-core', host: 'load1', share: 1, runnersUp: [], notWatched: ['swapping on db1'] },
  ...{ sentence: 'sysbench on load1 used all of one core.', evidence: [figure('proc.sysbench.cpu')] },
};

function show(more: Partial<Judgement>, search = '?metric=tps&cell=3&run=7') {
  const asked: unknown[] = [];
  const { link } = testEngine({
    results: {
      judgements: (input) => {
        asked.push(input);
        return [{ ...{ runId: 7, version: 1, warmup: 5, operations: [], bound }, ...more }];
      },
    },
  });
  renderWithEngine(link, <RunJudgement state={{ id: 1, search, warmup: 5 }} runId={7} />);
  return asked;
}

/** Path and parameters of a link. */
async function placeOf(name: string): Promise<{ path: string; parameters: [string, string][] }> {
  const [path = '', search] = ((await screen.findByRole('link', { name })).getAttribute('href') ?? '').split('?');
  return { path, parameters: [...new URLSearchParams(search)] };
}

describe('the bottleneck of a run', () => {
  it('is shown with its evidence, as a warning if the load was the limit, and links to its lanes', async () => {
    const asked = show({});
    const words = await screen.findByText(
      'Bottleneck: one core of the load generator. sysbench on load1 used all of one core.',
    );
    expect(words.closest('[data-tone]')?.getAttribute('data-tone')).toBe('warn');
    expect(asked).toEqual([{ sessionId: 1, runIds: [7], warmup: 5 }]);
    screen.getByText('Not monitored: swapping on db1.');
    expect(await placeOf('Show the run timeline')).toEqual({
      path: '/sessions/1/results/hosts',
      parameters: [
        ['metric', 'tps'],
        ['lanes', '7'],
        ['series', 'load1 proc.sysbench.cpu'],
      ],
    });
  });

  it('is not a warning if the system under test was the limit', async () => {
    show({ bound: { ...bound, verdict: 'cpu', sentence: 'CPU of db1 at its limit.' } });
    const words = await screen.findByText('Bottleneck: the CPU. CPU of db1 at its limit.');
    expect(words.closest('[data-tone]')?.getAttribute('data-tone')).toBe('idle');
  });

  it('is undetermined without evidence, and links to the lanes of the runner-up', async () => {
    const near = { ...bound, verdict: 'disk' as const, evidence: [figure('disk.sda.utilisation', 'db1')] };
    const unknown: Bound = {
      ...bound,
      verdict: 'not-known',
      sentence: 'Undetermined: nothing stood out.',
      evidence: [],
    };
    show({ bound: { ...unknown, runnersUp: [near] } });
    await screen.findByText('Undetermined: nothing stood out.');
    expect((await placeOf('Show the run timeline')).parameters).toContainEqual(['series', 'db1 disk.sda.utilisation']);
    cleanup();
    show({ bound: unknown }, '');
    expect((await placeOf('Show the run timeline')).parameters).toEqual([['lanes', '7']]);
  });

  it('is not shown for an unmonitored run', async () => {
    const { link } = testEngine({});
    renderWithEngine(link, <RunJudgement state={{ id: 1, search: '', warmup: undefined }} runId={7} />);
    expect(screen.queryByRole('status')).toBeNull();
  });
});

describe('stalls and dips', () => {
  const change = (id: string) => ({
    ...{ ...figure(id, 'db1'), label: id, direction: 'rose' as const, reached: 100, effect: 9, onset: 0 },
    follows: false,
  });
  const event = {
    ...{
      kind: 'dip' as const,
      from: 42,
      to: 45,
      depth: 0.6,
      sentence: 'At second 42 throughput fell by 60 % for 3 s.',
    },
    changes: ['log.wait', 'disk.sda.await_ms', 'cpu.iowait', 'vm.faults'].map(change),
  };

  it('are listed with their common change, each with ten seconds around it and the largest changes', async () => {
    show({
      blackBox: { events: [event, { ...event, from: 4 }], count: 2, sentence: 'Of 2 stalls and dips: log waits.' },
    });
    await screen.findByText('Of 2 stalls and dips: log waits.');
    const [first, second] = screen.getAllByRole('link', { name: 'Show in the run timeline' });
    const parameters = new URLSearchParams(first?.getAttribute('href')?.split('?')[1]);
    expect(first?.closest('li')?.textContent).toMatch(/^At second 42 throughput fell by 60 % for 3 s\./);
    expect(parameters.get('part')).toBe('32..55');
    expect(parameters.getAll('series')).toEqual(['db1 log.wait', 'db1 disk.sda.await_ms', 'db1 cpu.iowait']);
    expect(second?.getAttribute('href')).toContain('part=-6..55');
  });
});

describe('the cost of an operation', () => {
  const cost = (label: string, value: number, source?: string) => ({
    ...{ id: label, label, unit: 'µs', value, digits: 0, formula: 'CPU ÷ operations', from: [] },
    ...(source !== undefined && { source }),
  });
  const cell = (name: string, runId: number, partial = false): CellResult => ({
    ...{ cell: runId, levels: { server: name }, means: [1], errors: 0, partial },
    runs: [{ runId, repeat: 0, state: 'done', partial, errors: 0 }],
  });

  it('has one column per figure, and none for figures that no cell has', async () => {
    const both = [cost('CPU of tar', 5, 'a'), cost('CPU of tar', 6, 'b')];
    const costs = new Map([
      [1, [cost('Data ÷ cache', 11, 'a'), ...both]],
      [2, [cost('Data ÷ cache', 22, 'b')]],
      [3, [cost('Reads', 33)]],
    ]);
    const judgements = () =>
      [...costs].map(([runId, operations]) => ({ ...{ runId, version: 1, warmup: 5, bound }, operations }));
    const { link } = testEngine({ results: { judgements } });
    const state = { id: 1, warmup: undefined, filter: {} } as ResultsState;
    const cells = [cell('a', 1), cell('b', 2), cell('c', 3, true)];
    renderWithEngine(link, <OperationsPanel state={state} cells={cells} />);
    const table = within(await screen.findByRole('table', { name: 'Per operation' }));
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      ...['Cell', 'Data ÷ cache (µs)', 'CPU of tar, a (µs)', 'CPU of tar, b (µs)'],
    ]);
    const rows = table.getAllByRole('row').slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      ),
    ).toEqual([
      ['server a', '11', '5', '6'],
      ['server b', '22', '–', '–'],
      ['server c', '–', '–', '–'],
    ]);
    expect(table.getByText('22').title).toBe('b');
  });
});
