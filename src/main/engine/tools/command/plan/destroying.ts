/** A part of a script that destroys what is on a device, and how a person would say so. */
export interface Destroying {
  /** “mkfs.ext4”, “dd”, “a redirection”. */
  by: string;
  /** What it names, as it stands there: a path, a variable, a pattern. */
  at: string;
}

/** Programs that destroy whatever device they are given, and with which words if not always. */
const DESTROYERS: readonly (readonly [program: RegExp, words?: RegExp])[] = [
  [/^(?:mkfs(?:\.\w+)?|mke2fs|mkswap|mkntfs|mkdosfs|blkdiscard|shred|pvcreate|vgcreate|wipe)$/],
  [/^wipefs$/, /\s(?:-[a-zA-Z]*[ao]|--all\b|--offset\b)/],
  [/^nvme$/, /\s(?:format|sanitize|write|write-zeroes|write-uncor|dsm|delete-ns|create-ns|fw-\w+|compare-and-write)\b/],
  [/^hdparm$/, /\s--(?:security-\w+|trim-sector-ranges|write-sector|make-bad-sector|fwdownload|dco-\w+)/],
  [/^sg_(?:format|sanitize|unmap|write_\w+|reassign)$/],
  [/^(?:sfdisk|fdisk|sgdisk|gdisk|cfdisk|parted)$/, /^(?!.*\s(?:-l|--list|-p|--print|-d|--dump|print)\b)/],
  [/^badblocks$/, /\s-[a-z]*[wn]/],
  [/^cryptsetup$/, /\s(?:luksFormat|erase|luksErase|reencrypt)\b/],
  [/^mdadm$/, /\s(?:-C\b|--create\b|--zero-superblock\b|--add\b|-a\b)/],
  [/^(?:zpool|bcache|make-bcache|bcachefs)$/, /\s(?:create|add|attach|format|-B|-C|labelclear)\b/],
  [/^fio$/, /\brw=(?:write|randwrite|rw|readwrite|randrw|trim|randtrim|trimwrite)|\breadwrite=(?!read|randread)/],
];

/** Parts of a script that run one program: separated by what a shell separates commands with. */
const SEPARATORS = /\n|;|&&|\|\|?|&(?!>)|[()]/;
/** What a command inside a command prints is known to the shell only, like a variable. */
const SUBSTITUTED = /\$\(|`/g;
/** A word that stands for a device: below /dev, or one that only the shell knows. */
const DEVICE_WORD = /^\/dev\/|[$*?[]/;

const words = (part: string): string[] => part.trim().split(/\s+/);
const ofOption = (word: string): string => word.replace(/^[\w-]+=/, '');
/** As the shell reads it: quotes hide nothing, and neither does a line that continues. */
export const unquoted = (script: string): string => script.replaceAll('\\\n', ' ').replaceAll(/["']/g, '');

/** Every place of a script that writes over a device, or may: what a variable or a pattern stands for, nobody can see. */
export function destroyingParts(script: string): Destroying[] {
  return unquoted(script)
    .replaceAll(SUBSTITUTED, ' $\n')
    .split(SEPARATORS)
    .flatMap((part) => [...byRedirection(part), ...byProgram(part)])
    .filter(({ at }) => DEVICE_WORD.test(at));
}

function byRedirection(part: string): Destroying[] {
  return [...part.matchAll(/(?<![<&\d])[12&]?>{1,2}\|?\s*([^\s<>]+)/g)].map(([, at = '']) => ({
    by: 'a redirection',
    at,
  }));
}

function byProgram(part: string): Destroying[] {
  // Behind sudo, timeout, env and their like stands the program that matters: each word is checked.
  const all = words(part.replaceAll(/(?<![<&\d])[12&]?>{1,2}\|?\s*\S+/g, ''));
  return all.flatMap((word, index): Destroying[] => {
    const program = word.replace(/^.*\//, '');
    const rest = all.slice(index + 1);
    const line = ` ${rest.join(' ')}`;
    if (program === 'dd') return named(program, rest.filter((each) => /^of=/.test(each)).map(ofOption));
    if (program === 'tee') return named(program, rest);
    if (/^(?:cp|mv|install|pv)$/.test(program)) return named(program, rest.slice(-1));
    const known = DESTROYERS.find(([names]) => names.test(program));
    if (!known || (known[1] && !known[1].test(line))) return [];
    return named(program, rest.map(ofOption));
  });
}

const named = (by: string, at: readonly string[]): Destroying[] => at.map((each) => ({ by, at: each }));
