import { unescapeMount } from '../hosts/facts/disks.ts';
import { splitParts } from '../hosts/facts/parse.ts';
import { type DeviceTree, parseTree } from './tree.ts';

/** Everything that a host told of its block devices, with a look at one of them. Paths have no symbolic links any more. */
export interface DeviceReading {
  /** As it was named, and what that leads to; `path` is absent when it is no block device. */
  asked: string;
  path?: string;
  bootId: string;
  /** Only root in the first process namespace sees all mounts and all open files, with the kernel's own folders and awk to read them. */
  seesAll: boolean;
  /** Absent: lsblk is missing, too old, or its answer was cut. */
  tree?: DeviceTree;
  mounts: readonly { device: string; source: string; point: string }[];
  swaps: readonly string[];
  /** Kernel names of RAID arrays' members, with their array. */
  raidMembers: ReadonlyMap<string, string>;
  /** Kernel name → what holds it. */
  holders: ReadonlyMap<string, readonly string[]>;
  /** Loop device → its file. */
  loops: ReadonlyMap<string, string>;
  /** Path of a physical volume → its volume group, empty when it is in none. */
  volumes: ReadonlyMap<string, string>;
  /** Devices in fstab and crypttab: a path, or UUID=…; with the file's name. */
  configured: readonly { file: string; name: string }[];
  /** Block devices that a process has open. */
  opened: readonly string[];
  /** Of the asked device; absent when nobody could look. */
  signatures?: readonly string[];
  /** Whether the kernel would give the asked device to one owner; absent when it could not be asked. */
  exclusive?: 'free' | 'busy';
}

/** inode of the first process namespace, the same on every Linux (PROC_PID_INIT_INO). */
const FIRST_NAMESPACE = 'pid:[4026531836]';

/** What the device script printed. Undefined when it did not come to its end. */
export function parseReading(text: string, nonce: string, asked: string): DeviceReading | undefined {
  const parts = splitParts(text, nonce);
  if (!parts.has('end')) return undefined;
  const part = (name: string): readonly string[] => parts.get(name) ?? [];
  const [user, namespace, able] = part('viewer');
  const [path] = part('asked');
  const tree = part('tree-end')[0] === 'whole' ? parseTree(part('tree').join('\n')) : undefined;
  const signatures = parseSignatures(part('signatures'));
  const [exclusive] = part('exclusive');
  return {
    asked,
    ...(path !== undefined && { path }),
    bootId: part('boot-id')[0] ?? '',
    seesAll: user === '0' && namespace === FIRST_NAMESPACE && able === 'able',
    ...(tree && { tree }),
    mounts: part('mounts').flatMap((line) => parseMount(line) ?? []),
    // The first line is the heading.
    swaps: part('swaps')
      .slice(1)
      .flatMap((line) => line.split(/\s+/)[0] ?? []),
    raidMembers: parseRaid(part('raid')),
    holders: grouped(part('holders')),
    loops: new Map(part('loops').map(pair)),
    volumes: new Map(part('volumes').map(pair)),
    configured: part('configured').map((line) => {
      const [file, name] = pair(line);
      return { file, name };
    }),
    opened: part('opened'),
    ...(signatures && { signatures }),
    ...(exclusive === 'free' || exclusive === 'busy' ? { exclusive } : {}),
  };
}

/** Fields as in proc_pid_mountinfo(5). Bind mounts count too: a device of which only a folder is shown is in use all the same. */
function parseMount(line: string): DeviceReading['mounts'][number] | undefined {
  const fields = line.split(' ');
  const [, , device, , point] = fields;
  const [, source] = fields.slice(fields.indexOf('-') + 1);
  return device && point && source ? { device, point: unescapeMount(point), source: unescapeMount(source) } : undefined;
}

/** First word, and the rest. */
function pair(line: string): [string, string] {
  const [, first = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
  return [first, rest];
}

function grouped(lines: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, holder] of lines.map(pair)) found.set(name, [...(found.get(name) ?? []), holder]);
  return found;
}

/** `md0 : active raid1 sdb1[1] sda1[0](F)`; an array that is not active has its members too. */
function parseRaid(lines: readonly string[]): Map<string, string> {
  const members = new Map<string, string>();
  for (const line of lines) {
    const [, array, rest] = /^(md\S*) : (.*)$/.exec(line) ?? [];
    if (array === undefined) continue;
    for (const [, member] of (rest ?? '').matchAll(/(\S+)\[\d+\]/g)) if (member) members.set(member, array);
  }
  return members;
}

/** `0x438,uuid,label,ext4` of wipefs below its heading, or `TYPE=ext4` of blkid; `clean`: nothing is there. */
function parseSignatures(lines: readonly string[]): string[] | undefined {
  if (lines.length === 0) return undefined;
  if (lines.length === 1 && lines[0] === 'clean') return [];
  const found = lines.flatMap((line) => {
    if (line.startsWith('#')) return [];
    const [, type] = /^0x[0-9a-f]+,.*,([^,]*)$/.exec(line) ?? /^(?:PT)?TYPE=(.+)$/.exec(line) ?? [];
    return type === undefined ? [] : [type];
  });
  // What is written in another way is a signature of something.
  return found.length > 0 ? [...new Set(found)] : lines.slice(0, 1);
}
