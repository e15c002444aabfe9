import { describe, expect, it } from 'vitest';
import type { RunEvidence, WatchedSeries } from '../evidence.ts';
import { flat, hostWith, watched } from '../testing/lines.ts';
import { boundOf } from './index.ts';

describe('the CPU as bottleneck', () => {
  const window = { from: 0, to: 60 };
  const run = (rest: Partial<RunEvidence>): RunEvidence => ({ window, load: [], hosts: [], servers: [], ...rest });
  const cpu = (value: number, running: number) => [
    watched('cpu.busy', flat(value)),
    watched('sys.running', flat(running)),
  ];
  const both = { roles: ['generator', 'server'] as const, programs: { tool: ['sysbench'], server: ['mariadbd'] } };
  const process = (instance: string, value: number) => watched('proc.*.cpu', flat(value), { instance });
  const core = (instance: string, value: number) => watched('core.*.busy', flat(value), { instance });

  it('is at its limit only if more threads are runnable than it has cores', () => {
    const of = (running: number) => boundOf(run({ hosts: [hostWith(cpu(97, running), { cores: 8 })] })).verdict;
    expect(of(20)).toBe('cpu');
    expect(of(7)).toBe('not-known');
  });

  it('is not at its limit if only the collector exceeds the number of cores', () => {
    const of = (running: number) => boundOf(run({ hosts: [hostWith(cpu(93.5, running), { cores: 16 })] }));
    expect(of(16)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(of(17).verdict).toBe('cpu');
    expect(of(17).sentence).toContain('16 runnable threads besides the collector on 16 cores');
  });

  it('is at its limit without idle time and with as many runnable threads as cores', () => {
    const of = (busy: number, running: number) =>
      boundOf(run({ hosts: [hostWith(cpu(busy, running), { cores: 16 })] })).verdict;
    expect(of(99, 16.84)).toBe('cpu');
    expect(of(99, 15.9)).toBe('not-known');
    expect(of(95, 16.84)).toBe('not-known');
  });

  it('is the server’s if other guests steal most of it, and not if other processes use it', () => {
    const of = (steal: number) => {
      const series = [...cpu(99, 30), watched('cpu.steal', flat(steal)), process('mariadbd', 300)];
      const programs = { tool: ['sysbench'], server: ['mariadbd'] };
      return boundOf(run({ hosts: [hostWith(series, { programs, cores: 8 })] }));
    };
    expect(of(60)).toMatchObject({ verdict: 'cpu', host: 'db1' });
    expect(of(60).sentence).toContain('60 % steal (taken by other guests)');
    expect(of(60).sentence).not.toContain('Processes other than');
    expect(of(3)).toMatchObject({ verdict: 'not-known', runnersUp: [{ verdict: 'cpu' }] });
    expect(of(3).sentence).toContain('Other processes used 4.68 cores.');
  });

  it('is named during background writeback, and the disk if work waits for I/O', () => {
    const of = (busy: number, ...more: WatchedSeries[]) => {
      const series = [
        ...cpu(busy, 17),
        watched('disk.*.utilisation', flat(98), { instance: 'nvme0n1' }),
        watched('disk.*.queue', flat(12), { instance: 'nvme0n1' }),
        ...more,
      ];
      const waiters = watched('db.io-waiters', flat(0), { means: 'io-waiters' });
      return boundOf(
        run({
          load: [{ host: 'load1', connections: 16 }],
          hosts: [hostWith(series, { cores: 8 })],
          servers: [{ name: 'mariadb', host: 'db1', series: [waiters] }],
        }),
      ).verdict;
    };
    expect(of(99, watched('pressure.io.full', flat(0)))).toBe('cpu');
    expect(of(99, watched('pressure.io.full', flat(50)))).toBe('disk');
    expect(of(60, watched('pressure.io.full', flat(0)))).toBe('disk');
  });

  it('is not one core saturated by interrupts if a process of others keeps that core busy', () => {
    const cores = Array.from({ length: 64 }, (_, index) => core(String(index), index === 17 ? 99.5 : 27));
    const of = (gzip: number) => {
      const series = [
        ...cpu(28, 20),
        ...cores,
        watched('cpu.irq', flat(0.8)),
        process('mariadbd', 1700),
        process('gzip', gzip),
      ];
      const programs = { tool: ['sysbench'], server: ['mariadbd'] };
      return boundOf(run({ hosts: [hostWith(series, { programs, cores: 64 })] })).verdict;
    };
    expect(of(99)).toBe('not-known');
    expect(of(20)).toBe('one-core');
  });

  it('is not one core for a server pinned to several', () => {
    const of = (full: number) => {
      const cores = Array.from({ length: 16 }, (_, index) => core(String(index), index < full ? 99.5 : 3));
      const series = [...cpu(6 * full + 3, 2), watched('cpu.irq', flat(4)), ...cores, process('mariadbd', 99 * full)];
      return boundOf(run({ hosts: [hostWith(series, { cores: 16 })], load: [{ host: 'load1', connections: 16 }] }));
    };
    expect(of(4)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(of(1)).toMatchObject({ verdict: 'one-core', instance: 'mariadbd' });
  });

  it('is one core for a process that saturates it while interrupts fill another', () => {
    const cores = ['0', '1', '2', '3', '4', '5', '6', '7'].map((each, index) => core(each, index < 2 ? 99 - index : 3));
    const series = [...cpu(28, 3), ...cores, process('redis-server', 99)];
    const found = boundOf(run({ hosts: [hostWith(series, { cores: 8 })], load: [{ host: 'load1', connections: 16 }] }));
    expect(found).toMatchObject({ verdict: 'one-core', instance: 'redis-server' });
  });

  it('is the generator’s on a shared host if the tool uses more of it than the server', () => {
    const of = (tool: number, server: number) =>
      boundOf(
        run({
          hosts: [
            hostWith([...cpu(99, 30), process('sysbench', tool), process('mariadbd', server)], { ...both, cores: 8 }),
          ],
        }),
      );
    expect(of(500, 280)).toMatchObject({ verdict: 'generator-cpu', host: 'db1' });
    expect(of(280, 500)).toMatchObject({ verdict: 'cpu', host: 'db1' });
    expect(of(280, 500).sentence).toContain('The load tool used 2.80 cores, the server 5.00.');
  });

  it('belongs to the one that uses more if tool and server are on one machine that looks like two', () => {
    const of = (tool: number, server: number) =>
      boundOf(
        run({
          hosts: [
            hostWith([...cpu(100, 12), process('pgbench', tool)], {
              ...{ name: 'load', roles: ['generator'], programs: { tool: ['pgbench'], server: [] }, cores: 2 },
            }),
            hostWith([...cpu(100, 12), process('postgres', server)], {
              ...{ programs: { tool: [], server: ['postgres'] }, cores: 2 },
            }),
          ],
        }),
      );
    // Each of them uses less than half of it.
    expect(of(99, 98)).toMatchObject({ verdict: 'generator-cpu', host: 'load' });
    expect(of(98, 99)).toMatchObject({ verdict: 'cpu', host: 'db1' });
    expect(of(99, 98).sentence).not.toContain('Other processes');
    expect(of(90, 70)).toMatchObject({ verdict: 'not-known' });
    expect(of(90, 70).sentence).toContain('Other processes used 0.40 cores.');
  });

  it('is not named if other processes use most of it; another limit is', () => {
    const link = watched('net.*.tx_mib_s', flat(115), { instance: 'eth0', limit: { value: 119, words: 'link speed' } });
    const of = (server: number, ...more: WatchedSeries[]) => {
      const programs = { tool: ['sysbench'], server: ['mariadbd'] };
      const series = [...cpu(99, 30), process('mariadbd', server), ...more];
      return boundOf(run({ hosts: [hostWith(series, { programs, cores: 8 })] }));
    };
    expect(of(500)).toMatchObject({ verdict: 'cpu', host: 'db1' });
    expect(of(120)).toMatchObject({ verdict: 'not-known', runnersUp: [{ verdict: 'cpu' }] });
    expect(of(120).sentence).toContain('Other processes used 6.72 cores.');
    expect(of(120, link)).toMatchObject({ verdict: 'network', runnersUp: [{ verdict: 'cpu' }] });
  });

  it('is one core for a pinned tool next to its server', () => {
    const series = [...cpu(70, 3), core('0', 40), core('1', 99.5), process('sysbench', 99.4), process('mariadbd', 38)];
    const found = boundOf(run({ hosts: [hostWith(series, both)], load: [{ host: 'db1', threads: 16 }] }));
    expect(found).toMatchObject({ verdict: 'generator-core', host: 'db1', instance: 'sysbench', share: 1 });
  });

  it('is one core for a tool with one saturated thread and unread responses', () => {
    const of = (unread: number | undefined, thread = 99, load = {}) => {
      const series = [
        ...cpu(30, 3),
        process('loader', 130),
        watched('proc.*.busiest_thread', flat(thread), { instance: 'loader' }),
        ...(unread === undefined ? [] : [watched('sockets.*.unread', flat(unread), { instance: 'server' })]),
      ];
      const host = hostWith(series, { name: 'load1', roles: ['generator'], cores: 8 });
      return boundOf(run({ hosts: [host], load: [{ host: 'load1', connections: 16, ...load }] }));
    };
    expect(of(13)).toMatchObject({ verdict: 'generator-core', host: 'load1', instance: 'loader', share: 1 });
    expect(of(13).sentence).toContain(
      'One thread of loader on load1 was saturated in every second: it used 99 % of a core, all threads together 130 %, and 13.0 of 16 clients had responses that it had not read yet.',
    );
    // It spins, or does work that no client waits for.
    expect(of(0)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(of(undefined).verdict).toBe('not-known');
    expect(of(undefined).sentence).toContain('busiest thread of loader 99 % of a core');
    expect(of(13, 60).verdict).toBe('not-known');
  });

  it('is one core for a single client, and not for many clients', () => {
    const series = [...cpu(26, 2), process('postgres', 98.5)];
    const of = (connections: number) =>
      boundOf(run({ hosts: [hostWith(series, { cores: 4 })], load: [{ host: 'load1', connections }] })).verdict;
    expect(of(1)).toBe('one-core');
    expect(of(16)).toBe('not-known');
  });

  it('is a runner-up to a limit that holds for longer, and is not named for a third of the time', () => {
    const third = flat(40).map((value, index) => (index % 3 === 0 ? 99 : value));
    const busy = [watched('cpu.busy', third), watched('sys.running', flat(30))];
    const alone = boundOf(run({ hosts: [hostWith(busy, { cores: 8 })] }));
    expect(alone).toMatchObject({ verdict: 'not-known', runnersUp: [{ verdict: 'cpu', host: 'db1' }] });
    const link = watched('net.*.tx_mib_s', flat(115), { instance: 'eth0', limit: { value: 119, words: 'link speed' } });
    const both = boundOf(run({ hosts: [hostWith([...busy, link], { cores: 8 })] }));
    expect(both).toMatchObject({ verdict: 'network', instance: 'eth0', runnersUp: [{ verdict: 'cpu' }] });
    expect(both.sentence).toBe(
      'Link eth0 of db1 at its limit in every second: sent 115 of 119 MiB/s (97 %), link speed. Twice the bandwidth would gain at most 68 %: then the CPU of db1, 60 % busy, is saturated.',
    );
  });

  it('is not the generator’s on a shared host if the tool uses next to nothing', () => {
    const of = (tool: number) =>
      boundOf(
        run({
          hosts: [hostWith([...cpu(99, 30), process('sysbench', tool), process('mariadbd', 4)], { ...both, cores: 2 })],
        }),
      ).verdict;
    expect(of(6)).toBe('not-known');
    expect(of(190)).toBe('generator-cpu');
  });

  it('is free where niced processes of others use it, and used by the server’s own', () => {
    const of = (own: number, nice: number) =>
      boundOf(
        run({
          hosts: [
            hostWith([...cpu(99, 30), watched('cpu.nice', flat(nice)), process('mariadbd', own)], {
              programs: { tool: [], server: ['mariadbd'] },
              cores: 4,
            }),
          ],
        }),
      ).verdict;
    expect(of(240, 38)).toBe('not-known');
    expect(of(310, 2)).toBe('cpu');
    expect(of(390, 2)).toBe('cpu');
    expect(of(390, 95)).toBe('cpu');
  });

  it('is saturated by a quota, whatever the host has free', () => {
    const of = (used: number, stopped: number) =>
      boundOf(
        run({
          hosts: [
            hostWith(
              [
                ...cpu(12, 3),
                watched('proc.*.cpu', flat(used), {
                  instance: 'mariadbd',
                  limit: { value: 50, words: 'quota of its control group' },
                }),
                watched('proc.*.throttled', flat(stopped), { instance: 'mariadbd' }),
              ],
              { programs: { tool: [], server: ['mariadbd'] }, cores: 8 },
            ),
          ],
        }),
      );
    expect(of(49, 97).sentence).toBe(
      'mariadbd on db1 was limited to the 0.50 cores of its control group in every second and used 0.49 of them: it was throttled in 97 % of the periods. Twice the quota could gain up to twice the throughput: no other watched resource was more than half busy.',
    );
    expect(of(30, 97).verdict).toBe('not-known');
    expect(of(49, 3).verdict).toBe('not-known');
  });

  it('is never named on a host that is neither generator nor server', () => {
    const other = hostWith(cpu(99, 30), { cores: 8, name: 'backup', roles: ['other'] });
    expect(boundOf(run({ hosts: [other] }))).toMatchObject({ verdict: 'not-known', runnersUp: [{ host: 'backup' }] });
  });
});
