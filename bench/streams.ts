import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as SshClient } from 'ssh2';
import { createHosts, type TestHost } from '../e2e/testbed/sshd/index.ts';
import type { AppContract } from '../src/shared/contract/index.ts';
import type { Client } from '../src/shared/rpc/define.ts';
import { addHost, withEngine } from './engine.ts';
import type { BenchRow } from './row.ts';

const GENERATORS = 16;
const SECONDS = 20;
const MIB = 1024 * 1024;

/** A tool that prints a line a second and hardly works: what is measured is the engine, on the same cores. */
const experiment = (host: string): string => `kneepoint: 1
name: Stream of ${host}
workload: { tool: sysbench, options: { script: cpu, rate: 2, cpu-max-prime: 100 } }
where: { generators: ["${host}"] }
measure: { duration: 600 }
`;

/** CPU (of one core) and memory of the engine's process while sixteen hosts stream a line a second over real SSH connections. */
export async function run(): Promise<BenchRow[]> {
  const network = await createHosts(GENERATORS);
  try {
    const bare = await withBareClients(network.hosts, cpuShare);
    const ours = await withEngine(async (client) => {
      const sessions = await startAll(client, network.hosts);
      await Promise.all(sessions.map((id) => firstSeconds(client, id)));
      const before = await storedSeconds(client, sessions);
      const share = await cpuShare();
      const memory = process.memoryUsage.rss();
      const stored = (await storedSeconds(client, sessions)) - before;
      await Promise.all(sessions.map((id) => client.sessions.stop({ id })));
      return { share, memory, stored };
    });
    return [
      {
        name: `Engine while ${GENERATORS} generators stream`,
        ...{ value: ours.share, unit: '% of one core', limit: bare, ratio: ours.share / bare },
        note: 'bare: ssh2 alone reading a line a second from each; ours parses, stores durably, watches the jobs',
      },
      { name: 'Memory of its process', value: ours.memory / MIB, unit: 'MiB' },
      { name: 'Lines stored per second meanwhile', value: ours.stored / SECONDS, unit: 'per s', goal: `${GENERATORS}` },
    ];
  } finally {
    await network.close();
  }
}

/** Percent of one core that this process used during the next seconds. */
async function cpuShare(): Promise<number> {
  const before = process.cpuUsage();
  const start = performance.now();
  await delay(SECONDS * 1000);
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 10 / (performance.now() - start);
}

async function startAll(client: Client<AppContract>, hosts: readonly TestHost[]): Promise<number[]> {
  const sessions: number[] = [];
  for (const [index, host] of hosts.entries()) {
    const name = `host ${index + 1}`;
    await addHost(client, name, host);
    sessions.push((await client.sessions.start({ text: experiment(name) })).id);
  }
  return sessions;
}

/** Resolves once lines of the session arrive; rejects when it ends before. */
async function firstSeconds(client: Client<AppContract>, id: number): Promise<void> {
  for await (const event of client.sessions.watch({ id })) if (event.kind === 'run' && event.run.seconds >= 2) return;
  const { session } = await client.sessions.get({ id });
  throw new Error(`${session.name} ended: ${session.message ?? session.state}`);
}

async function storedSeconds(client: Client<AppContract>, sessions: readonly number[]): Promise<number> {
  const runs = await Promise.all(sessions.map((id) => client.sessions.runs({ id })));
  return runs.flat().reduce((sum, run) => sum + run.seconds, 0);
}

/** The least that a client must do: a connection to each host, a line a second read and dropped. */
async function withBareClients<T>(hosts: readonly TestHost[], work: () => Promise<T>): Promise<T> {
  const clients: SshClient[] = [];
  try {
    for (const host of hosts) clients.push(await bareClient(host));
    return await work();
  } finally {
    for (const client of clients) client.end();
  }
}

function bareClient({ address, port, user, keyFile }: TestHost): Promise<SshClient> {
  const client = new SshClient();
  return new Promise((resolve, reject) => {
    client.once('error', reject);
    client.once('ready', () => {
      client.setNoDelay(true);
      const script = `exec sh -c 'while printf "%0128d\\n" 7; do sleep 1; done'`;
      client.exec(script, (error, channel) => {
        if (error) reject(error);
        else channel.once('data', () => resolve(client)).resume();
      });
    });
    client.connect({ host: address, port, username: user, privateKey: readFileSync(keyFile) });
  });
}
