/** A part of a script that overwrites data on a device, with words for messages. */
export interface Destroying {
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
export const unquoted = (script: string): string => script.replaceAll('\\\n', ' ').replaceAll(/["']/g, '');

/** All places of a script that overwrite a device, or may do so because of a variable or a pattern. */
export function destroyingParts(script: string): Destroying[] {
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
