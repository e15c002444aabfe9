import { describe, expect, it } from 'vitest';
import { CommandOptions } from '../options/index.ts';
import { overwrittenBy } from './index.ts';

const overwritten = (options: Record<string, unknown>): string[] => overwrittenBy(CommandOptions.parse(options));
const refusal = (options: Record<string, unknown>): string => {
  try {
    overwritten(options);
  } catch (error) {
    expect(error).toMatchObject({ problem: { code: 'experiment-invalid', safe: 'Nothing was started.' } });
    return (error as Error).message;
  }
  return '';
};

/** Ways to overwrite /dev/sdb. */
const DESTROYING = [
  'dd if=/dev/zero of=/dev/sdb bs=1M count=1',
  'dd if=/dev/zero "of=/dev/sdb"',
  `dd if=/dev/zero of='/de''v/sdb'`,
  'size=$(mkfs.ext4 /dev/sdb)',
  'sudo dd if=image.raw of=/dev/sdb',
  'cat image.raw > /dev/sdb',
  'cat image.raw >>/dev/sdb',
  'echo x | tee /dev/sdb',
  'cp image.raw /dev/sdb',
  'mkfs.ext4 -q /dev/sdb',
  'mkfs -t xfs /dev/sdb',
  '/sbin/mke2fs /dev/sdb',
  'mkswap /dev/sdb',
  'wipefs --all /dev/sdb',
  'wipefs -af /dev/sdb',
  'blkdiscard /dev/sdb',
  'nvme format /dev/sdb --ses=1',
  'nvme sanitize -a 2 /dev/sdb',
  'hdparm --user-master u --security-erase x /dev/sdb',
  'sgdisk --zap-all /dev/sdb',
  'parted -s /dev/sdb mklabel gpt',
  'shred /dev/sdb',
  'badblocks -wsv /dev/sdb',
  'cryptsetup luksFormat /dev/sdb',
  'pvcreate /dev/sdb',
  'mdadm --create /dev/md0 --level=1 /dev/sdb',
  'zpool create tank /dev/sdb',
  'fio --name=x --rw=randwrite --filename=/dev/sdb',
  'timeout 60 fio --filename=/dev/sdb --name=x --readwrite=write',
  'sync && mkfs.ext4 \\\n  /dev/sdb',
];

describe.each(['command', 'prepare', 'cleanup'])('in %s', (where) => {
  const rest = where === 'command' ? {} : { command: 'true' };

  it.each(DESTROYING)('%s requires the device to be declared as overwritten', (script) => {
    const others = 'mdadm' === script.split(' ')[0] ? ' /dev/md0' : '';
    expect(refusal({ ...rest, [where]: script })).toContain('without declaring whether it writes to it');
    expect(refusal({ ...rest, [where]: script, 'only-reads': `/dev/sdb${others}` })).toMatch(
      /declared read-only, but the command writes to it/,
    );
    expect(overwritten({ ...rest, [where]: script, overwrites: `/dev/sdb${others}` })).toContain('/dev/sdb');
  });
});

it('accepts reading', () => {
  for (const command of [
    'dd if=/dev/sdb of=/dev/null bs=1M',
    'dd if=/dev/sdb of=image.raw',
    'cp /dev/sdb image.raw',
    'ioping -c {seconds} /dev/sdb',
    'wipefs /dev/sdb',
    'sfdisk -l /dev/sdb',
    'nvme smart-log /dev/sdb',
    'hdparm -tT /dev/sdb',
    'badblocks /dev/sdb',
    'fio --name=x --rw=randread --filename=/dev/sdb',
    'cat /dev/sdb | wc -c > size.txt 2>&1',
    'blockdev --getsize64 /dev/sdb >/dev/stderr',
  ])
    expect(overwritten({ command, 'only-reads': '/dev/sdb' }), command).toEqual([]);
});

it('requires a declared device if a destructive command hides it', () => {
  for (const command of ['mkfs.ext4 $DISK', 'blkdiscard "$D"', 'wipefs -a `cat disk`', 'nvme format "$' + '{DISK}"'])
    expect(refusal({ command }), command).toMatch(/device (?:that )?cannot be identified/);
  expect(overwritten({ command: 'mkfs.ext4 $DISK', overwrites: '/dev/sdb' })).toEqual(['/dev/sdb']);
});

it('requires a declared device for writes into /dev and names composed there', () => {
  for (const command of [
    'cd /dev && dd if=zero of=sdb',
    'dd of=/dev/$D',
    'for d in /dev/*; do :; done',
    'cat >/dev/"$D"',
  ])
    expect(refusal({ command }), command).toContain('cannot be identified');
  expect(refusal({ command: 'dd of=/dev/sd?' })).toContain('/dev/sd');
  expect(overwritten({ command: 'dd of=/dev/$D', overwrites: '/dev/sdb' })).toEqual(['/dev/sdb']);
});

it('detects a device composed from values', () => {
  expect(refusal({ command: 'dd if=/dev/zero of=/dev/{mode}', mode: 'sdb' })).toContain('the device /dev/sdb');
  expect(refusal({ command: 'tool {arguments}', arguments: '--out /dev/sdc' })).toContain('the device /dev/sdc');
});

it('accepts files and devices other than disks', () => {
  for (const command of [
    'mkfs.ext4 -q disk.img',
    'dd if=/dev/zero of=test.dat bs=1M count=4 && sync',
    'dd if=/dev/zero of="$HOME/test.dat"',
    'load > "$OUT" 2>/dev/null',
    'shred *.tmp',
    'cp *.conf backup/',
    'grep -c . /srv/dev/list; ls /device /dev-notes',
    'exec 3<>/dev/tcp/db/3306',
    'echo done >/dev/stderr',
    'fio --name=x --rw=randwrite --filename="$FILE" --size=1m',
  ])
    expect(refusal({ command }), command).toBe('');
});
