import { randomFrom } from '../src/shared/util/numbers.ts';

/** Twenty metrics of one second, as sysbench and the host's counters print them: two decimals, noise of a few percent. */
export interface Second {
  t: number;
  metrics: Record<string, number>;
  line: string;
}

export function* seconds(count: number, seed: number): Generator<Second> {
  const random = randomFrom(seed);
  const noise = (): number => (random() + random() + random() + random() - 2) * 1.7;
  const cents = (value: number): number => Math.round(Math.max(0, value) * 100) / 100;
  /** sysbench reads percentiles from a histogram with buckets 1.6 % apart. */
  const bucket = (milliseconds: number): number => cents(1.016 ** Math.round(Math.log(milliseconds) / Math.log(1.016)));
  let drift = 0;
  for (let t = 1; t <= count; t += 1) {
    drift = drift * 0.98 + noise() * 0.02;
    const tps = cents(3456 * (1 + drift + 0.03 * noise()));
    const qps = cents(tps * 20 + noise());
    const p95 = bucket(11 * (1 + 0.05 * noise()));
    const metrics = {
      tps,
      qps,
      qps_read: cents(tps * 14 + noise()),
      qps_write: cents(tps * 4 + noise()),
      qps_other: cents(tps * 2 + noise()),
      latency_avg_ms: cents(32_000 / tps),
      latency_p95_ms: p95,
      latency_p99_ms: bucket(p95 * (1.5 + 0.1 * noise())),
      errors_per_s: random() < 0.01 ? 1 : 0,
      reconnects_per_s: 0,
      threads_running: 32,
      host_cpu_user: cents(61 + 2 * noise()),
      host_cpu_system: cents(14 + noise()),
      host_cpu_wait: cents(Math.max(0, 3 + noise())),
      host_disk_read_ops: Math.round(Math.max(0, 120 + 20 * noise())),
      host_disk_write_ops: Math.round(9_000 + 400 * noise()),
      host_disk_write_mib: cents(140 + 6 * noise()),
      host_memory_free_mib: Math.round(9_000 + 30 * noise()),
      host_net_in_mib: cents(11 + 0.3 * noise()),
      host_net_out_mib: cents(95 + 3 * noise()),
    };
    yield { t, metrics, line: interval(t, metrics) };
  }
}

function interval(t: number, metrics: Record<string, number>): string {
  const figure = (name: string): string => (metrics[name] ?? 0).toFixed(2);
  const parts = `${figure('qps_read')}/${figure('qps_write')}/${figure('qps_other')}`;
  return `[ ${t}s ] thds: 32 tps: ${figure('tps')} qps: ${figure('qps')} (r/w/o: ${parts}) lat (ms,95%): ${figure('latency_p95_ms')} err/s: ${figure('errors_per_s')} reconn/s: 0.00\n`;
}
