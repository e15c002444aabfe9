import { formatBytes } from '../../../shared/util/format.ts';
import type { DeviceReading } from './reading.ts';
import { type BlockDevice, type DeviceTree, withDescendants } from './tree.ts';

/** Reason for not writing to a device. `evidence` is the text that was read. */
export interface Refusal {
  code:
    | 'look-incomplete'
    | 'not-a-device'
    | 'device-unknown'
    | 'device-read-only'
    | 'mounted'
    | 'swap'
    | 'partitioned'
    | 'raid-member'
    | 'lvm-member'
    | 'encrypted'
    | 'held'
    | 'parent-in-use'
    | 'configured'
    | 'open'
    | 'signature';
  /** Completes “/dev/sdb …”. */
  words: string;
  evidence?: string;
}

/** Types that can be benchmarked directly. All others are refused. */
const WRITABLE = /^(disk|part|lvm|raid\d+|linear|crypt|mpath|loop)$/;

/** Reasons against writing to a device. Incomplete checks come last. */
const refusalsOf = (reading: DeviceReading, tree: DeviceTree, device: BlockDevice): Refusal[] => [
  ...ofItself(reading, device),
  ...inUse(reading, tree, device),
  ...memberships(reading, tree, device),
  ...below(reading, tree, device),
  ...remembered(reading, device),
  ...signaturesOn(reading, device),
  ...incomplete(reading, device),
];

/** Incomplete checks: a device is never free if something is unknown. */
function* incomplete(reading: DeviceReading, device: BlockDevice | undefined): Generator<Refusal> {
  if (!reading.seesAll)
    yield {
      code: 'look-incomplete',
      words: 'cannot be checked: this needs root outside of containers, with /proc, /sys and awk',
    };
  if (reading.path === undefined) {
    yield { code: 'not-a-device', words: 'is not a block device' };
    return;
  }
  if (!reading.tree)
    yield {
      code: 'look-incomplete',
      words: 'cannot be checked: lsblk (util-linux 2.27 or newer) did not list the devices',
    };
  else if (!device)
    yield { code: 'device-unknown', words: 'is not among the devices that lsblk shows', evidence: reading.path };
  if (!reading.signatures)
    yield {
      code: 'look-incomplete',
      words: 'cannot be checked: neither wipefs nor blkid could read its contents',
    };
}

function* ofItself({ loops }: DeviceReading, device: BlockDevice): Generator<Refusal> {
  if (!WRITABLE.test(device.type))
    yield {
      code: 'device-unknown',
      words: `is not a known safe kind of device (${device.type})`,
      evidence: `lsblk: TYPE=${device.type}`,
    };
  if (device.readOnly) yield { code: 'device-read-only', words: 'is read-only', evidence: 'lsblk: RO=1' };
  if (!(device.sizeBytes > 0)) yield { code: 'device-unknown', words: 'has no size', evidence: 'lsblk: SIZE=0' };
  const file = loops.get(device.name);
  if (file?.startsWith('/dev/'))
    yield { code: 'held', words: `is an alias of ${file}`, evidence: `backing_file: ${file}` };
}

/** Mounts and swap of the device and of everything built on it. */
function* inUse(reading: DeviceReading, tree: DeviceTree, device: BlockDevice): Generator<Refusal> {
  for (const one of withDescendants(tree, device)) {
    const itself = one === device ? '' : `${one.path} on it `;
    for (const point of mountsOf(reading, one))
      yield { code: 'mounted', words: `${itself}is mounted at ${point}`, evidence: `${one.path} ${point}` };
    if (one.mountpoints.includes('[SWAP]') || reading.swaps.some((path) => isNamed(one, path)))
      yield { code: 'swap', words: `${itself}is swap space`, evidence: `/proc/swaps: ${one.path}` };
  }
}

const mountsOf = (reading: DeviceReading, device: BlockDevice): string[] => [
  ...new Set([
    ...device.mountpoints.filter((point) => point !== '[SWAP]'),
    ...reading.mounts
      .filter((mount) => mount.device === device.majorMinor || isNamed(device, mount.source))
      .map(({ point }) => point),
  ]),
];

const CHILD: readonly (readonly [RegExp, Refusal['code'], string])[] = [
  [/^part$/, 'partitioned', 'holds the partition'],
  [/^raid\d+$|^linear$|^md/, 'raid-member', 'is a member of the RAID array'],
  [/^lvm$/, 'lvm-member', 'carries the logical volume'],
  [/^crypt$/, 'encrypted', 'carries the encrypted device'],
];

/** Everything built on it, from each source that may know. */
function* memberships(reading: DeviceReading, tree: DeviceTree, device: BlockDevice): Generator<Refusal> {
  const listed = new Set<string>();
  for (const name of device.children) {
    const type = tree.get(name)?.type ?? 'unknown';
    const [, code, words] = CHILD.find(([types]) => types.test(type)) ?? [type, 'held' as const, 'is used by'];
    listed.add(name);
    yield { code, words: `${words} ${name}`, evidence: `lsblk: ${name} (${type})` };
  }
  const array = reading.raidMembers.get(device.name);
  if (array !== undefined && !listed.has(array))
    yield {
      code: 'raid-member',
      words: `is a member of the RAID array ${array}`,
      evidence: `/proc/mdstat: ${array} … ${device.name}`,
    };
  for (const holder of reading.holders.get(device.name) ?? [])
    if (!listed.has(holder) && holder !== array)
      yield {
        code: 'held',
        words: `is used by ${holder}`,
        evidence: `/sys/class/block/${device.name}/holders/${holder}`,
      };
  for (const [volume, group] of reading.volumes)
    if (isNamed(device, volume))
      yield {
        code: 'lvm-member',
        words: `is an LVM physical volume${group === '' ? '' : ` of the volume group ${group}`}`,
        evidence: `pvs: ${volume} ${group}`.trimEnd(),
      };
  for (const [loop, file] of reading.loops)
    if (isNamed(device, file))
      yield { code: 'held', words: `is used by ${loop}`, evidence: `${loop}: backing_file ${file}` };
}

/** A partition of a disk that is in use as a whole: as a member of an array, or mounted itself. */
function* below(reading: DeviceReading, tree: DeviceTree, device: BlockDevice): Generator<Refusal> {
  if (device.type !== 'part') return;
  for (const name of device.parents) {
    const parent = tree.get(name);
    if (!parent) continue;
    const user = parent.children.find((child) => tree.get(child)?.type !== 'part') ?? mountsOf(reading, parent)[0];
    if (user !== undefined || reading.raidMembers.has(name))
      yield {
        code: 'parent-in-use',
        words: `is a part of ${parent.path}, which is in use as a whole (${user ?? reading.raidMembers.get(name)})`,
        evidence: `${parent.path}: ${user ?? reading.raidMembers.get(name)}`,
      };
  }
}

function* remembered(reading: DeviceReading, device: BlockDevice): Generator<Refusal> {
  for (const { file, name } of reading.configured)
    if (isNamed(device, name) || device.names.includes(name.replaceAll('"', '')))
      yield { code: 'configured', words: `is named in /etc/${file}`, evidence: `/etc/${file}: ${name}` };
  const opened = reading.opened.find((path) => isNamed(device, path));
  if (opened !== undefined)
    yield { code: 'open', words: 'is open in a running program', evidence: `/proc/…/fd: ${opened}` };
  if (reading.exclusive === 'busy')
    yield { code: 'held', words: 'is claimed exclusively', evidence: 'open(O_EXCL): EBUSY' };
}

function* signaturesOn({ signatures = [] }: DeviceReading, device: BlockDevice): Generator<Refusal> {
  const found = [...new Set([...signatures, ...(device.fstype ? [device.fstype] : [])])];
  if (found.length > 0)
    yield { code: 'signature', words: `holds data: ${found.join(', ')}`, evidence: `signatures: ${found.join(', ')}` };
}

const isNamed = (device: BlockDevice, path: string): boolean => device.path === path || device.aliases.includes(path);

/** A device that is not in use and has no data. */
interface FreeDevice {
  /** The kernel's current path. */
  path: string;
  sizeBytes: number;
  /** “Samsung SSD 980 PRO, serial S5GX…, 931 GiB”, for the user to recognize it. */
  description: string;
  /** Distinguishes this device from another one that later gets its name. */
  identity: string;
}

type Verdict = { free: FreeDevice } | { refusals: readonly Refusal[] };

/**
 * Decides whether a device may be overwritten completely. Only if everything could be checked, the device is known, neither it nor anything
 * built on it is in use, and it has no data that could be missed. Anything unknown is refused.
 */
export function judgeDevice(reading: DeviceReading): Verdict {
  const { tree, path } = reading;
  const device = tree && path !== undefined ? byPath(tree, path) : undefined;
  if (!tree || !device) return { refusals: [...incomplete(reading, device)] };
  const refusals = refusalsOf(reading, tree, device);
  if (refusals.length > 0) return { refusals };
  return {
    free: {
      path: device.path,
      sizeBytes: device.sizeBytes,
      description: descriptionOf(reading, device),
      identity: identityOf(reading, tree, device),
    },
  };
}

const byPath = (tree: DeviceTree, path: string): BlockDevice | undefined =>
  [...tree.values()].find((device) => device.path === path);

function descriptionOf({ loops }: DeviceReading, device: BlockDevice): string {
  const words = [device.model, device.serial && `serial ${device.serial}`, loops.get(device.name)];
  return [...words, formatBytes(device.sizeBytes)].filter(Boolean).join(', ');
}

/** Identification by the hardware. If it has none, numbers of this boot of the host are used: after a reboot the device is unknown. */
function identityOf({ bootId, loops }: DeviceReading, tree: DeviceTree, device: BlockDevice): string {
  const hardware = [device, ...device.parents.flatMap((name) => tree.get(name) ?? [])]
    .flatMap(({ wwn, serial }) => [wwn, serial])
    .filter(Boolean);
  const place = hardware.length > 0 ? hardware : [bootId, device.majorMinor, loops.get(device.name) ?? ''];
  // The name of a volume is stored on the disks; names of disks and partitions are assigned at each boot.
  const name = device.type === 'disk' || device.type === 'part' ? [] : device.aliases;
  const table = device.names.filter((each) => each.startsWith('PARTUUID='));
  return [device.type, device.model ?? '', device.sizeBytes, ...table, ...name, ...place].join('|');
}
