import { randomBytes } from 'node:crypto';
import type { StoragePlace } from '../../../../shared/model/session-snapshot.ts';
import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import { unescapeMount } from '../../../../shared/util/virtual-disk.ts';

/**
 * A POSIX sh script that reports the storage under a path, without writing anything. Parts are separated by `@@<nonce> <name>` lines, which no name
 * on the disk can imitate. Parts that the system cannot report are empty.
 */
export function storageScript(nonce: string, path: string): string {
  const part = (name: string): string => `echo; echo '@@${nonce} ${name}'`;
  return [
    'LC_ALL=C; export LC_ALL; exec 2>/dev/null',
    `path=${shellQuote(path)}; limit=; command -v timeout >/dev/null && limit="timeout 10"`,
    'real=$(readlink -f -- "$path") || real=$path',
    `${part('kind')}; if [ -b "$path" ]; then echo device; elif [ -d "$path" ]; then echo directory; elif [ -e "$path" ]; then echo other; else echo missing; fi`,
    `${part('real')}; echo "$real"`,
    `${part('writable')}; [ -w "$path" ] && echo yes || echo no`,
    // df would hang forever on a dead network file system.
    `${part('df')}; [ -d "$path" ] && { $limit df -kPT -- "$path" || $limit df -kP -- "$path"; }`,
    `${part('inodes')}; [ -d "$path" ] && $limit df -iP -- "$path"`,
    `${part('mounts')}; cat /proc/self/mountinfo`,
    // The underlying block device: the path itself, or the source of the mount.
    `source=$real; [ -d "$path" ] && source=$($limit df -kP -- "$path" | sed -n '2s/ .*//p')`,
    `name=; case $source in /dev/*) source=$(readlink -f -- "$source"); name=\${source##*/} ;; esac`,
    'block=; [ -n "$name" ] && [ -r "/sys/class/block/$name/dev" ] && block=/sys/class/block/$name',
    'disk=$block; [ -n "$block" ] && [ -r "$block/partition" ] && disk=$(readlink -f -- "$block/..")',
    `${part('block')}; [ -n "$block" ] && { echo "$name"; cat "$block/size"; echo "\${disk##*/}"; cat "$block/stat"; }`,
    `${part('model')}; [ -n "$disk" ] && cat "$disk/device/model"`,
    `${part('below')}; [ -n "$disk" ] && ls "$disk/slaves"`,
    `${part('queue')}; [ -n "$disk" ] && for file in "$disk"/queue/*; do [ -f "$file" ] && [ -r "$file" ] && { mode=r; case $(ls -l "$file") in ??w*) mode=w ;; esac; echo "$mode \${file##*/} $(sed 1q "$file")"; }; done`,
    part('end'),
  ].join('\n');
}

/** The storage under a path, as reported by the host; sizes in bytes. Undefined: not reported. */
export interface StorageReading {
  kind: 'device' | 'directory' | 'other' | 'missing';
  /** The path with links resolved. */
  real: string;
  writable: boolean;
  filesystem?: {
    type: string;
    source: string;
    sizeBytes: number;
    freeBytes: number;
    freeInodes?: number;
    mount: string;
  };
  /** Options of the mount, in the kernel's order. */
  mountOptions: string[];
  device?: {
    name: string;
    /** The whole disk of a partition; otherwise the device itself. */
    disk: string;
    sizeBytes: number;
    model?: string;
    /** Underlying devices (LVM, RAID, encryption). */
    below: string[];
    /** Counters since the host started, in the kernel's order (Documentation/block/stat). */
    stat: number[];
  };
  /** Settings of the disk's queue, only some of which can be changed. */
  queue: { name: string; value: string; writable: boolean }[];
}

const figure = (text: string | undefined): number => Number(text ?? Number.NaN);

/** Undefined if the output was truncated. */
export function parseStorage(stdout: string, nonce: string): StorageReading | undefined {
  const parts = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of stdout.split('\n')) {
    const name = line.startsWith(`@@${nonce} `) ? line.slice(nonce.length + 3) : undefined;
    if (name === undefined) lines.push(line);
    else {
      lines = [];
      parts.set(name, lines);
    }
  }
  if (!parts.has('end')) return undefined;
  const part = (name: string): string[] => (parts.get(name) ?? []).filter((line) => line.trim() !== '');
  const kind = part('kind')[0];
  const filesystem = parseDf(part('df').at(1), part('inodes').at(1));
  const device = parseDevice(part('block'), part('model')[0], part('below'));
  return {
    kind: kind === 'device' || kind === 'directory' || kind === 'other' ? kind : 'missing',
    real: part('real')[0] ?? '',
    writable: part('writable')[0] === 'yes',
    ...(filesystem ? { filesystem } : {}),
    mountOptions: filesystem ? optionsOf(part('mounts'), filesystem.mount) : [],
    ...(device ? { device } : {}),
    queue: part('queue').flatMap((line) => {
      const [mode, name, ...value] = line.split(' ');
      return name === undefined ? [] : [{ name, value: value.join(' '), writable: mode === 'w' }];
    }),
  };
}

/** `source [type] blocks used free percent mount`, with the type if df supports -T. */
function parseDf(line: string | undefined, inodes: string | undefined): StorageReading['filesystem'] {
  const match = /^(\S+)\s+(?:([A-Za-z]\S*)\s+)?(\d+)\s+\d+\s+(\d+)\s+\S+\s+(.+)$/.exec(line ?? '');
  if (!match) return undefined;
  const [, source = '', type = '', size, free, mount = ''] = match;
  const freeInodes = figure(/^\S+\s+\d+\s+\d+\s+(\d+)\s/.exec(inodes ?? '')?.[1]);
  return {
    type,
    source,
    mount,
    sizeBytes: figure(size) * 1024,
    freeBytes: figure(free) * 1024,
    ...(Number.isFinite(freeInodes) ? { freeInodes } : {}),
  };
}

/** Mount point, and options of mount and file system: fields of proc_pid_mountinfo(5). The last mount there is in effect. */
function optionsOf(lines: readonly string[], mount: string): string[] {
  const fields = lines.map((line) => line.split(' ')).findLast((line) => unescapeMount(line[4] ?? '') === mount);
  if (!fields) return [];
  const ofSystem = fields.slice(fields.indexOf('-') + 1)[2] ?? '';
  return [...new Set([...(fields[5] ?? '').split(','), ...ofSystem.split(',')])].filter((option) => option !== '');
}

function parseDevice(block: readonly string[], model: string | undefined, below: string[]): StorageReading['device'] {
  const [name, sectors, disk = '', stat = ''] = block;
  if (name === undefined) return undefined;
  return {
    name,
    disk,
    sizeBytes: figure(sectors) * 512,
    ...(model === undefined ? {} : { model: model.trim() }),
    below: below.map((each) => each.trim()),
    stat: stat.trim().split(/\s+/).map(Number),
  };
}

/** The kernel lists all choices and brackets the active one: `[mq-deadline] none`. */
export const chosen = (value: string): string => /\[([^\]]+)\]/.exec(value)?.[1] ?? value;

/**
 * The file system of a folder, or the block device at a path. `existing`: a folder that is not visible is not reported; otherwise that of its
 * nearest existing parent is. Undefined if the host does not report it.
 */
export async function readPlace(
  exec: (script: string) => Promise<{ stdout: string }>,
  path: string,
  { existing = false } = {},
): Promise<Omit<StoragePlace, 'host'> | undefined> {
  let at = path;
  for (;;) {
    const nonce = randomBytes(8).toString('hex');
    const reading = parseStorage((await exec(storageScript(nonce, at))).stdout, nonce);
    if (!reading) return undefined;
    if (reading.kind === 'missing' && existing) return undefined;
    if (reading.kind === 'missing' && at !== '/') {
      at = at.replace(/\/+[^/]*\/*$/, '') || '/';
      continue;
    }
    const { filesystem, device, mountOptions, real } = reading;
    const queue = (name: string): string | undefined => reading.queue.find((each) => each.name === name)?.value;
    const [scheduler, rotational] = [queue('scheduler'), queue('rotational')];
    return {
      path,
      ...(at === path && real !== '' && real !== path && { real }),
      ...(filesystem && {
        fileSystem: {
          type: filesystem.type,
          source: filesystem.source,
          mount: filesystem.mount,
          options: mountOptions,
        },
      }),
      ...(device && {
        device: {
          ...{ name: device.name, below: device.below },
          ...(device.disk !== '' && device.disk !== device.name && { disk: device.disk }),
          ...(device.model !== undefined && { model: device.model }),
          ...(scheduler !== undefined && { scheduler: chosen(scheduler) }),
          ...(rotational !== undefined && { rotational: rotational === '1' }),
        },
      }),
    };
  }
}
