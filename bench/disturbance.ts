import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type DatabaseServer, startMariaDb } from '../e2e/testbed/databases/index.ts';
import { canMakeNetworks, createHosts, type TestHost } from '../e2e/testbed/sshd/index.ts';
import type { AppContract } from '../src/shared/contract/index.ts';
import type { Client } from '../src/shared/rpc/define.ts';
import { meanInterval } from '../src/shared/stats/index.ts';
import { formatPercent } from '../src/shared/util/format.ts';
import { addHost, runToEnd, withEngine } from './engine.ts';
import { type BenchRow, median } from './row.ts';

const PAIRS = Number(process.env.BENCH_PAIRS ?? 8);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const TABLE = { tables: 1, 'table-size': 10_000 };
const THREADS = 2;
const execute = promisify(execFile);

/**
 * Transactions per second, by sysbench's own summary, of the same sysbench command on the same host against the same MariaDB:
 * driven by Kneepoint, and started bare over ssh with its output thrown away. Alternating, the first of each pair taking turns.
 */
export async function run(): Promise<BenchRow[]> {
  const network = await createHosts(1);
  const generator = network.hosts[0] as TestHost;
  const address = canMakeNetworks() ? generator.address.replace(/\.\d+$/, '.254') : '127.0.0.1';
  const database = await startMariaDb({ address });
  try {
    return await withEngine(async (client) => {
      await addHost(client, 'loadgen', generator);
      const { port, user, database: name, password } = database;
      const config = { address, port, user, database: name };
      await client.targets.save({ spec: { name: 'mariadb', kind: 'mysql', via: 'loadgen', config }, secret: password });
      const ours = () => driven(client);
      const alone = () => bare(generator, database);
      // Fills caches, prepares the table, and is not counted.
      await ours();
      await alone();
      const pairs: Pair[] = [];
      for (let pair = 0; pair < PAIRS; pair += 1) {
        const first = pair % 2 === 0 ? await ours() : undefined;
        const other = await alone();
        pairs.push({ ...(first ?? (await ours())), alone: other });
        process.stderr.write(`  pair ${pair + 1} of ${PAIRS}: ${JSON.stringify(pairs.at(-1))}\n`);
      }
      return rowsOf(pairs);
    });
  } finally {
    await database.stop();
    await network.close();
  }
}

/** `cpu`: share of one core that our process used from start to end of its session. */
interface Pair {
  ours: number;
  cpu: number;
  alone: number;
}

function rowsOf(pairs: readonly Pair[]): BenchRow[] {
  const logs = pairs.map((pair) => Math.log(pair.ours / pair.alone));
  const interval = meanInterval(logs);
  const ratio = Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length);
  const range = interval
    ? `95 % interval of the ratio ${Math.exp(interval.low).toFixed(3)} to ${Math.exp(interval.high).toFixed(3)}, ${pairs.length} pairs`
    : `${pairs.length} pair`;
  return [
    {
      name: 'Transactions per second while Kneepoint drives',
      value: median(pairs.map((pair) => pair.ours)),
      unit: 'tps',
      limit: median(pairs.map((pair) => pair.alone)),
      ratio,
      goal: `loss ≤ ${formatPercent(0.01)} within noise`,
      note: range,
    },
    {
      name: 'CPU of the engine meanwhile',
      value: median(pairs.map((pair) => pair.cpu)),
      unit: '% of one core',
      note: 'preflight, launch and the end of a short session included; here it shares the cores with server and tool',
    },
  ];
}

const OPTIONS = { threads: THREADS, ...TABLE, 'db-ps-mode': 'disable', percentile: 95 };

/** A session of one trial, as a person would start it. */
async function driven(client: Client<AppContract>): Promise<Omit<Pair, 'alone'>> {
  const options = Object.entries({ script: 'oltp_read_only', ...OPTIONS }).map(([name, value]) => `${name}: ${value}`);
  const text = `kneepoint: 1
name: Disturbance
workload: { tool: sysbench, options: { ${options.join(', ')} } }
where: { generators: [loadgen], target: mariadb }
measure: { duration: ${SECONDS} }
`;
  const [before, began] = [process.cpuUsage(), performance.now()];
  const id = await runToEnd(client, text);
  const used = process.cpuUsage(before);
  const cpu = (used.user + used.system) / 10 / (performance.now() - began);
  const [trial] = await client.sessions.runs({ id });
  return { ours: tpsOf(trial?.summary.tps), cpu };
}

/** The same command without us. */
async function bare(host: TestHost, database: DatabaseServer): Promise<number> {
  const options = Object.entries(OPTIONS).map(([name, value]) => `--${name}=${value}`);
  const server = [
    `--mysql-host=${database.address}`,
    `--mysql-port=${database.port}`,
    `--mysql-user=${database.user}`,
    `--mysql-password=${database.password}`,
    `--mysql-db=${database.database}`,
  ];
  const command = [
    'sysbench',
    'oltp_read_only',
    ...server,
    ...options,
    '--report-interval=1',
    `--time=${SECONDS}`,
    'run',
  ];
  const ssh = ['-F', 'none', '-i', host.keyFile, '-p', String(host.port), '-o', 'StrictHostKeyChecking=no'];
  const quiet = ['-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR', '-o', 'BatchMode=yes'];
  const { stdout } = await execute('ssh', [...ssh, ...quiet, `${host.user}@${host.address}`, command.join(' ')]);
  return tpsOf(Number(/transactions:\s+\d+\s+\(([\d.]+) per sec/.exec(stdout)?.[1]));
}

function tpsOf(value: number | undefined): number {
  if (value === undefined || !(value > 0)) throw new Error('sysbench printed no transactions per second.');
  return value;
}
