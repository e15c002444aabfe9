import { besideInQueue, blockDevice, FIND_QUEUE } from './block-device.ts';
import { type HostSetting, oneOf, oneWord, readBracketed, sameText } from './setting.ts';

export const ioScheduler: HostSetting = {
  name: 'io-scheduler',
  title: 'I/O scheduler',
  description: 'How the kernel orders the requests of a block device: none, mq-deadline, kyber, bfq.',
  of: blockDevice,
  check: oneWord,
  find: `${FIND_QUEUE}
file=$queue/scheduler
[ -f "$file" ] || lacks "The device $device has no I/O scheduler."`,
  // The kernel loads the module of a scheduler that is named.
  show: `
echo "value $(cat "$file")"
echo "below" $(ls "$folder/slaves" 2>/dev/null)
! modinfo "$value-iosched" >/dev/null 2>&1 || echo "loadable $value"`,
  put: 'write "$value" "$file"',
  read(printed) {
    const text = oneOf(printed, 'value');
    const below = oneOf(printed, 'below');
    const loadable = printed.get('loadable') ?? [];
    // Device-mapper and md devices have one word without brackets.
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
  isSo: sameText,
  beside: besideInQueue,
  judge(desired, { takes, seen }, of) {
    if (seen?.below === undefined || takes?.includes(desired)) return [];
    return [
      {
        code: 'device-on-devices',
        severity: 'block',
        message: `${of} stands on other devices, and their schedulers order its requests.`,
        evidence: `Below it: ${seen.below}`,
        next: 'Name one of these instead.',
      },
    ];
  },
};
