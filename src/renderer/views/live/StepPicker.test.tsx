import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Run } from '../../../shared/model/session.ts';
import { renderPiece } from '../../testing/render.tsx';
import { StepPicker } from './index.tsx';

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
