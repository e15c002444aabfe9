import type { HostFacts } from '../../../../shared/model/host.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { unescapeMount } from '../../../../shared/util/virtual-disk.ts';

type Disk = HostFacts['disks'][number];

interface Block {
  name: string;
  devices: Map<string, string>;
  fields: Map<string, string>;
  slaves: string[];
}

/** Pseudo disks that are never benchmarked. */
const PSEUDO = /^(loop|ram|zram|sr|fd|nbd)\d+$/;

/** Disks from the `disks` part (/sys/block) with the mount points from `mounts` (/proc/self/mountinfo). */
export function parseDisks(lines: readonly string[], mountLines: readonly string[]): Disk[] {
  const blocks = parseBlocks(lines);
  const mounts = mountLines.map(parseMount).filter((mount) => mount !== undefined);
  return blocks
    .map((block) => ({ block, sizeBytes: Number(block.fields.get('sectors') ?? 0) * 512 }))
    .filter(({ block, sizeBytes }) => sizeBytes > 0 && !PSEUDO.test(block.name))
    .map(({ block, sizeBytes }) => ({
      name: block.name,
      sizeBytes,
      ...optional('rotational', rotational(block.fields.get('rotational'))),
      ...optional('model', block.fields.get('model') || undefined),
      ...optional('scheduler', activeScheduler(block.fields.get('scheduler'))),
      ...optional('writeCache', block.fields.get('cache') || undefined),
      ...optional('firmware', block.fields.get('firmware') || undefined),
      ...optional('powerSaving', powerSaving(block.fields.get('latency'), block.fields.get('link'))),
      ...optional('link', pcieLink(block.fields.get('pcie'))),
      mounts: [...new Set(mounts.filter((mount) => isOn(mount, block, blocks)).map((mount) => mount.point))],
    }));
}

function parseBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    const [key = '', ...words] = line.split(' ');
    const value = words.join(' ').trim();
    const block = blocks.at(-1);
    if (key === 'disk') blocks.push({ name: value, devices: new Map(), fields: new Map(), slaves: [] });
    else if (key === 'device') block?.devices.set(value, block.name);
    else if (key === 'part') block?.devices.set(words[1] ?? '', words[0] ?? '');
    else if (key === 'slave') block?.slaves.push(value);
    else block?.fields.set(key, value);
  }
  return blocks;
}

interface Mount {
  device: string;
  point: string;
  source: string;
}

/** Fields as in proc_pid_mountinfo(5): id, parent, major:minor, root, mount point, options, …, "-", type, source. */
function parseMount(line: string): Mount | undefined {
  const fields = line.split(' ');
  const [, , device, root, point] = fields;
  const [type, source] = fields.slice(fields.indexOf('-') + 1);
  // A bind mount shows a folder a second time; only btrfs mounts its volumes by folder.
  const whole = root === '/' || type === 'btrfs';
  return device && point && source && whole ? { device, point: unescapeMount(point), source } : undefined;
}

/**
 * Whether a mount is on a disk: directly, on a partition, or on something built on it (LVM, crypt, RAID). btrfs hides its device number, so
 * its source is compared.
 */
function isOn(mount: Mount, block: Block, blocks: readonly Block[]): boolean {
  for (const [device, name] of block.devices)
    if (mount.device === device || mount.source === `/dev/${name}`) return true;
  const names = new Set([block.name, ...block.devices.values()]);
  return blocks.some((upper) => upper.slaves.some((slave) => names.has(slave)) && isOn(mount, upper, blocks));
}

const rotational = (value: string | undefined): boolean | undefined =>
  value === '1' ? true : value === '0' ? false : undefined;

/**
 * `latency`: wake-up latency that an NVMe device may take, microseconds; the kernel uses no power state that takes longer, and none at all
 * at 0. `link`: the policy of a SATA link. Both are empty if the device has none.
 */
function powerSaving(latency: string | undefined, link: string | undefined): string | undefined {
  if (latency === '0') return 'off';
  if (latency === 'any') return 'any power state';
  if (/^\d+$/.test(latency ?? '')) return `power states that wake within ${formatCount(Number(latency), 'µs', 'µs')}`;
  return link ? `link ${link}` : undefined;
}

/** Lanes now, maximum lanes, speed now/maximum speed, in the format of sysfs: `4 4 8.0 GT/s PCIe/16.0 GT/s PCIe`. */
function pcieLink(text: string | undefined): string | undefined {
  const [, lanes, most, speed, highest] = /^(\d+) (\d+) ([\d.]+) GT\/s\b[^/]*\/([\d.]+) GT\/s\b/.exec(text ?? '') ?? [];
  if (!lanes || !most || !speed || !highest) return undefined;
  const words = (each: string, count: string): string => `PCIe ${each} GT/s × ${count}`;
  const whole = words(highest, most);
  return words(speed, lanes) === whole ? whole : `${words(speed, lanes)} (the device can do ${highest} GT/s × ${most})`;
}

/** `[mq-deadline] none` → `mq-deadline`. */
const activeScheduler = (value: string | undefined): string | undefined =>
  /\[([^\]]+)\]/.exec(value ?? '')?.[1] ?? (value || undefined);

export const optional = <Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> =>
  (value === undefined ? {} : { [key]: value }) as Partial<Record<Key, Value>>;
