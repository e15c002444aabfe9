import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { arch, cpus, hostname, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import { HostFacts } from '../../../../shared/model/host.ts';
import { compareVersions } from '../../../../shared/util/versions.ts';
import { createLocalMachine } from '../local.ts';
import { FakeMachine } from '../testing/fake-machines.ts';
import { createTestLibrary, specOf } from '../testing/library.ts';
import { isWhole, type ProbedTool, parseFacts, toolPresence } from './parse.ts';
import { hostTime, hostUptime, readClock, readFacts } from './read.ts';
import { factsScript } from './script.ts';

const recording = (name: string) => readFileSync(new URL(`./recordings/${name}`, import.meta.url), 'utf8');

const probe = {
  argv: ['sysbench', '--version'],
  version: (output: string) => /sysbench (\S+)/.exec(output)?.[1],
  oldest: '1.0',
  install: 'Install the package sysbench.',
};
const TOOLS: readonly ProbedTool[] = [
  { id: 'sysbench', probe },
  { id: 'embedded' },
  { id: 'fio', probe: { ...probe, argv: ['no-such-tool', '--version'], install: 'Install the package fio.' } },
];

describe('facts of a recorded host', () => {
  it('are read from Debian 12', () => {
    expect(parseFacts(recording('debian-12.txt'), 'recorded', TOOLS)).toEqual({
      hostname: 'vm',
      os: 'Debian GNU/Linux 12 (bookworm)',
      kernel: '6.18.44-fc-v669',
      architecture: 'x86_64',
      cpuModel: 'Intel(R) Xeon(R) Processor',
      cpuCount: 2,
      memoryBytes: 24684084 * 1024,
      disks: [{ name: 'vda', sizeBytes: 274877906944, rotational: true, scheduler: 'mq-deadline', mounts: ['/'] }],
      networks: [
        { name: 'eth0', addresses: ['192.0.2.2', 'fd00::2', 'fe80::fc:ff:fe00:1'] },
        { name: 'ifb0', addresses: [] },
        { name: 'ifb1', addresses: [] },
      ],
      filesystems: expect.arrayContaining([
        { mount: '/', type: 'ext4', sizeBytes: 264212084 * 1024, freeBytes: expect.any(Number) },
      ]),
      virtualization: 'docker',
      bootId: 'd90383ec-9439-4a12-acf6-674f75059fb4',
      openFilesLimit: 20000,
      tools: [
        { tool: 'sysbench', found: true, version: '1.0.20', path: '/usr/bin/sysbench' },
        { tool: 'fio', found: false, message: 'no-such-tool was not found. Install the package fio.' },
      ],
    });
  });

  it('are read from a BusyBox userland', () => {
    const facts = parseFacts(recording('busybox-1.35.txt'), 'recorded', TOOLS);
    expect(facts).toMatchObject({
      cpuCount: 2,
      disks: [{ name: 'vda', mounts: ['/'] }],
      virtualization: 'virtual machine',
      tools: [{ found: false }, { found: false }],
    });
    expect(facts.filesystems.map((each) => each.mount)).toEqual(['/dev/shm', '/', '/sys/fs/cgroup']);
  });
});

describe('facts of other hosts', () => {
  const part = (name: string, ...lines: string[]) => `@@n ${name}\n${lines.join('\n')}\n`;

  it('follow LVM, encryption, partitions and btrfs down to the disk', () => {
    const disks = [
      'disk nvme0n1',
      'device 259:0',
      'sectors 1000215216',
      'rotational 0',
      'model Samsung SSD 980 PRO 500GB                 ',
      'scheduler [none] mq-deadline',
      'part nvme0n1p1 259:1',
      'part nvme0n1p2 259:2',
      ...['disk dm-0', 'device 252:0', 'sectors 900000000', 'rotational 0', 'model ', 'scheduler ', 'slave nvme0n1p2'],
      ...['disk dm-1', 'device 252:1', 'sectors 800000000', 'rotational 0', 'model ', 'scheduler ', 'slave dm-0'],
      ...[
        'disk sda',
        'device 8:0',
        'sectors 7814037168',
        'rotational 1',
        'model ST4000NM',
        'scheduler mq-deadline [bfq]',
      ],
      ...['disk loop3', 'device 7:3', 'sectors 2048', 'rotational 0', 'model ', 'scheduler [none]'],
    ];
    const mounts = [
      '29 1 259:1 / /boot rw shared:1 - ext4 /dev/nvme0n1p1 rw',
      '30 1 252:1 / / rw,noatime shared:2 - xfs /dev/mapper/vg-root rw',
      '31 1 0:44 /@data /srv/my\\040data rw shared:3 - btrfs /dev/sda rw',
      '32 30 252:1 /var/lib /mnt/bound rw - xfs /dev/mapper/vg-root rw',
    ];
    const facts = parseFacts(part('disks', ...disks) + part('mounts', ...mounts), 'n', []);
    expect(facts.disks).toEqual([
      {
        name: 'nvme0n1',
        sizeBytes: 1000215216 * 512,
        rotational: false,
        model: 'Samsung SSD 980 PRO 500GB',
        scheduler: 'none',
        mounts: ['/boot', '/'],
      },
      { name: 'dm-0', sizeBytes: 460800000000, rotational: false, mounts: ['/'] },
      { name: 'dm-1', sizeBytes: 409600000000, rotational: false, mounts: ['/'] },
      {
        name: 'sda',
        sizeBytes: 7814037168 * 512,
        rotational: true,
        model: 'ST4000NM',
        scheduler: 'bfq',
        mounts: ['/srv/my data'],
      },
    ]);
  });

  it('have the thread limit with the fewest remaining, for root only that of the control groups', () => {
    const of = (...lines: string[]) => parseFacts(part('threads', ...lines), 'n', []).threadsLimit;
    const groups = ['pids max 40', 'pids 10813 90', 'pids 19000 8400'];
    expect(of('uid 1000', 'limit 4096', 'used 12', ...groups)).toEqual({ most: 4096, used: 12, from: 'ulimit -u' });
    expect(of('uid 0', 'limit 4096', 'used 12', ...groups)).toEqual({ most: 19_000, used: 8400, from: 'pids.max' });
    expect(of('uid 1000', 'limit 60000', 'used 12', 'pids max 40')).toEqual({
      most: 60_000,
      used: 12,
      from: 'ulimit -u',
    });
    expect(of('uid 0', 'limit 60000', 'used 12')).toBeUndefined();
    expect(of('uid 1000', 'used 12')).toBeUndefined();
  });

  it('have the relevant CPU instructions, boost in either notation, and write caches', () => {
    const of = (...parts: string[]) => parseFacts(parts.join(''), 'n', []);
    expect(of(part('cpu-features', 'fpu aes xsave avx avx2 sha_ni')).cpuFeatures).toEqual(['aes', 'avx2', 'sha_ni']);
    expect(of(part('cpu-features', 'fpu xsave')).cpuFeatures).toEqual([]);
    expect(of(part('cpu-features')).cpuFeatures).toBeUndefined();
    expect(['off 1', 'off 0', 'on 1', 'on 0', ''].map((line) => of(part('boost', line)).cpuBoost)).toEqual([
      false,
      true,
      true,
      false,
      undefined,
    ]);
    expect(of(part('huge-pages', 'always [madvise] never')).hugePages).toBe('madvise');
    const disk = ['disk sda', 'device 8:0', 'sectors 2048', 'rotational 1', 'model x', 'scheduler [none]'];
    expect(of(part('disks', ...disk, 'cache write back')).disks[0]).toMatchObject({ writeCache: 'write back' });
    expect(of(part('disks', ...disk, 'firmware 2B2QEXM7')).disks[0]).toMatchObject({ firmware: '2B2QEXM7' });
    const saving = (...lines: string[]) => of(part('disks', ...disk, ...lines)).disks[0]?.powerSaving;
    expect(saving('latency 0', 'link ')).toBe('off');
    expect(saving('latency 100000', 'link ')).toBe('power states that wake within 100,000 µs');
    expect(saving('latency any', 'link ')).toBe('any power state');
    expect(saving('latency ', 'link max_performance')).toBe('link max_performance');
    expect(saving('latency auto', 'link ')).toBeUndefined();
    const link = (line: string) => of(part('disks', ...disk, line)).disks[0]?.link;
    expect(link('pcie 4 4 16.0 GT/s PCIe/16.0 GT/s PCIe')).toBe('PCIe 16.0 GT/s × 4');
    expect(link('pcie 2 4 8 GT/s/16 GT/s')).toBe('PCIe 8 GT/s × 2 (the device can do 16 GT/s × 4)');
    expect(link('pcie 0 255 Unknown/Unknown')).toBeUndefined();
  });

  it('accept df without types, network speeds, odd names and limits', () => {
    const text =
      part('uname', 'mac-1', 'Darwin', '23.5.0', 'arm64') +
      part('os', '14.5') +
      part('cpu-count', '12') +
      part('memory', '34359738368') +
      part(
        'df',
        'Filesystem 1024-blocks Used Available Capacity Mounted on',
        '/dev/disk3s1 971350180 10000 500000000 4% /',
        '//nas/my share 100 40 60 40% /Volumes/my share',
      ) +
      part(
        'networks',
        'interface bond0',
        'speed 20000',
        'interface lo',
        'speed ',
        '3: bond0@if9    inet 10.0.0.7/24 scope global bond0',
      ) +
      part('files', 'unlimited') +
      part('ports', '49152', '65535');
    expect(parseFacts(text, 'n', [])).toEqual({
      hostname: 'mac-1',
      os: 'macOS 14.5',
      kernel: '23.5.0',
      architecture: 'arm64',
      cpuCount: 12,
      memoryBytes: 34359738368,
      disks: [],
      networks: [{ name: 'bond0', addresses: ['10.0.0.7'], speedMbps: 20000 }],
      filesystems: [
        { mount: '/', type: 'unknown', sizeBytes: 971350180 * 1024, freeBytes: 512000000000 },
        { mount: '/Volumes/my share', type: 'unknown', sizeBytes: 102400, freeBytes: 61440 },
      ],
      localPorts: { first: 49152, last: 65535 },
      tools: [],
    });
  });

  it('are recognized as truncated', () => {
    const whole = recording('debian-12.txt');
    expect(isWhole(whole, 'recorded')).toBe(true);
    expect(isWhole(whole.slice(0, -20), 'recorded')).toBe(false);
    expect(isWhole(whole, 'another')).toBe(false);
  });
});

describe('a tool on a host', () => {
  it('is found, too old, silent or missing', () => {
    const presence = (...lines: string[]) => toolPresence('sysbench', probe, lines);
    expect(presence('/usr/bin/sysbench', 'sysbench 1.0.20')).toEqual({
      tool: 'sysbench',
      found: true,
      version: '1.0.20',
      path: '/usr/bin/sysbench',
    });
    expect(presence('/opt/sysbench', 'sysbench 0.5')).toMatchObject({
      found: true,
      version: '0.5',
      message: expect.stringContaining('too old'),
    });
    expect(presence('/opt/sysbench', 'error while loading shared libraries')).toMatchObject({
      found: true,
      message: expect.stringContaining('does not report'),
    });
    expect(presence()).toMatchObject({
      found: false,
      message: expect.stringContaining('Install the package sysbench.'),
    });
  });

  it('is compared by its version numbers', () => {
    const ordered = ['0.5', '1.0', '1.0.9', '1.0.20', '1.1.0-beta2', '3.33', '15.14 (Debian 15.14-0+deb12u1)', '18'];
    for (const [index, version] of ordered.entries()) {
      expect(compareVersions(version, version)).toBe(0);
      const next = ordered[index + 1];
      if (next !== undefined) expect(compareVersions(version, next)).toBeLessThan(0);
    }
    expect(compareVersions('1.0', '1')).toBe(0);
  });
});

describe('facts of this computer', () => {
  it('agree with Node', async () => {
    const before = performance.now();
    const facts = HostFacts.parse(await readFacts(createLocalMachine(), TOOLS));
    const took = performance.now() - before;
    expect(facts).toMatchObject({
      hostname: hostname(),
      kernel: release(),
      cpuCount: cpus().length,
      memoryBytes: totalmem(),
      architecture: arch() === 'x64' ? 'x86_64' : expect.any(String),
    });
    expect(facts.filesystems.some((each) => each.mount === '/')).toBe(true);
    const [, flags = ''] = /^(?:flags|Features)\s*: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
    expect(facts.cpuFeatures?.includes('aes')).toBe(flags.split(' ').includes('aes'));
    // Both use the same clock, so the difference is only the error of reading it, however long that took.
    expect(Math.abs(facts.clockOffsetMs ?? Number.NaN)).toBeLessThan(took / 2 + 20);
    const ports = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number);
    expect(Object.values(facts.localPorts ?? {})).toEqual(ports);
  });

  it.skipIf(process.getuid?.() !== 0)('have the limit of an account other than root', () => {
    // An account that is not used otherwise on this machine.
    const args = '--reuid=54321 --regid=54321 --clear-groups prlimit --nproc=200:200 sh -c'.split(' ');
    const text = execFileSync('setpriv', [...args, factsScript('n', [])], { encoding: 'utf8', cwd: '/' });
    const { threadsLimit } = parseFacts(text, 'n', []);
    expect(threadsLimit).toEqual({ most: 200, used: expect.any(Number), from: 'ulimit -u' });
    expect(threadsLimit?.used).toBeGreaterThan(0);
  });

  it('are the same through SSH', async () => {
    const server = await startSshd();
    const library = createTestLibrary();
    try {
      library.save(specOf('web', server));
      library.trustServer(server);
      const machine = library.machines.get('web');
      const [here, there] = [await readFacts(createLocalMachine(), TOOLS), await readFacts(machine, TOOLS)];
      const stable = ({ hostname, kernel, disks, memoryBytes, bootId, tools }: HostFacts) => ({
        hostname,
        kernel,
        disks,
        memoryBytes,
        bootId,
        tools,
      });
      expect(stable(there)).toEqual(stable(here));
      const clock = await readClock(machine);
      // Both sides use the same clock, so the difference is only the error of reading it.
      expect(Math.abs(clock?.offsetMs ?? Number.NaN)).toBeLessThan((clock?.roundTripMs ?? 0) / 2 + 20);
      expect(there.clockRoundTripMs).toBeGreaterThan(0);
      const bootMs = Date.now() - Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;
      expect(Math.abs((clock?.bootMs ?? Number.NaN) - bootMs)).toBeLessThan((clock?.roundTripMs ?? 0) / 2 + 30);
    } finally {
      await library.machines.close();
      await server.close();
    }
  });

  it.skipIf(!existsSync('/bin/busybox'))('are also read by a BusyBox shell', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kneepoint-busybox-'));
    try {
      for (const applet of ['sh', 'cat', 'sed', 'df', 'uname', 'grep', 'nproc', 'head', 'ip']) {
        symlinkSync('/bin/busybox', join(folder, applet));
      }
      const text = execFileSync(join(folder, 'sh'), ['-s'], {
        input: factsScript('n', []),
        env: { PATH: folder },
        encoding: 'utf8',
      });
      expect(isWhole(text, 'n')).toBe(true);
      expect(parseFacts(text, 'n', [])).toMatchObject({
        hostname: hostname(),
        cpuCount: cpus().length,
        memoryBytes: totalmem(),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('cannot be misled by a tool or by names that look like commands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kneepoint-tool-'));
    try {
      const tool = join(folder, "it's; touch canary #");
      writeFileSync(tool, "#!/bin/sh\nprintf '%s\\n' \"$@\" '@@n uname' 'evil'\nsleep 0; yes | head -c 100000\n", {
        mode: 0o755,
      });
      const argv = [tool, '$(touch canary)', '`touch canary`', '; touch canary', "'"];
      const lines: string[] = [];
      const tools = [
        {
          id: 'x',
          probe: {
            ...probe,
            argv,
            version(output: string) {
              lines.push(output);
              return '1.0';
            },
          },
        },
      ];
      const script = factsScript('n0nce', [{ ...probe, argv, extra: 'cd /nonexistent || echo besides' }]);
      const text = execFileSync('/bin/sh', ['-s'], { cwd: folder, input: script, encoding: 'utf8' });
      expect(parseFacts(text, 'n0nce', tools)).toMatchObject({
        hostname: hostname(),
        tools: [{ found: true, path: tool }],
      });
      expect(lines[0]?.startsWith(`${argv.slice(1).join('\n')}\n`)).toBe(true);
      expect(lines[0]?.trimEnd().endsWith('besides')).toBe(true);
      expect(existsSync(join(folder, 'canary'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the clock of a host', () => {
  /** A host that is 5 s ahead. Each response arrives after its delay, all of which is on the way back. */
  const machineWith = (answers: readonly { delayMs: number }[], ahead = 5000) => {
    const asked: string[] = [];
    let wake = (): void => {};
    let writes = 0;
    const stdout = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('1700000000.000000000\n');
      for (const { delayMs } of answers) {
        while (writes === 0) await new Promise<void>((resolve) => (wake = resolve));
        writes -= 1;
        const ms = Date.now() + ahead;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        yield Buffer.from(`${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}000000\n`);
      }
    };
    const machine = new FakeMachine('far');
    machine.spawn = async (script) => {
      asked.push(script);
      return {
        stdout: stdout(),
        stderr: () => '',
        done: Promise.resolve({ code: 0 }),
        write: () => {
          writes += 1;
          wake();
        },
        close: () => {},
      };
    };
    return { machine, asked };
  };

  it('is read through one shell, with the smallest of several round trips', async () => {
    const { machine, asked } = machineWith([300, 250, 1, 280, 300, 200, 200, 200].map((delayMs) => ({ delayMs })));
    const clock = await readClock(machine);
    expect(asked).toHaveLength(1);
    expect(clock?.roundTripMs).toBeLessThan(200);
    expect(Math.abs((clock?.offsetMs ?? 0) + 5000)).toBeLessThanOrEqual((clock?.roundTripMs ?? 0) / 2 + 2);
  });

  it('is unknown if the host does not report it', async () => {
    const { machine } = machineWith([]);
    machine.spawn = async () => ({
      stdout: (async function* () {
        yield Buffer.from('sh: date: not found\n');
      })(),
      stderr: () => '',
      done: Promise.resolve({ code: 127 }),
      write: () => {},
      close: () => {},
    });
    expect(await readClock(machine)).toBeUndefined();
  });
});

it('reads the clock of a host with and without fractions of a second', () => {
  expect(hostTime('1795226155.216000000\n')).toBe(1795226155216);
  expect(hostTime('1795226155.\n')).toBe(1795226155500);
  expect(hostTime('1795226155.%N\n')).toBe(1795226155500);
  expect(hostTime('1795226155.216000000 8412.07\n')).toBe(1795226155216);
  expect(hostTime('date: command not found')).toBeUndefined();
  expect(hostUptime('1795226155.216000000 8412.07\n')).toBe(8412.07);
  expect(hostUptime('1795226155.%N 8412.07\r\n')).toBe(8412.07);
  expect(hostUptime('1795226155.216000000 \n')).toBeUndefined();
  expect(hostUptime('1795226155.216000000\n')).toBeUndefined();
});
