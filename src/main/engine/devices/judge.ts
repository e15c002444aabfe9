import { formatBytes } from '../../../shared/util/format.ts';
import type { DeviceReading } from './reading.ts';
import { incomplete, type Refusal, refusalsOf } from './refusals.ts';
import type { BlockDevice, DeviceTree } from './tree.ts';

/** A device that nothing uses and nothing stands on. */
export interface FreeDevice {
  /** The kernel's path of it now. */
  path: string;
  sizeBytes: number;
  /** “Samsung SSD 980 PRO, serial S5GX…, 931 GiB”, for a person to know it by. */
  description: string;
  /** Tells this device from another that has its name later. */
  identity: string;
}

export type Verdict = { free: FreeDevice } | { refusals: readonly Refusal[] };

/**
 * Decides whether a device may be written to all over. Only if all was seen, the device is known, nobody uses it or anything built on
 * it, and nothing that a person could miss stands on it: what is unknown is refused.
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

/** What the hardware says of itself. Where it says nothing, the numbers of this start of the host: after another start it is unknown. */
function identityOf({ bootId, loops }: DeviceReading, tree: DeviceTree, device: BlockDevice): string {
  const hardware = [device, ...device.parents.flatMap((name) => tree.get(name) ?? [])]
    .flatMap(({ wwn, serial }) => [wwn, serial])
    .filter(Boolean);
  const place = hardware.length > 0 ? hardware : [bootId, device.majorMinor, loops.get(device.name) ?? ''];
  // A volume's name is kept on the disks; that of a disk or a partition is given again at each start.
  const name = device.type === 'disk' || device.type === 'part' ? [] : device.aliases;
  const table = device.names.filter((each) => each.startsWith('PARTUUID='));
  return [device.type, device.model ?? '', device.sizeBytes, ...table, ...name, ...place].join('|');
}
