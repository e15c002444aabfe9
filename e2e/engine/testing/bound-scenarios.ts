import type { BoundVerdict } from '../../../src/shared/model/analysis.ts';

/** Stand for the home of a test host, and for the folder of YCSB. */
export const HOME = '@home@';
export const YCSB = '@ycsb@';

export interface Scenario {
  name: string;
  expected: BoundVerdict;
  /** Of the document, what differs. */
  text: string;
  /** It takes the processors, or needs them to be at rest: with others on the machine it cannot be brought about. */
  needsProcessors?: true;
  /** Other classes that are at their limit as well, or look like it on hosts that share one machine. */
  beside?: readonly BoundVerdict[];
}

/** Hosts of the test bed have the same processors: a CPU that is full is full on each of them. */
const FULL_EVERYWHERE = ['cpu', 'generator-cpu'] as const;

const READS = 'script: oltp_read_only, tables: 1, table-size: 10000, threads: 8, skip-trx: true';
const HOT_ROW = `function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("DROP TABLE IF EXISTS hot")
  con:query("CREATE TABLE hot (id INT PRIMARY KEY, n INT)")
  con:query("INSERT INTO hot VALUES (1, 0)")
end
function cleanup() sysbench.sql.driver():connect():query("DROP TABLE hot") end
function thread_init() con = sysbench.sql.driver():connect() end
function event()
  con:query("BEGIN")
  con:query("UPDATE hot SET n = n + 1 WHERE id = 1")
  con:query("DO SLEEP(0.01)")
  con:query("COMMIT")
end`;
/** Two rows fill a page, and statements of 24 sessions read pages of which the buffer pool has a sixth. */
const WIDE_ROWS = `function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("DROP TABLE IF EXISTS wide")
  con:query("CREATE TABLE wide (id INT PRIMARY KEY, c VARCHAR(8000) NOT NULL) CHARACTER SET latin1")
  con:query("INSERT INTO wide SELECT seq, REPEAT('x', 7000) FROM seq_1_to_12000")
end
function cleanup() sysbench.sql.driver():connect():query("DROP TABLE wide") end
function thread_init() con = sysbench.sql.driver():connect() end
function event()
  local ids = {}
  for i = 1, 20 do ids[i] = sysbench.rand.uniform(1, 12000) end
  con:query("SELECT SUM(LENGTH(c)) FROM wide WHERE id IN (" .. table.concat(ids, ",") .. ")")
end`;
const WORKED_OUT = `function thread_init() con = sysbench.sql.driver():connect() end
function event()
  local x = 0
  for i = 1, 100000 do x = x + math.sqrt(i) end
  con:query("DO 0")
end`;
const indented = (text: string): string => text.replaceAll(/^/gm, '      ');
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'reads of a cached table',
    expected: 'cpu',
    needsProcessors: true,
    beside: FULL_EVERYWHERE,
    text: `workload: { tool: sysbench, options: { ${READS} } }
where: { generators: [load], target: mariadb }`,
  },
  {
    name: 'reads through a small buffer pool',
    expected: 'disk',
    needsProcessors: true,
    text: `workload:
  tool: sysbench
  options:
    script: own
    threads: 24
    script-prepare: true
    script-text: |
${indented(WIDE_ROWS)}
where: { generators: [load], target: small-pool }`,
  },
  {
    name: 'large reads at random places of a disk',
    expected: 'disk',
    needsProcessors: true,
    text: `workload: { tool: fio, options: { directory: ${HOME}, rw: randread, bs: 1m, size: 512m, iodepth: 32, ioengine: libaio } }
where: { generators: [db] }`,
  },
  {
    name: 'reads through a slow link',
    expected: 'network',
    text: `workload: { tool: sysbench, options: { ${READS} } }
where: { generators: [load], target: mariadb }
factors: [{ name: rate, kind: host-setting, setting: nic-rate, of: eth0, levels: [8mbit] }]`,
  },
  {
    name: 'one hot row of MariaDB',
    expected: 'locks',
    text: `workload:
  tool: sysbench
  options:
    script: own
    threads: 16
    script-prepare: true
    script-text: |
${indented(HOT_ROW)}
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
    text: `workload:
  tool: sysbench
  options:
    script: own
    threads: 8
    script-text: |
${indented(WORKED_OUT)}
where: { generators: [load], target: mariadb }
factors: [{ name: cpus, kind: tool-cpus, levels: ['0'] }]`,
  },
  {
    name: 'a generator that fills its processors',
    expected: 'generator-cpu',
    needsProcessors: true,
    beside: FULL_EVERYWHERE,
    text: `workload:
  tool: sysbench
  options:
    script: own
    threads: 8
    script-text: |
${indented(WORKED_OUT)}
where: { generators: [load], target: mariadb }`,
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
    beside: FULL_EVERYWHERE,
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
    name: 'commits that wait for the log',
    expected: 'log',
    text: `workload: { tool: pgbench, options: { script: simple-update, client: 8, scale: 1 } }
where: { generators: [load], target: slow-log }`,
  },
];
