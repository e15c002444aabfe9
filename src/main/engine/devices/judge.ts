import { formatBytes } from '../../../shared/util/format.ts';
import type { DeviceReading } from './reading.ts';
import { incomplete, type Refusal, refusalsOf } from './refusals.ts';
import type { BlockDevice, DeviceTree } from './tree.ts';

/** A device that is not in use and has no data. */
export interface FreeDevice {
  /** The kernel's current path. */
  path: string;
  sizeBytes: number;
  /** “Samsung SSD 980 PRO, serial S5GX…, 931 GiB”, for the user to recognize it. */
  description: string;
  /** Distinguishes this device from another one that later gets its name. */
  identity: string;
}

export type Verdict = { free: FreeDevice } | { refusals: readonly Refusal[] };

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
