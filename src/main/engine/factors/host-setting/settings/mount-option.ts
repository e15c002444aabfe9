import type { Finding } from '../../../../../shared/model/finding.ts';
import {
  areInEffect,
  backTo,
  NOT_BY_REMOUNT,
  notUndoable,
  optionKey,
  sameOptions,
  splitOptions,
  withOptions,
} from './mount-options.ts';
import { type HostSetting, oneOf } from './setting.ts';

/** As the kernel writes it in its list of mounts. */
const inMounts = (path: string): string =>
  path.replace(/[\s\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);

export const mountOption: HostSetting = {
  name: 'mount-option',
  title: 'Mount options',
  description:
    'Options of a mounted file system, changed by a remount: noatime, or several with commas. The others stay. Options that are read only when it is mounted, such as data=journal, cannot be varied so.',
  of: { title: 'a mount point', example: '/var/lib/mysql', pattern: /^\/[^\p{Cc}]*$/u },
  check(value) {
    const plain = /^[A-Za-z0-9_=.:%+-]{1,100}(,[A-Za-z0-9_=.:%+-]{1,100})*$/.test(value);
    const acts = splitOptions(value).some((option) =>
      /^(rw|ro|r?bind|move|remount|defaults|(r?(shared|slave|private)))$/.test(option),
    );
    return plain && !acts ? undefined : 'takes mount options with commas between, as in noatime,commit=30.';
  },
  variables: ({ of }) => ({ point: inMounts(of) }),
  find: `
file=; source=; options=
while read -r mounted place type set rest; do
  if [ "$place" = "$point" ]; then source=$mounted; kind=$type; options=$set; fi
done </proc/self/mounts
[ -n "$options" ] || lacks "Nothing is mounted at $of on this host."`,
  show: `
echo "type $kind"
echo "value $options"`,
  // With source and folder both, mount does not add what fstab says.
  put: 'mount -o "remount,$value" -- "$source" "$of"',
  read(printed) {
    const value = oneOf(printed, 'value');
    const type = oneOf(printed, 'type');
    return value === undefined || type === undefined ? undefined : { value, seen: { type } };
  },
  // All options of a mount, as they were at first, begin with how it may be written; a desired value does not.
  isSo: (desired, found) => (/^r[ow](,|$)/.test(desired) ? sameOptions(desired, found) : areInEffect(desired, found)),
  complete: (desired, { value }) => withOptions(value, desired),
  putBack: ({ value }, now, of) => ({ of, value: backTo(value, now.value) }),
  judge: (desired, { value, seen }, of) => [
    ...splitOptions(desired)
      .filter((option) => NOT_BY_REMOUNT.includes(optionKey(option)))
      .map(
        (option): Finding => ({
          code: 'not-by-remount',
          severity: 'block',
          message: `${seen?.type ?? 'The file system'} reads ${option} only when it is mounted: a remount of ${of} does not change it.`,
          next: 'Unmount and mount it by commands of your own: setting: commands.',
        }),
      ),
    ...notUndoable(desired, value).map(
      (option): Finding => ({
        code: 'cannot-undo',
        severity: 'block',
        message: `${of} does not show its present value of ${optionKey(option)}, so ${option} cannot be put back.`,
        evidence: value,
        next: `Mount it with a value of ${optionKey(option)} first, or leave the option out.`,
      }),
    ),
  ],
};
