import { type HostSetting, printFiles, type SettingObject } from './setting.ts';

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

/** What is set anew with the scheduler: the depth of the queue, and attributes that come and go with each scheduler. */
const OWN: Readonly<Record<string, string>> = { scheduler: 'io-scheduler', read_ahead_kb: 'read-ahead' };

export const besideInQueue: NonNullable<HostSetting['beside']> = {
  script: printFiles('"$queue"', '. -maxdepth 2'),
  named(path, of) {
    const attribute = path.replace(/^\.\//, '');
    const [device = ''] = of.split(' ');
    const own = OWN[attribute];
    return own === undefined ? { setting: 'queue', of: `${device} ${attribute}` } : { setting: own, of: device };
  },
};
