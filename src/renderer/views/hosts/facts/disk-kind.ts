import type { HostFacts } from '../../../../shared/model/host.ts';

type Disk = HostFacts['disks'][number];

/** Disks of virtio and Xen: there is no other kind of them. */
const ALWAYS_VIRTUAL = /^x?vd[a-z]+$/;
/** As systemd-detect-virt names virtual machines; containers see the disks of their host, and products are no word on it. */
const MACHINES = new Set(
  'acrn amazon apple bhyve bochs google kvm microsoft oracle parallels powervm qemu qnx sre uml vm-other vmware wsl xen zvm'
    .split(' ')
    .concat('virtual machine'),
);

/** What a disk is, in words; undefined where the host does not tell. In a virtual machine the kernel's word on heads that move is a guess. */
export function diskKind({ name, rotational }: Disk, { virtualization }: HostFacts): string | undefined {
  if (ALWAYS_VIRTUAL.test(name) || MACHINES.has(virtualization ?? '')) return 'virtual disk';
  if (rotational === undefined) return undefined;
  return rotational ? 'rotating' : 'solid state';
}
