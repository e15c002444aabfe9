import { z } from 'zod';
import { option } from '../../tool.ts';
import { ownPropertiesProblem } from './properties.ts';

/** The shares of operations in the core workloads. */
export interface Mix {
  read: number;
  update: number;
  insert: number;
  scan: number;
  readmodifywrite: number;
}

const WORKLOADS = ['A', 'B', 'C', 'D', 'E', 'F', 'own'] as const;
type Workload = (typeof WORKLOADS)[number];

const NONE: Mix = { read: 0, update: 0, insert: 0, scan: 0, readmodifywrite: 0 };

/** As in the files workloada to workloadf of YCSB. */
export const CORE_MIXES: Readonly<Record<Exclude<Workload, 'own'>, Mix>> = {
  A: { ...NONE, read: 0.5, update: 0.5 },
  B: { ...NONE, read: 0.95, update: 0.05 },
  C: { ...NONE, read: 1 },
  D: { ...NONE, read: 0.95, insert: 0.05 },
  E: { ...NONE, scan: 0.95, insert: 0.05 },
  F: { ...NONE, read: 0.5, readmodifywrite: 0.5 },
};

const mix = 'Operations';
const records = 'Records';
const own = { option: 'workload', in: ['own'] };
const scans = { option: 'workload', in: ['E', 'own'] };
const loading = { option: 'phase', in: ['load'] };
const hotspot = { option: 'requestdistribution', in: ['hotspot'] };
const Share = z.number().min(0).max(1);

const share = (value: number, title: string, description: string) =>
  option(Share.default(value), { title, main: true, description, group: mix, when: own });

/** The operations and their records. Names are YCSB's, except `phase`, `workload`, `properties` and `insertion-retry-limit`. */
export const workloadOptions = {
  phase: option(z.enum(['run', 'load']).default('run'), {
    title: 'Phase',
    main: true,
    description:
      'run: operations on previously loaded records. load: measures the loading itself; on a saved target, each trial starts with a new table. Several generators each load a range of keys into one table, which is recreated before each trial.',
    group: mix,
  }),
  workload: option(z.enum(WORKLOADS).default('A'), {
    title: 'Workload',
    main: true,
    description:
      'The core workloads: A half reads, half updates; B 95 % reads; C reads only; D reads of the newest records; E short scans; F read-modify-write. D and E add records: on a saved target, each of their trials reloads the table; elsewhere, the added records stay. Several generators can share E, not D: each inserts its own records and reads the loaded ones.',
    group: mix,
    when: { option: 'phase', in: ['run'] },
  }),
  readproportion: share(0.95, 'Reads', 'Share of reads; all shares add up to 1.'),
  updateproportion: share(0.05, 'Updates', 'Share of updates of one field (or all, see writeallfields).'),
  insertproportion: share(0, 'Inserts', 'Share of new records.'),
  scanproportion: share(0, 'Scans', 'Share of range scans.'),
  readmodifywriteproportion: share(
    0,
    'Read-modify-writes',
    'Share of reads that are followed by an update of the same record.',
  ),
  requestdistribution: option(
    z.enum(['uniform', 'zipfian', 'latest', 'hotspot', 'exponential', 'sequential']).optional(),
    {
      title: 'Request distribution',
      main: true,
      description:
        'Access distribution of records: uniform all equally, zipfian few very often, latest mostly the newest, hotspot mostly a subset. Default: as in the workload file (own: uniform).',
      group: mix,
    },
  ),
  hotspotdatafraction: option(Share.default(0.2), {
    title: 'Hot records',
    description: 'Share of the records that are hot.',
    group: mix,
    when: hotspot,
  }),
  hotspotopnfraction: option(Share.default(0.8), {
    title: 'Operations on hot records',
    description: 'Share of the operations that go to hot records.',
    group: mix,
    when: hotspot,
  }),
  minscanlength: option(z.int().min(1).default(1), {
    title: 'Shortest scan',
    description: 'Smallest number of records per scan (YCSB 0.16 and later).',
    unit: 'records',
    group: mix,
    when: scans,
  }),
  maxscanlength: option(z.int().min(1).default(100), {
    title: 'Longest scan',
    description: 'Largest number of records per scan. (Workload E: 100; default of YCSB: 1000.)',
    unit: 'records',
    group: mix,
    when: scans,
  }),
  scanlengthdistribution: option(z.enum(['uniform', 'zipfian']).default('uniform'), {
    title: 'Scan lengths',
    description: 'uniform: all lengths equally; zipfian: mostly short ones.',
    group: mix,
    when: scans,
  }),
  recordcount: option(z.int().min(1).max(2_147_483_647).default(100_000), {
    title: 'Records',
    main: true,
    description:
      'Number of records to load and use. (The files of YCSB have 1000, which fits into every cache.) A run must have the same number as its load, or it requests missing records.',
    unit: 'records',
    group: records,
  }),
  insertstart: option(z.int().min(0).max(2_147_483_647).default(0), {
    title: 'First record',
    description: 'Number of the first record that a measured load inserts.',
    group: records,
    when: loading,
  }),
  insertcount: option(z.int().min(1).max(2_147_483_647).optional(), {
    title: 'Records to insert',
    description:
      'Number of records that a measured load inserts, starting with the first record; the table is then not recreated. Default: all, into a new table.',
    unit: 'records',
    group: records,
    when: loading,
  }),
  fieldcount: option(z.int().min(1).max(1000).default(10), {
    title: 'Fields',
    description: 'Fields of each record; with jdbc they are columns.',
    unit: 'fields',
    group: records,
  }),
  fieldlength: option(z.int().min(1).max(10_000_000).default(100), {
    title: 'Field length',
    description: 'Bytes of each field: 10 fields of 100 bytes make records of 1 KB.',
    unit: 'bytes',
    group: records,
  }),
  fieldlengthdistribution: option(z.enum(['constant', 'uniform', 'zipfian']).default('constant'), {
    title: 'Length distribution',
    description: 'constant: all of this length; uniform and zipfian: up to that length.',
    group: records,
  }),
  insertorder: option(z.enum(['hashed', 'ordered']).default('hashed'), {
    title: 'Order of keys',
    description: 'hashed spreads new keys over the whole table; ordered appends them, which suits a clustered index.',
    group: records,
  }),
  readallfields: option(z.boolean().default(true), {
    title: 'Read all fields',
    description: 'Off: a read requests one field.',
    group: records,
  }),
  writeallfields: option(z.boolean().default(false), {
    title: 'Write all fields',
    description: 'On: an update writes every field instead of one.',
    group: records,
  }),
  'insertion-retry-limit': option(z.int().min(0).default(0), {
    title: 'Retries of an insert',
    description:
      'Number of retries of a failed insert, each after about three seconds (core_workload_insertion_retry_limit). With 0, the first failure ends the loading thread.',
    group: records,
  }),
  properties: option(
    z
      .string()
      .max(100_000)
      .superRefine((text, context) => {
        const problem = ownPropertiesProblem(text);
        if (problem) context.addIssue({ code: 'custom', message: problem });
      })
      .default(''),
    {
      title: 'More properties',
      description:
        'Lines name=value for YCSB or the binding, as in a workload file, for example redis.host=db1. They are stored with the experiment, so no password belongs here.',
      group: records,
      multiline: true,
    },
  ),
};
