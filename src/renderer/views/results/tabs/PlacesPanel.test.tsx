import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { placeFigures } from '../../../../shared/chart-models/index.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import { testEngine } from '../../../testing/engine.ts';
import { renderWithEngine } from '../../../testing/render.tsx';
import { PlacesPanel } from './PlacesPanel.tsx';

afterEach(cleanup);

const FIGURES: Readonly<Record<string, number>> = {
  iops: 300,
  latency_p99_ms: 4,
  'place:/mnt/a:_iops': 200,
  'place:/mnt/a:_latency_p99_ms': 2,
  'place:/mnt/b:_iops': 100,
};
const METRICS = Object.keys(FIGURES);
const places = placeFigures([{ cell: 0, levels: { bs: '4k' } }], METRICS, (_, metric) => FIGURES[metric]) ?? {
  metrics: [],
  rows: [],
};

function show(metrics: string[]): string[] {
  const chosen: string[] = [];
  const { link } = testEngine({ results: { places: () => places } });
  const state = { id: 7, warmup: undefined, filter: {}, setMetric: (metric: string) => chosen.push(metric) };
  renderWithEngine(link, <PlacesPanel result={{ metrics } as unknown as SessionResult} state={state} />);
  return chosen;
}

it('shows each place of a cell and all together, and selects the metric of a figure', async () => {
  const chosen = show(METRICS);
  const rows = within(await screen.findByRole('table', { name: 'Places' }))
    .getAllByRole('row')
    .slice(1);
  const texts = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  );
  expect(texts).toEqual([
    ['4k', '/mnt/a', '200', '2.00'],
    ['4k', '/mnt/b', '100', '–'],
    ['4k', 'all together', '300', '4.00'],
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Show /mnt/a: Latency, 99th percentile' }));
  fireEvent.click(screen.getByRole('button', { name: 'Show I/O operations' }));
  expect(chosen).toEqual(['place:/mnt/a:_latency_p99_ms', 'iops']);
});

it('renders nothing for a load with one place', () => {
  show(['iops', 'job_1_iops']);
  expect(screen.queryByText('Places measured at the same time')).toBeNull();
});
