import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KINDS, type RunningMonitor, startMonitor } from '../testing/monitor-bed.ts';
import { hostMonitor } from './index.ts';

const disk = (name: string, first: number): string =>
  ` 259       0 ${name} ${Array.from({ length: 17 }, (_, index) => (first === 0 ? 0 : first + index)).join(' ')}\n`;
const link = (name: string, first: number): string =>
  `${name}: ${Array.from({ length: 16 }, (_, index) => first + index).join(' ')}\n`;

/** Larger than a 32-bit number or six digits can hold. */
const LARGE = 4_611_686_018_427;

/** A host that no test runs on. Only its uptime is that of this computer. */
const PROC: Readonly<Record<string, string>> = {
  stat: `cpu  ${LARGE} 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu3 11 12 13 14 15 16 17 18 19 20\nintr ${LARGE}${' 0'.repeat(9000)}\nctxt 21\nbtime 22\nprocesses 23\nprocs_running 24\nprocs_blocked 25\nsoftirq 1 2 3\n`,
  meminfo: 'MemTotal:  8589934592 kB\nMemFree: 31 kB\nMemAvailable: 32 kB\nCached: 33 kB\nHugePages_Total: 34\n',
  vmstat:
    'nr_free_pages 1\nworkingset_refault_anon 46\nworkingset_refault_file 47\npgpgin 41\npgpgout 42\npswpin 43\npswpout 44\npgfault 1\npgmajfault 45\n',
  'pressure/cpu': 'some avg10=0.00 avg60=0.00 avg300=0.00 total=51\n',
  'pressure/io': 'some avg10=0.00 avg60=0.00 avg300=0.00 total=52\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=53\n',
  diskstats: [
    disk('sda', 100),
    disk('sda1', 200),
    disk('cciss/c0d0', 300),
    disk('cciss/c0d0p1', 300),
    disk('dm-0', 400),
    disk('loop0', 0),
    disk('loop1', 500),
    disk('md127', 0),
  ].join(''),
  'net/dev': `Inter-|   Receive\n face |bytes\n${link('    lo', 600)}${link('eth0.100', LARGE)}${link('  eth1', 800)}${link('unused', 900)}${link('bond0', 100)}${link('azure0', 100)}${link('enP1s1', 100)}`,
  'net/snmp': 'Ip: Forwarding\nIp: 1\nTcp: A MaxConn CurrEstab RetransSegs Z\nTcp: 1 -1 61 62 3\n',
  loadavg: '1.25 0.50 0.25 1/100 10\n',
};
const SYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['sda', 'cciss!c0d0', 'dm-0', 'loop0', 'loop1', 'md127'].map((name) => [`block/${name}/dev`, '']),
  ),
  'class/net/lo/operstate': 'unknown\n',
  'class/net/lo/flags': '0x9\n',
  'class/net/eth0.100/operstate': 'up\n',
  'class/net/eth0.100/flags': '0x1003\n',
  'class/net/eth0.100/speed': '25000\n',
  'class/net/eth1/operstate': 'down\n',
  'class/net/eth1/flags': '0x1003\n',
  'class/net/unused/operstate': 'unknown\n',
  'class/net/unused/flags': '0x1002\n',
  'class/net/bond0/operstate': 'up\n',
  'class/net/bond0/flags': '0x1403\n',
  'class/net/bond0/lower_azure0/flags': '0x1803\n',
  'class/net/azure0/operstate': 'up\n',
  'class/net/azure0/flags': '0x1003\n',
  'class/net/azure0/device/uevent': '',
  'class/net/azure0/lower_enP1s1/flags': '0x1803\n',
  'class/net/enP1s1/operstate': 'up\n',
  'class/net/enP1s1/flags': '0x1803\n',
  'class/net/enP1s1/upper_azure0/flags': '0x1003\n',
  'class/thermal/thermal_zone0/type': 'acpitz\n',
  'class/thermal/thermal_zone0/temp': '99000\n',
  'class/thermal/thermal_zone1/type': 'x86_pkg_temp\n',
  'class/thermal/thermal_zone1/temp': '61000\n',
  'class/hwmon/hwmon2/name': 'k10temp\n',
  'class/hwmon/hwmon2/temp1_input': '63000\n',
  'devices/system/cpu/cpu0/cpufreq/scaling_cur_freq': '2400000\n',
  'devices/system/cpu/cpu1/cpufreq/scaling_cur_freq': '1200000\n',
};

let root: string;
let monitor: RunningMonitor | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kneepoint-host-'));
  for (const [folder, files] of Object.entries({ proc: PROC, sys: SYS }))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, folder, name)), { recursive: true });
      writeFileSync(join(root, folder, name), text);
    }
  symlinkSync('/proc/uptime', join(root, 'proc', 'uptime'));
});
afterEach(async () => {
  await monitor?.end();
  monitor = undefined;
  rmSync(root, { recursive: true, force: true });
});

describe.each(KINDS)('with $kind', (kind) => {
  it('reads every kind of device with any name, and numbers of any size', async () => {
    monitor = startMonitor(hostMonitor({ processes: [] }), kind, {
      arguments: [join(root, 'proc'), join(root, 'sys')],
    });
    await monitor.reach(1);
    const metrics = monitor.rows[0]?.metrics ?? {};
    expect([monitor.unread(), monitor.errors()]).toEqual([0, '']);
    expect(metrics).toMatchObject({
      'cpu.user': LARGE,
      'cpu.steal': 8,
      'core.3.user': 11,
      'cpu.count': 2,
      'sys.interrupts': LARGE,
      'sys.context_switches': 21,
      'sys.running': 24,
      'mem.total_kib': 8_589_934_592,
      'mem.available_kib': 32,
      'mem.huge_total': 34,
      'vm.swap_out_pages': 44,
      'vm.major_faults': 45,
      'vm.refaults': 47,
      'pressure.cpu.some_us': 51,
      'pressure.io.full_us': 53,
      'disk.sda.read_ios': 100,
      'disk.sda.flush_ms': 116,
      'disk.cciss/c0d0.read_sectors': 302,
      'net.lo.tx_bytes': 608,
      'net.eth0.100.rx_bytes': LARGE,
      'net.eth0.100.speed_mbps': 25_000,
      'tcp.retransmitted': 62,
      'tcp.established': 61,
      'freq.mean_khz': 1_800_000,
      'freq.min_khz': 1_200_000,
      'temperature.max_millidegrees': 63_000,
      'load.1': 1.25,
    });
    const instances = (pattern: RegExp) => Object.keys(metrics).flatMap((name) => pattern.exec(name)?.[1] ?? []);
    expect(instances(/^disk\.(.*)\.read_ios$/)).toEqual(['sda', 'cciss/c0d0', 'dm-0', 'loop1']);
    expect(instances(/^net\.(.*)\.rx_bytes$/)).toEqual(['lo', 'eth0.100', 'bond0', 'azure0', 'enP1s1']);
    expect(instances(/^net\.(.*)\.elsewhere$/)).toEqual(['bond0', 'enP1s1']);
    for (const missing of ['mem.slab_kib', 'pressure.cpu.full_us', 'pressure.memory.some_us', 'net.lo.speed_mbps'])
      expect(metrics).not.toHaveProperty([missing]);
  });
});
