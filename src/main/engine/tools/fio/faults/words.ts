/** The meaning of each fault and its remedy. The codes are stable. */
export const FAULTS = {
  'disk-full': {
    message: 'The disk is full.',
    next: 'Free up space, or use a smaller size. A clean-up removes the partial test files.',
  },
  'files-missing': {
    message: 'The test files are missing or too small.',
    next: 'Prepare them (data: create) with the same folder, size and number of jobs.',
  },
  'directory-missing': {
    message: 'The folder does not exist on the host, or is not a folder.',
    next: 'Create it, or choose another one in the option “directory”.',
  },
  'place-refused': {
    message: 'Kneepoint does not write there: it uses only its own files in its own folder, or a named block device.',
    next: 'Choose another folder. Kneepoint does not touch devices, system folders or existing files.',
  },
  'device-missing': {
    message: 'The device does not exist on the host, or is not a block device.',
    next: 'Choose one of the devices listed on the page of the host.',
  },
  'permission-denied': {
    message: 'The operating system denied an operation of the test.',
    next: 'Choose a folder that the account on the host can write to.',
  },
  'read-only': { message: 'The file system is read-only.', next: 'Choose another folder.' },
  'direct-io-unsupported': {
    message: 'The file system refused direct I/O.',
    next: 'Turn the option “direct” off (the page cache is then part of the measurement), or choose a disk file system.',
  },
  'io-refused': {
    message: 'The file system refused the way the files are opened or accessed.',
    next: 'With direct I/O, use a block size that is a multiple of the sector size, or try another engine.',
  },
  'io-error': {
    message: 'The storage reported an I/O error.',
    next: 'Check the host’s kernel log (dmesg) before anything else: the disk may be failing.',
  },
  'verify-failed': {
    message: 'Data read back differs from data written (verify).',
    next: 'Jobs that write to one file at the same time overwrite each other’s blocks: use a separate file or range for each. Otherwise the disk or its driver loses data.',
  },
  'file-busy': {
    message: 'The operating system refused an I/O because the file or device is in use.',
    next: 'Make sure that no other job or program uses it at the same time.',
  },
  'size-missing': {
    message: 'A job has neither a size nor an existing file to take the size from.',
    next: 'Set the size: size= in the job, or the option “size”.',
  },
  'io-uring-refused': {
    message: 'The system does not allow this user to use io_uring.',
    next: 'Use libaio; or allow io_uring: kernel.io_uring_disabled=0, and in a container a seccomp profile that permits io_uring_setup (the defaults of Docker and Kubernetes do not).',
  },
  'passthrough-device': {
    message:
      'The engine passes NVMe commands through and needs the character device of a namespace, not a block device or a file.',
    next: 'Use the generic device, such as /dev/ng0n1 for /dev/nvme0n1, or use io_uring on the block device.',
  },
  'bad-engine': {
    message: 'This fio does not have the I/O engine.',
    next: 'Choose another one, or install a fio built with it (fio --enghelp lists the engines).',
  },
  'unknown-option': {
    message: 'fio rejected an unknown option.',
    next: 'Correct the name given in the message; it may belong to another version.',
  },
  'bad-option-value': {
    message: 'fio rejected the value of an option.',
    next: 'Correct the value named in the message.',
  },
  'no-jobs': {
    message: 'fio found no job to run.',
    next: 'Check the job file: it needs a section like [job] with rw=.',
  },
  'too-many-files': {
    message: 'The host’s limit of open files, or of requests in flight, is too low.',
    next: 'Use fewer jobs or a smaller depth, or raise ulimit -n or fs.aio-max-nr on the host.',
  },
  'job-killed': {
    message: 'A job of fio was killed during the run.',
    next: 'The kernel may have run out of memory: check the host’s log (dmesg).',
  },
  'server-refused': {
    message: 'fio could not reach the fio server that should run its jobs (--client).',
    next: 'Start fio --server on that host, and check address, port (8765) and firewall.',
  },
  'tool-missing': {
    message: 'fio is not installed on the generator, or not on its PATH.',
    next: 'Install it (on Debian and Ubuntu: apt-get install fio).',
  },
  'tool-error': {
    message: 'fio reported an error and gave up.',
    next: 'See the preceding lines in the raw output.',
  },
} as const satisfies Record<string, { message: string; next: string }>;

export type FaultCode = keyof typeof FAULTS;
