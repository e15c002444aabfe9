import type { HostFacts } from '../../../../shared/model/host.ts';
import { isVirtualDisk } from '../../../../shared/util/virtual-disk.ts';

type Disk = HostFacts['disks'][number];

/** What a disk is, in words; undefined where the host does not tell. */
export function diskKind({ name, rotational }: Disk, { virtualization }: HostFacts): string | undefined {
  if (isVirtualDisk(name, virtualization)) return 'virtual disk';
  if (rotational === undefined) return undefined;
  return rotational ? 'rotating' : 'solid state';
}
