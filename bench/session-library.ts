import { randomUUID } from 'node:crypto';
import { makePlan, readDocument } from '../src/main/engine/plans/index.ts';
import type { RunJob, Store } from '../src/main/engine/store/store.ts';
import { toolById } from '../src/main/engine/tools/index.ts';
import type { HostFacts } from '../src/shared/model/host.ts';
import type { SessionDetail } from '../src/shared/model/session.ts';
import type { StartSnapshot } from '../src/shared/model/session-snapshot.ts';
import type { ServerSetting } from '../src/shared/model/target-details.ts';
import { seconds } from './sysbench-like.ts';

export const HOST = 'loadgen-1';
const SETTINGS = 600;
const SECONDS = 5;
const START = 1_700_000_000_000;
const FILESYSTEMS = 6;

/** Levels of two factors, and repeats. */
const SHAPES: Readonly<Record<number, readonly [number, number, number]>> = {
  27: [9, 1, 3],
  1000: [20, 10, 5],
  5000: [50, 20, 5],
  20000: [100, 40, 5],
};

export interface SessionShape {
  name: string;
  trials: number;
  /** Number of ended trials; the next one is running, unless all have ended. */
  ended: number;
}

/** Start and facts of a session: a ladder of sysbench on a MySQL server with all of its settings. */
function circumstances({ name, trials }: SessionShape): Omit<SessionDetail, 'session'> & Pick<StartSnapshot, 'steps'> {
  const [threads = 1, rates = 1, repeats = 1] = SHAPES[trials] ?? [trials, 1, 1];
  const experimentText = document(name, threads, rates, repeats);
  const { experiment, problems } = readDocument(experimentText);
  const tool = toolById('sysbench');
  if (!experiment || !tool) throw new Error(problems[0]?.message ?? 'There is no sysbench.');
  const plan = makePlan(experiment, { tool, kindOf: () => 'mysql' });
  if (plan.trials.length !== trials) throw new Error(`The plan has ${plan.trials.length} trials and not ${trials}.`);
  return {
    experiment,
    experimentText,
    plan,
    hosts: [{ name: HOST, facts: hostFacts() }],
    target: {
      name: 'mysql',
      kind: 'mysql',
      address: '192.0.2.20:3306',
      description: description(),
      settings: settings(),
    },
    toolVersion: '1.0.20',
    appVersion: '0.1.0',
    findings: plan.findings,
    steps: [{ tool: 'sysbench', metric: 'tps' }],
  };
}

const document = (name: string, threads: number, rates: number, repeats: number): string => `kneepoint: 1
name: ${name}
question: How many transactions per second does this server commit at each level of concurrency?
tags: [sysbench, ladder]
workload:
  tool: sysbench
  options: { script: oltp_read_write, tables: 8, table-size: 100000, percentile: 99 }
where: { generators: [${HOST}], target: mysql }
factors:
  - { name: threads, levels: [${numbers(threads, 1)}] }
  - { name: rate, levels: [${numbers(rates, 0)}] }
measure: { warmup: 1, duration: 4, repeats: ${repeats} }
`;

const numbers = (count: number, first: number): string =>
  Array.from({ length: count }, (_, index) => first + index).join(', ');

const hostFacts = (): HostFacts => ({
  hostname: HOST,
  os: 'Debian GNU/Linux 12 (bookworm)',
  kernel: 'Linux 6.1.0-18-amd64',
  architecture: 'x86_64',
  cpuModel: 'AMD EPYC 9254 24-Core Processor',
  cpuCount: 48,
  memoryBytes: 270_582_939_648,
  disks: ['nvme0n1', 'nvme1n1', 'sda'].map((disk) => ({
    name: disk,
    sizeBytes: 3_840_755_982_336,
    rotational: false,
    model: 'SAMSUNG MZQL23T8HCLS-00A07',
    scheduler: 'none',
    mounts: [`/srv/${disk}`],
  })),
  networks: ['eno1', 'eno2'].map((network) => ({
    name: network,
    addresses: ['192.0.2.10', '2001:db8::10'],
    speedMbps: 25_000,
  })),
  filesystems: Array.from({ length: FILESYSTEMS }, (_, index) => ({
    mount: `/srv/volume-${index}`,
    type: 'xfs',
    sizeBytes: 3_840_755_982_336,
    freeBytes: 2_840_755_982_336,
  })),
  cpuGovernor: 'performance',
  clockOffsetMs: 0.4,
  bootId: '8f4c2f6a-98a3-4f1e-8f0e-3a1c0a3b9d11',
  openFilesLimit: 1_048_576,
  localPorts: { first: 32_768, last: 60_999 },
  tools: ['sysbench', 'pgbench', 'fio', 'ycsb'].map((tool) => ({
    tool,
    found: true,
    version: '1.0.20',
    path: `/usr/bin/${tool}`,
  })),
  readAt: START,
});

const description = (): NonNullable<NonNullable<SessionDetail['target']>['description']> => ({
  product: 'MySQL',
  version: '8.0.33',
  settings: settings()
    .slice(0, 15)
    .map(({ name, value }) => ({ name, value, why: 'It decides how much of the data stays in memory.' })),
  tls: 'TLS_AES_256_GCM_SHA384',
  durability: { level: 'safe', why: 'Every commit is written and flushed before it is acknowledged.' },
  readAt: START,
});

const settings = (): ServerSetting[] =>
  Array.from({ length: SETTINGS }, (_, index) => ({
    name: `innodb_setting_of_a_server_${index}`,
    value: String(index * 4096),
    default: String(index * 2048),
    change: 'dynamic',
    source: index % 5 === 0 ? 'configuration file' : 'COMPILED',
  }));

/** The only place that knows how a session is stored. */
function insertSession(store: Store, shape: SessionShape): number {
  const { hosts, target, toolVersion, ...snapshot } = circumstances(shape);
  const { plan, experiment } = snapshot;
  const state = shape.ended < shape.trials ? 'running' : 'done';
  const { id } = store.sessions.insert(
    {
      uuid: randomUUID(),
      state,
      tags: experiment.tags ?? [],
      createdAt: START,
      snapshot,
    },
    plan.trials.map((trial) => ({
      trial: trial.index,
      cell: trial.cell,
      repeat: trial.repeat,
      levels: plan.cells[trial.cell]?.levels ?? {},
      warmup: experiment.measure.warmup,
      duration: experiment.measure.duration,
    })),
  );
  store.sessions.keepFacts(id, { hosts, target, toolVersion });
  store.sessions.update(id, { startedAt: START, endedAt: state === 'done' ? START + 3_600_000 : null });
  return id;
}

/** Changes a session's state, as the engine stores it. */
export const changeState = (store: Store, id: number, pausing: boolean): void =>
  void store.sessions.update(id, { state: pausing ? 'pausing' : 'running', message: null });

const output = [...seconds(SECONDS, 1)];
const bytes = Buffer.from(output.map(({ line }) => line).join(''));
const samples = output.map(({ t, metrics }) => ({ t, metrics: { tps: metrics.tps ?? 0, qps: metrics.qps ?? 0 } }));
const summary = {
  transactions_total: 17_000,
  qps_total: 340_000,
  latency_avg_ms: 9.3,
  latency_p99_ms: 21.5,
  errors_total: 0,
};

const jobOf = (): RunJob => ({ host: HOST, jobId: randomUUID() });

/** Stores a session whose ended trials have samples and figures; returns its id and the run that continues. */
export function addSession(store: Store, shape: SessionShape): { id: number; running: number | undefined } {
  const id = insertSession(store, shape);
  const runs = store.runs.ofSession(id);
  for (const { id: runId } of runs.slice(0, shape.ended)) {
    const times = { startedAt: START, endedAt: START + 5000 };
    const run = { state: 'done', exit: { code: 0 }, command: COMMAND, summary, jobs: [jobOf()], ...times } as const;
    store.samples.ingest({
      runId,
      generator: 0,
      stream: 'stdout',
      offset: 0,
      bytes,
      samples,
      run: { ...run, jobs: [...run.jobs] },
    });
  }
  const running = runs[shape.ended]?.id;
  if (running !== undefined)
    store.runs.update(running, { state: 'running', startedAt: START, command: COMMAND, jobs: [jobOf()] });
  return { id, running };
}

const COMMAND =
  'sysbench oltp_read_write --tables=8 --table-size=100000 --percentile=99 --threads=4 --rate=0 --time=5 --report-interval=1 --mysql-host=192.0.2.20 run';
