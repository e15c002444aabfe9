import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bound, BoundVerdict } from '../../src/shared/model/analysis.ts';
import { atDepth, byDay, NIGHT } from '../../src/shared/util/testing/depth.ts';
import {
  canLimitCores,
  canLimitMemory,
  canThrottle,
  limitCores,
  limitMemory,
  throttle,
} from '../testbed/control-groups.ts';
import { lacksGo } from '../testbed/databases/index.ts';
import { familyOf, signalFamily } from '../testbed/databases/processes.ts';
import { fault } from '../testbed/left.ts';
import { lacks } from '../testbed/programs.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { addSwap } from '../testbed/swap.ts';
import { hasCompiler } from '../testbed/ycsb/index.ts';
import {
  FULL_EVERYWHERE,
  HOME,
  LARGE,
  MAPPED,
  SCENARIOS,
  type Scenario,
  SMALL,
  YCSB,
} from './testing/bound-scenarios.ts';
import { type BoundsBed, startBoundsBed } from './testing/bounds-bed.ts';
import { runSession } from './testing/hosts-bed.ts';
import { startProxy } from './testing/proxy.ts';
import { startReconnecting } from './testing/reconnecting-clients.ts';

const WARM_UP = 2;
const SECONDS = atDepth(10, 7);
/** Hosts of the test bed are namespaces of one machine: they share its processors, its disks and all other load. */
const ATTEMPTS = 2;
/** Cores used by other processes: from here on the machine was not exclusive to this test. */
const STARVED = 0.3;
/** High enough that other reads of the disk are less than a tenth of it. */
const VOLUME_IOPS = 4000;

/** For the server, less than its statements use at the same time; also for data that does not fit. */
const MEMORY_MIB = 96;
const SWAP_MIB = 1024;
/** For the server, far less than the machine has. */
const QUOTA_CORES = 0.3;
/** For the tool, less than it reads repeatedly from its mapped files. */
const MAPPED_MIB = 48;

const OWN = /^proc\.(?:sysbench|pgbench|fio|java|mariadbd|postgres|pgbouncer|ferretdb)\.cpu$/;
/** YCSB and FerretDB are compiled by the first test on a machine. */
const BUILD_LIMIT = 900_000;

interface Seen {
  bound: Bound;
  /** Codes of the run's findings. */
  findings: readonly string[];
  /** Cores used by neither tool nor server, including other guests of the machine. */
  others: number;
}

interface Load {
  stop(): Promise<void>;
}

/** Also accepted as the first verdict on a shared machine: its processors were full. */
const OF_A_BUSY_MACHINE: readonly BoundVerdict[] = ['cpu', 'generator-cpu', 'not-known'];
const MOST = 0.6;

/** Findings that name a class. */
const CLASSES: Readonly<Record<string, BoundVerdict>> = {
  'generator-core': 'generator-core',
  'generator-cpu': 'generator-cpu',
  'generator-network': 'generator-network',
  'link-saturated': 'network',
  'disk-at-limit': 'disk',
  'volume-limit': 'volume-limit',
  'one-core-busy': 'one-core',
  'cpu-saturated': 'cpu',
  'lock-bound': 'locks',
  swapping: 'memory',
};

/** Recognised; if others used the processors, as one of several, or not at all if the scenario needs processors. Another class is always wrong. */
function isRecognised({ bound, others }: Seen, { expected, needsProcessors }: Scenario): boolean {
  if (bound.verdict === expected) return true;
  if (!(others >= STARVED) || !OF_A_BUSY_MACHINE.includes(bound.verdict)) return false;
  return needsProcessors === true || bound.runnersUp.some((each) => each.verdict === expected && each.share >= MOST);
}

/** Wrong classes that a run names in addition to its own: as the first one, as a resource at its limit or as a finding. */
function wronglyNamed({ bound, findings, others }: Seen, { expected, alsoAtLimit = [] }: Scenario): BoundVerdict[] {
  const busy = others >= STARVED ? OF_A_BUSY_MACHINE : [];
  const right = [expected, ...alsoAtLimit, ...busy];
  const named = [
    bound.verdict,
    ...bound.runnersUp.filter(({ share }) => share >= MOST).map(({ verdict }) => verdict),
    ...findings.flatMap((code) => CLASSES[code] ?? []),
  ];
  return [...new Set(named)].filter((each) => !right.includes(each));
}

const isRight = (seen: Seen, scenario: Scenario): boolean =>
  isRecognised(seen, scenario) && wronglyNamed(seen, scenario).length === 0;

const [CACHED] = SCENARIOS as readonly [Scenario, ...Scenario[]];
const lacksYcsb = lacksGo() || !hasCompiler();
const scenarios = byDay(SCENARIOS, ({ daily }) => daily === true);
const targets = [
  ...scenarios.flatMap(({ text }) => /target: ([\w-]+)/.exec(text)?.[1] ?? []),
  ...(NIGHT ? ['few-connections'] : []),
].filter((name) => name !== 'ferretdb' || !lacksYcsb);

describe.skipIf(!canMakeNetworks() || lacks('sysbench', 'fio', 'pgbench', 'pgbouncer', 'tc') !== '')(
  'the bottleneck of a run',
  () => {
    let bed: BoundsBed;
    const table: string[] = [];
    beforeAll(async () => {
      bed = await startBoundsBed(targets);
    }, BUILD_LIMIT);
    afterAll(async () => {
      console.log(['scenario → verdict', ...table].join('\n'));
      await bed?.close();
    });

    /** `startLoad`: load that does not come from the tool, from the first recorded second on: our own connections are open by then. */
    async function measure({ name, text }: Scenario, startLoad?: () => Load): Promise<Seen> {
      const measured = `measure: { warmup: ${WARM_UP}, duration: ${SECONDS} }`;
      const placed = text.replace(HOME, bed.host('db').home).replace(YCSB, bed.ycsb);
      const document = `kneepoint: 1\nname: ${name}\n${placed}\n${measured}\n`;
      const started: Load[] = [];
      const begin = async () => {
        if (startLoad) started.push(startLoad());
      };
      const { session, runs } = await runSession(bed.client, document, begin, { seconds: 1 }).finally(() =>
        Promise.all(started.map((load) => load.stop())),
      );
      expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
      // Monitoring ends a moment after the session; the run is then judged and has its findings.
      const sentence = async () => (await bed.client.results.judgements({ sessionId: session.id }))[0]?.bound?.sentence;
      await expect.poll(sentence).toMatch(/^(?!.*were not recorded)/);
      const [judged] = await bed.client.results.judgements({ sessionId: session.id });
      expect(judged).toMatchObject({ runId: runs[0]?.id });
      // A judgement is calculated for whoever asks, and stored with its findings a moment later: here both at once.
      const [run] = await bed.client.sessions.reingest({ id: session.id });
      return {
        bound: judged?.bound as Bound,
        findings: (run?.findings ?? []).map(({ code }) => code),
        others: await othersIn(session.id),
      };
    }

    /** Calculated from the collectors, independently of the analysis: use of the machine minus that of tool and server. */
    async function othersIn(sessionId: number): Promise<number> {
      const [window] = await bed.client.monitors.windows({ sessionId });
      const { from = 0, to = 0 } = window ?? {};
      const hosts = (await bed.client.monitors.sources({ sessionId })).filter(({ kind }) => kind === 'host');
      const wanted = hosts.map(({ id, series }) => ({
        sourceId: id,
        ids: series.map((each) => each.id).filter((each) => /^(?:cpu\.busy|core\.\d+\.busy|proc\..+\.cpu)$/.test(each)),
      }));
      // Both hosts see the whole machine: each name counts once.
      const means = new Map<string, number>();
      for (const { id, v } of await bed.client.monitors.series({ sessionId, wanted, from, to })) {
        expect(v.length, `seconds of ${id} from ${from} to ${to}`).toBeGreaterThan(0);
        const mean = v.reduce((total, each) => total + (Number.isFinite(each) ? each : 0), 0) / v.length / 100;
        means.set(id, Math.max(mean, means.get(id) ?? 0));
      }
      const sum = (pattern: RegExp): number =>
        [...means].reduce((total, [id, mean]) => total + (pattern.test(id) ? mean : 0), 0);
      return sum(/^core\./) - sum(OWN);
    }

    async function prove(scenario: Scenario, startLoad?: () => Load): Promise<Seen> {
      let seen = await measure(scenario, startLoad);
      for (let attempt = 1; attempt < ATTEMPTS && !isRight(seen, scenario); attempt += 1)
        seen = await measure(scenario, startLoad);
      const { bound, findings, others } = seen;
      const words = `${scenario.name}: ${scenario.expected} → ${bound.verdict}, others took ${others.toFixed(2)} cores. ${bound.sentence}`;
      const runnersUp = bound.runnersUp.map(({ verdict, share, sentence }) => `    ${verdict} ${share}: ${sentence}`);
      table.push([words, ...runnersUp, `    findings: ${findings.join(', ')}`].join('\n'));
      expect(isRecognised(seen, scenario), words).toBe(true);
      expect(wronglyNamed(seen, scenario), table.at(-1)).toEqual([]);
      if (scenario.wording) expect(bound.sentence).toMatch(scenario.wording);
      return seen;
    }

    it.for(scenarios)('$name: $expected', async (scenario, { skip }) => {
      skip(scenario.text.includes(YCSB) && lacksYcsb, 'no Java compiler, or no Go');
      await prove(scenario);
    });

    if (NIGHT) {
      it('reads at the IOPS limit of a volume: volume-limit', async ({ skip }) => {
        const { home, sessions } = bed.host('db');
        skip(!canThrottle(home), `the device of ${home} cannot be limited`);
        const host = (await bed.client.hosts.list({})).find(({ spec }) => spec.name === 'db');
        await bed.client.hosts.test({ id: host?.id ?? 0 });
        const throttled = throttle(sessions(), home, VOLUME_IOPS);
        try {
          const volume = `{kind: volume, id: aws/us-east-1/volumes/io1, sizeGb: 100, iops: ${VOLUME_IOPS}}`;
          const scenario: Scenario = {
            name: 'a volume',
            expected: 'volume-limit',
            text: `workload: { tool: fio, options: { directory: ${HOME}, rw: randread, bs: 4k, size: 512m, iodepth: 16, ioengine: libaio } }
where: { generators: [db] }
factors: [{ name: volume, kind: price, levels: [{ name: io1, price: { components: [${volume}] } }] }]`,
          };
          const seen = await measure(scenario);
          const { bound } = seen;
          table.push(`a volume: volume-limit → ${bound.verdict}. ${bound.sentence}`);
          expect(bound.verdict, bound.sentence).toBe('volume-limit');
          expect(wronglyNamed(seen, scenario)).toEqual([]);
          expect(bound.sentence).toContain('the limit of EBS Provisioned IOPS SSD io1, 100 GB');
        } finally {
          await throttled.release();
        }
      }, 120_000);

      it('statements that need more memory than the server has: memory', async ({ skip }) => {
        skip(!canLimitMemory(), 'the memory of a process cannot be limited');
        const swap = addSwap(SWAP_MIB);
        if ('refused' in swap) return skip(`no swap can be added: ${swap.refused}`);
        const small = limitMemory(familyOf(bed.server('postgres').pid()), MEMORY_MIB * 2 ** 20);
        try {
          const scenario: Scenario = {
            name: 'little memory',
            expected: 'memory',
            // Data that does not fit is on the disk, and is read from there.
            alsoAtLimit: ['disk'],
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
          };
          const seen = await measure(scenario);
          const { bound } = seen;
          table.push(`little memory: memory → ${bound.verdict}. ${bound.sentence}`);
          expect(bound.verdict, bound.sentence).toBe('memory');
          expect(wronglyNamed(seen, scenario)).toEqual([]);
        } finally {
          await small.release();
          swap.release();
        }
      }, 120_000);

      it('a server limited to part of a core by its control group: cpu', async ({ skip }) => {
        skip(!canLimitCores(), 'the processors of a process cannot be limited');
        const small = limitCores(familyOf(bed.server('mariadb').pid()), QUOTA_CORES);
        try {
          // The host has idle processors, so only the quota can be the limit.
          await prove({ ...CACHED, name: 'a quota', alsoAtLimit: [] });
        } finally {
          await small.release();
        }
      }, 240_000);

      it('mapped files of memory-limited processes on a host with free memory: memory', async ({ skip }) => {
        skip(!canLimitMemory(), 'the memory of a process cannot be limited');
        const small = limitMemory(bed.host('db').sessions(), MAPPED_MIB * 2 ** 20);
        try {
          await prove(MAPPED);
        } finally {
          await small.release();
        }
      }, 120_000);

      it('a link with less bandwidth than reported: network', async () => {
        const widen = bed.host('load').narrow('16mbit');
        try {
          await prove({
            name: 'a narrow way',
            expected: 'network',
            needsProcessors: true,
            text: `${LARGE}\nwhere: { generators: [load], target: postgres }`,
          });
        } finally {
          widen();
        }
      }, 240_000);

      it('a proxy that handles one request at a time: path', async () => {
        const { address, port, user, password, database } = bed.server('postgres');
        const proxy = await startProxy(bed.address, { address, port }, 20);
        const config = { address: bed.address, port: proxy.port, user, database, allowCleartextPassword: true };
        const server = { host: 'db', control: { kind: 'none' } } as const;
        await bed.addTarget({ name: 'proxied', kind: 'postgres', via: 'load', config, server }, password);
        try {
          await prove({
            name: 'a slow proxy',
            expected: 'path',
            needsProcessors: true,
            text: `${SMALL}\nwhere: { generators: [load], target: proxied }`,
          });
        } finally {
          await proxy.stop();
        }
      }, 240_000);

      it('a server that is stopped for several seconds: a finding, and no bottleneck', async () => {
        const pid = bed.server('postgres').pid();
        const stopped = fault('The server was stopped.', () => signalFamily(pid, 'SIGCONT'));
        const stopFor = (ms: number): Load => {
          stopped.begun();
          signalFamily(pid, 'SIGSTOP');
          const timer = setTimeout(() => signalFamily(pid, 'SIGCONT'), ms);
          return {
            async stop() {
              clearTimeout(timer);
              signalFamily(pid, 'SIGCONT');
              stopped.ended();
            },
          };
        };
        const scenario: Scenario = {
          name: 'a stopped server',
          expected: 'not-known',
          alsoAtLimit: FULL_EVERYWHERE,
          text: `${SMALL}\nwhere: { generators: [load], target: postgres }`,
        };
        const seen = await measure(scenario, () => stopFor(6000));
        table.push(`a stopped server: ${seen.bound.verdict}. ${seen.bound.sentence}\n    ${seen.findings.join(', ')}`);
        expect(seen.findings).toContain('process-stopped');
        expect(wronglyNamed(seen, scenario), table.at(-1)).toEqual([]);
      }, 240_000);

      it('an application that keeps reconnecting to a full server: pool', async () => {
        const scenario: Scenario = {
          name: 'a full server',
          expected: 'pool',
          needsProcessors: true,
          text: 'workload: { tool: observation }\nwhere: { generators: [load], target: few-connections }',
        };
        await prove(scenario, () => startReconnecting(bed.server('few-connections'), 12, 'DO SLEEP(0.1)'));
      }, 240_000);
    }
  },
);
