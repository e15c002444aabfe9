import type { SettingObject } from './setting.ts';

export const blockDevice: SettingObject = {
  title: 'a block device',
  example: 'nvme0n1',
  pattern: /^(\/dev\/)?[A-Za-z0-9_][A-Za-z0-9_.:!+-]*(\/[A-Za-z0-9_][A-Za-z0-9_.:!+-]*)*$/,
};

/** Sets `queue` to the folder of the device's queue and `device` to its name; a partition has those of its disk. */
export const FIND_QUEUE = `
device=\${of#/dev/}
if [ -b "/dev/$device" ]; then device=$(readlink -f "/dev/$device"); device=\${device#/dev/}; fi
device=$(printf %s "$device" | tr / '!')
[ -d "/sys/class/block/$device" ] || lacks "There is no block device $of on this host."
folder=$(readlink -f "/sys/class/block/$device")
[ ! -e "$folder/partition" ] || folder=\${folder%/*}
device=\${folder##*/}
queue=$folder/queue
`;
