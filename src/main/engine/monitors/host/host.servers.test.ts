import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../jobs/testing/job-bed.ts';
import { busyProgram, isGroupAlive, KINDS, type RunningMonitor, startMonitor } from '../testing/monitor-bed.ts';
import { hostMonitor } from './index.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const numbers = (text: string): number[] => text.trim().split(/\s+/).map(Number);
const lineOf = (path: string, begin: string): string =>
  read(path)
    .split('\n')
    .find((line) => line.trim().startsWith(begin))
    ?.trim()
    .slice(begin.length) ?? '';

const DISK = readdirSync('/sys/block').find(
  (name) => !/^(loop|ram|zram|sr|dm-)/.test(name) && read('/proc/diskstats').includes(` ${name} `),
);

/** Counters that only grow, read in a different way from the collector. */
function counters(pid: number): Record<string, number> {
  const [user, nice, system, , , irq, softirq, steal] = numbers(lineOf('/proc/stat', 'cpu '));
  const core = numbers(lineOf('/proc/stat', 'cpu1 '));
  const lo = numbers(lineOf('/proc/net/dev', 'lo:'));
  const disk = numbers(lineOf(`/sys/block/${DISK}/stat`, ''));
  const process = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  const written = numbers(lineOf(`/proc/${pid}/io`, 'write_bytes:'));
  const pressure = (kind: string): number =>
    existsSync(`/proc/pressure/${kind}`) ? Number(/total=(\d+)/.exec(read(`/proc/pressure/${kind}`))?.[1]) : Number.NaN;
  return {
    'cpu.user': user ?? Number.NaN,
    'cpu.nice': nice ?? Number.NaN,
    'cpu.system': system ?? Number.NaN,
    'cpu.irq': irq ?? Number.NaN,
    'cpu.softirq': softirq ?? Number.NaN,
    'cpu.steal': steal ?? Number.NaN,
    'core.1.user': core[0] ?? Number.NaN,
    'sys.interrupts': numbers(lineOf('/proc/stat', 'intr '))[0] ?? Number.NaN,
    'sys.context_switches': Number(lineOf('/proc/stat', 'ctxt ')),
    'sys.forks': Number(lineOf('/proc/stat', 'processes ')),
    'vm.page_in_kib': Number(lineOf('/proc/vmstat', 'pgpgin ')),
    'vm.page_out_kib': Number(lineOf('/proc/vmstat', 'pgpgout ')),
    'vm.major_faults': Number(lineOf('/proc/vmstat', 'pgmajfault ')),
    'vm.refaults': Number(lineOf('/proc/vmstat', 'workingset_refault_file ')),
    'net.lo.rx_bytes': lo[0] ?? Number.NaN,
    'net.lo.rx_packets': lo[1] ?? Number.NaN,
    'net.lo.tx_bytes': lo[8] ?? Number.NaN,
    [`disk.${DISK}.read_ios`]: disk[0] ?? Number.NaN,
    [`disk.${DISK}.read_sectors`]: disk[2] ?? Number.NaN,
    [`disk.${DISK}.write_ios`]: disk[4] ?? Number.NaN,
    [`disk.${DISK}.write_sectors`]: disk[6] ?? Number.NaN,
    [`disk.${DISK}.write_ms`]: disk[7] ?? Number.NaN,
    [`disk.${DISK}.busy_ms`]: disk[9] ?? Number.NaN,
    'pressure.cpu.some_us': pressure('cpu'),
    'pressure.io.some_us': pressure('io'),
    'pressure.memory.some_us': pressure('memory'),
    'proc.kp-busy-program.user_ticks': Number(process[11]),
    'proc.kp-busy-program.system_ticks': Number(process[12]),
    'proc.kp-busy-program.write_bytes': written[0] ?? Number.NaN,
  };
}

/** Empty if it has ended. */
function statOf(pid: string): string {
  try {
    return read(`/proc/${pid}/stat`);
  } catch {
    return '';
  }
}

/** Message of the original awk, once for each busy process that may not be inspected, such as the first one of a container. Others print nothing. */
const REFUSED =
  /^awk: i\/o error occurred on \/proc\/\d+\/io\n(?: input record number.*\n)? source line number \d+\n/gm;

/** The kernel sums some of its counters only now and then: another reading may lag by this much. */
const BEHIND = 64;

let monitor: RunningMonitor | undefined;
let busy: ChildProcess | undefined;
afterEach(async () => {
  if (busy?.exitCode === null && busy.signalCode === null) {
    busy.kill('SIGKILL');
    await once(busy, 'exit');
  }
  await monitor?.end();
  monitor = busy = undefined;
});

// A name longer than the fifteen letters that the kernel keeps.
const NAME = 'kp-busy-program';
async function startBusy(folder: string): Promise<number> {
  busy = spawn(busyProgram(folder, NAME), ['-c', 'while :; do :; done']);
  await once(busy, 'spawn');
  return busy.pid ?? 0;
}

describe.each(KINDS)('the collector with $kind', (kind) => {
  it('reports each second the same values as another reader of the kernel', async () => {
    monitor = startMonitor(hostMonitor({ processes: [NAME, 'no such (program)'] }), kind);
    await monitor.reach(1);
    const pid = await startBusy(monitor.folder);
    await until(() => monitor?.rows.at(-1)?.metrics[`proc.${NAME}.user_ticks`]);
    const [before, from, seen] = [counters(pid), Date.now() / 1000, monitor.rows.length];
    await monitor.reach(seen + 3);
    const [after, to] = [counters(pid), Date.now() / 1000];
    const rows = monitor.rows.slice(seen);
    expect([monitor.unread(), monitor.errors().replaceAll(REFUSED, '')]).toEqual([0, '']);
    for (const { t, metrics } of rows) {
      for (const [name, least] of Object.entries(before)) {
        if (Number.isNaN(least)) continue;
        expect(metrics[name], name).toBeGreaterThanOrEqual(least - BEHIND);
        expect(metrics[name], name).toBeLessThanOrEqual((after[name] ?? 0) + BEHIND);
      }
      expect(t).toBeGreaterThan(from - 0.1);
      expect(t).toBeLessThan(to + 0.1);
      expect(metrics['mem.total_kib']).toBe(Number(lineOf('/proc/meminfo', 'MemTotal:').replace('kB', '')));
      expect(metrics['cpu.count']).toBe(
        readdirSync('/sys/devices/system/cpu').filter((name) => /^cpu\d+$/.test(name)).length,
      );
      expect(metrics[`proc.${NAME}.threads`]).toBe(1);
      expect(metrics['collector.cpu_ticks']).toBeGreaterThan(0);
    }
    const names = Object.keys(rows[0]?.metrics ?? {});
    expect(names.filter((name) => name.includes('no such'))).toEqual([]);
    // Whole disks only.
    const disks = new Set(names.flatMap((name) => /^disk\.(.*)\.read_ios$/.exec(name)?.[1] ?? []));
    expect([...disks].filter((name) => !readdirSync('/sys/block').includes(name.replaceAll('/', '!')))).toEqual([]);
    // A loop that does nothing else is on a CPU whenever possible: all of its time was counted.
    const ticks = (row = rows[0]): number => row?.metrics[`proc.${NAME}.user_ticks`] ?? Number.NaN;
    expect(ticks(rows.at(-1))).toBeGreaterThan(ticks());
  });
});

// Two shells that wait by themselves, each in its way, one that starts a program each time, and one with a waiting program.
describe.each(
  KINDS.filter(({ kind }) => ['bash and mawk', 'BusyBox', 'dash and mawk', 'dash, perl and mawk'].includes(kind)),
)('the collector with $kind', (kind) => {
  it('ends when its files are removed, leaving nothing behind', async () => {
    monitor = startMonitor(hostMonitor({ processes: [] }), kind);
    await monitor.reach(1);
    const { process, folder } = monitor;
    renameSync(join(folder, 'read.awk'), join(folder, 'gone'));
    await once(process, 'close');
    expect(process.exitCode).toBe(0);
    expect(isGroupAlive(process.pid ?? 0)).toBe(false);
  });

  it('leaves nothing behind when only its shell is killed', async () => {
    monitor = startMonitor(hostMonitor({ processes: [] }), kind);
    await monitor.reach(1);
    const { pid = 0 } = monitor.process;
    monitor.process.kill('SIGKILL');
    await until(() => !isGroupAlive(pid) || undefined);
  });

  it('skips a second rather than report it twice', async () => {
    monitor = startMonitor(hostMonitor({ processes: [] }), kind);
    await monitor.reach(2);
    const { pid = 0 } = monitor.process;
    const uptime = (): number => numbers(read('/proc/uptime'))[0] ?? 0;
    process.kill(-pid, 'SIGSTOP');
    const stopped = uptime();
    await until(() => uptime() > stopped + 2.6 || undefined);
    process.kill(-pid, 'SIGCONT');
    const seen = monitor.rows.length;
    await monitor.reach(seen + 3);
    const times = monitor.rows.map(({ t }) => t);
    const steps = times.slice(1).map((t, index) => t - (times[index] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThan(0.45);
    expect(Math.max(...steps)).toBeGreaterThan(2);
    // It is back on the full second.
    expect((times.at(-1) ?? 0) % 1).toBeLessThan(0.5);
  });
});

describe('the collector', () => {
  const [kind] = KINDS;
  it.runIf(process.getuid?.() === 0 && kind)('runs as a user without access to other processes', async () => {
    if (!kind) return;
    monitor = startMonitor(hostMonitor({ processes: [NAME] }), kind, { uid: 65_534 });
    await startBusy(monitor.folder);
    await until(() => monitor?.rows.at(-1)?.metrics[`proc.${NAME}.user_ticks`]);
    await monitor.reach(monitor.rows.length + 1);
    const metrics = monitor.rows.at(-1)?.metrics ?? {};
    expect(metrics[`proc.${NAME}.threads`]).toBe(1);
    expect(metrics).not.toHaveProperty([`proc.${NAME}.write_bytes`]);
    expect([monitor.unread(), monitor.errors()]).toEqual([0, '']);
  });

  const perl = KINDS.find(({ programs }) => programs.perl !== undefined);
  it.runIf(perl)('continues when its waiting perl process dies', async () => {
    if (!perl) return;
    monitor = startMonitor(hostMonitor({ processes: [] }), perl);
    await monitor.reach(2);
    const group = monitor.process.pid;
    const waiting = readdirSync('/proc').filter((name) => {
      const [, command, rest = ''] = /\((.*)\) (.*)/.exec(statOf(name)) ?? [];
      return command === 'perl' && Number(rest.split(' ')[2]) === group;
    });
    expect(waiting).toHaveLength(1);
    process.kill(Number(waiting[0]), 'SIGKILL');
    const seen = monitor.rows.length;
    await monitor.reach(seen + 4);
    const times = monitor.rows.slice(seen).map(({ t }) => t);
    const steps = times.slice(1).map((t, index) => t - (times[index] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThan(0.45);
    // The shell reports that for any process.
    expect([monitor.unread(), monitor.errors()]).toEqual([0, 'Killed\n']);
  });

  it('explains that it needs /proc', async () => {
    if (!kind) return;
    monitor = startMonitor(hostMonitor({ processes: [] }), kind, { arguments: ['/nowhere'] });
    await once(monitor.process, 'close');
    expect(monitor.process.exitCode).toBe(69);
    expect(monitor.errors()).toMatch(/only Linux hosts can be watched/);
  });
});
