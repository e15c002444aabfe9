import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canMakeNetworks, createHosts } from '../../../../../e2e/testbed/sshd/index.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import type { TargetSpec } from '../../../../shared/model/target.ts';
import { createLocalMachine } from '../../hosts/local.ts';
import { createTestLibrary, problemFrom, specOf } from '../../hosts/testing/library.ts';
import type { At, DesiredSetting } from '../change.ts';
import { hostSettingChanger as changer } from './changer.ts';
import { atOf, desiredSetting, findingsFor, isAvailable, openOwnMounts, readOne } from './testing/places.ts';

async function apply(at: At, desired: DesiredSetting): Promise<{ restore(): Promise<void> }> {
  const [examined] = await changer.examine(at, [desired]);
  if (!examined) throw new Error('Nothing was examined.');
  expect(examined.findings.filter(({ severity }) => severity === 'block')).toEqual([]);
  const { found: first } = examined;
  const restore = () => changer.restore(at, [{ what: desired.what, how: desired.how, first }]);
  try {
    await changer.apply(at, [{ setting: desired, first }]);
    expect(changer.matches(desired, (await readOne(at, desired)).value)).toBe(true);
  } catch (error) {
    await restore();
    throw error;
  }
  return { restore };
}

describe.skipIf(!canMakeNetworks() || !isAvailable('tc'))('the rate of a network interface', () => {
  it('is limited and restored', async () => {
    const bed = await createHosts(1);
    const library = createTestLibrary();
    try {
      const [server] = bed.hosts;
      if (!server) throw new Error('There is no host.');
      library.save(specOf('db-1', server));
      library.trustServer(server);
      const machine = library.machines.get('db-1');
      const at = atOf(machine);
      const megabytes = 1.5;
      const seconds = async (): Promise<number> => {
        const began = performance.now();
        const { stdout } = await machine.exec(`head -c ${megabytes * 1e6} /dev/zero`);
        expect(stdout).toHaveLength(megabytes * 1e6);
        return (performance.now() - began) / 1000;
      };
      const queues = async (): Promise<string> => (await machine.exec('tc qdisc show dev eth0')).stdout;
      const before = await queues();
      const free = await seconds();
      const { restore } = await apply(at, desiredSetting('nic-rate', 'eth0', '8mbit'));
      const limited = await seconds();
      const more = { ...desiredSetting('nic-rate', 'eth0', '1gbit') };
      await changer.apply(at, [{ setting: more, first: { value: 'none' } }]);
      expect(changer.matches(more, (await readOne(at, more)).value)).toBe(true);
      await restore();
      await restore();
      expectSame('queues', await queues(), before);
      // 8 Mbit/s are 1 MB per second, plus a burst of 64 KiB.
      expect(limited).toBeGreaterThan(megabytes - 0.1);
      expect(limited).toBeGreaterThan(free * 2);

      await machine.exec('tc qdisc add dev eth0 root handle 5: pfifo');
      const desired = desiredSetting('nic-rate', 'eth0', '8mbit');
      expect(await findingsFor(at, desired)).toEqual(['block shaped-already']);
      const tried = changer.apply(at, [{ setting: desired, first: { value: 'none' } }]);
      expect(await problemFrom(tried)).toMatchObject({
        code: 'change-refused',
        message: expect.stringContaining('pfifo'),
      });
      expect(await findingsFor(at, desiredSetting('nic-rate', 'eth7', '8mbit'))).toEqual(['block setting-missing']);
    } finally {
      await library.machines.close();
      await bed.close();
    }
  });
});

describe.skipIf(!isAvailable('unshare', 'nsenter'))('the speed of a network link', () => {
  it('is set by ethtool and negotiated again afterwards', async () => {
    // No link of a test machine changes its speed, so ethtool is a script that records its arguments.
    const ethtool = `#!/bin/sh
cd /mnt
if [ "$1" = -s ]; then
  shift 2
  echo "$*" >>asked
  case $* in 'autoneg on') echo '10000 on' >link ;; *) echo "$2 off" >link ;; esac
  exit 0
fi
read -r speed auto <link
printf 'Settings for %s:\\n\\tSupported link modes:   1000baseT/Full\\n\\t                        10000baseT/Full\\n' "$1"
printf '\\tSpeed: %sMb/s\\n\\tDuplex: Full\\n\\tAuto-negotiation: %s\\n' "$speed" "$auto"`;
    const own = await openOwnMounts(`mount -t tmpfs own /mnt
printf '%s' '${ethtool.replaceAll("'", `'\\''`)}' >/mnt/ethtool; chmod 755 /mnt/ethtool
echo '10000 on' >/mnt/link`);
    try {
      const at = atOf(own.as(0, '/mnt:'));
      const desired = desiredSetting('nic-speed', 'lo', '1000');
      expect(await findingsFor(at, { ...desired, value: '25000' })).toContain('block value-not-taken');
      const { restore } = await apply(at, desired);
      expect(await readOne(at, desired)).toEqual({ value: '1000 full fixed' });
      await restore();
      expect(await readOne(at, desired)).toEqual({ value: '10000 full auto' });
      const asked = (await own.machine.exec('cat /mnt/asked')).stdout;
      expect(asked).toBe('speed 1000 duplex full autoneg off\nautoneg on\n');
    } finally {
      await own.close();
    }
  });
});

describe.skipIf(!isAvailable('mount'))('options of a mount', () => {
  it('are changed by a remount that keeps the others, and restored even if the kernel shows none', async () => {
    const folder = mkdtempSync(join(tmpdir(), "kneepoint mount 'x' "));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,nosuid,strictatime', 'own', folder]);
    try {
      const at = atOf(createLocalMachine());
      const options = async () => (await readOne(at, desiredSetting('mount-option', folder, ''))).value;
      const before = await options();
      expect(before).toBe('rw,nosuid,size=1024k');
      const { restore } = await apply(at, desiredSetting('mount-option', folder, 'noatime,nodev,size=2m'));
      expect(await options()).toBe('rw,nosuid,nodev,noatime,size=2048k');
      await restore();
      await restore();
      expectSame('options of the mount', await options(), before);
      expect(await findingsFor(at, desiredSetting('mount-option', folder, 'data=journal'))).toContain(
        'block not-by-remount',
      );
      expect(await findingsFor(at, desiredSetting('mount-option', folder, 'nr_inodes=100'))).toEqual([
        'block cannot-undo',
      ]);
      expect(await findingsFor(at, desiredSetting('mount-option', `${folder}/x`, 'noatime'))).toEqual([
        'block setting-missing',
      ]);
      const desired = desiredSetting('mount-option', folder, 'no_such_option');
      const tried = changer.apply(at, [{ setting: desired, first: { value: before } }]);
      expect(await problemFrom(tried)).toMatchObject({ code: 'change-refused' });
      expectSame('options of the mount', await options(), before);
    } finally {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    }
  });
});

describe.skipIf(!isAvailable('taskset'))('the CPUs of a server', () => {
  it('are set for its process, threads and children, found by port or by file', async () => {
    const program = `const child = require('child_process').spawn('sleep', ['600']);
const server = require('net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port, child.pid));
process.stdin.on('end', () => { child.kill(); process.exit(); }).resume();`;
    const server = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    const folder = mkdtempSync(join(tmpdir(), 'kneepoint-pid-'));
    try {
      const [output] = await once(server.stdout, 'data');
      const [port, child] = String(output).trim().split(' ').map(Number);
      const cpus = (pid = 0): string =>
        /^Cpus_allowed_list:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
      const before = cpus(server.pid);
      const target = { name: 'db', kind: 'mysql', via: null, config: { port } } satisfies TargetSpec;
      const at = atOf(createLocalMachine(), target);
      const { restore } = await apply(at, desiredSetting('server-cpus', '', '0'));
      expect([cpus(server.pid), cpus(child)]).toEqual(['0', '0']);
      await restore();
      expectSame('CPUs of the server and its child', [cpus(server.pid), cpus(child)], [before, before]);

      const file = join(folder, 'server.pid');
      writeFileSync(file, `${server.pid}\n`);
      await (await apply(at, desiredSetting('server-cpus', file, '0'))).restore();
      expectSame('CPUs of the server', cpus(server.pid), before);
      execFileSync('taskset', ['-cp', '0', String(child)]);
      expect(await findingsFor(at, desiredSetting('server-cpus', file, '0'))).toEqual(
        before === '0' ? [] : ['block cannot-undo'],
      );
      writeFileSync(file, 'none; reboot\n');
      expect(await findingsFor(at, desiredSetting('server-cpus', file, '0'))).toEqual(['block setting-missing']);
      expect(await findingsFor(at, desiredSetting('server-cpus', 'no-such.service', '0'))).toEqual([
        'block setting-missing',
      ]);
      expect(await findingsFor(at, desiredSetting('server-cpus', '1', '0'))).toEqual(['block setting-missing']);
    } finally {
      const exit = once(server, 'exit');
      server.stdin.end();
      await exit;
      rmSync(folder, { recursive: true });
    }
  });
});
