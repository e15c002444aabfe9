/** Disks of virtio and Xen: there is no other kind of them. */
const ALWAYS_VIRTUAL = /^x?vd[a-z]+$/;
/** As systemd-detect-virt names virtual machines; containers see the disks of their host, and products are no word on it. */
const MACHINES = new Set(
  'acrn amazon apple bhyve bochs google kvm microsoft oracle parallels powervm qemu qnx sre uml vm-other vmware wsl xen zvm'
    .split(' ')
    .concat('virtual machine'),
);

/** Whether a disk is one of a virtual machine, where the kernel's word on heads that move is a guess. */
export const isVirtualDisk = (name: string, virtualization: string | undefined): boolean =>
  ALWAYS_VIRTUAL.test(name) || MACHINES.has(virtualization ?? '');
