import {
  type HostSetting,
  oneOf,
  oneWord,
  printFiles,
  readBracketed,
  type SettingObject,
  sameText,
} from './setting.ts';

const blockDevice: SettingObject = {
  title: 'a block device',
  example: 'nvme0n1',
  pattern: /^(\/dev\/)?[A-Za-z0-9_][A-Za-z0-9_.:!+-]*(\/[A-Za-z0-9_][A-Za-z0-9_.:!+-]*)*$/,
};

/** Sets `queue` to the folder of the device's queue and `device` to its name; a partition uses those of its disk. */
const FIND_QUEUE = `
device=\${of#/dev/}
if [ -b "/dev/$device" ]; then device=$(readlink -f "/dev/$device"); device=\${device#/dev/}; fi
device=$(printf %s "$device" | tr / '!')
[ -d "/sys/class/block/$device" ] || lacks "There is no block device $of on this host."
folder=$(readlink -f "/sys/class/block/$device")
[ ! -e "$folder/partition" ] || folder=\${folder%/*}
device=\${folder##*/}
queue=$folder/queue
`;

/** Reset when the scheduler changes: the queue depth, and attributes that come and go with each scheduler. */
const OWN: Readonly<Record<string, string>> = { scheduler: 'io-scheduler', read_ahead_kb: 'read-ahead' };

const affectedInQueue: NonNullable<HostSetting['affected']> = {
  script: printFiles('"$queue"', '. -maxdepth 2'),
  named(path, of) {
    const attribute = path.replace(/^\.\//, '');
    const [device = ''] = of.split(' ');
    const own = OWN[attribute];
    return own === undefined ? { setting: 'queue', of: `${device} ${attribute}` } : { setting: own, of: device };
  },
};

export const ioScheduler: HostSetting = {
  name: 'io-scheduler',
  title: 'I/O scheduler',
  description: 'I/O scheduler of a block device: none, mq-deadline, kyber, bfq.',
  suggests: ['none', 'mq-deadline', 'kyber', 'bfq'],
  of: blockDevice,
  check: oneWord,
  find: `${FIND_QUEUE}
file=$queue/scheduler
[ -f "$file" ] || lacks "The device $device has no I/O scheduler."`,
  // The kernel loads a scheduler's module when its name is set.
  show: `
echo "value $(cat "$file")"
echo "below" $(ls "$folder/slaves" 2>/dev/null)
! modinfo "$value-iosched" >/dev/null 2>&1 || echo "loadable $value"`,
  write: 'write "$value" "$file"',
  read(printed) {
    const text = oneOf(printed, 'value');
    const below = oneOf(printed, 'below');
    const loadable = printed.get('loadable') ?? [];
    // Device-mapper and md devices show one word without brackets.
    const reading =
      readBracketed(text) ?? (text !== undefined && !/\s/.test(text) ? { value: text, takes: [text] } : undefined);
    return (
      reading && {
        ...reading,
        takes: [...new Set([...(reading.takes ?? []), ...loadable])],
        ...(below !== undefined && { seen: { below } }),
      }
    );
  },
  matches: sameText,
  affected: affectedInQueue,
  judge(desired, { takes, seen }, of) {
    if (seen?.below === undefined || takes?.includes(desired)) return [];
    return [
      {
        code: 'device-on-devices',
        severity: 'block',
        message: `${of} is layered on other devices, whose schedulers order its requests.`,
        evidence: `Below it: ${seen.below}`,
        next: 'Choose one of these instead.',
      },
    ];
  },
};

export const queue: HostSetting = {
  name: 'queue',
  title: 'Queue attribute',
  description:
    'An attribute in /sys/block/DEVICE/queue, such as nr_requests or wbt_lat_usec, or of its scheduler, such as iosched/read_expire.',
  of: {
    title: 'a block device and an attribute of its queue',
    example: 'sda nr_requests',
    pattern: new RegExp(`${blockDevice.pattern.source.replace(/\$$/, '')} [a-z0-9_]+(/[a-z0-9_]+)?$`),
  },
  check: (value) => (/^[\x20-\x7e]{1,200}$/.test(value) ? undefined : 'takes one line.'),
  variables({ of }) {
    const [device = '', attribute = ''] = of.split(' ');
    return { of: device, attribute };
  },
  find: `${FIND_QUEUE}
file=$queue/$attribute
[ -f "$file" ] || lacks "The queue of $device has no $attribute."`,
  show: 'echo "value $(cat "$file")"',
  write: 'write "$value" "$file"',
  read(printed) {
    const value = oneOf(printed, 'value');
    return readBracketed(value) ?? (value === undefined ? undefined : { value });
  },
  matches: sameText,
  affected: affectedInQueue,
};

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1, m: 1024, g: 1_048_576 };

/** KiB of “128”, “128K”, “4 MiB”. A plain number is in KiB, as in the kernel; `blockdev --getra` reports sectors of 512 bytes. */
function kibOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9}) ?([kmg]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
}

export const readAhead: HostSetting = {
  name: 'read-ahead',
  title: 'Read-ahead',
  description:
    'Read-ahead of a block device in KiB, or as 4M; 0 = none. blockdev --getra shows sectors: twice this figure.',
  suggests: [0, 128, 1024, 4096],
  of: blockDevice,
  check: (value) => (kibOf(value) === undefined ? 'takes KiB, or a size such as 128K or 4M.' : undefined),
  variables: ({ value }) => ({ kib: String(kibOf(value) ?? '') }),
  find: `${FIND_QUEUE}
file=$queue/read_ahead_kb
[ -f "$file" ] || lacks "The device $device has no read-ahead."`,
  show: 'echo "value $(cat "$file")"',
  write: 'write "$kib" "$file"',
  read(printed) {
    const value = oneOf(printed, 'value');
    return value !== undefined && /^\d+$/.test(value) ? { value } : undefined;
  },
  matches: (desired, found) => kibOf(desired) === Number(found),
  affected: affectedInQueue,
  judge: () => [
    {
      code: 'files-open',
      severity: 'note',
      message: 'Files already opened by a server keep their earlier read-ahead.',
      next: 'Also restart the server between levels.',
    },
  ],
};
