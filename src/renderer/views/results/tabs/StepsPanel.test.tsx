import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { measureId } from '../../../../shared/metrics/index.ts';
import type { StepsTable } from '../../../../shared/model/result.ts';
import { testEngine } from '../../../testing/engine.ts';
import { renderWithEngine } from '../../../testing/render.tsx';
import { StepsPanel } from './StepsPanel.tsx';

afterEach(cleanup);

const COSTS = [
  { id: 'cpu_us_server', label: 'CPU of the server per operation', unit: 'µs' },
  { id: 'written_bytes', label: 'Written to disk per operation', unit: 'KiB' },
];
const tableOf = (metric: string, value: number, ratio: number): StepsTable => ({
  ...{ factor: 'version', levels: ['5.6', '8.0'], baseline: '5.6', costs: COSTS, sentences: [`Mean of ${metric}.`] },
  lines: [
    {
      ...{ step: 0, name: 'reads', metric, levels: {} },
      cells: [
        { cell: 0, value },
        { cell: 1, value: value * ratio, ratio, verdict: 'worse', sentence: 'It is worse.' },
      ],
    },
  ],
});
const written = measureId({
  ...{ label: 'Written to disk per operation', unit: 'KiB', better: 'lower', statistic: 'level', digits: 2 },
});

it('shows the metric of each step, or the cost of an operation, with ratios', async () => {
  const asked: (string | undefined)[] = [];
  const engine = testEngine({
    results: {
      steps: ({ per }) => {
        asked.push(per);
        return per === undefined ? tableOf('tps', 1000, 0.8) : { ...tableOf(written, 4, 1.5), per: COSTS[1] };
      },
    },
  });
  renderWithEngine(engine.link, <StepsPanel state={{ id: 7, baselines: undefined, setStep: () => {} }} shown={0} />);
  expect(await screen.findByText('×0.80')).toBeTruthy();
  fireEvent.click(screen.getByRole('combobox', { name: 'Figure of steps' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Written to disk per operation (KiB)' }));
  expect(await screen.findByText('×1.50')).toBeTruthy();
  expect(screen.getByText('6.00')).toBeTruthy();
  expect(screen.getByText(/^Written to disk per operation \(KiB\); ratios to version 5\.6/)).toBeTruthy();
  expect(asked.at(-1)).toBe('written_bytes');
  fireEvent.click(screen.getByRole('combobox', { name: 'Figure of steps' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Metric of each step' }));
  expect(await screen.findByText('×0.80')).toBeTruthy();
});
