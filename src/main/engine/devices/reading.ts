import { randomBytes } from 'node:crypto';
import { KneepointError } from '../../../shared/model/problem.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { unescapeMount } from '../../../shared/util/virtual-disk.ts';
import { splitParts } from '../hosts/facts/parse.ts';
import type { Machine } from '../hosts/machine.ts';
import { type DeviceTree, parseTree } from './tree.ts';

/** Everything a host reports about its block devices, with details of one of them. Symbolic links in paths are resolved. */
export interface DeviceReading {
  /** The path as given, and what it resolves to. `path` is undefined if that is not a block device. */
  asked: string;
  path?: string;
  bootId: string;
  /** Only root in the initial PID namespace sees all mounts and open files; reading them takes /proc, /sys and awk. */
  seesAll: boolean;
  /** Undefined if lsblk is missing or too old, or if its output was cut off. */
  tree?: DeviceTree;
  mounts: readonly { device: string; source: string; point: string }[];
  swaps: readonly string[];
  /** Kernel names of members of RAID arrays → their array. */
  raidMembers: ReadonlyMap<string, string>;
  /** Kernel name → devices that hold it. */
  holders: ReadonlyMap<string, readonly string[]>;
  /** Loop device → its file. */
  loops: ReadonlyMap<string, string>;
  /** Path of a physical volume → its volume group, empty if it has none. */
  volumes: ReadonlyMap<string, string>;
  /** Devices in fstab and crypttab, as a path or UUID=…, with the name of the file. */
  configured: readonly { file: string; name: string }[];
  /** Block devices that a process has open. */
  opened: readonly string[];
  /** Signatures on the device in question. Undefined if no program could check it. */
  signatures?: readonly string[];
  /** Whether the kernel would open the device in question exclusively. Undefined if that could not be checked. */
  exclusive?: 'free' | 'busy';
}

/** inode of the initial PID namespace, the same on every Linux (PROC_PID_INIT_INO). */
const FIRST_NAMESPACE = 'pid:[4026531836]';

/** Parses the output of the device script. Undefined if it was cut off. */
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

/** Fields as in proc_pid_mountinfo(5). Bind mounts count too: a device with only one folder mounted is in use. */
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

/** `md0 : active raid1 sdb1[1] sda1[0](F)`; inactive arrays have members too. */
function parseRaid(lines: readonly string[]): Map<string, string> {
  const members = new Map<string, string>();
  for (const line of lines) {
    const [, array, rest] = /^(md\S*) : (.*)$/.exec(line) ?? [];
    if (array === undefined) continue;
    for (const [, member] of (rest ?? '').matchAll(/(\S+)\[\d+\]/g)) if (member) members.set(member, array);
  }
  return members;
}

/** `0x438,uuid,label,ext4` of wipefs below its heading, or `TYPE=ext4` of blkid; `clean` if there is none. */
function parseSignatures(lines: readonly string[]): string[] | undefined {
  if (lines.length === 0) return undefined;
  if (lines.length === 1 && lines[0] === 'clean') return [];
  const found = lines.flatMap((line) => {
    if (line.startsWith('#')) return [];
    const [, type] = /^0x[0-9a-f]+,.*,([^,]*)$/.exec(line) ?? /^(?:PT)?TYPE=(.+)$/.exec(line) ?? [];
    return type === undefined ? [] : [type];
  });
  // Output in any other format counts as a signature.
  return found.length > 0 ? [...new Set(found)] : lines.slice(0, 1);
}

/**
 * Prints `free`, `busy` or nothing: the kernel gives a device to one owner (a mount, swap, RAID, ZFS …), and opening it exclusively tests
 * that.
 */
const EXCLUSIVE = [
  `if command -v perl >/dev/null; then perl -MFcntl -e 'if (sysopen(my $f, $ARGV[0], O_RDONLY | O_EXCL)) { print "free\\n" } elsif ($! + 0 == 16) { print "busy\\n" }' "$device"`,
  `elif command -v python3 >/dev/null; then python3 -c 'import os, sys
try:
  os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL); print("free")
except OSError as error:
  if error.errno == 16: print("busy")' "$device"`,
  'else echo untried; fi',
].join('\n');

/** Signatures on the device itself. Prints `clean` only if the program could check and found none. */
const SIGNATURES = `if command -v wipefs >/dev/null; then found=$(wipefs -n -p -- "$device") && { [ -z "$found" ] && echo clean || echo "$found"; }
else found=$(blkid -p -o export -- "$device"); code=$?; case $code in 0|8) echo "\${found:-ambivalent}" ;; 2) echo clean ;; esac; fi`;

/** Without these, empty output below would look like unused devices. */
const ABLE =
  '[ -r /proc/1/mountinfo ] && [ -d /sys/class/block ] && [ "$(echo able | awk \'{ print $1 }\' | sort -u)" = able ] && echo able';

/**
 * Block devices that a process has open. After a write, udev opens a device for a moment: one that is closed a second later is not in use.
 */
const OPENED = `for try in 1 2 3; do
  opened=$(ls -l /proc/[0-9]*/fd | awk '/ -> \\/dev\\// { print $NF }' | sort -u | while IFS= read -r path; do [ -b "$path" ] && echo "$path"; done)
  [ -z "$opened" ] && break; [ $try = 3 ] || sleep 1
done; echo "$opened"`;

/** First fields of fstab and second fields of crypttab: devices that are in use, though perhaps not now. */
const CONFIGURED = `{ awk '!/^[ \\t]*#/ && NF > 1 { print "fstab", $1 }' /etc/fstab; awk '!/^[ \\t]*#/ && NF > 1 { print "crypttab", $2 }' /etc/crypttab; } |
while read -r file name; do case $name in /dev/*) echo "$file $(readlink -f -- "$name" || echo "$name")" ;; *) echo "$file $name" ;; esac; done`;

/**
 * A POSIX sh script that prints everything about the use of a block device. It writes nothing, and needs root to see everything. Parts are
 * separated by `@@<nonce> <name>` lines. A part that the host cannot answer stays empty, and is unknown.
 */
function deviceScript(nonce: string, path: string): string {
  const part = (name: string): string => `echo; echo '@@${nonce} ${name}'`;
  return [
    'LC_ALL=C; export LC_ALL; PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; export PATH; exec 2>/dev/null',
    `asked=${shellQuote(path)}; device=$(readlink -f -- "$asked")`,
    `${part('viewer')}; id -u; readlink /proc/self/ns/pid; ${ABLE}`,
    `${part('boot-id')}; cat /proc/sys/kernel/random/boot_id`,
    `${part('asked')}; [ -b "$device" ] && echo "$device"`,
    `${part('tree')}; lsblk -J -b -O`,
    `${part('tree-end')}; lsblk -J -b -O >/dev/null && echo whole`,
    // Mounts of every process, because one can be in another namespace. Only those on a device, not virtual file systems.
    `${part('mounts')}; cat /proc/[0-9]*/mountinfo | awk '$3 !~ /^0:/ || / - [^ ]+ \\/dev\\//' | sort -u`,
    `${part('swaps')}; cat /proc/swaps`,
    `${part('raid')}; cat /proc/mdstat`,
    `${part('holders')}; for d in /sys/class/block/*; do for h in "$d"/holders/*; do [ -e "$h" ] && echo "\${d##*/} \${h##*/}"; done; done`,
    `${part('loops')}; for l in /sys/block/loop*; do [ -r "$l/loop/backing_file" ] && echo "\${l##*/} $(cat "$l/loop/backing_file")"; done`,
    `${part('volumes')}; pvs --readonly --noheadings -o pv_name,vg_name`,
    `${part('configured')}; ${CONFIGURED}`,
    `${part('opened')}; ${OPENED}`,
    `${part('signatures')}; [ -b "$device" ] && { ${SIGNATURES}; }`,
    `${part('exclusive')}; [ -b "$device" ] && { ${EXCLUSIVE}; }`,
    part('end'),
  ].join('\n');
}

const LIMIT_MS = 60_000;

/**
 * Checks everything that uses block devices on a machine, and one device in detail. Writes nothing there. Throws what `Machine.exec`
 * throws.
 */
export async function readDevice(machine: Machine, path: string, signal?: AbortSignal): Promise<DeviceReading> {
  const nonce = randomBytes(8).toString('hex');
  const { stdout } = await machine.exec(deviceScript(nonce, path), { timeoutMs: LIMIT_MS, ...(signal && { signal }) });
  const reading = parseReading(stdout, nonce, path);
  if (reading) return reading;
  throw new KneepointError({
    code: 'host-refused',
    host: machine.name,
    message: `${machine.name} stopped responding while Kneepoint checked ${path}.`,
    safe: 'Nothing was written to the device.',
    next: 'Test the host, then start again.',
  });
}
