import { z } from 'zod';
import type { OptionWords } from '../../../../shared/model/tool.ts';
import { formatNumber } from '../../../../shared/util/format.ts';
import { zipfian } from '../accesses.ts';
import type { Accesses } from '../tool.ts';
import { ZIPFIAN_CONSTANT } from './program/keys.ts';
import { MIXES } from './program/settings.ts';

const words = (title: string, description: string, group: string, unit?: string, load?: OptionWords['load']) =>
  ({
    title,
    description,
    group,
    ...(unit === undefined ? {} : { unit }),
    ...(load === undefined ? {} : { load }),
  }) satisfies OptionWords;

/** Options for everything that `program/settings.ts` accepts, under the same names. */
export const embeddedOptions = z.strictObject({
  mix: z
    .enum(['A', 'B', 'C', 'D', 'E', 'F'])
    .default('A')
    .meta(
      words(
        'Mix',
        'Core workloads of YCSB. A: half reads, half updates. B: 95 % reads, 5 % updates. C: reads only. D: 95 % reads of the newest records, 5 % inserts. E: 95 % short scans, 5 % inserts. F: half reads, half read-modify-writes.',
        'Workload',
      ),
    ),
  threads: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .meta(
      words(
        'Threads',
        'Each thread has its own connection to the same database file.',
        'Workload',
        'threads',
        'concurrency',
      ),
    ),
  rate: z
    .number()
    .min(0)
    .max(10_000_000)
    .default(0)
    .meta(
      words(
        'Rate',
        'Operations started per second over all threads. 0: as fast as possible. With a rate, latency counts from the planned start of an operation.',
        'Workload',
        'ops/s',
        'rate',
      ),
    ),
  distribution: z
    .enum(['default', 'zipfian', 'uniform', 'latest'])
    .default('default')
    .meta(
      words(
        'Access distribution',
        'zipfian: few records get most of the work (constant 0.99), scattered over the keys. uniform: all records equally. latest: mostly the newest. default: as the mix defines it (D latest, all others zipfian).',
        'Workload',
      ),
    ),
  'max-scan-length': z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .meta({
      ...words(
        'Longest scan',
        'A scan reads 1 up to this many records, every length equally likely.',
        'Workload',
        'records',
      ),
      when: { option: 'mix', in: ['E'] },
    }),
  records: z
    .number()
    .int()
    .min(1)
    .max(50_000_000)
    .default(10_000)
    .meta(
      words(
        'Records',
        'Loaded before the measured time. One record is about field count × field length bytes.',
        'Data',
        'records',
      ),
    ),
  'field-count': z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(10)
    .meta(words('Fields per record', 'Text columns in addition to the key.', 'Data', 'fields')),
  'field-length': z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .meta(words('Field length', 'Length of each field.', 'Data', 'bytes')),
  synchronous: z
    .enum(['OFF', 'NORMAL', 'FULL'])
    .default('FULL')
    .meta(
      words(
        'Synchronous',
        'When SQLite waits for the disk. FULL: at every commit; a power cut loses nothing committed. NORMAL: at checkpoints; a power cut can lose the last transactions. OFF: never; a power cut can damage the file. The journal is a write-ahead log.',
        'Durability',
      ),
    ),
  'busy-timeout': z
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(5000)
    .meta(
      words(
        'Busy timeout',
        'How long a connection waits for a lock of another one that writes. An operation that waits longer fails and counts as an error.',
        'Durability',
        'ms',
      ),
    ),
  directory: z
    .string()
    .max(4096)
    .refine((text) => !text.includes('\0') && (text === '' || text.startsWith('/') || /^[A-Za-z]:[\\/]/.test(text)), {
      error: 'An absolute path, or empty.',
    })
    .default('')
    .meta(
      words(
        'Directory',
        'Existing folder on the disk to measure. The database is created in a new folder there and removed at the end. Empty: the folder of the run. On an in-memory file system (tmpfs), durability has no meaning.',
        'Data',
      ),
    ),
});
export type EmbeddedOptions = z.output<typeof embeddedOptions>;

/** How accesses are distributed over the records, exactly as in `program/keys.ts`, where popular records are scattered one by one. */
export function recordAccesses({ distribution, mix, records }: EmbeddedOptions): readonly Accesses[] {
  const name = distribution === 'default' ? MIXES[mix].distribution : distribution;
  if (name === 'uniform') return [{ words: 'uniform: all records equally', of: 'records', cumulative: (x) => x }];
  return [
    {
      words: `${name === 'latest' ? 'latest: zipfian, newest first' : 'zipfian'}, constant ${ZIPFIAN_CONSTANT}, ${formatNumber(records)} records`,
      of: 'records',
      cumulative: zipfian(records, ZIPFIAN_CONSTANT),
      ranked: true,
    },
  ];
}
