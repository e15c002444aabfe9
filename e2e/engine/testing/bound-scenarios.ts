import type { BoundVerdict } from '../../../src/shared/model/analysis.ts';
import {
  HOT_ROW,
  INSIDE,
  luaWorkload,
  SLEEPING,
  USER_LOCK,
  WHOLE_TABLE,
  WIDE_ROWS,
  WORKED_OUT,
} from './lua-workloads.ts';

/** Placeholders for the home of a test host, and for the folder of YCSB. */
export const HOME = '@home@';
export const YCSB = '@ycsb@';

export interface Scenario {
  name: string;
  expected: BoundVerdict;
  /** Differences from the document. */
  text: string;
  /** It uses all processors, or needs idle ones: not possible with other load on the machine. */
  needsProcessors?: true;
  /** Other classes that are also at their limit, or look like it on hosts that share one machine. */
  alsoAtLimit?: readonly BoundVerdict[];
  /** Part of its sentence, whatever the verdict. */
  wording?: RegExp;
  /** By day one of each kind of evidence is tested. */
  daily?: true;
}

/** Hosts of the test bed share their processors: a saturated CPU is saturated on each of them. */
export const FULL_EVERYWHERE = ['cpu', 'generator-cpu'] as const;

const READS = 'script: oltp_read_only, tables: 1, table-size: 10000, threads: 8, skip-trx: true';
/** Some parts of each file are read most, and these do not fit either: they come from the disk, at its limit or not. */
export const MAPPED: Scenario = {
  name: 'mapped files',
  expected: 'memory',
  alsoAtLimit: ['disk'],
  text: `workload:
  tool: fio
  options:
    source: job-file
    directory: ${HOME}
    job-file: |
      [mapped]
      rw=randread
      random_distribution=normal:15
      bs=4k
      size=32m
      numjobs=4
      ioengine=mmap
where: { generators: [db] }`,
};

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'reads of a cached table',
    expected: 'cpu',
    daily: true,
    needsProcessors: true,
    alsoAtLimit: FULL_EVERYWHERE,
    text: `workload: { tool: sysbench, options: { ${READS} } }
where: { generators: [load], target: mariadb }`,
  },
  {
    name: 'reads through a small buffer pool',
    expected: 'disk',
    needsProcessors: true,
    text: `${luaWorkload(WIDE_ROWS, 36)}
where: { generators: [load], target: small-pool }`,
  },
  {
    name: 'large reads at random places of a disk',
    expected: 'disk',
    daily: true,
    needsProcessors: true,
    text: `workload: { tool: fio, options: { directory: ${HOME}, rw: randread, bs: 1m, size: 512m, iodepth: 32, ioengine: libaio } }
where: { generators: [db] }`,
  },
  {
    name: 'reads through a slow link',
    expected: 'network',
    daily: true,
    text: `workload: { tool: sysbench, options: { ${READS} } }
where: { generators: [load], target: mariadb }
factors: [{ name: rate, kind: host-setting, setting: nic-rate, of: eth0, levels: [8mbit] }]`,
  },
  {
    name: 'one hot row of MariaDB',
    expected: 'locks',
    daily: true,
    text: `${luaWorkload(HOT_ROW, 16)}
where: { generators: [load], target: mariadb }`,
  },
  {
    name: 'one hot row of PostgreSQL',
    expected: 'locks',
    text: `workload:
  tool: pgbench
  options:
    client: 16
    jobs: 2
    script: own
    own-script: |
      BEGIN;
      UPDATE pgbench_branches SET bbalance = bbalance + 1 WHERE bid = 1;
      SELECT pg_sleep(0.01);
      END;
where: { generators: [load], target: postgres }`,
  },
  {
    name: 'one user lock of MariaDB',
    expected: 'locks',
    text: `${luaWorkload(USER_LOCK, 16)}
where: { generators: [load], target: mariadb }`,
  },
  {
    name: 'one table of MyISAM',
    expected: 'locks',
    text: `${luaWorkload(WHOLE_TABLE, 16)}
where: { generators: [load], target: mariadb }`,
  },
  {
    name: 'one client that waits for answers',
    expected: 'clients',
    needsProcessors: true,
    text: `workload:
  tool: pgbench
  options: { client: 1, script: own, own-script: SELECT pg_sleep(0.02);, pgbench-tables: false }
where: { generators: [load], target: postgres }`,
  },
  {
    name: 'clients that pause',
    expected: 'clients',
    needsProcessors: true,
    text: `workload:
  tool: pgbench
  options:
    client: 8
    script: own
    pgbench-tables: false
    own-script: |
      \\sleep 50 ms
      SELECT 1;
where: { generators: [load], target: postgres }`,
  },
  {
    name: 'a generator of one thread that has much to work out',
    expected: 'generator-core',
    needsProcessors: true,
    text: `workload:
  tool: pgbench
  options:
    client: 4
    jobs: 1
    script: own
    own-script: |
${'      \\set x sqrt(random(1, 1000000)) * ln(random(1, 1000000)) + exp(random(1, 10))\n'.repeat(2000)}      SELECT :x;
where: { generators: [load], target: postgres }`,
  },
  {
    name: 'a pinned sysbench with much to work out',
    expected: 'generator-core',
    needsProcessors: true,
    text: `${luaWorkload(WORKED_OUT, 8)}
where: { generators: [load], target: mariadb }
factors: [{ name: cpus, kind: tool-cpus, levels: ['0'] }]`,
  },
  {
    name: 'a generator that fills its processors',
    expected: 'generator-cpu',
    needsProcessors: true,
    alsoAtLimit: FULL_EVERYWHERE,
    text: `${luaWorkload(WORKED_OUT, 8)}
where: { generators: [load], target: mariadb }`,
  },
  {
    name: 'a connection for each transaction',
    // Most of a login is the password's digest, which the client computes.
    expected: 'generator-cpu',
    needsProcessors: true,
    alsoAtLimit: FULL_EVERYWHERE,
    wording: /connections\/s were made, (?:1\.0|0\.9)/,
    text: `workload: { tool: pgbench, options: { client: 8, jobs: 8, connect: true, script: own, own-script: SELECT 1;, pgbench-tables: false } }
where: { generators: [load], target: postgres }`,
  },
  {
    name: 'a rate that is held',
    expected: 'not-known',
    text: `workload: { tool: pgbench, options: { script: select-only, client: 4, rate: 50, scale: 1 } }
where: { generators: [load], target: postgres }`,
  },
  {
    name: 'reads of FerretDB',
    expected: 'cpu',
    needsProcessors: true,
    alsoAtLimit: FULL_EVERYWHERE,
    text: `workload: { tool: ycsb, options: { directory: ${YCSB}, binding: mongodb, workload: C, recordcount: 1000, fieldcount: 3, threads: 16, load-threads: 4 } }
where: { generators: [load], target: ferretdb }`,
  },
  {
    name: 'one connection whose statements take a processor',
    expected: 'one-core',
    needsProcessors: true,
    text: `workload:
  tool: pgbench
  options: { client: 1, script: own, own-script: 'SELECT count(*) FROM generate_series(1, 300000);', pgbench-tables: false }
where: { generators: [load], target: postgres }`,
  },
  {
    name: 'long statements through a slow link of the generator',
    expected: 'generator-network',
    text: `workload:
  tool: pgbench
  options: { client: 8, script: own, own-script: "SELECT length('${'x'.repeat(30_000)}');", pgbench-tables: false }
where: { generators: [load], target: postgres }
factors: [{ name: rate, kind: host-setting, setting: nic-rate, of: eth0, on: load, levels: [8mbit] }]`,
  },
  {
    name: 'a pool of two for twenty clients',
    expected: 'pool',
    needsProcessors: true,
    text: `workload:
  tool: pgbench
  options: { client: 20, script: own, own-script: SELECT pg_sleep(0.05);, pgbench-tables: false }
where: { generators: [load], target: pooled }`,
  },
  {
    name: 'a pool of more connections than its server allows',
    expected: 'pool',
    needsProcessors: true,
    text: `workload:
  tool: pgbench
  options: { client: 40, script: own, own-script: SELECT pg_sleep(0.05);, pgbench-tables: false }
where: { generators: [load], target: overpooled }`,
  },
  {
    name: 'a pool of four threads for sixteen clients',
    expected: 'pool',
    needsProcessors: true,
    text: `${luaWorkload(SLEEPING, 16)}
where: { generators: [load], target: few-threads }`,
  },
  {
    name: 'two at a time in InnoDB',
    expected: 'pool',
    needsProcessors: true,
    text: `${luaWorkload(INSIDE, 16)}
where: { generators: [load], target: few-inside }`,
  },
  {
    name: 'commits that wait for the log',
    expected: 'log',
    text: `workload: { tool: pgbench, options: { script: simple-update, client: 8, scale: 1 } }
where: { generators: [load], target: slow-log }`,
  },
];

/** For a target behind a proxy. */
export const SMALL = `workload:
  tool: pgbench
  options: { client: 8, script: own, own-script: SELECT 1;, pgbench-tables: false }`;

/** Responses of 64 KB. */
export const LARGE = `workload:
  tool: pgbench
  options: { client: 8, script: own, own-script: "SELECT repeat('x', 65536);", pgbench-tables: false }`;
