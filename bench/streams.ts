import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createHosts, type TestHost } from '../e2e/testbed/sshd/index.ts';
import type { AppContract } from '../src/shared/contract/index.ts';
import type { Client } from '../src/shared/rpc/define.ts';
import { sumBy } from '../src/shared/util/numbers.ts';
import { addHost, withEngine } from './engine.ts';
import type { BenchRow } from './row.ts';
import type { Bare } from './streams-process.ts';

const GENERATORS = 16;
/** The ratio of a single round varies by a third. */
const ROUNDS = 8;
const ROUND_SECONDS = 10;
const SECONDS = ROUNDS * ROUND_SECONDS;
const MIB = 1024 * 1024;

interface Kind {
  readonly name: string;
  /** In the document. */
  readonly monitors: string;
  /** Bytes received from a host each second, one line each. */
  readonly lengths: readonly number[];
}
const KINDS: readonly Kind[] = [
  {
    name: `Engine while ${GENERATORS} generators stream`,
    monitors: 'monitors: { generators: false, place: false }',
    lengths: [128],
  },
  // Roughly the output of the collector for a small host.
  { name: `Engine while ${GENERATORS} watched generators stream`, monitors: '', lengths: [128, 820] },
];

/** A tool that prints one line per second and does hardly any work, so that the engine is measured, on the same cores. */
const experiment = (host: string, monitors: string): string => `kneepoint: 1
name: Stream of ${host}
workload: { tool: sysbench, options: { script: cpu, rate: 2, cpu-max-prime: 100 } }
where: { generators: ["${host}"] }
measure: { duration: 600 }
${monitors}
`;

/**
 * CPU (of one core) and memory of the engine's process while sixteen hosts stream one line per second over real SSH connections, with and without
 * monitoring. Limit: ssh2 alone reading as many bytes in a separate process, in the same seconds, so that other load affects both alike.
 */
export async function run(): Promise<BenchRow[]> {
  const network = await createHosts(GENERATORS);
  try {
    return await withEngine(async (client) => {
      for (const [index, host] of network.hosts.entries()) await addHost(client, nameOf(index), host);
      const rows: BenchRow[] = [];
      for (const kind of KINDS) rows.push(...(await measure(client, network.hosts, kind)));
      return [...rows, { name: 'Memory in use by its process', value: usedMiB(), unit: 'MiB' }];
    });
  } finally {
    await network.close();
  }
}

/** Without garbage, which V8 may keep arbitrarily long. */
function usedMiB(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MIB;
}

const nameOf = (index: number): string => `host ${index + 1}`;

async function measure(client: Client<AppContract>, hosts: readonly TestHost[], kind: Kind): Promise<BenchRow[]> {
  const sessions: number[] = [];
  for (const index of hosts.keys())
    sessions.push((await client.sessions.start({ text: experiment(nameOf(index), kind.monitors) })).id);
  await Promise.all(sessions.map((id) => firstSeconds(client, id)));
  const { rounds, stored } = await withBareClients({ hosts, lengths: kind.lengths }, async (bareCpu) => {
    const before = await storedSeconds(client, sessions);
    const rounds: { ours: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await shares(bareCpu));
    return { rounds, stored: (await storedSeconds(client, sessions)) - before };
  });
  await Promise.all(sessions.map((id) => client.sessions.stop({ id })));
  await Promise.all(sessions.map((id) => ended(client, id)));
  const ratios = rounds.map(({ ours, bare }) => ours / bare);
  const [ours, bare] = [sumBy(rounds, (round) => round.ours) / ROUNDS, sumBy(rounds, (round) => round.bare) / ROUNDS];
  const spread = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(1)).join(' to ');
  return [
    {
      name: kind.name,
      value: ours,
      unit: '% of one core',
      limit: bare,
      ratio: ours / bare,
      goal: '≤ 6 times',
      note: `ours parses, stores durably and watches the jobs; ratio ${spread} in ${ROUNDS} rounds`,
    },
    { name: 'Lines stored per second meanwhile', value: stored / SECONDS, unit: 'per s', goal: `${GENERATORS}` },
  ];
}

/** Percent of one core that this process and the bare one used during the next seconds. */
async function shares(bareCpu: () => Promise<number>): Promise<{ ours: number; bare: number }> {
  const [before, bareBefore, start] = [process.cpuUsage(), await bareCpu(), performance.now()];
  await delay(ROUND_SECONDS * 1000);
  const { user, system } = process.cpuUsage(before);
  const bare = (await bareCpu()) - bareBefore;
  const seconds = (performance.now() - start) / 1000;
  const percent = (microseconds: number): number => microseconds / 10_000 / seconds;
  return { ours: percent(user + system), bare: percent(bare) };
}

/** Resolves once lines of the session arrive; rejects if it ends first. */
async function firstSeconds(client: Client<AppContract>, id: number): Promise<void> {
  for await (const event of client.sessions.watch({ id })) if (event.kind === 'run' && event.run.seconds >= 2) return;
  const { session } = await client.sessions.get({ id });
  throw new Error(`${session.name} ended: ${session.message ?? session.state}`);
}

async function ended(client: Client<AppContract>, id: number): Promise<void> {
  for await (const _ of client.sessions.watch({ id }));
}

async function storedSeconds(client: Client<AppContract>, sessions: readonly number[]): Promise<number> {
  const runs = await Promise.all(sessions.map((id) => client.sessions.runs({ id })));
  return runs.flat().reduce((sum, run) => sum + run.seconds, 0);
}

async function withBareClients<T>(bare: Bare, work: (cpu: () => Promise<number>) => Promise<T>): Promise<T> {
  const child = fork(join(import.meta.dirname, 'streams-process.ts'));
  const ended = once(child, 'exit').then(() => {
    throw new Error('The bare client has ended.');
  });
  const asked = async (message: 'cpu' | Bare): Promise<number> => {
    child.send(message);
    const [cpu] = await Promise.race([once(child, 'message'), ended]);
    return Number(cpu);
  };
  try {
    await asked(bare);
    return await work(() => asked('cpu'));
  } finally {
    ended.catch(() => undefined);
    child.disconnect();
  }
}
