import { z } from 'zod';
import { parsedJson } from '../../../shared/util/object.ts';

/** A block device as shown by `lsblk`. Names are the kernel's, without `/dev/`. */
export interface BlockDevice {
  name: string;
  path: string;
  /** lsblk's type: disk, part, lvm, crypt, raid1, mpath, loop, rom … */
  type: string;
  sizeBytes: number;
  readOnly: boolean;
  majorMinor: string;
  model?: string;
  serial?: string;
  wwn?: string;
  /** Content of the device, according to udev. */
  fstype?: string;
  /** Its other paths, as used by mounts and LVM. */
  aliases: readonly string[];
  /** Names that fstab may use: UUID=…. */
  names: readonly string[];
  mountpoints: readonly string[];
  /** Built on this one: partitions, volumes, arrays. */
  children: string[];
  /** Devices that this one is built on. */
  parents: string[];
}

export type DeviceTree = ReadonlyMap<string, BlockDevice>;

const Text = z
  .string()
  .nullish()
  .transform((text) => text?.trim() || undefined);
/** lsblk before 2.33 prints numbers and booleans as text. */
const Truth = z.union([z.boolean(), z.enum(['0', '1']).transform((text) => text === '1')]);
const Size = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]);

const Row = z.looseObject({
  name: z.string(),
  kname: z.string().min(1),
  type: z.string(),
  path: Text,
  size: Size,
  ro: Truth,
  'maj:min': z.string().transform((text) => text.trim()),
  model: Text,
  serial: Text,
  wwn: Text,
  fstype: Text,
  label: Text,
  uuid: Text,
  partlabel: Text,
  partuuid: Text,
  mountpoint: Text,
  mountpoints: z.array(z.string().nullable()).nullish(),
  children: z.array(z.unknown()).optional(),
});
const Whole = z.object({ blockdevices: z.array(z.unknown()) });

/** Parses `lsblk -J -b -O`. Undefined if any part is not lsblk's format: a partial tree would hide a use. */
export function parseTree(text: string): DeviceTree | undefined {
  const whole = Whole.safeParse(parsedJson(text));
  if (!whole.success) return undefined;
  const devices = new Map<string, BlockDevice>();
  return whole.data.blockdevices.every((row) => add(devices, row, undefined)) ? devices : undefined;
}

/** A device with two parents (an array, a striped volume) is printed below each of them. */
function add(devices: Map<string, BlockDevice>, value: unknown, parent: BlockDevice | undefined): boolean {
  const read = Row.safeParse(value);
  if (!read.success) return false;
  const row = read.data;
  const device = devices.get(row.kname) ?? deviceOf(row);
  devices.set(device.name, device);
  if (parent && !parent.children.includes(device.name)) parent.children.push(device.name);
  if (parent && !device.parents.includes(parent.name)) device.parents.push(parent.name);
  return (row.children ?? []).every((child) => add(devices, child, device));
}

function deviceOf(row: z.output<typeof Row>): BlockDevice {
  const mounts = [row.mountpoint, ...(row.mountpoints ?? [])].filter((point) => point !== undefined && point !== null);
  const named = (kind: string, name: string | undefined): string[] => (name === undefined ? [] : [`${kind}=${name}`]);
  return {
    name: row.kname,
    path: `/dev/${row.kname.replaceAll('!', '/')}`,
    aliases: [...(row.path ? [row.path] : []), `/dev/mapper/${row.name}`],
    type: row.type,
    sizeBytes: row.size,
    readOnly: row.ro,
    majorMinor: row['maj:min'],
    ...(row.model && { model: row.model }),
    ...(row.serial && { serial: row.serial }),
    ...(row.wwn && { wwn: row.wwn }),
    ...(row.fstype && { fstype: row.fstype }),
    names: [
      ...named('UUID', row.uuid),
      ...named('LABEL', row.label),
      ...named('PARTUUID', row.partuuid),
      ...named('PARTLABEL', row.partlabel),
    ],
    mountpoints: [...new Set(mounts)],
    children: [],
    parents: [],
  };
}

/** The device and everything that is built on it. */
export function withDescendants(tree: DeviceTree, device: BlockDevice): BlockDevice[] {
  const found = new Map([[device.name, device]]);
  for (const one of found.values())
    for (const name of one.children) {
      const child = tree.get(name);
      if (child && !found.has(name)) found.set(name, child);
    }
  return [...found.values()];
}
