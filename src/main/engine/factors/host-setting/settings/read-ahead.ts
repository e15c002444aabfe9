import { besideInQueue, blockDevice, FIND_QUEUE } from './block-device.ts';
import { type HostSetting, oneOf } from './setting.ts';

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1, m: 1024, g: 1_048_576 };

/** KiB of “128”, “128K”, “4 MiB”. A plain number is in KiB, as the kernel has it; `blockdev --getra` tells sectors of 512 bytes. */
function kibOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9}) ?([kmg]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
}

export const readAhead: HostSetting = {
  name: 'read-ahead',
  title: 'Read-ahead',
  description:
    'How much the kernel reads ahead from a block device, in KiB, or as 4M; 0 = nothing. blockdev --getra shows twice the figure: sectors.',
  of: blockDevice,
  check: (value) => (kibOf(value) === undefined ? 'takes KiB, or a size such as 128K or 4M.' : undefined),
  variables: ({ value }) => ({ kib: String(kibOf(value) ?? '') }),
  find: `${FIND_QUEUE}
file=$queue/read_ahead_kb
[ -f "$file" ] || lacks "The device $device has no read-ahead."`,
  show: 'echo "value $(cat "$file")"',
  put: 'write "$kib" "$file"',
  read(printed) {
    const value = oneOf(printed, 'value');
    return value !== undefined && /^\d+$/.test(value) ? { value } : undefined;
  },
  isSo: (desired, found) => kibOf(desired) === Number(found),
  beside: besideInQueue,
  judge: () => [
    {
      code: 'files-open',
      severity: 'note',
      message: 'Files that a server has open keep the read-ahead that they were opened with.',
      next: 'Restart the server between the levels as well.',
    },
  ],
};
