import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bound, BoundVerdict } from '../../src/shared/model/analysis.ts';
import { canLimitMemory, canThrottle, limitMemory, throttle } from '../testbed/control-groups.ts';
import {
  type DatabaseServer,
  freePort,
  startMariaDb,
  startPgBouncer,
  startPostgres,
} from '../testbed/databases/index.ts';
import { familyOf } from '../testbed/databases/processes.ts';
import { lacks } from '../testbed/programs.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { addSwap } from '../testbed/swap.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

const WARM_UP = 2;
const SECONDS = 10;
/** Hosts of the test bed are namespaces of one machine: all of them have its processors, its disks and whatever else runs on it. */
const ATTEMPTS = 2;
/** Cores that work of others took: from here on the machine was not this test's alone. */
const STARVED = 0.3;
/** Stands for the home of a test host. */
const HOME = '@home@';

interface Scenario {
  name: string;
  expected: BoundVerdict;
  /** Of the document, what differs. */
  text: string;
  /** It takes the processors, or needs them to be at rest: with others on the machine it cannot be brought about. */
  needsProcessors?: true;
}

const READS = 'script: oltp_read_only, tables: 1, table-size: 10000, threads: 8, skip-trx: true';
const HOT_ROW = `function prepare()
  local con = sysbench.sql.driver():connect()
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
const indented = (text: string): string => text.replaceAll(/^/gm, '      ');
const SCENARIOS: readonly Scenario[] = [
  {
    name: 'reads of a cached table',
    expected: 'cpu',
    needsProcessors: true,
    text: `workload: { tool: sysbench, options: { ${READS} } }
where: { generators: [load], target: mariadb }`,
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

/** So many that what else reads the disk in between is no tenth of it. */
const VOLUME_IOPS = 4000;

/** Of the server, less than its statements use at the same time; and for what does not fit. */
const MEMORY_MIB = 96;
const SWAP_MIB = 1024;

const OWN = /^proc\.(?:sysbench|pgbench|fio|mariadbd|postgres|pgbouncer)\.cpu$/;

interface Seen {
  bound: Bound;
  /** Cores that were taken by neither tool nor server, other guests of the machine included. */
  others: number;
}

/** What else may be said first of a machine that was not this test's alone: its processors were full. */
const OF_A_BUSY_MACHINE: readonly BoundVerdict[] = ['cpu', 'generator-cpu', 'not-known'];
const MOST = 0.6;

/** Recognised; where others had the processors, beside them, or not at all if it takes processors. Another class is wrong in any case. */
function isRight({ bound, others }: Seen, { expected, needsProcessors }: Scenario): boolean {
  if (bound.verdict === expected) return true;
  if (!(others >= STARVED) || !OF_A_BUSY_MACHINE.includes(bound.verdict)) return false;
  return needsProcessors === true || bound.runnersUp.some((each) => each.verdict === expected && each.share >= MOST);
}

describe.skipIf(!canMakeNetworks() || lacks('sysbench', 'fio', 'pgbench', 'pgbouncer', 'tc') !== '')(
  'what bounds a run',
  () => {
    let bed: HostsBed;
    let postgres: DatabaseServer;
    const opened: { stop(): Promise<void> }[] = [];
    const table: string[] = [];
    beforeAll(async () => {
      bed = await startHostsBed(['load', 'db']);
      const { address, namespace = '' } = bed.host('db');
      const prefix = ['ip', 'netns', 'exec', namespace];
      const opening = async <Server extends { stop(): Promise<void> }>(starting: Promise<Server>): Promise<Server> => {
        const server = await starting;
        opened.push(server);
        return server;
      };
      const add = async (name: string, kind: string, { password, ...server }: DatabaseServer): Promise<void> => {
        const { port, user, database } = server;
        const config = { address: server.address, port, user, database, allowCleartextPassword: true };
        const place = { host: 'db', control: { kind: 'none' } } as const;
        await bed.addTarget({ name, kind, via: 'load', config, server: place }, password);
      };
      const port = (): Promise<number> => freePort('127.0.0.1');
      const own = { address, prefix, onDisk: true };
      const mariadb = await opening(startMariaDb({ ...own, port: await port() }));
      postgres = await opening(startPostgres({ ...own, port: await port(), settings: { fsync: 'off' } }));
      // Who writes the log sleeps before that, with the lock on it: a disk whose syncs take so long.
      const settings = { fsync: 'on', commit_delay: 50_000, commit_siblings: 1 };
      const slow = await opening(startPostgres({ ...own, port: await port(), settings }));
      const pooler = await opening(startPgBouncer(postgres, { address: bed.address, size: 2 }));
      await add('mariadb', 'mysql', mariadb);
      await add('postgres', 'postgres', postgres);
      await add('slow-log', 'postgres', slow);
      await add('pooled', 'postgres', { ...postgres, ...pooler.admin, address: bed.address, port: pooler.port });
    });
    afterAll(async () => {
      console.log(['scenario → verdict', ...table].join('\n'));
      for (const each of opened.reverse()) await each.stop();
      await bed?.close();
    });

    async function measure({ name, text }: Scenario): Promise<Seen> {
      const measured = `measure: { warmup: ${WARM_UP}, duration: ${SECONDS} }`;
      const { session, runs } = await runSession(
        bed.client,
        `kneepoint: 1\nname: ${name}\n${text.replace(HOME, bed.host('db').home)}\n${measured}\n`,
      );
      expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
      const [judged] = await bed.client.results.judgements({ sessionId: session.id });
      expect(judged).toMatchObject({ runId: runs[0]?.id });
      return { bound: judged?.bound as Bound, others: await othersIn(session.id) };
    }

    /** Worked out from the collectors apart from the analysis: what the machine did, less what tool and server did. */
    async function othersIn(sessionId: number): Promise<number> {
      const [window] = await bed.client.monitors.windows({ sessionId });
      const { from = 0, to = 0 } = window ?? {};
      const hosts = (await bed.client.monitors.sources({ sessionId })).filter(({ kind }) => kind === 'host');
      const wanted = hosts.map(({ id, series }) => ({
        sourceId: id,
        ids: series.map((each) => each.id).filter((each) => /^(?:cpu\.busy|core\.\d+\.busy|proc\..+\.cpu)$/.test(each)),
      }));
      // Both hosts see all of the machine: each name counts once.
      const means = new Map<string, number>();
      for (const { id, v } of await bed.client.monitors.series({ sessionId, wanted, from, to })) {
        expect(v.length, `seconds of ${id}`).toBeGreaterThan(0);
        const mean = v.reduce((total, each) => total + (Number.isFinite(each) ? each : 0), 0) / v.length / 100;
        means.set(id, Math.max(mean, means.get(id) ?? 0));
      }
      const sum = (pattern: RegExp): number =>
        [...means].reduce((total, [id, mean]) => total + (pattern.test(id) ? mean : 0), 0);
      return sum(/^core\./) - sum(OWN);
    }

    it('reads of a volume at the IOPS that are paid for: volume-limit', async ({ skip }) => {
      const { home, sessions } = bed.host('db');
      skip(!canThrottle(home), `the device of ${home} cannot be limited`);
      const host = (await bed.client.hosts.list({})).find(({ spec }) => spec.name === 'db');
      await bed.client.hosts.test({ id: host?.id ?? 0 });
      const throttled = throttle(sessions(), home, VOLUME_IOPS);
      try {
        const volume = `{kind: volume, id: aws/us-east-1/volumes/io1, sizeGb: 100, iops: ${VOLUME_IOPS}}`;
        const { bound } = await measure({
          name: 'a volume',
          expected: 'volume-limit',
          text: `workload: { tool: fio, options: { directory: ${HOME}, rw: randread, bs: 4k, size: 512m, iodepth: 16, ioengine: libaio } }
where: { generators: [db] }
factors: [{ name: volume, kind: price, levels: [{ name: io1, price: { components: [${volume}] } }] }]`,
        });
        table.push(`a volume: volume-limit → ${bound.verdict}. ${bound.sentence}`);
        expect(bound.verdict, bound.sentence).toBe('volume-limit');
        expect(bound.sentence).toContain('the limit of EBS Provisioned IOPS SSD io1, 100 GB');
      } finally {
        await throttled.release();
      }
    }, 120_000);

    it('statements that use more memory than their server has: memory', async ({ skip }) => {
      skip(!canLimitMemory(), 'the memory of a process cannot be limited');
      const swap = addSwap(SWAP_MIB);
      if ('refused' in swap) return skip(`no swap can be added: ${swap.refused}`);
      const small = limitMemory(familyOf(postgres.pid()), MEMORY_MIB * 2 ** 20);
      try {
        const { bound } = await measure({
          name: 'little memory',
          expected: 'memory',
          text: `workload:
  tool: pgbench
  options:
    client: 4
    script: own
    pgbench-tables: false
    own-script: |
      SET work_mem = '1GB';
      SELECT count(*) FROM generate_series(1, 1000000);
where: { generators: [load], target: postgres }`,
        });
        table.push(`little memory: memory → ${bound.verdict}. ${bound.sentence}`);
        expect(bound.verdict, bound.sentence).toBe('memory');
      } finally {
        await small.release();
        swap.release();
      }
    }, 120_000);

    it.for(SCENARIOS)('$name: $expected', { timeout: 240_000 }, async (scenario) => {
      let seen = await measure(scenario);
      for (let attempt = 1; attempt < ATTEMPTS && !isRight(seen, scenario); attempt += 1)
        seen = await measure(scenario);
      const { bound, others } = seen;
      const words = `${scenario.name}: ${scenario.expected} → ${bound.verdict}, others took ${others.toFixed(2)} cores. ${bound.sentence}`;
      table.push(words);
      expect(isRight(seen, scenario), words).toBe(true);
    });
  },
);
