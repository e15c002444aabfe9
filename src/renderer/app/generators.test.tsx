import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Experiment } from '../../shared/model/experiment.ts';
import type { Host } from '../../shared/model/host.ts';
import type { Run } from '../../shared/model/session.ts';
import { codeIn } from '../testing/code.ts';
import { documentEngine, fileOf, ladder, loadTool } from '../testing/documents.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { showView } from './testing/view.tsx';

const hostNamed = (name: string, id: number): Host => ({
  id,
  spec: { kind: 'ssh', name, address: `10.0.0.${id}`, port: 22, user: 'load', auth: { method: 'agent' }, jumps: [] },
  hasSecret: false,
  createdAt: 0,
});
const hosts = ['gen1', 'gen2', 'gen3'].map((name, index) => hostNamed(name, index + 1));

function show(place: string, topics: Parameters<typeof testEngine>[0]): void {
  showView(testEngine(topics).link, place);
}

beforeEach(() => {
  sessionStorage.clear();
  window.location.hash = '';
});
afterEach(cleanup);

it('several hosts share the load, and stay when the first one changes', async () => {
  const text: Experiment = { ...ladder, where: { generators: ['gen1'] } };
  const { experiments } = documentEngine([fileOf('3', 'saved', text)]);
  show('/experiments/3/where', {
    experiments: { ...experiments, tools: () => [{ ...loadTool, divides: true }] },
    hosts: { list: () => hosts, facts: () => ({}) },
  });
  const further = await screen.findByRole('group', { name: 'Additional generators' });
  expect(within(further).queryByRole('checkbox', { name: 'gen1' })).toBeNull();
  fireEvent.click(within(further).getByRole('checkbox', { name: 'gen3' }));
  fireEvent.click(screen.getByRole('radio', { name: 'gen2' }));
  expect(await screen.findByText('gen2, gen3')).toBeDefined();
  expect(screen.getByText('share the load, start together')).toBeDefined();
  fireEvent.click(screen.getByRole('radio', { name: 'YAML' }));
  const area = await screen.findByRole('textbox', { name: 'Document as YAML' });
  await vi.waitFor(
    () => expect((JSON.parse(codeIn(area)) as Experiment).where.generators).toEqual(['gen2', 'gen3']),
    20_000,
  );
});

it('a tool that cannot divide its load has one generator only', async () => {
  const { experiments } = documentEngine([fileOf('3', 'saved', { ...ladder, where: { generators: ['gen1'] } })]);
  show('/experiments/3/where', { experiments, hosts: { list: () => hosts, facts: () => ({}) } });
  expect(await screen.findByRole('radio', { name: 'gen2' })).toBeDefined();
  expect(screen.queryByRole('group', { name: 'Additional generators' })).toBeNull();
});

it('a run shows figures and output of each generator', async () => {
  const session = sampleSession();
  const run: Run = {
    ...{ id: 5, sessionId: 1, trial: 0, cell: 0, repeat: 0, levels: {}, state: 'failed', partial: true },
    ...{ warmup: 0, duration: 10, seconds: 10, summary: {}, findings: [], startedAt: 1000, endedAt: 12_000 },
    generators: [
      { host: 'gen1', seconds: 10, startedAt: 2000, clockErrorMs: 3.2, exit: { code: 0 }, summary: { tps: 1234 } },
      {
        ...{ host: 'gen2', seconds: 4, startedAt: 2017, clockErrorMs: 8, exit: { code: 137 }, summary: {} },
        message: 'The tool was killed.',
      },
    ],
  };
  const asked: number[] = [];
  show('/sessions/1/results/runs?run=5', {
    sessions: {
      runs: () => [run],
      get: () => ({
        session,
        experiment: { ...ladder, factors: [] },
        experimentText: '',
        plan: { cells: [{ index: 0, levels: {} }], trials: [], seconds: 0, findings: [] },
        hosts: [],
        appVersion: '0',
        findings: [],
      }),
    },
    results: {
      session: () => ({
        ...{ sessionId: 1, metric: 'tps', metrics: ['tps'], factors: [], warmup: 0 },
        cells: [],
      }),
      raw: ({ generator }) => {
        asked.push(generator);
        return { bytes: new TextEncoder().encode(`output of ${generator}`), total: 11 };
      },
    },
  });
  const table = await screen.findByRole('table', { name: 'Generators' });
  const [, first, second] = within(table).getAllByRole('row');
  expect(first?.textContent).toMatch(/gen1\+0 ms ± 4.*1,234/);
  expect(second?.textContent).toMatch(/gen2\+17 ms ± 8.*The tool was killed\./);
  fireEvent.click(screen.getByRole('radio', { name: 'gen2' }));
  expect(await screen.findByText('output of 1')).toBeDefined();
  expect(asked).toContain(0);
});
