import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DeviceReading, parseReading } from './reading.ts';
import { judgeDevice } from './refusals.ts';

type Row = Record<string, unknown> & { name: string; children?: Row[] };

/** A device as printed by `lsblk -J -b -O`, reduced to the relevant fields. */
const row = (name: string, type: string, more: Omit<Row, 'name'> = {}): Row => ({
  name,
  kname: name,
  path: `/dev/${name}`,
  type,
  size: 1_000_204_886_016,
  ro: false,
  'maj:min': `8:${name.length}`,
  mountpoint: null,
  mountpoints: [null],
  fstype: null,
  ...more,
});
const mapped = (kname: string, name: string, type: string, more: Omit<Row, 'name'> = {}): Row =>
  row(name, type, { kname, path: `/dev/mapper/${name}`, 'maj:min': `253:${kname.slice(3)}`, ...more });

const disk = row('sdb', 'disk', { 'maj:min': '8:16', model: 'INTEL SSDPE21K375GA ', serial: 'PHKE7', wwn: 'eui.01' });

interface Parts {
  rows?: Row[];
  asked?: string;
  [part: string]: string | Row[] | undefined;
}

/** Output of a host: by default, root on bare metal, with one empty disk, /dev/sdb, as the device in question. */
function readingOf({ rows = [disk], asked = '/dev/sdb', ...parts }: Parts = {}): DeviceReading | undefined {
  const all: Record<string, string> = {
    viewer: '0\npid:[4026531836]\nable',
    'boot-id': 'boot-1',
    asked,
    tree: JSON.stringify({ blockdevices: rows }, null, 3),
    'tree-end': 'whole',
    mounts: '27 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw',
    swaps: 'Filename\t\t\tType\t\tSize\t\tUsed\t\tPriority',
    signatures: 'clean',
    exclusive: 'free',
    ...(parts as Record<string, string>),
  };
  const text = Object.entries(all).map(([name, content]) => `\n@@n ${name}\n${content}\n`);
  return parseReading(`${text.join('')}\n@@n end\n`, 'n', asked);
}

function verdict(parts: Parts = {}): string[] | 'free' {
  const reading = readingOf(parts);
  if (!reading) throw new Error('The reading was cut.');
  const found = judgeDevice(reading);
  return 'free' in found ? 'free' : found.refusals.map(({ code }) => code);
}

describe('an empty disk', () => {
  it('is free and identified by its hardware', () => {
    const found = judgeDevice(readingOf() as DeviceReading);
    expect(found).toEqual({
      free: {
        path: '/dev/sdb',
        sizeBytes: 1_000_204_886_016,
        description: 'INTEL SSDPE21K375GA, serial PHKE7, 932 GiB',
        identity: expect.stringContaining('PHKE7'),
      },
    });
  });

  it('is recognized under another name and after a reboot, unlike another device', () => {
    const identity = (parts: Parts): string => {
      const found = judgeDevice(readingOf(parts) as DeviceReading);
      return 'free' in found ? found.free.identity : '';
    };
    const renamed = { ...disk, name: 'sdc', kname: 'sdc', path: '/dev/sdc', 'maj:min': '8:32' };
    expect(identity({ rows: [renamed], asked: '/dev/sdc', 'boot-id': 'boot-2' })).toBe(identity({}));
    expect(identity({ rows: [{ ...disk, serial: 'PHKE8', wwn: 'eui.02' }] })).not.toBe(identity({}));
    const nameless = { ...disk, serial: null, wwn: null };
    expect(identity({ rows: [nameless] })).toBe(identity({ rows: [nameless] }));
    expect(identity({ rows: [nameless], 'boot-id': 'boot-2' })).not.toBe(identity({ rows: [nameless] }));
  });

  it('may be a partition, a volume, an array or an encrypted device that nothing uses', () => {
    const part = row('sdb1', 'part', { 'maj:min': '8:17' });
    const used = row('sdb2', 'part', { 'maj:min': '8:18', mountpoint: '/srv' });
    const rows = [{ ...disk, children: [part, used] }];
    expect(verdict({ rows, asked: '/dev/sdb1' })).toBe('free');
    for (const type of ['lvm', 'raid0', 'raid10', 'crypt', 'mpath'])
      expect(verdict({ rows: [{ ...disk, children: [mapped('dm-3', 'bench', type)] }], asked: '/dev/dm-3' })).toBe(
        'free',
      );
  });
});

describe('a mounted device', () => {
  it('is refused by the mount points of lsblk', () => {
    expect(verdict({ rows: [{ ...disk, mountpoint: '/srv' }] })).toEqual(['mounted']);
    expect(verdict({ rows: [{ ...disk, mountpoints: [null, '/srv'] }] })).toEqual(['mounted']);
  });

  it('is refused if only the kernel lists the mount: in another namespace, as a folder, or without a device number', () => {
    for (const mounts of [
      '91 1 8:16 / /mnt/elsewhere rw - xfs /dev/disk/by-label/data rw',
      '92 1 8:16 /folder /mnt/bound rw - ext4 /dev/root rw',
      '93 1 0:44 /@data /srv/my\\040data rw shared:3 - btrfs /dev/sdb rw',
    ])
      expect(verdict({ mounts })).toEqual(['mounted']);
    const volume = mapped('dm-1', 'vg-data', 'lvm');
    const mounts = '94 1 0:45 / /srv rw - btrfs /dev/mapper/vg-data rw';
    expect(verdict({ rows: [volume], asked: '/dev/dm-1', mounts })).toEqual(['mounted']);
  });

  it('is refused for its partitions and the devices on top of them', () => {
    const crypt = mapped('dm-0', 'luks', 'crypt', {
      children: [mapped('dm-1', 'vg-root', 'lvm', { mountpoint: '/' })],
    });
    const part = row('sdb1', 'part', { 'maj:min': '8:17', children: [crypt] });
    const rows = [{ ...disk, children: [part] }];
    const found = judgeDevice(readingOf({ rows }) as DeviceReading);
    expect(found).toMatchObject({
      refusals: [
        { code: 'mounted', words: '/dev/dm-1 on it is mounted at /' },
        { code: 'partitioned', words: 'holds the partition sdb1' },
      ],
    });
    expect(verdict({ rows, asked: '/dev/sdb1' })).toEqual(['mounted', 'encrypted']);
    expect(verdict({ rows, asked: '/dev/dm-0' })).toEqual(['mounted', 'lvm-member']);
    expect(verdict({ rows, asked: '/dev/dm-1' })).toEqual(['mounted']);
  });
});

it('refuses swap reported by lsblk or the kernel alone', () => {
  expect(verdict({ rows: [{ ...disk, mountpoint: '[SWAP]' }] })).toEqual(['swap']);
  const swaps = 'Filename\tType\tSize\tUsed\tPriority\n/dev/sdb partition\t98300\t0\t-2';
  expect(verdict({ swaps })).toEqual(['swap']);
  expect(verdict({ rows: [{ ...disk, children: [row('sdb1', 'part', { mountpoint: '[SWAP]' })] }] })).toEqual([
    'swap',
    'partitioned',
  ]);
});

it('refuses members of arrays, volume groups and other holders, by each source alone', () => {
  const withChild = (type: string) => verdict({ rows: [{ ...disk, children: [row('md0', type)] }] });
  expect(withChild('raid1')).toEqual(['raid-member']);
  expect(withChild('lvm')).toEqual(['lvm-member']);
  expect(withChild('crypt')).toEqual(['encrypted']);
  expect(withChild('mpath')).toEqual(['held']);
  expect(withChild('something new')).toEqual(['held']);
  const raid =
    'Personalities : [raid1]\nmd127 : inactive sdb[1](S)\n      976630464 blocks super 1.2\nunused devices: <none>';
  expect(verdict({ raid })).toEqual(['raid-member']);
  expect(verdict({ holders: 'sdb dm-7' })).toEqual(['held']);
  expect(verdict({ holders: 'sda dm-7' })).toBe('free');
  expect(verdict({ volumes: '  /dev/sdb   vg0' })).toEqual(['lvm-member']);
  expect(verdict({ volumes: '  /dev/sdb' })).toEqual(['lvm-member']);
  expect(verdict({ loops: 'loop3 /dev/sdb' })).toEqual(['held']);
  expect(verdict({ opened: '/dev/sdb' })).toEqual(['open']);
  expect(verdict({ exclusive: 'busy' })).toEqual(['held']);
});

it('refuses a partition of a disk that is used as a whole', () => {
  const part = row('sdb1', 'part', { 'maj:min': '8:17' });
  const asked = '/dev/sdb1';
  const array = row('md126', 'raid1', { 'maj:min': '9:126' });
  expect(verdict({ asked, rows: [{ ...disk, children: [part, array] }] })).toEqual(['parent-in-use']);
  expect(verdict({ asked, rows: [{ ...disk, mountpoint: '/srv', children: [part] }] })).toEqual(['parent-in-use']);
  expect(verdict({ asked, rows: [{ ...disk, children: [part] }], raid: 'md0 : active raid1 sdb[0]' })).toEqual([
    'parent-in-use',
  ]);
});

describe('contents of a device', () => {
  it('are a reason, whichever source found them', () => {
    expect(verdict({ signatures: '# offset,uuid,label,type\n0x438,685f2aba,,ext4' })).toEqual(['signature']);
    expect(verdict({ signatures: '0x200,,,gpt\n0x1fe,,,PMBR' })).toEqual(['signature']);
    expect(verdict({ signatures: 'DEVNAME=/dev/sdb\nTYPE=zfs_member\nUSAGE=raid' })).toEqual(['signature']);
    expect(verdict({ signatures: 'PTTYPE=dos' })).toEqual(['signature']);
    expect(verdict({ signatures: 'ambivalent' })).toEqual(['signature']);
    expect(verdict({ rows: [{ ...disk, fstype: 'linux_raid_member' }] })).toEqual(['signature']);
  });

  it('must have been examined', () => {
    expect(verdict({ signatures: '' })).toEqual(['look-incomplete']);
  });

  it('may be in fstab or crypttab, even if the device is not present now', () => {
    expect(verdict({ configured: 'fstab /dev/sdb' })).toEqual(['configured']);
    expect(verdict({ configured: 'crypttab /dev/sdb' })).toEqual(['configured']);
    const rows = [{ ...disk, partuuid: '8c1f' }];
    expect(verdict({ rows, configured: 'fstab PARTUUID="8c1f"' })).toEqual(['configured']);
    expect(verdict({ rows, configured: 'fstab UUID=other\nfstab /dev/sda1' })).toBe('free');
  });
});

describe('unknown state', () => {
  it('is refused', () => {
    expect(verdict({ rows: [], asked: '/dev/sdb' })).toEqual(['device-unknown']);
    for (const type of ['rom', 'disk2', 'zvol', ''])
      expect(verdict({ rows: [{ ...disk, type }] })).toEqual(['device-unknown']);
    expect(verdict({ rows: [{ ...disk, size: 0 }] })).toEqual(['device-unknown']);
    expect(verdict({ rows: [{ ...disk, ro: true }] })).toEqual(['device-read-only']);
    expect(verdict({ rows: [{ ...disk, ro: '1', size: '1000' }] })).toEqual(['device-read-only']);
    expect(verdict({ asked: '' })).toEqual(['not-a-device']);
  });

  it('covers everything if the account cannot see all', () => {
    for (const viewer of [
      '1000\npid:[4026531836]\nable',
      '0\npid:[4026532200]\nable',
      '0\nable',
      '0\npid:[4026531836]',
      '',
    ])
      expect(verdict({ viewer })).toEqual(['look-incomplete']);
  });

  it('covers a device tree that was not read to its end', () => {
    expect(verdict({ 'tree-end': '' })).toEqual(['look-incomplete']);
    for (const tree of ['', 'lsblk: unrecognized option', '{"blockdevices": [{"name": "sdb"}]}', '[]'])
      expect(verdict({ tree })).toEqual(['look-incomplete']);
    expect(parseReading('@@n asked\n/dev/sdb\n@@n tree\n', 'n', '/dev/sdb')).toBeUndefined();
  });
});

it('allows writing to a loop device with a file behind it, but not to an alias of a device', () => {
  const rows = [row('loop0', 'loop', { 'maj:min': '7:0' })];
  const asked = '/dev/loop0';
  expect(verdict({ rows, asked, loops: 'loop0 /srv/images/my disk.img' })).toBe('free');
  expect(verdict({ rows, asked, loops: 'loop0 /dev/sdb' })).toEqual(['held']);
});

describe('a recorded host with a partitioned loop device', () => {
  const text = readFileSync(new URL('./recordings/loop-partitions.txt', import.meta.url), 'utf8');
  const reading = parseReading(text, 'n', '/dev/disk/by-id/scsi-kneepoint-part3') as DeviceReading;
  const codes = (path: string): string[] => {
    const found = judgeDevice({ ...reading, path });
    return 'free' in found ? ['free'] : found.refusals.map(({ code }) => code);
  };

  it('allows writing to the empty partition, which was named by a link', () => {
    expect(reading.path).toBe('/dev/loop0p3');
    expect(judgeDevice(reading)).toMatchObject({ free: { path: '/dev/loop0p3', sizeBytes: 16 * 1024 * 1024 } });
  });

  it('refuses the other partitions, the whole device and the system disk', () => {
    expect(codes('/dev/loop0p1')).toEqual(['mounted']);
    expect(codes('/dev/loop0p2')).toEqual(['swap']);
    expect(codes('/dev/loop0')).toEqual(['mounted', 'swap', 'partitioned', 'partitioned', 'partitioned']);
    expect(codes('/dev/vda')).toEqual(['mounted', 'mounted']);
    expect(codes('/dev/zram0')).toEqual(['device-unknown']);
  });

  it('is never judged from a truncated reading', () => {
    for (let end = 0; end < text.length - '@@n end\n'.length; end += 97)
      expect(parseReading(text.slice(0, end), 'n', '/dev/loop0p3')).toBeUndefined();
    // A missing answer must not make a device free.
    const lines = text.split('\n');
    const at = (mark: string): number => lines.indexOf(`@@n ${mark}`);
    for (const [mark, next] of [
      ['viewer', 'boot-id'],
      ['asked', 'tree'],
      ['tree', 'tree-end'],
      ['signatures', 'exclusive'],
    ] as const) {
      const without = [...lines.slice(0, at(mark) + 1), ...lines.slice(at(next))].join('\n');
      const left = parseReading(without, 'n', '/dev/loop0p3');
      expect(left && judgeDevice(left)).toHaveProperty('refusals');
    }
  });
});
