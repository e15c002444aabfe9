import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Run } from '../../../shared/model/session.ts';
import { DocumentStep } from '../../../shared/model/step.ts';
import { renderPiece } from '../../testing/render.tsx';
import { StepPicker } from './index.tsx';
import { StepsOfTrial } from './Progress.tsx';

afterEach(cleanup);

const run = (step: number, stepName: string): Run => ({
  ...{ id: 10 + step, sessionId: 4, trial: 0, cell: 0, repeat: 0, levels: {}, state: 'running', step, stepName },
  ...{ warmup: 0, duration: 60, summary: {}, findings: [], partial: false, seconds: 3 },
});
const GOING = [run(1, 'both / load'), run(2, 'both / copy')];

it('offers each running parallel step by name', async () => {
  const chosen: number[] = [];
  renderPiece(<StepPicker going={GOING} run={GOING[0]} onChange={(step) => chosen.push(step)} />);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Parallel step' });
  expect(field.value).toBe('both / load');
  fireEvent.click(field);
  fireEvent.click(await screen.findByRole('option', { name: 'both / copy' }));
  await waitFor(() => expect(chosen).toEqual([2]));
});

it('is absent for a single step', () => {
  renderPiece(<StepPicker going={GOING.slice(1)} run={GOING[1]} onChange={() => {}} />);
  expect(screen.queryByRole('combobox')).toBeNull();
});

describe('the steps of the current trial', () => {
  const experiment = {
    steps: [
      { name: 'load', do: 'prepare' },
      { name: 'quiet', do: 'wait', for: 60 },
      { name: 'reads', each: [{ name: 'point' }, { name: 'range' }] },
      { name: 'both', parallel: [{ name: 'oltp' }, { name: 'copy', do: 'run', command: 'cp a b', for: 30 }] },
    ].map((step) => DocumentStep.parse(step)),
  };
  const metrics = ['took_s', null, 'tps', 'tps', 'tps', 'took_s'];
  const session = { steps: metrics.map((metric) => ({ tool: 'sysbench', metric })) };
  const ended = (step: number, summary: Run['summary'], more: Partial<Run> = {}): Run => ({
    ...run(step, ''),
    ...{ state: 'done', startedAt: 1000, endedAt: 13_000, summary, ...more },
  });
  const stepsShown = (runs: readonly Run[], shown: Run | undefined, onStep: (step: number) => void = () => {}) => {
    const all = new Map(runs.map((each) => [each.id, each]));
    renderPiece(<StepsOfTrial detail={{ session, experiment }} run={shown} runs={all} onStep={onStep} />);
    return screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
  };

  it('have figures if they ended, else their time, below the names of groups', () => {
    const going: Run = { ...run(3, 'reads / range'), startedAt: Date.now() - 5200 };
    const failed = ended(2, {}, { state: 'failed' });
    const again: Run = { ...ended(2, { tps: 4321 }), id: 80 };
    const other: Run = { ...ended(4, { tps: 1 }), trial: 1 };
    const waiting: Run = { ...run(5, ''), state: 'pending', duration: 0 };
    const runs = [ended(0, { took_s: 312.4 }), ended(1, {}), failed, again, going, other, waiting];
    expect(stepsShown(runs, going)).toEqual([
      ...['1 load312.40 s', '2 quiet12 s', 'reads', '3 point4,321 tps', '4 range5 s of 1 min'],
      ...['both', '5 oltp', '6 copy30 s'],
    ]);
    expect(screen.getByTitle('reads / range: running, 5 s of 1 min').getAttribute('aria-current')).toBe('step');
  });

  it('are chosen by a click while they run', () => {
    const chosen: number[] = [];
    const runs = [run(4, 'both / oltp'), run(5, 'both / copy')];
    stepsShown(runs, runs[0], (step) => chosen.push(step));
    fireEvent.click(screen.getByRole('button', { name: /^6 copy/ }));
    expect(chosen).toEqual([5]);
  });

  it('are absent before the first run, and without steps', () => {
    expect(stepsShown([], undefined)).toEqual([]);
    renderPiece(
      <StepsOfTrial detail={{ session, experiment: {} }} run={GOING[0]} runs={new Map()} onStep={() => {}} />,
    );
    expect(screen.queryAllByRole('listitem')).toEqual([]);
  });
});
