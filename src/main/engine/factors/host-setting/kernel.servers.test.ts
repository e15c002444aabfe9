import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aloneWithKernel } from '../../../../../e2e/testbed/alone.ts';
import { keepFile } from '../../../../../e2e/testbed/left.ts';
import { startSshd, type TestSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import { byDay } from '../../../../shared/util/testing/depth.ts';
import { createLocalMachine } from '../../hosts/local.ts';
import type { Machine } from '../../hosts/machine.ts';
import { createTestLibrary, problemFrom, specOf } from '../../hosts/testing/library.ts';
import type { AffectedSetting, At, DesiredSetting } from '../change.ts';
import { hostSettingChanger as changer } from './changer.ts';
import {
  atOf,
  desiredSetting,
  findingsFor,
  isAvailable,
  machineThrough,
  openOwnMounts,
  readOne,
} from './testing/places.ts';

const UNPRIVILEGED_UID = 65_534;
const seen = (file: string): string => readFileSync(file, 'utf8').trim();

/** Settings with these names that a change may move; other tests may set others. */
const affectedBy = async (
  at: At,
  desired: DesiredSetting,
  names: readonly string[],
): Promise<readonly AffectedSetting[]> =>
  ((await changer.affected?.(at, [desired])) ?? []).filter(({ what }) => names.includes(what));

/** Applies a setting, reads it from outside, and restores it twice, together with what was moved of `names`. */
async function roundTrip(
  machine: Machine,
  desired: DesiredSetting,
  outside: () => string | Promise<string>,
  names: readonly string[] = [],
): Promise<{ first: string; changed: string; moved: string[] }> {
  const at = atOf(machine);
  const before = await outside();
  const affected = await affectedBy(at, desired, names);
  const [examined] = await changer.examine(at, [desired]);
  if (!examined) throw new Error('Nothing was examined.');
  expect(examined.findings.filter(({ severity }) => severity === 'block')).toEqual([]);
  expect(examined.cost).toBe('live');
  const { found: first } = examined;
  expect(changer.matches(desired, first.value)).toBe(false);
  let changed = '';
  let moved: AffectedSetting[] = [];
  try {
    await changer.apply(at, [{ setting: desired, first }]);
    await changer.apply(at, [{ setting: desired, first }]);
    expect(changer.matches(desired, (await readOne(at, desired)).value)).toBe(true);
    changed = await outside();
    const now = new Map((await affectedBy(at, desired, names)).map(({ what, value }) => [what, value]));
    moved = affected.filter(({ what, value }) => now.get(what) !== value);
  } finally {
    // Newest first, as in the journal.
    const others = moved.map(({ what, how, value }) => ({ what, how, first: { value } }));
    const back = [...others, { what: desired.what, how: desired.how, first }];
    await changer.restore(at, back);
    await changer.restore(at, back);
  }
  expectSame(`${desired.what} after it was put back`, await outside(), before);
  expectSame(`${desired.what} as it is read`, await readOne(at, desired), first);
  return { first: first.value ?? '', changed, moved: moved.map(({ what }) => what) };
}

const root = isAvailable('unshare', 'nsenter', 'setpriv', 'busybox');

if (root) for (const name of ['vm/swappiness', 'net/ipv4/tcp_rmem']) keepFile(`/proc/sys/${name}`);

interface Place {
  machine: Machine;
  close(): Promise<void>;
}

const places: Record<string, () => Promise<Place>> = {
  'this computer': async () => ({ machine: createLocalMachine(), close: async () => {} }),
  'a host behind SSH': async () => {
    const server: TestSshd = await startSshd();
    const library = createTestLibrary();
    library.save(specOf('db-1', server));
    library.trustServer(server);
    return {
      machine: library.machines.get('db-1'),
      async close() {
        await library.machines.close();
        await server.close();
      },
    };
  },
  'a host with nothing but BusyBox': async () => {
    const bin = '/mnt/bin';
    const own = await openOwnMounts(`mount -t tmpfs own /mnt && mkdir ${bin} && busybox --install -s ${bin}`);
    return { machine: own.as(0, `${bin}:`), close: own.close };
  },
};

// The walks in e2e/engine set them over SSH.
const daily = byDay(Object.entries(places), ([title]) => title !== 'a host behind SSH');
describe.skipIf(!root).each(daily)('settings of the kernel on %s', (_title, open) => {
  let place: Place;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.close());

  it('sets transparent huge pages, reads them back and restores them', () =>
    aloneWithKernel(async () => {
      const file = '/sys/kernel/mm/transparent_hugepage/enabled';
      const wanted = seen(file).includes('[never]') ? 'madvise' : 'never';
      const { changed } = await roundTrip(place.machine, desiredSetting('transparent-hugepages', '', wanted), () =>
        seen(file),
      );
      expect(changed).toContain(`[${wanted}]`);
    }));

  it('sets kernel parameters with one and with several values', async () => {
    const swappiness = '/proc/sys/vm/swappiness';
    const wanted = seen(swappiness) === '41' ? '42' : '41';
    expect(
      await roundTrip(place.machine, desiredSetting('sysctl', 'vm.swappiness', wanted), () => seen(swappiness)),
    ).toMatchObject({
      changed: wanted,
    });
    const buffers = '/proc/sys/net/ipv4/tcp_rmem';
    const [least, , most] = seen(buffers).split('\t');
    const value = `${least} 65536  ${most}`;
    expect(
      await roundTrip(place.machine, desiredSetting('sysctl', 'net.ipv4.tcp_rmem', value), () => seen(buffers)),
    ).toMatchObject({
      changed: `${least}\t65536\t${most}`,
    });
  });

  it('restores whichever of two exclusive parameters was in effect', async () => {
    const both = (of: string, names: readonly string[]) => () =>
      names.map((name) => seen(`/proc/sys/vm/${of}_${name}`)).join(' ');
    const dirty = desiredSetting('sysctl', 'vm.dirty_background_bytes', '104857600');
    const ratio = 'sysctl vm.dirty_background_ratio';
    const background = both('dirty_background', ['ratio', 'bytes']);
    const changed = { first: '0', changed: '0 104857600', moved: [ratio] };
    expect(await roundTrip(place.machine, dirty, background, [ratio])).toEqual(changed);
    const commit = desiredSetting('sysctl', 'vm.overcommit_kbytes', '100000000');
    const share = 'sysctl vm.overcommit_ratio';
    const limit = both('overcommit', ['ratio', 'kbytes']);
    expect(await roundTrip(place.machine, commit, limit, [share])).toMatchObject({
      ...{ changed: '0 100000000', moved: [share] },
    });
  });

  it('restores queue settings that the scheduler of a disk changed', async () => {
    const queue = '/sys/block/loop0/queue';
    const names = ['queue loop0 nr_requests', 'queue loop0 iosched/read_expire'];
    const isMq = existsSync(`${queue}/iosched/read_expire`);
    const at = atOf(place.machine);
    const start = desiredSetting('io-scheduler', 'loop0', 'mq-deadline');
    const first = await readOne(at, start);
    if (!isMq) await changer.apply(at, [{ setting: start, first }]);
    try {
      const expire = desiredSetting('queue', 'loop0 iosched/read_expire', '800');
      const before = await readOne(at, expire);
      await changer.apply(at, [{ setting: expire, first: before }]);
      const seenNow = (): string =>
        existsSync(`${queue}/iosched/read_expire`) ? seen(`${queue}/iosched/read_expire`) : '';
      const result = await roundTrip(place.machine, desiredSetting('io-scheduler', 'loop0', 'none'), seenNow, names);
      expect(result).toMatchObject({ changed: '', moved: expect.arrayContaining(['queue loop0 iosched/read_expire']) });
      expect(seenNow()).toBe('800');
    } finally {
      await changer.restore(at, [{ what: start.what, how: start.how, first }]);
    }
  });

  it('sets scheduler and read-ahead of a disk', async () => {
    const queue = '/sys/block/loop0/queue';
    const scheduler = seen(`${queue}/scheduler`).includes('[none]') ? 'mq-deadline' : 'none';
    await roundTrip(place.machine, desiredSetting('io-scheduler', 'loop0', scheduler), () =>
      seen(`${queue}/scheduler`),
    );
    const readAhead = desiredSetting('read-ahead', 'loop0', '2M');
    expect(await roundTrip(place.machine, readAhead, () => seen(`${queue}/read_ahead_kb`))).toMatchObject({
      changed: '2048',
    });
  });

  it('reports settings, objects and values that the host does not have', async () => {
    const at = atOf(place.machine);
    expect(await findingsFor(at, desiredSetting('sysctl', 'vm.no_such_thing', '1'))).toEqual(['block setting-missing']);
    expect(await findingsFor(at, desiredSetting('read-ahead', 'nvme9n9', '8'))).toEqual(['block setting-missing']);
    expect(await findingsFor(at, desiredSetting('cpu-governor', '', 'performance'))).toEqual(['block setting-missing']);
    expect(await findingsFor(at, desiredSetting('transparent-hugepages', '', 'sometimes'))).toContain(
      'block value-not-taken',
    );
    expect(await findingsFor(at, desiredSetting('io-scheduler', 'loop0', 'cfq'))).toEqual(['block value-not-taken']);
    expect(await problemFrom(changer.read(at, [desiredSetting('sysctl', 'vm.no_such_thing', '1')]))).toMatchObject({
      code: 'change-not-possible',
      message: expect.stringContaining('no parameter vm.no_such_thing'),
    });
    const refused = changer.apply(at, [
      { setting: desiredSetting('sysctl', 'vm.swappiness', '9000'), first: { value: '60' } },
    ]);
    expect(await problemFrom(refused)).toMatchObject({
      code: 'change-refused',
      message: expect.stringMatching(/Invalid argument|I\/O error/),
    });
  });
});

describe.skipIf(!root)('an account without privileges', () => {
  const desired = desiredSetting('sysctl', 'vm.swappiness', '43');
  const first = { value: '60' };

  it('is reported before the start and changes nothing', async () => {
    const before = seen('/proc/sys/vm/swappiness');
    const as = [
      'setpriv',
      `--reuid=${UNPRIVILEGED_UID}`,
      `--regid=${UNPRIVILEGED_UID}`,
      '--clear-groups',
      '/bin/sh',
      '-c',
    ];
    const at = atOf(machineThrough(as));
    expect(await findingsFor(at, desired)).toEqual(['block no-privilege']);
    const problem = await problemFrom(changer.apply(at, [{ setting: desired, first }]));
    expect(problem).toMatchObject({ code: 'change-not-possible', next: expect.stringContaining('sudo') });
    expectSame('vm.swappiness', seen('/proc/sys/vm/swappiness'), before);
  });

  it('uses sudo if no password is required', async () => {
    // Replaces sudo, without its rules: a program owned by root that runs as root.
    const own = await openOwnMounts(`mount -t tmpfs -o mode=755 own /mnt
cp "$(command -v setpriv)" /mnt/become && chmod u+s /mnt/become
printf '%s\\n' '#!/bin/sh' 'shift' 'exec /mnt/become --reuid=0 --regid=0 --clear-groups -- "$@"' >/mnt/sudo
chmod 755 /mnt/sudo`);
    try {
      const file = '/proc/sys/vm/swappiness';
      expect(await roundTrip(own.as(UNPRIVILEGED_UID, '/mnt:'), desired, () => seen(file))).toMatchObject({
        changed: '43',
      });
    } finally {
      await own.close();
    }
  });
});

describe.skipIf(!root)('a host with a kernel of another kind', () => {
  it('restores every network parameter that forwarding changed', async () => {
    const own = await openOwnMounts('echo 0 >/proc/sys/net/ipv4/ip_forward', ['-m', '-n']);
    try {
      const files = 'cat /proc/sys/net/ipv4/conf/*/accept_redirects /proc/sys/net/ipv4/conf/*/forwarding';
      const outside = async (): Promise<string> => (await own.machine.exec(files)).stdout;
      const forward = desiredSetting('sysctl', 'net.ipv4.ip_forward', '1');
      const names = ['all', 'default', 'lo'].flatMap((name) =>
        ['accept_redirects', 'forwarding'].map((what) => `sysctl net.ipv4.conf.${name}.${what}`),
      );
      const { moved } = await roundTrip(own.machine, forward, outside, names);
      expect(moved).toContain('sysctl net.ipv4.conf.all.accept_redirects');
      expect(moved).toContain('sysctl net.ipv4.conf.lo.forwarding');
    } finally {
      await own.close();
    }
  });

  it('reports that a container cannot change its kernel', async () => {
    const own = await openOwnMounts(
      'mount -o bind /sys/kernel/mm /sys/kernel/mm && mount -o remount,bind,ro /sys/kernel/mm',
    );
    try {
      const at = atOf(own.machine);
      const desired = desiredSetting('transparent-hugepages', '', 'never');
      expect(await findingsFor(at, { ...desired, value: 'always' })).toContain('block read-only');
      const tried = changer.apply(at, [{ setting: { ...desired, value: 'always' }, first: { value: 'madvise' } }]);
      expect(await problemFrom(tried)).toMatchObject({ code: 'change-not-possible' });
    } finally {
      await own.close();
    }
  });

  it('sets the governor of every CPU and restores each one', async () => {
    const cpus = '/sys/devices/system/cpu';
    const own = await openOwnMounts(`mount -t tmpfs cpus ${cpus}
for cpu in cpu0 cpu1 cpu10; do
  mkdir -p ${cpus}/$cpu/cpufreq
  echo performance schedutil powersave >${cpus}/$cpu/cpufreq/scaling_available_governors
  echo powersave >${cpus}/$cpu/cpufreq/scaling_governor
done
echo schedutil >${cpus}/cpu10/cpufreq/scaling_governor
mkdir ${cpus}/intel_pstate ${cpus}/smt; echo 0 >${cpus}/intel_pstate/no_turbo; echo on >${cpus}/smt/control`);
    try {
      const at = atOf(own.machine);
      const governor = desiredSetting('cpu-governor', '', 'performance');
      const boost = desiredSetting('cpu-boost', '', 'off');
      const smt = desiredSetting('smt', '', 'off');
      const desired = [governor, boost, smt];
      const examined = await changer.examine(at, desired);
      expect(examined.map(({ found, findings }) => [found.value, findings])).toEqual([
        ['cpu0=powersave cpu1=powersave cpu10=schedutil', []],
        ['on', []],
        ['on', []],
      ]);
      expect(await findingsFor(at, { ...governor, value: 'ondemand' })).toEqual(['block value-not-taken']);
      const changes = desired.map((setting, index) => ({ setting, first: examined[index]?.found ?? { value: null } }));
      await changer.apply(at, changes);
      expect((await changer.read(at, desired)).map(({ value }) => value)).toEqual(['performance', 'off', 'off']);
      const files = `cat ${cpus}/cpu10/cpufreq/scaling_governor ${cpus}/intel_pstate/no_turbo ${cpus}/smt/control`;
      expect((await own.machine.exec(files)).stdout).toBe('performance\n1\noff\n');
      await changer.restore(
        at,
        changes.map(({ setting: { what, how }, first }) => ({ what, how, first })),
      );
      expectSame(
        'settings after they were put back',
        await changer.read(at, desired),
        examined.map(({ found }) => found),
      );
    } finally {
      await own.close();
    }
  });
});
