/** What a path lies on, as the host tells it; sizes in bytes. Absent: not told. */
export interface StorageReading {
  kind: 'device' | 'directory' | 'other' | 'missing';
  /** The path with links followed. */
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
  /** Of the mount, in the order that the kernel lists them. */
  mountOptions: string[];
  device?: {
    name: string;
    /** The whole disk that a partition is of; else the device itself. */
    disk: string;
    sizeBytes: number;
    model?: string;
    /** Devices that it is built of (LVM, RAID, encryption). */
    below: string[];
    /** Counters since the host started, in the kernel's order (Documentation/block/stat). */
    stat: number[];
  };
  /** Settings of the disk's queue; only some of them can be changed. */
  queue: { name: string; value: string; writable: boolean }[];
}

const figure = (text: string | undefined): number => Number(text ?? Number.NaN);

/** Undefined when the output was interrupted. */
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

/** `source [type] blocks used free percent mount`, with the type where df knows -T. */
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

/** Mount point, options of the mount and of the file system: fields of proc_pid_mountinfo(5). The last mount there is the one in force. */
function optionsOf(lines: readonly string[], mount: string): string[] {
  const fields = lines.map((line) => line.split(' ')).findLast((line) => unescaped(line[4] ?? '') === mount);
  if (!fields) return [];
  const ofSystem = fields.slice(fields.indexOf('-') + 1)[2] ?? '';
  return [...new Set([...(fields[5] ?? '').split(','), ...ofSystem.split(',')])].filter((option) => option !== '');
}

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

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
