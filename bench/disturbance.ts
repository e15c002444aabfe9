import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type DatabaseServer, startMariaDb } from '../e2e/testbed/databases/index.ts';
import { canMakeNetworks, createHosts, type TestHost } from '../e2e/testbed/sshd/index.ts';
import type { AppContract } from '../src/shared/contract/index.ts';
import type { Client } from '../src/shared/rpc/define.ts';
import { meanInterval } from '../src/shared/stats/index.ts';
import { formatPercent } from '../src/shared/util/format.ts';
import { median } from '../src/shared/util/numbers.ts';
import { addHost, runToEnd, withEngine } from './engine.ts';
import type { BenchRow } from './row.ts';

const PAIRS = Number(process.env.BENCH_PAIRS ?? 8);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const TABLE = { tables: 1, 'table-size': 10_000 };
const THREADS = 2;
const execute = promisify(execFile);

/**
 * Transactions per second, from sysbench's own summary, of the same sysbench command on the same host against the same MariaDB: driven by Kneepoint
 * with everything monitored and with nothing, and started over ssh alone with its output discarded. Interleaved, with each of the three first
 * equally often.
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
      const config = { address, port, user, database: name, allowCleartextPassword: true };
      await client.targets.save({ spec: { name: 'mariadb', kind: 'mysql', via: 'loadgen', config }, secret: password });
      // Fills caches, prepares the table, and is not counted.
      await driven(client, true);
      await bare(generator, database);
      const pairs: Pair[] = [];
      for (let pair = 0; pair < PAIRS; pair += 1) {
        const round: Pair = { watched: NONE, unwatched: NONE, alone: 0 };
        const turns = [
          async () => {
            round.watched = await driven(client, true);
          },
          async () => {
            round.unwatched = await driven(client, false);
          },
          async () => {
            round.alone = await bare(generator, database);
          },
        ];
        for (const index of turns.keys()) await turns[(pair + index) % turns.length]?.();
        pairs.push(round);
        process.stderr.write(`  round ${pair + 1} of ${PAIRS}: ${JSON.stringify(round)}\n`);
      }
      return rowsOf(pairs);
    });
  } finally {
    await database.stop();
    await network.close();
  }
}

/** `cpu`: share of one core that our process used from start to end of its session. */
interface Driven {
  tps: number;
  cpu: number;
}
const NONE: Driven = { tps: 0, cpu: 0 };

interface Pair {
  watched: Driven;
  unwatched: Driven;
  alone: number;
}

function rowsOf(pairs: readonly Pair[]): BenchRow[] {
  const tps = (of: (pair: Pair) => number): number => median(pairs.map(of));
  const between = (name: string, of: (pair: Pair) => number, by: (pair: Pair) => number): BenchRow => ({
    name,
    value: tps(of),
    unit: 'tps',
    limit: tps(by),
    ...ratioOf(pairs.map((pair) => Math.log(of(pair) / by(pair)))),
    goal: `loss ≤ ${formatPercent(0.01)} within noise`,
  });
  const cpu = (name: string, of: (pair: Pair) => Driven): BenchRow => ({
    name,
    value: median(pairs.map((pair) => of(pair).cpu)),
    unit: '% of one core',
    note: 'preflight, launch and the end of a short session included; here it shares the cores with server and tool',
  });
  return [
    between(
      'Transactions per second while Kneepoint drives and watches',
      ({ watched }) => watched.tps,
      ({ alone }) => alone,
    ),
    between(
      'The same, with nothing watched',
      ({ unwatched }) => unwatched.tps,
      ({ alone }) => alone,
    ),
    between(
      'Watched against not watched',
      ({ watched }) => watched.tps,
      ({ unwatched }) => unwatched.tps,
    ),
    cpu('CPU of the engine meanwhile, watching', ({ watched }) => watched),
    cpu('CPU of the engine meanwhile, not watching', ({ unwatched }) => unwatched),
  ];
}

/** From pairs: the geometric mean of their ratios, and its uncertainty. */
function ratioOf(logs: readonly number[]): Pick<BenchRow, 'ratio' | 'note'> {
  const interval = meanInterval(logs);
  const ratio = Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length);
  const note = interval
    ? `95 % interval of the ratio ${Math.exp(interval.low).toFixed(3)} to ${Math.exp(interval.high).toFixed(3)}, ${logs.length} pairs`
    : `${logs.length} pair`;
  return { ratio, note };
}

const OPTIONS = { threads: THREADS, ...TABLE, 'db-ps-mode': 'disable', percentile: 95 };

/** A session of one trial, started like a user's. */
async function driven(client: Client<AppContract>, isWatched: boolean): Promise<Driven> {
  const options = Object.entries({ script: 'oltp_read_only', ...OPTIONS }).map(([name, value]) => `${name}: ${value}`);
  const text = `kneepoint: 1
name: Disturbance
workload: { tool: sysbench, options: { ${options.join(', ')} } }
where: { generators: [loadgen], target: mariadb }
measure: { duration: ${SECONDS} }
monitors: { generators: ${isWatched}, place: ${isWatched}, server: ${isWatched} }
`;
  const [before, began] = [process.cpuUsage(), performance.now()];
  const id = await runToEnd(client, text);
  const used = process.cpuUsage(before);
  const cpu = (used.user + used.system) / 10 / (performance.now() - began);
  const [trial] = await client.sessions.runs({ id });
  return { tps: tpsOf(trial?.summary.tps), cpu };
}

/** The same command without Kneepoint. */
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
