/** Disks of virtio and Xen, which are always virtual. */
const ALWAYS_VIRTUAL = /^x?vd[a-z]+$/;
/** Virtual machines as named by systemd-detect-virt. Containers see the disks of their host, and product names prove nothing. */
const MACHINES = new Set(
  'acrn amazon apple bhyve bochs google kvm microsoft oracle parallels powervm qemu qnx sre uml vm-other vmware wsl xen zvm'
    .split(' ')
    .concat('virtual machine'),
);

/** Whether a disk belongs to a virtual machine, where the kernel only guesses whether it rotates. */
export const isVirtualDisk = (name: string, virtualization: string | undefined): boolean =>
  ALWAYS_VIRTUAL.test(name) || MACHINES.has(virtualization ?? '');

/** Parses CPUs as listed by the kernel: “0-3,8”. Undefined if it is no such list. At most the CPUs that Linux can have. */
export function readCpus(text: string): ReadonlySet<number> | undefined {
  const cpus = new Set<number>();
  for (const part of text.split(',')) {
    const [, from, to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part.trim()) ?? [];
    if (from === undefined || Number(to) < Number(from) || Number(to) > 8191) return undefined;
    for (let cpu = Number(from); cpu <= Number(to); cpu += 1) cpus.add(cpu);
  }
  return cpus;
}

/** Whether the operating system refused because this process, or the whole computer, has too many open files. */
export const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');

export const OUT_OF_FILES = 'the limit of open files on this computer is reached';
export const OUT_OF_FILES_NEXT =
  'Raise the limit of open files where Kneepoint is started (ulimit -n 1024), then start again.';

const OTHERS = /^(macOS|Darwin|Windows|MINGW|MSYS|CYGWIN|(Free|Open|Net|DragonFly ?)BSD|SunOS|AIX)/i;

/** Whether a host can be watched, by its operating system: activity is read from the /proc of Linux. */
export const isWatchable = (os: string): boolean => !OTHERS.test(os);

/** Names of the signals that end programs, by their number on Linux. A shell reports them as 128 + n. */
export const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};

/** Whether an address is the machine itself, without any network in between. */
export const isLoopback = (address: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(address.trim());

/** Lists of mounts contain blanks, tabs, newlines and backslashes as \\040 and so on. */
export const unescapeMount = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
