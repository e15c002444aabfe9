import { z } from 'zod';
import { DEVICE_PATH } from '../../device-gate.ts';
import { option } from '../../tool.ts';
import { isPlaceList, PLACE_LIST_WORDS, SAFE_PATH, SHARE, SIZE, SIZE_WORDS } from './place.ts';

const form = { option: 'source', in: ['form'] };
const writing = { option: 'rw', in: ['write', 'randwrite', 'rw', 'randrw'] };
const Size = z.string().regex(SIZE, SIZE_WORDS);

/** One job as a form, or a job file. Names are fio's, with hyphens; `source`, `directory` and `job-file` are the app's own. */
export const FioOptions = z.strictObject({
  source: option(z.enum(['form', 'job-file']).default('form'), {
    title: 'Described by',
    main: true,
    description: 'Job described by the options below, or by a job file.',
    group: 'Workload',
  }),
  directory: option(
    z.string().regex(SAFE_PATH, 'An absolute path, not below /dev, /proc or /sys and without “..”.').optional(),
    {
      title: 'Directory',
      main: true,
      description:
        'Folder on the host whose disk is measured. Test files are created in a subfolder kneepoint-fio; nothing else is touched. Default: the path of the target.',
      group: 'Files',
      folder: true,
    },
  ),
  device: option(z.string().regex(DEVICE_PATH, 'An absolute path below /dev, without colons.').optional(), {
    title: 'Device',
    description:
      'Block device on the host to measure directly, without a file system, instead of files in a folder. Patterns that write destroy everything on it: they start only if the device is unused and empty and you have typed host and device.',
    group: 'Files',
  }),
  directories: option(
    z
      .string()
      .max(4000)
      .refine(
        (list) => isPlaceList(list, SAFE_PATH),
        `Absolute paths outside /dev, /proc and /sys, ${PLACE_LIST_WORDS}`,
      )
      .default(''),
    {
      title: 'Several directories',
      description:
        'Folders that are measured at the same time, separated by commas or line breaks. Each gets the whole load; figures are reported per folder and in total. Each has its own test files, as with the option “directory”.',
      group: 'Files',
      multiline: true,
      when: form,
    },
  ),
  devices: option(
    z
      .string()
      .max(4000)
      .refine((list) => isPlaceList(list, DEVICE_PATH), `Absolute paths below /dev, ${PLACE_LIST_WORDS}`)
      .default(''),
    {
      title: 'Several devices',
      description:
        'Block devices that are measured at the same time, separated by commas or line breaks. Each gets the whole load; figures are reported per device and in total. Patterns that write destroy everything on all of them; each must be confirmed as for the option “device”.',
      group: 'Files',
      multiline: true,
      when: form,
    },
  ),
  rw: option(z.enum(['randread', 'read', 'randwrite', 'write', 'randrw', 'rw']).default('randread'), {
    title: 'Pattern',
    main: true,
    description:
      'Reads, writes or both, random (rand…) or sequential. Patterns that write change only the test files, or the named device.',
    group: 'Workload',
    when: form,
  }),
  rwmixread: option(z.int().min(0).max(100).default(50), {
    title: 'Share of reads',
    main: true,
    description: 'Reads among all I/Os of a mixed pattern; the rest are writes.',
    unit: '%',
    group: 'Workload',
    when: { option: 'rw', in: ['rw', 'randrw'] },
  }),
  bs: option(Size.default('4k'), {
    title: 'Block size',
    main: true,
    description: 'Bytes of each I/O, with k or m: 16k = InnoDB page, 8k = PostgreSQL page, 1m = scan or backup.',
    group: 'Workload',
    when: form,
  }),
  iodepth: option(z.int().min(1).max(65_536).default(1), {
    title: 'Queue depth',
    main: true,
    description:
      'I/Os that each job keeps in flight. 1 resembles a commit log; a disk reaches its full speed only at a larger depth. Needs an asynchronous engine.',
    unit: 'I/Os',
    group: 'Load',
    when: form,
    load: 'concurrency',
  }),
  numjobs: option(z.int().min(1).max(1024).default(1), {
    title: 'Jobs',
    main: true,
    description: 'Threads that run the same job in parallel, each on its own file, or its own part of the device.',
    unit: 'jobs',
    group: 'Load',
    when: form,
    load: 'concurrency',
  }),
  size: option(
    z
      .string()
      .refine((size) => SIZE.test(size) || SHARE.test(size), `${SIZE_WORDS} On a device also 1% to 100%.`)
      .default('1g'),
    {
      title: 'Size',
      main: true,
      description:
        'Size of each job’s file. On a device: the part that each job uses, from the start of the device, also as a share of its capacity (100%). Without direct I/O, use more than the memory of the host, and always several times the controller cache.',
      group: 'Files',
      when: form,
    },
  ),
  passes: option(z.int().min(0).max(100).default(0), {
    title: 'Passes',
    description:
      'Ends after each job has processed its size this many times, as preconditioning does: 2 = twice. The duration is then the upper limit, and a load that has not finished by then fails. 0 = runs for the duration.',
    group: 'Load',
    when: form,
  }),
  ioengine: option(z.enum(['libaio', 'io_uring', 'posixaio', 'psync', 'sync', 'pvsync', 'mmap']).default('libaio'), {
    title: 'Engine',
    main: true,
    description:
      'I/O engine. libaio, io_uring (Linux) and posixaio keep several I/Os in flight; the others, including fio’s default, wait for each one, whatever the queue depth. Latency is fio’s lat: submission, which may also wait, plus completion.',
    group: 'Load',
    when: form,
  }),
  direct: option(z.boolean().default(true), {
    title: 'Direct I/O',
    main: true,
    description:
      'Bypass the page cache, as databases with O_DIRECT do. If off, the result includes the page cache. (fio’s default is off.)',
    group: 'Load',
    when: form,
  }),
  fsync: option(z.int().min(0).default(0), {
    title: 'fsync every',
    main: true,
    description: 'Writes between two fsyncs; 1 makes every write durable, like a commit log; 0 = none.',
    unit: 'writes',
    group: 'Load',
    when: writing,
  }),
  fdatasync: option(z.int().min(0).default(0), {
    title: 'fdatasync every',
    main: true,
    description: 'The same, without metadata that is not needed to read the data; 0 = none.',
    unit: 'writes',
    group: 'Load',
    when: writing,
  }),
  'rate-iops': option(z.int().min(0).default(0), {
    title: 'IOPS limit',
    description:
      'Highest I/Os per second of each job; 0 = no limit. Use it to measure the latency of a disk below saturation.',
    unit: 'IOPS',
    group: 'Load',
    when: form,
    load: 'rate',
  }),
  rate: option(z.union([z.literal(''), Size]).default(''), {
    title: 'Bandwidth limit',
    description: 'Highest bytes per second of each job, with k, m or g; empty = no limit.',
    group: 'Load',
    when: form,
  }),
  'job-file': option(z.string().max(100_000).default(''), {
    title: 'Job file',
    main: true,
    description:
      'Sections and options in the format of fio. Kneepoint sets file locations and run time; options that name files, devices or programs are refused. Stages (stonewall, wait_for) share the duration equally, or in proportion to the times of the jobs (runtime, startdelay, ramp_time). If other jobs have a time, a job without one or with time_based=0 ends once its size is processed.',
    group: 'Workload',
    multiline: true,
    when: { option: 'source', in: ['job-file'] },
  }),
});
export type FioOptions = z.output<typeof FioOptions>;
