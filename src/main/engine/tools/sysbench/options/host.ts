import { z } from 'zod';
import { option } from '../../tool.ts';

/** A size in sysbench's notation: a number with an optional K, M, G or T (powers of 1024). */
const Size = z.string().regex(/^\d+[KMGT]?$/, 'A number, optionally followed by K, M, G or T.');

const fileio = { option: 'script', in: ['fileio'] };
const memory = { option: 'script', in: ['memory'] };
const files = 'Files';

/** `fileio`, `cpu` and `memory`: tests of the host. */
export const hostOptions = {
  directory: option(z.string().regex(/^\//, 'An absolute path.').optional(), {
    title: 'Directory',
    main: true,
    description:
      'Folder on the host whose disk is measured. Test files are created in a subfolder kneepoint-fileio; nothing else is touched. Default: the path of the target.',
    group: files,
    folder: true,
    when: fileio,
  }),
  'file-total-size': option(Size.default('2G'), {
    title: 'Total size',
    main: true,
    description:
      'Total size of all test files. If smaller than the memory of the host, the page cache is measured, unless direct is among the open flags.',
    group: files,
    when: fileio,
  }),
  'file-num': option(z.int().min(1).max(100_000).default(128), {
    title: 'Files',
    main: true,
    description: 'Number of files that the total size is divided into.',
    unit: 'files',
    group: files,
    when: fileio,
  }),
  'file-block-size': option(z.int().min(512).default(16_384), {
    title: 'Block size',
    main: true,
    description: 'Bytes of each read or write: 16384 is InnoDB’s page, 8192 PostgreSQL’s.',
    unit: 'bytes',
    group: files,
    when: fileio,
  }),
  'file-test-mode': option(z.enum(['rndrw', 'rndrd', 'rndwr', 'seqrd', 'seqwr', 'seqrewr']).default('rndrw'), {
    title: 'Test mode',
    main: true,
    description:
      'rnd or seq: random or sequential; rd, wr, rw, rewr: read, write, both, overwrite. sysbench itself has no default here.',
    group: files,
    when: fileio,
  }),
  'file-io-mode': option(z.enum(['sync', 'async', 'mmap']).default('sync'), {
    title: 'I/O mode',
    description:
      'sync: each thread waits for its request; async: Linux native AIO with a backlog; mmap: through memory mappings.',
    group: files,
    when: fileio,
  }),
  'file-async-backlog': option(z.int().min(1).default(128), {
    title: 'Async backlog',
    description: 'Requests in flight per thread.',
    group: files,
    when: { option: 'file-io-mode', in: ['async'] },
  }),
  'file-extra-flags': option(
    z
      .string()
      .regex(/^((sync|dsync|direct)(,(sync|dsync|direct))*)?$/, 'sync, dsync, direct, separated by commas.')
      .default(''),
    {
      title: 'Open flags',
      description:
        'direct bypasses the page cache (InnoDB’s O_DIRECT), sync and dsync make every write durable. tmpfs and some file systems refuse direct.',
      group: files,
      when: fileio,
    },
  ),
  'file-fsync-freq': option(z.int().min(0).default(100), {
    title: 'fsync every',
    description: 'Requests between two fsyncs; 0 = none. These fsyncs count as separate events.',
    unit: 'requests',
    group: files,
    when: fileio,
  }),
  'file-fsync-all': option(z.boolean().default(false), {
    title: 'fsync after each write',
    description: 'Count a write and its fsync as one event, as in a commit log. No effect on reads.',
    group: files,
    when: fileio,
  }),
  'file-fsync-end': option(z.boolean().default(true), {
    title: 'fsync at the end',
    description: 'Flush everything once at the end of the run.',
    group: files,
    when: fileio,
  }),
  'file-fsync-mode': option(z.enum(['fsync', 'fdatasync']).default('fsync'), {
    title: 'fsync call',
    description: 'fdatasync omits metadata that is not needed to read the data, and often saves one disk write.',
    group: files,
    when: fileio,
  }),
  'file-merged-requests': option(z.int().min(0).default(0), {
    title: 'Merge requests',
    description: 'Merge up to this many adjacent requests into one; 0 = never.',
    unit: 'requests',
    group: files,
    when: fileio,
  }),
  'file-rw-ratio': option(z.number().min(0).default(1.5), {
    title: 'Reads per write',
    main: true,
    description: 'Reads for each write in mode rndrw.',
    group: files,
    when: { option: 'file-test-mode', in: ['rndrw'] },
  }),
  'cpu-max-prime': option(z.int().min(3).default(10_000), {
    title: 'Largest prime',
    main: true,
    description:
      'One event finds all primes up to this number. Events per second are comparable only between runs with the same value.',
    group: 'CPU',
    when: { option: 'script', in: ['cpu'] },
  }),
  'memory-block-size': option(Size.default('1K'), {
    title: 'Block size',
    main: true,
    description: 'Bytes moved per event. Small blocks stay in the CPU’s caches, 1M and more measure memory.',
    group: 'Memory',
    when: memory,
  }),
  'memory-total-size': option(Size.default('0'), {
    title: 'Total size',
    main: true,
    description:
      'The run ends early once this much was moved; 0 = continue for the whole duration. (sysbench’s own default of 100G ends a run within seconds.)',
    group: 'Memory',
    when: memory,
  }),
  'memory-scope': option(z.enum(['global', 'local']).default('global'), {
    title: 'Scope',
    description: 'global: all threads share one block; local: each has its own.',
    group: 'Memory',
    when: memory,
  }),
  'memory-hugetlb': option(z.boolean().default(false), {
    title: 'Huge pages',
    description: 'Allocate the block from the HugeTLB pool, which must be set up on the host.',
    group: 'Memory',
    when: memory,
  }),
  'memory-oper': option(z.enum(['write', 'read', 'none']).default('write'), {
    title: 'Operation',
    main: true,
    description: 'Whether the block is read, written, or neither.',
    group: 'Memory',
    when: memory,
  }),
  'memory-access-mode': option(z.enum(['seq', 'rnd']).default('seq'), {
    title: 'Access',
    description: 'Sequential or random order inside the block.',
    group: 'Memory',
    when: memory,
  }),
};
