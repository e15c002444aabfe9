import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { FinalFigures } from './RunsTab.tsx';

afterEach(cleanup);

it('begins a measure of a figure of an operation, a query, a job or a device', () => {
  const measures: object[] = [];
  const summary = {
    read_latency_p99_ms: 3,
    'query:Q 1:_took_s': 1.5,
    job_2_iops: 900,
    'place:/dev/sdb:_ios_total': 800,
  };
  render(<FinalFigures summary={summary} onMeasure={(measure) => measures.push(measure)} />);
  for (const button of screen.getAllByRole('button', { name: /^Use as measure: / })) fireEvent.click(button);
  expect(measures).toEqual([
    { name: 'Read latency, 99th percentile', is: 'read_latency_p99_ms' },
    { name: 'Q 1: Time taken', is: 'figure("query:Q 1:_took_s")' },
    { name: 'Job 2: I/O operations', is: 'job_2_iops' },
    { name: '/dev/sdb: I/O operations, total', is: 'figure("place:/dev/sdb:_ios_total")' },
  ]);
  expect(screen.getByRole('button', { name: 'Use as measure: Q 1: Time taken, 1.50 s' }).textContent).toBe('1.50 s');
});
