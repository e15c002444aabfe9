import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { KINDS, type RunningMonitor, startMonitor } from '../testing/monitor-bed.ts';
import { commandMonitor } from './index.ts';

const uptime = (): number => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);

let monitor: RunningMonitor | undefined;
afterEach(async () => {
  await monitor?.end();
  monitor = undefined;
});

describe.each(KINDS)('a command monitored with $kind', (kind) => {
  it('gets the arrival time of each of its lines on either output', async () => {
    // It prints the uptime itself, so the delay of each line is known.
    const command = [
      'while :; do',
      '  read -r up rest </proc/uptime; echo "up=$up"',
      '  echo "half of it=50%" >&2',
      '  sleep 0.5',
      'done',
    ].join('\n');
    const pattern = '^up=(?<up>[\\d.]+)$\n^half of it=(?<half>\\d+)%';
    monitor = startMonitor(commandMonitor({ name: 'tried', command, pattern }), kind);
    const before = Date.now() / 1000 - uptime();
    await monitor.reach(3);
    const after = uptime();
    const reported = monitor.rows.filter(({ metrics }) => metrics.up !== undefined);
    expect(reported.length).toBeGreaterThan(0);
    for (const { t, metrics } of reported) {
      // Not before it was printed, and not after it was read here.
      expect(t - before).toBeGreaterThan((metrics.up ?? Number.NaN) - 0.1);
      expect(t - before).toBeLessThan(after + 0.1);
    }
    // The other output; on a busy host it may arrive as a row of its own.
    expect(monitor.rows.find(({ metrics }) => metrics.half !== undefined)?.metrics.half).toBe(50);
    expect(monitor.errors()).toBe('');
  });

  it('ends with its exit code and its last lines', async () => {
    const command = 'echo n=1; exit 7';
    monitor = startMonitor(commandMonitor({ name: 'tried', command, pattern: 'n=(?<n>\\d)\n(?<m>never)' }), kind);
    await once(monitor.process, 'close');
    expect(monitor.process.exitCode).toBe(7);
    expect(monitor.rows.map(({ metrics }) => metrics)).toEqual([{ n: 1 }]);
  });
});
