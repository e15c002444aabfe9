import { z } from 'zod';
import { option } from '../../tool.ts';

const group = 'Data';

/** The tables that prepare makes. Changing any of them needs new data. */
export const dataOptions = {
  scale: option(z.int().min(1).max(1_000_000).default(1), {
    title: 'Scale',
    main: true,
    description:
      'Size of the data: 100,000 accounts, 10 tellers and one branch for each, about 15 MiB. Whether it fits into shared_buffers and memory decides what is measured.',
    group,
  }),
  fillfactor: option(z.int().min(10).max(100).default(100), {
    title: 'Fill factor',
    description:
      'How full the pages of the tables are made. Below 100 updates find room in the same page (heap-only updates).',
    unit: '%',
    group,
  }),
  'foreign-keys': option(z.boolean().default(false), {
    title: 'Foreign keys',
    description: 'Foreign keys between the tables, which every write then checks.',
    group,
  }),
  partitions: option(z.int().min(0).max(10_000).default(0), {
    title: 'Partitions',
    description: 'Partitions of pgbench_accounts; 0 = one plain table. Needs pgbench 13.',
    unit: 'partitions',
    group,
  }),
  'partition-method': option(z.enum(['range', 'hash']).default('range'), {
    title: 'Partition method',
    description: 'How accounts are spread over the partitions. Has a meaning only with partitions.',
    group,
  }),
  'unlogged-tables': option(z.boolean().default(false), {
    title: 'Unlogged tables',
    description:
      'Tables without write-ahead log: faster, and empty after a crash. Not representative of a durable server.',
    group,
  }),
  'server-side-generate': option(z.boolean().default(false), {
    title: 'Generate on the server',
    description:
      'Let the server make the rows instead of sending them to it: quicker over a slow network. Needs pgbench 13.',
    group,
  }),
};
