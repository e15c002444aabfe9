import { describe, expect, it } from 'vitest';
import type { RunJob } from '../store/store.ts';
import { startFindings, unevenFindings } from './conclude.ts';

const job = (host: string, tps: number | undefined, startedAt?: number): RunJob => ({
  ...{ host, jobId: host, clock: { offsetMs: 0, roundTripMs: 9 } },
  ...(tps !== undefined && { summary: { tps } }),
  ...(startedAt !== undefined && { startedAt }),
});

describe('findings between generators', () => {
  it('report how far apart they started, with a warning if far', () => {
    const near = startFindings([job('a', 1, 1000.4), job('b', 1, 1012.1), job('c', 1, 1003)]);
    expect(near).toMatchObject([{ code: 'start-spread', severity: 'note' }]);
    expect(near[0]?.message).toContain('within 12 ms of each other, with clock errors of up to 5 ms');
    expect(startFindings([job('a', 1, 1000), job('b', 1, 1501)])).toMatchObject([{ severity: 'warn' }]);
    expect(startFindings([job('a', 1, 1000), job('b', 1)])).toEqual([]);
  });

  it('report generators with less work per connection than the best', () => {
    const jobs = [job('a', 600), job('b', 300), job('c', 100)];
    expect(unevenFindings(jobs, 'tps', [6, 3, 1])).toEqual([]);
    const [finding] = unevenFindings(jobs, 'tps', [4, 4, 2]);
    expect(finding).toMatchObject({ code: 'uneven-generators', severity: 'warn' });
    expect(finding?.message).toContain('b 50 % fewer, c 67 % fewer transactions');
    expect(unevenFindings([job('a', 100), job('b', 81)], 'tps', [1, 1])).toEqual([]);
  });

  it('ignore generators without a figure, and metrics that cannot be added up', () => {
    expect(unevenFindings([job('a', 100), job('b', undefined)], 'tps', [1, 1])).toEqual([]);
    expect(unevenFindings([job('a', 100), job('b', 1)], 'latency_p95_ms', [1, 1])).toEqual([]);
  });
});
