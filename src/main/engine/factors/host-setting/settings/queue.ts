import { besideInQueue, blockDevice, FIND_QUEUE } from './block-device.ts';
import { type HostSetting, oneOf, readBracketed, sameText } from './setting.ts';

export const queue: HostSetting = {
  name: 'queue',
  title: 'Queue attribute',
  description:
    'An attribute in /sys/block/DEVICE/queue: nr_requests, wbt_lat_usec, and those of its scheduler, iosched/read_expire.',
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
  put: 'write "$value" "$file"',
  read(printed) {
    const value = oneOf(printed, 'value');
    return readBracketed(value) ?? (value === undefined ? undefined : { value });
  },
  isSo: sameText,
  beside: besideInQueue,
};
