import type { Finding } from '../../../../../shared/model/finding.ts';
import type { TargetSpec } from '../../../../../shared/model/target.ts';
import type { Found } from '../../change.ts';

/** What a setting belongs to where a host has several of the kind: a device, an interface. */
export interface SettingObject {
  /** For a sentence: “a block device”. */
  readonly title: string;
  readonly example: string;
  /** Names that may be handed to a script. */
  readonly pattern: RegExp;
  /** It can be told without. */
  readonly optional?: true;
}

/** What a host said of a setting. */
export interface Reading extends Found {
  readonly value: string;
  /** The values that the host lists; absent: it lists none. */
  readonly takes?: readonly string[];
  /** What else was seen, for `judge`. */
  readonly seen?: Readonly<Record<string, string>>;
}

/** What is asked of a script. */
export interface Asked {
  readonly of: string;
  readonly value: string;
  /** The target of a server's own setting. */
  readonly target?: TargetSpec;
}

/**
 * One kernel or device setting of a host. A new one is a file and a line in `settings/index.ts`.
 *
 * Its scripts are POSIX sh. They have `$of`, `$value` and the variables of `variables`; `lacks WORDS` ends them where the setting does not
 * exist, and `write VALUE FILE` writes a file of the kernel. `find` comes before the others and sets what they need; with `file`, the file that is
 * written, it can be told beforehand whether it may be. `show` prints lines of a key and a text.
 */
export interface HostSetting {
  readonly name: string;
  readonly title: string;
  /** What it sets, its unit, and what it does not do. */
  readonly description: string;
  readonly of?: SettingObject;
  /** It belongs to the process of a server, not to the host. */
  readonly ofServer?: true;
  /** What is wrong with a value, as far as no host has to be asked. */
  check(value: string): string | undefined;
  variables?(asked: Asked): Readonly<Record<string, string>>;
  readonly find: string;
  readonly show: string;
  readonly put: string;
  /** Undefined: what was printed is not what `show` prints. */
  read(printed: Printed, of: string): Reading | undefined;
  isSo(desired: string, found: string): boolean;
  /** The value to put where the setting is only a part of it. */
  complete?(desired: string, now: Reading): string;
  /** What to put so that it is as it was at first. Absent: the first value. */
  putBack?(first: Found & { value: string }, now: Reading, of: string): Pick<Asked, 'of' | 'value'>;
  /** Prints `beside PATH:LINE` for each file that writing this one may change, and which of them is a setting of its own. */
  readonly beside?: { readonly script: string; named(path: string, of: string): Neighbour | undefined };
  /** What a person should know before it is changed, and what stands against it. */
  judge?(desired: string, reading: Reading, of: string): readonly Finding[];
}

/** A setting by its name, with what it belongs to. */
export interface Neighbour {
  readonly setting: string;
  readonly of: string;
  /** Why it could not be put back, a sentence. */
  readonly stuck?: string;
}

/** Prints every line of the files below a folder that can be written, as `beside` wants it. */
export const printFiles = (start: string, folder: string): string => `
( cd ${start} && find ${folder} -type f -perm -200 -exec grep -H '' {} + 2>/dev/null | sed 's/^/beside /' ) || :`;

/** What a script printed: the texts of each key, in order. */
export type Printed = ReadonlyMap<string, readonly string[]>;

export function readPrinted(text: string): Printed {
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, key, rest = ''] = /^([a-z-]+)(?: (.*))?$/.exec(line.replace(/\r$/, '')) ?? [];
    if (key === undefined) continue;
    found.set(key, [...(found.get(key) ?? []), rest]);
  }
  return found;
}

/** The only text of a key, without blanks around it; undefined where there are none or several. */
export function oneOf(printed: Printed, key: string): string | undefined {
  const [text, ...more] = printed.get(key) ?? [];
  return more.length > 0 ? undefined : text?.trim() || undefined;
}

/** The kernel's way to show a choice: `always [madvise] never`. */
export function readBracketed(text: string | undefined): Reading | undefined {
  const words = (text ?? '').split(/\s+/).filter(Boolean);
  const chosen = words.filter((word) => /^\[.+\]$/.test(word));
  const takes = words.map((word) => word.replace(/^\[(.+)\]$/, '$1'));
  const [value] = chosen;
  return value !== undefined && chosen.length === 1 ? { value: value.slice(1, -1), takes } : undefined;
}

export const sameText = (desired: string, found: string): boolean => desired.trim() === found.trim();

export const wholeNumber = (value: string): string | undefined =>
  /^\d{1,18}$/.test(value) ? undefined : 'takes a whole number.';

export const oneWord = (value: string): string | undefined =>
  /^[a-z0-9][a-z0-9_+-]{0,40}$/.test(value) ? undefined : 'takes one word.';
