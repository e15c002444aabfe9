import type { Finding, LiftableFinding } from '../../../../../shared/model/finding.ts';
import { type HostSetting, oneOf } from './setting.ts';

/** Semantics of mount options: which ones exclude each other, and how the kernel shows them. Pure. */

const ATIME = ['atime', 'noatime', 'relatime', 'strictatime', 'norelatime', 'nostrictatime'];
const ACCESS_TIME = 'access time';
/** Never shown; the kernel shows their opposites. */
const UNSHOWN = ['async', 'barrier', 'dev', 'diratime', 'exec', 'suid'];
/** Shown only by the absence of the option that they turn off. */
const HIDDEN_NO = ['nodiscard', 'noiversion', 'nolazytime', 'nomand', 'noquota'];
/** Values that the kernel takes as “the default”. */
const DEFAULTS: Readonly<Record<string, string>> = { commit: '0' };
/** File systems read these only when mounting. */
const NOT_BY_REMOUNT: readonly string[] = [
  'attr2',
  'data',
  'inode32',
  'journal_dev',
  'journal_path',
  'logbsize',
  'logbufs',
  'logdev',
  'sunit',
  'swidth',
  'subvol',
  'subvolid',
];

/** The options of a list; a value in quotes may hold commas. */
export const splitOptions = (text: string): string[] => text.match(/(?:[^,"]|"[^"]*")+/g) ?? [];

const optionKey = (option: string): string => option.split('=', 1)[0] ?? option;

/** Options with the same group exclude each other. */
function groupOf(option: string): string {
  const key = optionKey(option);
  if (ATIME.includes(key)) return ACCESS_TIME;
  if (key === 'ro' || key === 'rw') return 'rw';
  if (key === 'sync' || key === 'async') return 'sync';
  return key.startsWith('no') ? key.slice(2) : key;
}

const opposite = (option: string): string => (option.startsWith('no') ? option.slice(2) : `no${option}`);

const UNITS: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** The kernel shows size=2m as size=2048k. */
function sameValue(one: string, other: string): boolean {
  const bytes = (text: string): number => {
    const [, count, unit = ''] = /^(\d{1,15})([kmg]?)$/i.exec(text) ?? [];
    return count === undefined ? Number.NaN : Number(count) * (UNITS[unit.toLowerCase()] ?? 1);
  };
  return one === other || bytes(one) === bytes(other);
}

const textAfter = (option: string): string => option.slice(optionKey(option).length + 1);

function isInEffect(desired: string, shown: readonly string[]): boolean {
  const key = optionKey(desired);
  if (key === 'atime' || key === 'strictatime') return !shown.some((option) => groupOf(option) === ACCESS_TIME);
  if (desired.includes('='))
    return shown.some((option) => optionKey(option) === key && sameValue(textAfter(desired), textAfter(option)));
  if (shown.includes(desired)) return true;
  if (UNSHOWN.includes(desired))
    return !shown.some((option) => option !== desired && groupOf(option) === groupOf(desired));
  return HIDDEN_NO.includes(desired) && !shown.includes(opposite(desired));
}

/** Whether every option of `desired` is in effect if the kernel shows `shown`. */
export function areInEffect(desired: string, shown: string): boolean {
  const there = splitOptions(shown);
  return splitOptions(desired).every((option) => isInEffect(option, there));
}

/** Whether two lists have the same options, in any order. */
function sameOptions(one: string, other: string): boolean {
  const [there, here] = [new Set(splitOptions(one)), new Set(splitOptions(other))];
  return there.size === here.size && [...there].every((option) => here.has(option));
}

/** All options of a mount with some changed: the kernel drops flags that a remount does not name. */
export function withOptions(shown: string, desired: string): string {
  const wanted = splitOptions(desired);
  const groups = new Set(wanted.map(groupOf));
  return [...splitOptions(shown).filter((option) => !groups.has(groupOf(option))), ...wanted].join(',');
}

/** Options that a remount has to name to restore the first ones, including those that were not shown. */
export function backTo(first: string, now: string): string {
  const before = splitOptions(first);
  const groups = new Set(before.map(groupOf));
  const added = splitOptions(now).filter((option) => !groups.has(groupOf(option)));
  const back = added.flatMap((option) => {
    if (groupOf(option) === ACCESS_TIME) return [];
    const key = optionKey(option);
    if (!option.includes('=')) return option === 'sync' ? 'async' : opposite(option);
    return DEFAULTS[key] === undefined ? [] : `${key}=${DEFAULTS[key]}`;
  });
  return [...before, ...(groups.has(ACCESS_TIME) ? [] : ['strictatime']), ...back].join(',');
}

/** Options whose present value is not shown and could not be restored. */
export const notUndoable = (desired: string, shown: string): string[] =>
  splitOptions(desired).filter((option) => {
    const key = optionKey(option);
    const isShown = splitOptions(shown).some((other) => optionKey(other) === key);
    return option.includes('=') && !isShown && DEFAULTS[key] === undefined;
  });

/** Escaped as in the kernel's list of mounts. */
const inMounts = (path: string): string =>
  path.replace(/[\s\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);

export const mountOption: HostSetting = {
  name: 'mount-option',
  title: 'Mount options',
  description:
    'Options of a mounted file system, changed by a remount: noatime, or several with commas. The others stay. Options that apply only at mount time, such as data=journal, cannot be varied this way.',
  suggests: ['relatime', 'noatime'],
  of: { title: 'a mount point', example: '/var/lib/mysql', pattern: /^\/[^\p{Cc}]*$/u },
  check(value) {
    const plain = /^[A-Za-z0-9_=.:%+-]{1,100}(,[A-Za-z0-9_=.:%+-]{1,100})*$/.test(value);
    const acts = splitOptions(value).some((option) =>
      /^(rw|ro|r?bind|move|remount|defaults|(r?(shared|slave|private)))$/.test(option),
    );
    return plain && !acts ? undefined : 'takes mount options separated by commas, as in noatime,commit=30.';
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
  // Given both source and folder, mount does not add the options from fstab.
  write: 'mount -o "remount,$value" -- "$source" "$of"',
  read(printed) {
    const value = oneOf(printed, 'value');
    const type = oneOf(printed, 'type');
    return value === undefined || type === undefined ? undefined : { value, seen: { type } };
  },
  // The full list of a mount's first options begins with ro or rw; a desired value does not.
  matches: (desired, found) =>
    /^r[ow](,|$)/.test(desired) ? sameOptions(desired, found) : areInEffect(desired, found),
  complete: (desired, { value }) => withOptions(value, desired),
  restoreTo: ({ value }, now, of) => ({ of, value: backTo(value, now.value) }),
  judge: (desired, { value, seen }, of) => [
    ...splitOptions(desired)
      .filter((option) => NOT_BY_REMOUNT.includes(optionKey(option)))
      .map(
        (option): Finding => ({
          code: 'not-by-remount',
          severity: 'block',
          message: `${seen?.type ?? 'The file system'} applies ${option} only at mount time: a remount of ${of} does not change it.`,
          next: 'Unmount and mount it with custom commands (setting: commands).',
        }),
      ),
    ...notUndoable(desired, value).map(
      (option): LiftableFinding => ({
        code: 'cannot-undo',
        severity: 'block',
        liftedBy: 'setting',
        message: `${of} does not show its current value of ${optionKey(option)}, so ${option} cannot be restored.`,
        evidence: value,
        next: `Mount it with a value of ${optionKey(option)} first, or omit the option.`,
      }),
    ),
  ],
};
