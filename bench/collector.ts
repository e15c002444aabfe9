import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DatabaseServer, startMariaDb } from '../e2e/testbed/databases/index.ts';
import { hostMonitor } from '../src/main/engine/monitors/index.ts';
import { meanInterval } from '../src/shared/stats/index.ts';
import { formatPercent } from '../src/shared/util/format.ts';
import { median } from '../src/shared/util/numbers.ts';
import { writeLargeHost } from './large-host.ts';
import type { BenchRow } from './row.ts';

const PAIRS = Number(process.env.BENCH_PAIRS ?? 60);
/** Seconds of a turn: short, as other load on a shared computer changes from minute to minute. */
const TURN = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
/** A start costs as much as several seconds. */
const WATCHED_SECONDS = SECONDS * 6;
const execute = promisify(execFile);
const GOAL = '≤ 0.2 %';

/** Programs on the PATH, by name; the shell is `sh`. */
const NEEDED = { date: 'date', sleep: 'sleep', getconf: 'getconf' };
const HOSTS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['bash and mawk', { ...NEEDED, sh: 'bash', bash: 'bash', mawk: 'mawk' }],
  ['bash and gawk', { ...NEEDED, sh: 'bash', bash: 'bash', awk: 'gawk' }],
  ['dash and mawk', { ...NEEDED, sh: 'dash', mawk: 'mawk' }],
  ['dash, perl and mawk', { ...NEEDED, sh: 'dash', perl: 'perl', mawk: 'mawk' }],
  ['BusyBox', { sh: 'busybox', awk: 'busybox', date: 'busybox', sleep: 'busybox' }],
];

/** CPU of the host collector, as a share of one core, next to a shell that only sleeps; and its effect on a load. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-bench-'));
  try {
    return [...(await costs(folder)), await throughput(folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All at the same time: each needs a thousandth of a core. Starts are included. */
async function costs(folder: string): Promise<BenchRow[]> {
  const loop = `i=0; while [ $i -lt ${WATCHED_SECONDS} ]; do sleep 1; i=$((i + 1)); done`;
  const bare = costOf(bin(folder, 'bare', { sh: 'dash', sleep: 'sleep' }), ['-c', loop]);
  const installed = HOSTS.filter(([, programs]) => Object.values(programs).every((name) => pathOf(name) !== undefined));
  const here = installed.map(async ([kind, programs]) =>
    rowOf(
      `Watching this computer, ${kind}`,
      await collect(folder, bin(folder, kind, programs), { proc: '/proc', sys: '/sys' }),
      await bare,
    ),
  );
  const large = writeLargeHost(join(folder, 'large'));
  const path = bin(folder, 'large host', installed[0]?.[1] ?? {});
  const simulated = collect(folder, path, large).then(async (cost) => ({
    ...rowOf('Watching 64 cores and 1,200 processes', cost, await bare),
    note: 'simulated in files: without what the kernel takes to tell them',
  }));
  return Promise.all([...here, simulated]);
}

const rowOf = (name: string, value: number, limit: number): BenchRow => ({
  name,
  value,
  unit: '% of one core',
  limit,
  ratio: value / limit,
  goal: GOAL,
  note: 'limit: a loop in dash that starts sleep once a second',
});

const pathOf = (program: string): string | undefined =>
  ['/usr/bin', '/bin', '/usr/sbin'].map((folder) => join(folder, program)).find(existsSync);

function bin(folder: string, name: string, programs: Readonly<Record<string, string>>): string {
  const path = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(path);
  for (const [word, program] of Object.entries(programs)) symlinkSync(pathOf(program) ?? program, join(path, word));
  return path;
}

/** Files of the collector, and its argv for a host. */
function collector(folder: string, { proc, sys }: { proc: string; sys: string }): { argv: string[]; reader: string } {
  const at = mkdtempSync(join(folder, 'collector-'));
  const { files, argv } = hostMonitor({ processes: ['mysqld', 'sysbench'] }).job;
  for (const { name, content } of files) writeFileSync(join(at, name), content);
  const words = argv.slice(1).map((word) => {
    if (word === '/proc') return proc;
    return word === '/sys' ? sys : word.replace(/^@(.*)@$/, (_, name: string) => join(at, name));
  });
  return { argv: words, reader: join(at, 'read.awk') };
}

async function collect(folder: string, path: string, host: { proc: string; sys: string }): Promise<number> {
  const { argv, reader } = collector(folder, host);
  // It ends by itself when its files are gone, so it is waited for.
  const ended = delay(WATCHED_SECONDS * 1000).then(() => rmSync(reader));
  const cost = await costOf(path, argv);
  await ended;
  return cost;
}

/** Percent of one core used by a shell and everything that it started until it ended, including its start. */
async function costOf(path: string, argv: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn('bash', ['-c', 'PATH=$1; shift; sh "$@" >/dev/null; times', 'bash', path, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (bytes) => {
    output += String(bytes);
  });
  await once(child, 'close');
  const seconds = (performance.now() - began) / 1000;
  // Two lines, its own and its children's: user and system time.
  const [, children = ''] = output.trim().split('\n');
  const used = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  if (used.length !== 2) throw new Error(`bash told no times: ${output}`);
  return (((used[0] ?? 0) + (used[1] ?? 0)) / seconds) * 100;
}

/**
 * Point selects of one long sysbench while the collector is alternately stopped and continued: other changes on the computer within minutes affect
 * both alike. The order within pairs alternates.
 */
async function throughput(folder: string): Promise<BenchRow> {
  const database = await startMariaDb();
  const { argv, reader } = collector(folder, { proc: '/proc', sys: '/sys' });
  // A separate process group, which is stopped as a whole.
  const child = spawn('sh', argv, { stdio: 'ignore', detached: true });
  const closed = once(child, 'close').catch(() => undefined);
  const isThere = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid === undefined || !isThere()) throw new Error('The collector has ended by itself.');
    process.kill(-child.pid, name);
  };
  let load: ChildProcessByStdio<null, Readable, Readable> | undefined;
  try {
    await execute('sysbench', [...loadOf(database), 'prepare']);
    // The first second is not counted, and the last ones are not always reported.
    const argv = [...loadOf(database), `--time=${PAIRS * 2 * TURN + 3}`, '--report-interval=1', 'run'];
    load = spawn('sysbench', argv, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(load, 'close');
    let output = '';
    load.stderr.on('data', (bytes) => {
      output += String(bytes);
    });
    const turns = Array.from({ length: PAIRS }, (_, pair) => (pair % 2 === 0 ? [true, false] : [false, true])).flat();
    const perTurn = turns.map((): number[] => []);
    let second = -1;
    signal('SIGSTOP');
    // Each line is a second; the first is not counted.
    for await (const line of createInterface(load.stdout)) {
      const tps = Number(/ tps: ([\d.]+)/.exec(line)?.[1]);
      if (!(tps > 0)) continue;
      const turn = Math.floor(second / TURN);
      if (turn >= 0) perTurn[turn]?.push(tps);
      second += 1;
      if (second % TURN === 0) signal(turns[second / TURN] ? 'SIGCONT' : 'SIGSTOP');
    }
    const [code] = await ended;
    if (code !== 0 || perTurn.some(({ length }) => length < TURN))
      throw new Error(`sysbench has ended with code ${code}, and not every turn has its ${TURN} seconds. ${output}`);
    const means = perTurn.map((values) => values.slice(0, TURN).reduce((sum, tps) => sum + tps / TURN, 0));
    const pairs = Array.from({ length: PAIRS }, (_, pair) => {
      const [first = 0, other = 0] = means.slice(pair * 2);
      return turns[pair * 2] ? { watched: first, alone: other } : { watched: other, alone: first };
    });
    return lossOf(pairs);
  } finally {
    // If it has ended, or never began, neither is needed.
    load?.kill();
    if (isThere()) signal('SIGCONT');
    rmSync(reader);
    await closed;
    await database.stop();
  }
}

function lossOf(pairs: readonly { watched: number; alone: number }[]): BenchRow {
  const logs = pairs.map((pair) => Math.log(pair.watched / pair.alone));
  const interval = meanInterval(logs);
  const range = interval
    ? `95 % interval of the ratio ${Math.exp(interval.low).toFixed(4)} to ${Math.exp(interval.high).toFixed(4)}, `
    : '';
  return {
    name: 'Point selects on MariaDB while the host is watched',
    value: median(pairs.map((pair) => pair.watched)),
    unit: '/s',
    limit: median(pairs.map((pair) => pair.alone)),
    ratio: Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length),
    goal: `loss ≤ ${formatPercent(0.01)} within noise`,
    note: `${range}${pairs.length} pairs of ${TURN} s`,
  };
}

const loadOf = (database: DatabaseServer): string[] => [
  'oltp_point_select',
  `--mysql-host=${database.address}`,
  `--mysql-port=${database.port}`,
  `--mysql-user=${database.user}`,
  `--mysql-password=${database.password}`,
  `--mysql-db=${database.database}`,
  '--tables=1',
  '--table-size=10000',
  '--threads=2',
];
