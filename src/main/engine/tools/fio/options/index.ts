import { z } from 'zod';
import { DEVICE_PATH } from '../../device-gate.ts';
import { option } from '../../tool.ts';
import { SAFE_PATH, SIZE, SIZE_WORDS } from './place.ts';

const form = { option: 'source', in: ['form'] };
const writing = { option: 'rw', in: ['write', 'randwrite', 'rw', 'randrw'] };
const Size = z.string().regex(SIZE, SIZE_WORDS);

/** One job as a form, or a job file. Names are fio's, with hyphens; `source`, `directory` and `job-file` are the app's own. */
export const FioOptions = z.strictObject({
  source: option(z.enum(['form', 'job-file']).default('form'), {
    title: 'Described by',
    main: true,
    description: 'Whether the options below describe the job, or a job file that you write.',
    group: 'Workload',
  }),
  directory: option(
    z.string().regex(SAFE_PATH, 'An absolute path, not below /dev, /proc or /sys and without “..”.').optional(),
    {
      title: 'Directory',
      main: true,
      description:
        'Folder on the host whose disk is measured. The test files go into a folder kneepoint-fio inside it, and nothing else there is touched. Default: the path of the target.',
      group: 'Files',
      folder: true,
    },
  ),
  device: option(z.string().regex(DEVICE_PATH, 'An absolute path below /dev, without colons.').optional(), {
    title: 'Device',
    description:
      'Block device on the host that is measured itself, without a filesystem, instead of files in a directory. Patterns that write destroy everything on it: they start only when nothing uses the device, nothing stands on it, and you have typed host and device.',
    group: 'Files',
  }),
  rw: option(z.enum(['randread', 'read', 'randwrite', 'write', 'randrw', 'rw']).default('randread'), {
    title: 'Pattern',
    main: true,
    description:
      'Reads, writes or both, at random places (rand…) or one after the other. Those that write change only the test files, or the device that is named.',
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
    description: 'Bytes of each I/O, with k or m: 16k is InnoDB’s page, 8k PostgreSQL’s, 1m a scan or a backup.',
    group: 'Workload',
    when: form,
  }),
  iodepth: option(z.int().min(1).max(65_536).default(1), {
    title: 'Queue depth',
    main: true,
    description:
      'I/Os that each job keeps in flight. 1 is how a commit log writes; a disk shows its full speed only at a larger depth. Needs an engine that does not wait.',
    unit: 'I/Os',
    group: 'Load',
    when: form,
    load: 'concurrency',
  }),
  numjobs: option(z.int().min(1).max(1024).default(1), {
    title: 'Jobs',
    main: true,
    description:
      'Threads that do the same at the same time, each on a file of its own, or on a part of its own of the device.',
    unit: 'jobs',
    group: 'Load',
    when: form,
    load: 'concurrency',
  }),
  size: option(Size.default('1g'), {
    title: 'Size',
    main: true,
    description:
      'Size of each job’s file. On a device: the part that each job uses, from its beginning on. Without direct I/O take more than the host’s memory, and in any case several times the cache of the controller.',
    group: 'Files',
    when: form,
  }),
  ioengine: option(z.enum(['libaio', 'io_uring', 'posixaio', 'psync', 'sync', 'pvsync', 'mmap']).default('libaio'), {
    title: 'Engine',
    main: true,
    description:
      'How I/Os are made. libaio and io_uring (Linux) and posixaio keep several in flight, the others wait for each, whatever the queue depth. (fio’s own default waits.) Latency is that of the whole I/O (fio’s lat): handing it over, where an engine may wait too, and its completion.',
    group: 'Load',
    when: form,
  }),
  direct: option(z.boolean().default(true), {
    title: 'Direct I/O',
    main: true,
    description:
      'Bypass the page cache, as databases with O_DIRECT do. When off, memory is part of what is measured. (fio’s own default is off.)',
    group: 'Load',
    when: form,
  }),
  fsync: option(z.int().min(0).default(0), {
    title: 'fsync every',
    description: 'Writes between two fsyncs; 1 makes every write durable, as a commit log does; 0 = none.',
    unit: 'writes',
    group: 'Load',
    when: writing,
  }),
  fdatasync: option(z.int().min(0).default(0), {
    title: 'fdatasync every',
    description: 'The same without metadata that is not needed to read the data again; 0 = none.',
    unit: 'writes',
    group: 'Load',
    when: writing,
  }),
  'rate-iops': option(z.int().min(0).default(0), {
    title: 'Limit of I/Os',
    description:
      'Most I/Os per second of each job; 0 = as fast as they go. Use it to see the latency of a disk below its limit.',
    unit: 'IOPS',
    group: 'Load',
    when: form,
    load: 'rate',
  }),
  rate: option(z.union([z.literal(''), Size]).default(''), {
    title: 'Limit of bytes',
    description: 'Most bytes per second of each job, with k, m or g; empty = no limit.',
    group: 'Load',
    when: form,
  }),
  'job-file': option(z.string().max(100_000).default(''), {
    title: 'Job file',
    main: true,
    description:
      'Sections and options as fio reads them. Where files lie and how long the jobs run is decided by Kneepoint; options that name files, devices or programs are refused. Stages (stonewall, wait_for) share the duration equally; where jobs have times of their own (runtime, startdelay, ramp_time), as those do. Next to jobs with a time, one with none or with time_based=0 ends when it has done its size.',
    group: 'Workload',
    multiline: true,
    when: { option: 'source', in: ['job-file'] },
  }),
});
export type FioOptions = z.output<typeof FioOptions>;
