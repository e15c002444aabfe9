import type { Scalar } from '../../../../../shared/model/experiment.ts';
import type { Finding } from '../../../../../shared/model/finding.ts';
import type { TargetSpec } from '../../../../../shared/model/target.ts';
import type { Found } from '../../change.ts';

/** Object of a setting if a host has several of the kind: a device, an interface. */
export interface SettingObject {
  /** For use in sentences: “a block device”. */
  readonly title: string;
  readonly example: string;
  /** Names that are safe to pass to a script. */
  readonly pattern: RegExp;
  /** It may be omitted. */
  readonly optional?: true;
}

/** A setting as read from a host. */
export interface Reading extends Found {
  readonly value: string;
  /** Values that the host lists. Undefined if it lists none. */
  readonly takes?: readonly string[];
  /** Other observations, for `judge`. */
  readonly seen?: Readonly<Record<string, string>>;
}

/** Input of a script. */
export interface Asked {
  readonly of: string;
  readonly value: string;
  /** The target, for a setting of its server. */
  readonly target?: TargetSpec;
}

/**
 * One kernel or device setting of a host. A new one is a file and a line in `settings/index.ts`.
 *
 * Its scripts are POSIX sh. They have `$of`, `$value` and the variables of `variables`; `lacks WORDS` exits if the setting does not exist,
 * and `write VALUE FILE` writes a kernel file. `find` runs before the others and sets what they need. If it sets `file`, the file to be
 * written, permission to write it can be checked beforehand. `show` prints lines with a key and a text.
 */
export interface HostSetting {
  readonly name: string;
  readonly title: string;
  /** Its effect, its unit, and its limits. */
  readonly description: string;
  readonly of?: SettingObject;
  /** Common values, suggested as levels; others are possible. Without any, its values depend on its object. */
  readonly suggests?: readonly Scalar[];
  /** It belongs to a server's process, not to the host. */
  readonly ofServer?: true;
  /** Returns the problem of a value, as far as it is known without asking a host. */
  check(value: string): string | undefined;
  variables?(asked: Asked): Readonly<Record<string, string>>;
  readonly find: string;
  readonly show: string;
  readonly write: string;
  /** Undefined if the text is not output of `show`. */
  read(printed: Printed, of: string): Reading | undefined;
  matches(desired: string, found: string): boolean;
  /** Returns the full value to write if the setting is only a part of it. */
  complete?(desired: string, now: Reading): string;
  /** Returns what to write to restore the first state. Default: the first value. */
  restoreTo?(first: Found & { value: string }, now: Reading, of: string): Pick<Asked, 'of' | 'value'>;
  /** Prints `beside PATH:LINE` for each file that writing this one may change; `named` maps a path to the setting it belongs to. */
  readonly affected?: { readonly script: string; named(path: string, of: string): Neighbour | undefined };
  /** Returns caveats and obstacles of a change. */
  judge?(desired: string, reading: Reading, of: string): readonly Finding[];
}

/** A setting by its name, with what it belongs to. */
export interface Neighbour {
  readonly setting: string;
  readonly of: string;
  /** Why it could not be restored, a sentence. */
  readonly stuck?: string;
}

/** Prints every line of the writable files below a folder, in the format of `beside`. */
export const printFiles = (start: string, folder: string): string => `
( cd ${start} && find ${folder} -type f -perm -200 -exec grep -H '' {} + 2>/dev/null | sed 's/^/beside /' ) || :`;

/** Output of a script: the texts of each key, in order. */
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

/** The only text of a key, trimmed. Undefined if there is none, or several. */
export function oneOf(printed: Printed, key: string): string | undefined {
  const [text, ...more] = printed.get(key) ?? [];
  return more.length > 0 ? undefined : text?.trim() || undefined;
}

/** Parses the kernel's format for a choice: `always [madvise] never`. */
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
