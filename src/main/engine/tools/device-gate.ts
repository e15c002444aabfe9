/** An undeclared or forbidden use of a device in a script. */
export type Ungated =
  /** It names a device declared neither as overwritten nor as read. */
  | { kind: 'untold'; device: string }
  /** It writes to a device declared as only read. */
  | { kind: 'written'; device: string; by: string }
  /** It runs a program that destroys data on a device known only to the shell. */
  | { kind: 'unseen'; at: string; by: string }
  /** It names something in /dev known only to the shell. */
  | { kind: 'hidden'; at: string };

/** The folder itself, or a name in it known only to the shell. */
const HIDDEN = /(?<![\w./])\/dev(?:\/+(?![\w.])[^\s;|&)]*|(?![\w/.-]))/;

/** These write to files far more often than to devices; devices in /dev that they name are detected anyway. */
const FILE_TOOLS = /^(?:dd|tee|cp|mv|install|pv|shred|qemu-img|ddrescue|a redirection|(?:rw|readwrite)=.*)$/;

/**
 * Returns the first reason not to run a script unchanged. It must declare the use of each device that it names, and a device that it clearly
 * overwrites cannot be declared as read: typing errors have destroyed more disks than any benchmark. The value of a shell variable is unknown here,
 * so an overwritten device must be named explicitly.
 */
export function ungatedIn(
  text: string,
  { overwrites, reads }: Readonly<Record<'overwrites' | 'reads', readonly string[]>>,
): Ungated | undefined {
  const script = unquoted(text);
  const device = devicesNamedIn(script).find((name) => !overwrites.includes(name) && !reads.includes(name));
  if (device !== undefined) return { kind: 'untold', device };
  for (const { by, at } of destroyingParts(script)) {
    if (reads.includes(at)) return { kind: 'written', device: at, by };
    if (!at.startsWith('/dev/') && overwrites.length === 0 && !FILE_TOOLS.test(by)) return { kind: 'unseen', at, by };
  }
  const at = HIDDEN.exec(script)?.[0];
  return at !== undefined && overwrites.length === 0 && reads.length === 0 ? { kind: 'hidden', at } : undefined;
}

/** A device of a host. No colons: for fio, a colon separates file names, and no device needs one. */
export const DEVICE_PATH = /^\/dev\/(?!(?:.*\/)?\.\.?(?:\/|$))[\w./@%+=-]+$/;

/** Whether a path is that of a device. /dev/shm contains files in memory. */
export const isDevicePath = (path: string): boolean => DEVICE_PATH.test(path) && !/^\/dev\/shm(\/|$)/.test(path);

/** Devices in a list separated by blanks or commas. */
export const devicesIn = (list: string): string[] => list.split(/[\s,]+/).filter((word) => word !== '');

/** Entries of /dev that are not disks. */
const HARMLESS =
  /^\/dev\/(null|zero|full|u?random|stdin|stdout|stderr|fd|tty\w*|ptmx|pts|shm|mqueue|hugepages|net|kvm|fuse|log|kmsg|cpu|cpu_dma_latency|hpet|rtc\d*|ptp\d+|tcp|udp)(\/|$)/;
const NAMED = /(?<![\w.])\/dev\/[\w./@%+=-]*\w/g;

/** Normalizes other notations of /dev: through a parent folder, the root of a process, or with redundant slashes and dots. */
const plainly = (text: string): string =>
  text
    .replaceAll(/\/(?:\.?\/)+/g, '/')
    .replaceAll(/(?:[\w.-]*\/)*\.\.\/dev\//g, '/dev/')
    .replaceAll(/\/proc\/(?:\w+|\$\$)\/root\/dev\//g, '/dev/');

/** Devices named in a user's text that could be disks. */
export const devicesNamedIn = (text: string): string[] =>
  [...plainly(text).matchAll(NAMED)].flatMap(([name]) => (HARMLESS.test(name) ? [] : [name]));

/** A part of a script that overwrites data on a device, with words for messages. */
interface Destroying {
  /** “mkfs.ext4”, “dd”, “a redirection”. */
  by: string;
  /** The target as written: a path, a variable, a pattern. */
  at: string;
}

/** Programs that overwrite any device passed to them, some only with certain arguments. */
const DESTROYERS: readonly (readonly [program: RegExp, words?: RegExp])[] = [
  [/^(?:mkfs(?:\.\w+)?|newfs|mke2fs|mkswap|mkntfs|mkdosfs|mkreiserfs|blkdiscard|shred|wipe|qemu-img|ddrescue)$/],
  [/^blkzone$/, /\sreset\b/],
  [/^wipefs$/, /\s(?:-[a-zA-Z]*[ao]|--all\b|--offset\b)/],
  [
    /^nvme$/,
    /\s(?:format|sanitize|write|write-zeroes|write-uncor|dsm|delete-ns|create-ns|fw-\w+|compare-and-write|(?:io|admin)-passthru|format-nvm)\b/,
  ],
  [/^hdparm$/, /\s--(?:security-\w+|trim-sector-ranges|write-sector|make-bad-sector|fwdownload|dco-\w+)/],
  [/^sg_(?:format|sanitize|unmap|write_\w+|reassign)$/],
  [/^(?:sfdisk|fdisk|sgdisk|gdisk|cfdisk|parted)$/, /^(?!.*\s(?:-l|--list|-p|--print|-d|--dump|print)\b)/],
  [/^badblocks$/, /\s-[a-z]*[wn]/],
  [/^cryptsetup$/, /\s(?:luksFormat|erase|luksErase|reencrypt)\b/],
  [/^mdadm$/, /\s(?:-C\b|--create\b|--build\b|--grow\b|--zero-superblock\b|--add\b|-a\b)/],
  [/^(?:zpool|bcache|make-bcache|bcachefs)$/, /\s(?:create|add|attach|format|-B|-C|labelclear|destroy)\b/],
  [/^debugfs$/, /\s-[a-z]*w/],
];

/** The option of a load program that makes it write. */
const WRITING =
  /\brw=(?:write|randwrite|rw|readwrite|randrw|trim|randtrim|trimwrite)\b|\breadwrite=(?!read\b|randread\b)\w+/;

/** These also accept names of volumes and pools, which need no path: any argument may be a device or refer to several. */
const BY_NAME: readonly (readonly [program: RegExp, words?: RegExp])[] = [
  [/^(?:pv|vg|lv)(?:create|remove|reduce|extend|convert|merge|split|move|resize|import\w*)$/],
  [
    /^(?:lvm|dmsetup)$/,
    /\s(?:(?:pv|vg|lv)(?:create|remove|reduce|extend|convert)|create|remove(?:_all)?|load|wipe_table)\b/,
  ],
  [/^(?:zpool|zfs)$/, /\s(?:destroy|rollback|labelclear)\b/],
];

/** Separators between shell commands. */
const SEPARATORS = /\n|;|&&|\|\|?|&(?!>)|[()]/;
/** The output of a nested command is known only to the shell, like a variable. */
const SUBSTITUTED = /\$\(|`/g;
/** A word that may be a device: below /dev, or known only to the shell. */
const DEVICE_WORD = /^\/dev\/|[$*?[]/;

const words = (part: string): string[] => part.trim().split(/\s+/);
const ofOption = (word: string): string => word.replace(/^[\w-]+=/, '');
/** The script without quotes and line continuations, in which nothing can be hidden. */
const unquoted = (script: string): string => script.replaceAll('\\\n', ' ').replaceAll(/["']/g, '');

/** All places of a script that overwrite a device, or may do so because of a variable or a pattern. */
function destroyingParts(script: string): Destroying[] {
  return unquoted(script)
    .replaceAll(SUBSTITUTED, ' $\n')
    .split(SEPARATORS)
    .flatMap((part) => [
      ...[...byRedirection(part), ...byProgram(part)].filter(({ at }) => DEVICE_WORD.test(at)),
      ...byNameIn(part),
    ]);
}

function byRedirection(part: string): Destroying[] {
  return [...part.matchAll(/(?<![<&\d])[12&]?>{1,2}\|?\s*([^\s<>]+)/g)].map(([, at = '']) => ({
    by: 'a redirection',
    at,
  }));
}

function byProgram(part: string): Destroying[] {
  // sudo, timeout, env and similar precede the relevant program, so each word is checked.
  const text = part.replaceAll(/(?<![<&\d])[12&]?>{1,2}\|?\s*\S+/g, '');
  const all = words(text);
  const [load] = WRITING.exec(text) ?? [];
  const loaded = load === undefined ? [] : named(load, all.map(ofOption));
  return all
    .flatMap((word, index): Destroying[] => {
      const program = word.replace(/^.*\//, '');
      const rest = all.slice(index + 1);
      const line = ` ${rest.join(' ')}`;
      if (/^(?:dd|dcfldd|dc3dd|sg_dd)$/.test(program))
        return named(program, rest.filter((each) => /^of=/.test(each)).map(ofOption));
      if (program === 'tee') return named(program, rest);
      if (/^(?:cp|mv|install|pv)$/.test(program)) return named(program, rest.slice(-1));
      if (!isAmong(DESTROYERS, program, line)) return [];
      // After xargs or find, the device comes from elsewhere.
      const isHandedOn = all.slice(0, index).some((before) => /(?:^|\/)(?:xargs|parallel|find)$/.test(before));
      return named(program, isHandedOn ? [...rest.map(ofOption), '$'] : rest.map(ofOption));
    })
    .concat(loaded);
}

const isAmong = (programs: typeof DESTROYERS, program: string, line: string): boolean =>
  programs.some(([names, wanted]) => names.test(program) && (!wanted || wanted.test(line)));

function byNameIn(part: string): Destroying[] {
  const all = words(part);
  return all.flatMap((word, index): Destroying[] => {
    const program = word.replace(/^.*\//, '');
    const rest = all.slice(index + 1);
    if (!isAmong(BY_NAME, program, ` ${rest.join(' ')}`)) return [];
    const [last = '$'] = rest.filter((each) => !each.startsWith('-')).slice(-1);
    return named(
      program,
      rest.some((each) => each.startsWith('/dev/')) ? rest.filter((each) => each.startsWith('/dev/')) : [last],
    );
  });
}

const named = (by: string, at: readonly string[]): Destroying[] => at.map((each) => ({ by, at: each }));
