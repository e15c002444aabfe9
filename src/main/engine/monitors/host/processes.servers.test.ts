import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MonitorRow } from '../monitor.ts';
import { KINDS } from '../testing/monitor-bed.ts';
import { HostParser } from './parse.ts';
import { READ } from './scripts/read.awk.ts';

interface Process {
  name: string;
  user?: number;
  /** Ticks of children that have ended. */
  inherited?: number;
  parent?: number;
  threads?: number;
  /** Ticks of each thread, by its number. */
  tasks?: Readonly<Record<number, number>>;
  /** Ticks after the start of the host. */
  start?: number;
  /** The process, if the number is that of a thread. */
  leader?: number;
  /** Started by a job of Kneepoint, of which it is the session. */
  ofJob?: true;
  /** The supervisor of a job of Kneepoint. */
  supervises?: true;
  /** The process that its session began with. */
  session?: number;
  /** Listens on these ports, hexadecimal. */
  ports?: readonly string[];
  /** Its control group, of the second version. */
  group?: string;
  faults?: number;
  /** KiB, and how much of it is shared with others. */
  rss?: number;
  shared?: number;
}

/** A /proc in a folder, and the reader that looks at it on demand. */
class Reader {
  readonly #root = mkdtempSync(join(tmpdir(), 'kneepoint-proc-'));
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #parser = new HostParser();
  #uptime = 1000;

  readonly #named: boolean;
  /** Ports on which something listens, hexadecimal. */
  sockets: readonly string[] = [];

  /** `named`: as kernels since 2.6.33, which also provide the name of a process alone. */
  constructor(awk: readonly string[], names: readonly string[], { named = true } = {}) {
    this.#named = named;
    mkdirSync(join(this.#root, 'self'));
    mkdirSync(join(this.#root, 'net'));
    this.connections('');
    if (named) writeFileSync(join(this.#root, 'self', 'comm'), 'awk\n');
    const program = join(this.#root, 'read.awk');
    writeFileSync(program, READ);
    writeFileSync(join(this.#root, 'stat'), 'cpu  1 2 3 4\nctxt 5\n');
    const [command = '', ...before] = awk;
    this.#child = spawn(command, [...before, '-f', program, this.#root, this.#root, ...names], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, PATH: `${join(this.#root, 'bin')}:${process.env.PATH}` },
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#child.stdin.write('= 0 100 4096 -\n');
  }

  set(pid: number, of: Process | undefined): void {
    const folder = join(this.#root, String(pid));
    rmSync(folder, { recursive: true, force: true });
    if (!of) return;
    mkdirSync(folder);
    const {
      name,
      user = 0,
      inherited = 0,
      parent = 1,
      threads = 1,
      start = 0,
      leader = pid,
      rss = 400,
      shared = 0,
      faults = 0,
      ports = [],
    } = of;
    const fields = [
      'S',
      parent,
      1,
      of.session ?? 1,
      0,
      -1,
      0,
      0,
      0,
      faults,
      0,
      user,
      0,
      inherited,
      0,
      20,
      0,
      threads,
      0,
      start,
      0,
      rss / 4,
      0,
      0,
    ];
    writeFileSync(join(folder, 'stat'), `${pid} (${name}) ${fields.join(' ')}\n`);
    writeFileSync(
      join(folder, 'status'),
      `Name:\tx\nTgid:\t${leader}\nPPid:\t${parent}\nvoluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t2\n`,
    );
    if (this.#named) writeFileSync(join(folder, 'comm'), `${name}\n`);
    for (const [id, used] of Object.entries(of.tasks ?? {})) {
      mkdirSync(join(folder, 'task', id), { recursive: true });
      writeFileSync(join(folder, 'task', id, 'stat'), `${id} (${name}) ${fields.with(11, used).join(' ')}\n`);
    }
    if (of.group !== undefined) writeFileSync(join(folder, 'cgroup'), `0::${of.group}\n`);
    if (of.supervises) {
      mkdirSync(join(folder, 'job'));
      writeFileSync(join(folder, 'job', 'identity'), '99 1 boot 1 nonce\n');
      symlinkSync(join(folder, 'job'), join(folder, 'cwd'));
    }
    if (of.ofJob) {
      mkdirSync(join(folder, 'job', 'files'), { recursive: true });
      writeFileSync(join(folder, 'job', 'identity'), '99 1 boot 1 nonce\n');
      symlinkSync(join(folder, 'job', 'files'), join(folder, 'cwd'));
    }
    mkdirSync(join(folder, 'net'));
    mkdirSync(join(folder, 'fd'));
    // All servers of a host see the sockets of all; its own ones are in its folder of files.
    for (const each of ports) symlinkSync(`socket:[${Number.parseInt(each, 16)}]`, join(folder, 'fd', '3'));
    const sockets = this.sockets.map(
      (each, place) =>
        `   ${place}: 00000000:${each} 00000000:0000 0A 00000000:00000000 00:00000000 00000000 999 0 ${Number.parseInt(each, 16)} 1 0 100`,
    );
    writeFileSync(join(folder, 'net', 'tcp'), ['  sl  local_address', ...sockets, ''].join('\n'));
    writeFileSync(join(folder, 'statm'), `9 ${rss / 4} ${shared / 4} 0 0 0 0\n`);
  }

  /** Output of `ss`; without it, `ss` is missing. */
  connections(text: string): void {
    const path = join(this.#root, 'bin', 'ss');
    this.write('bin/ss', `#!/bin/sh\ncat <<'END' | grep .\n${text}\nEND\n`);
    chmodSync(path, 0o755);
  }

  /** A file of sysfs, which has the same root. */
  write(path: string, text: string): void {
    mkdirSync(join(this.#root, path, '..'), { recursive: true });
    writeFileSync(join(this.#root, path), text);
  }

  /** A second later. `all`: with a list of these processes. `newest`: the last number assigned. */
  async look({ all, newest = 10 }: { all?: readonly number[]; newest?: number } = {}): Promise<MonitorRow> {
    this.#uptime += 1;
    writeFileSync(join(this.#root, 'uptime'), `${this.#uptime}.00 1.00\n`);
    writeFileSync(join(this.#root, 'loadavg'), `0.50 0 0 1/100 ${newest}\n`);
    if (all) this.#child.stdin.write(`p(\np ${all.join(' ')}\np)\n`);
    this.#child.stdin.write('.\n');
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error('The reader has ended.');
      const row = this.#parser.line(value);
      if (row) return row;
    }
  }

  /** Seconds since the start of the host, in ticks. */
  get now(): number {
    return this.#uptime * 100;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'close');
    rmSync(this.#root, { recursive: true, force: true });
  }
}

const AWKS: Readonly<Record<string, readonly string[]>> = {
  mawk: ['mawk', '-W', 'interactive'],
  gawk: ['gawk'],
  'original-awk': ['original-awk'],
  busybox: ['busybox', 'awk'],
};
const installed = Object.entries(AWKS).filter(([name]) =>
  KINDS.some(({ programs }) => Object.values(programs).includes(name)),
);

describe.each(installed)('processes, with %s', (_, awk) => {
  let reader: Reader;
  beforeEach(() => {
    reader = new Reader(awk, ['server', 'sysbench', 'a-name-that-is-longer']);
  });
  afterEach(() => reader.end());
  const ticks = ({ metrics }: MonitorRow, name: string): number | undefined => metrics[`proc.${name}.user_ticks`];

  it('are summed by name, and exited children count for their parent', async () => {
    reader.set(100, { name: 'server', user: 1000 });
    reader.set(101, { name: 'server', user: 500, parent: 100, start: reader.now });
    reader.set(102, { name: 'a-name-that-is-', user: 3 });
    const first = await reader.look({ all: [1, 100, 101, 102], newest: 200 });
    expect(first.metrics).toMatchObject({
      'proc.server.user_ticks': 1500,
      'proc.server.threads': 2,
      'proc.a-name-that-is-longer.user_ticks': 3,
      'load.1': 0.5,
    });
    reader.set(101, undefined);
    reader.set(100, { name: 'server', user: 1010, inherited: 520 });
    expect(ticks(await reader.look({ newest: 200 }), 'server')).toBe(1530);
    reader.set(100, undefined);
    expect((await reader.look({ newest: 200 })).metrics).not.toHaveProperty(['proc.server.user_ticks']);
  });

  it('of a name keep their share in the sum when one of them ends', async () => {
    reader.set(100, { name: 'sysbench', user: 70 });
    reader.set(101, { name: 'sysbench', user: 50 });
    await reader.look({ all: [100, 101] });
    reader.set(101, undefined);
    expect(ticks(await reader.look(), 'sysbench')).toBe(120);
    // The number is reused for another process.
    reader.set(100, { name: 'sysbench', user: 5, start: reader.now });
    expect((await reader.look()).metrics).not.toHaveProperty(['proc.sysbench.user_ticks']);
  });

  it.each([
    ['kernels that tell their names alone', true],
    ['older kernels', false],
  ])('are found by number as they start, and threads are excluded, on %s', async (_kernels, named) => {
    await reader.end();
    reader = new Reader(awk, ['server'], { named });
    reader.set(100, { name: 'server', user: 1000 });
    await reader.look({ all: [100], newest: 100 });
    reader.set(101, { name: 'server', user: 1000, leader: 100 });
    reader.set(102, { name: 'sh', start: reader.now });
    reader.set(103, { name: 'server', user: 9, parent: 100, start: reader.now });
    expect(ticks(await reader.look({ newest: 103 }), 'server')).toBe(1009);
    reader.set(102, { name: 'server', user: 5, parent: 100, start: reader.now - 50 });
    expect(ticks(await reader.look({ newest: 103 }), 'server')).toBe(1014);
  });

  it('are found among hundreds that start in the same second, and after numbers wrap around', async () => {
    reader.set(100, { name: 'server', user: 1000 });
    await reader.look({ all: [100], newest: 100 });
    reader.set(580, { name: 'sysbench', user: 9, start: reader.now });
    await reader.look({ newest: 600 });
    expect(ticks(await reader.look({ newest: 601 }), 'sysbench')).toBe(9);
    reader.set(310, { name: 'server', user: 30, start: reader.now });
    expect(ticks(await reader.look({ newest: 320 }), 'server')).toBe(1030);
  });

  it('found late do not contribute their past', async () => {
    reader.set(100, { name: 'server', user: 1000 });
    await reader.look({ all: [100] });
    reader.set(50, { name: 'server', user: 700, parent: 100, start: 100 });
    expect(ticks(await reader.look({ all: [50, 100] }), 'server')).toBe(1000);
    reader.set(50, { name: 'server', user: 720, parent: 100, start: 100 });
    expect(ticks(await reader.look(), 'server')).toBe(1020);
    reader.set(50, undefined);
    reader.set(100, { name: 'server', user: 1000, inherited: 725 });
    expect(ticks(await reader.look(), 'server')).toBe(1025);
  });

  it('started by exec from a shell are found at once', async () => {
    reader.set(100, { name: 'sh', start: reader.now });
    expect((await reader.look({ all: [100] })).metrics).not.toHaveProperty(['proc.sysbench.user_ticks']);
    for (let second = 0; second < 3; second += 1) await reader.look();
    reader.set(100, { name: 'sysbench', user: 4, start: reader.now - 400 });
    expect(ticks(await reader.look(), 'sysbench')).toBe(4);
  });

  it('that were not requested are shown while they use CPU, with any name', async () => {
    const name = 'odd) (name\nx';
    reader.set(100, { name, user: 100 });
    reader.set(101, { name: 'quiet', user: 100 });
    await reader.look({ all: [100, 101] });
    for (let second = 0; second < 9; second += 1) await reader.look();
    reader.set(100, { name, user: 600 });
    reader.set(101, { name: 'quiet', user: 101 });
    const seen = await reader.look({ all: [100, 101] });
    expect(Object.keys(seen.metrics).filter((key) => /^proc\..*user_ticks$/.test(key))).toEqual([
      'proc.odd___name_x.user_ticks',
    ]);
    reader.set(100, { name, user: 700 });
    expect((ticks(await reader.look(), 'odd___name_x') ?? 0) - (ticks(seen, 'odd___name_x') ?? 0)).toBe(100);
    for (let scan = 0; scan < 4; scan += 1) await reader.look({ all: [100, 101] });
    expect((await reader.look()).metrics).not.toHaveProperty(['proc.odd___name_x.user_ticks']);
  });

  it('that were idle are shown when they use CPU or exec a requested program', async () => {
    const start = reader.now - 60_000;
    reader.set(100, { name: 'idle', user: 100, start });
    reader.set(101, { name: 'other', user: 100, start });
    for (let scan = 0; scan < 3; scan += 1) {
      const { metrics } = await reader.look({ all: [100, 101] });
      expect(Object.keys(metrics).filter((name) => name.startsWith('proc.'))).toEqual([]);
    }
    reader.set(100, { name: 'idle', user: 600, start });
    reader.set(101, { name: 'server', user: 100, start });
    const seen = await reader.look({ all: [100, 101] });
    expect([ticks(seen, 'idle'), ticks(seen, 'server')]).toEqual([600, 100]);
  });

  it('of a tool count only in jobs, and others of its name are strangers', async () => {
    await reader.end();
    reader = new Reader(awk, ['job:sysbench']);
    reader.set(100, { name: 'sysbench', user: 70 });
    reader.set(101, { name: 'sysbench', user: 50, ofJob: true });
    reader.set(102, { name: 'sysbench', user: 5, parent: 101 });
    expect(ticks(await reader.look({ all: [100, 101, 102] }), 'sysbench')).toBe(55);
    for (let second = 0; second < 9; second += 1) await reader.look();
    reader.set(100, { name: 'sysbench', user: 570 });
    const { metrics } = await reader.look({ all: [100, 101, 102] });
    expect(metrics).toMatchObject({ 'proc.sysbench.user_ticks': 55, 'proc.sysbench:other.user_ticks': 570 });
  });

  it('of several servers of a name are those of the one listening on the target port, if visible', async () => {
    await reader.end();
    reader = new Reader(awk, ['at:3306,3308:server']);
    reader.sockets = ['0CEA', '0CEB'];
    reader.set(100, { name: 'server', user: 70, ports: ['0CEB'] });
    reader.set(101, { name: 'server', user: 50, ports: ['0CEA'] });
    reader.set(102, { name: 'server', user: 5, parent: 101 });
    reader.set(103, { name: 'server', user: 7, parent: 100 });
    const all = [100, 101, 102, 103];
    await reader.look({ all });
    expect((await reader.look({ all })).metrics['proc.server.threads']).toBe(2);
    reader.set(101, { name: 'server', user: 60, ports: ['0CEA'] });
    const before = ticks(await reader.look(), 'server') ?? 0;
    reader.set(100, { name: 'server', user: 900, ports: ['0CEB'] });
    reader.set(102, { name: 'server', user: 8, parent: 101 });
    expect((ticks(await reader.look({ all }), 'server') ?? 0) - before).toBe(3);
    // After a restart, it has another number.
    reader.set(101, undefined);
    reader.set(102, undefined);
    await reader.look();
    reader.set(104, { name: 'server', user: 5, ports: ['0CEA'], start: reader.now });
    expect((await reader.look({ all: [...all, 104], newest: 104 })).metrics['proc.server.threads']).toBe(1);
  });

  it('report page faults and the tightest quota of their control groups', async () => {
    reader.write('fs/cgroup/small/cpu.max', '50000 100000\n');
    reader.write('fs/cgroup/small/cpu.stat', 'usage_usec 1\nnr_periods 40\nnr_throttled 30\n');
    reader.write('fs/cgroup/small/inner/cpu.max', 'max 100000\n');
    reader.set(100, { name: 'server', faults: 12, group: '/small/inner' });
    reader.set(101, { name: 'sysbench', group: '/' });
    const { metrics } = await reader.look({ all: [100, 101] });
    expect(metrics).toMatchObject({
      'proc.server.major_faults': 12,
      'proc.server.stopped': 0,
      'proc.server.quota_cores': 0.5,
      'proc.server.periods': 40,
      'proc.server.throttled_periods': 30,
    });
    expect(metrics).not.toHaveProperty(['proc.sysbench.quota_cores']);
  });

  it('of a tool include one that has entered the folder that it measures, and what its script starts there', async () => {
    await reader.end();
    reader = new Reader(awk, ['job:fio']);
    reader.set(90, { name: 'sh', supervises: true });
    reader.set(100, { name: 'fio', parent: 90, session: 100, user: 30 });
    // Started by a script: its shell began the session and entered the folder.
    reader.set(110, { name: 'sh', parent: 90, session: 110 });
    reader.set(111, { name: 'sh', parent: 110, session: 110 });
    reader.set(112, { name: 'fio', parent: 111, session: 110, user: 12 });
    reader.set(120, { name: 'sh', session: 120 });
    reader.set(121, { name: 'fio', parent: 120, session: 120, user: 500 });
    const { metrics } = await reader.look({ all: [90, 100, 110, 111, 112, 120, 121] });
    expect(metrics).toMatchObject({ 'proc.fio.threads': 2, 'proc.fio.user_ticks': 42 });
  });

  it('of a tool report the CPU of its busiest thread, also as threads come and go', async () => {
    await reader.end();
    reader = new Reader(awk, ['job:sysbench', 'server']);
    const set = (tasks: Record<number, number>): void =>
      reader.set(100, { name: 'sysbench', ofJob: true, threads: Object.keys(tasks).length, tasks });
    const busiest = async (tasks: Record<number, number>): Promise<number | undefined> => {
      set(tasks);
      return (await reader.look()).metrics['proc.sysbench.busiest_thread'];
    };
    set({ 100: 5, 101: 900, 102: 0 });
    reader.set(200, { name: 'server', threads: 2, tasks: { 200: 1, 201: 2 } });
    const { metrics } = await reader.look({ all: [100, 200] });
    expect(metrics).not.toHaveProperty(['proc.sysbench.busiest_thread']);
    expect(await busiest({ 100: 6, 101: 998, 102: 20 })).toBe(98);
    expect(await busiest({ 100: 56, 101: 999, 102: 21 })).toBe(50);
    expect(await busiest({ 100: 57, 102: 22, 103: 700 })).toBe(1);
    expect(await busiest({ 100: 58, 102: 23, 103: 770 })).toBe(1);
    expect(await busiest({ 100: 59, 102: 24, 103: 840 })).toBe(70);
    // A tool with one thread is its process.
    expect(await busiest({ 100: 60 })).toBeUndefined();
  });

  it('of a tool with many threads are polled in turn, busy ones always', async () => {
    await reader.end();
    reader = new Reader(awk, ['job:sysbench']);
    const tasks = (ticks: number) =>
      Object.fromEntries(Array.from({ length: 24 }, (_, index) => [100 + index, index === 20 ? ticks : 3]));
    const look = async (ticks: number, all?: number[]) => {
      reader.set(100, { name: 'sysbench', ofJob: true, threads: 24, tasks: tasks(ticks) });
      return (await reader.look(all && { all })).metrics['proc.sysbench.busiest_thread'];
    };
    await look(0, [100]);
    for (let second = 1; second <= 3; second += 1) await look(95 * second);
    expect(await look(95 * 4)).toBe(95);
    expect(await look(95 * 5)).toBe(95);
  });

  it.each([
    ['of a program that is told round trips', true],
    ['of /proc', false],
  ])('report connections to a server and to clients: %s', async (_source, isThere) => {
    await reader.end();
    reader = new Reader(awk, ['job:sysbench', 'server:3306', 'clients:3306,5432']);
    reader.set(100, { name: 'sysbench', ofJob: true });
    if (isThere)
      reader.connections(`Recv-Q Send-Q Local Address:Port Peer Address:Port Process
0 1500 10.0.0.1:40000 10.0.0.2:3306
\t cubic rto:201 rtt:0.05/0.02 minrtt:0.25 snd_wnd:1
700 500 10.0.0.1:40001 10.0.0.2:3306
\t cubic rto:201 rtt:0.05/0.02 minrtt:0.75
0 0 10.0.0.1:40002 10.0.0.2:3306
\t cubic rto:201 rtt:0.05/0.02`);
    const socket = (local: string, remote: string, queues: string, state = '01') =>
      `  0: 0100007F:${local} 0100007F:${remote} ${state} ${queues} 00:00000000 00000000 0 0 1 1 0`;
    const lines = [
      'sl local_address',
      socket('9C40', '0CEA', '000005DC:00000000'),
      socket('9C41', '0CEA', '000001F4:000002BC'),
      socket('9C42', '0CEB', '000001F4:000002BC'),
      socket('9C43', '0CEA', '000001F4:000002BC', '06'),
    ];
    reader.write('net/tcp', `${lines.join('\n')}\n`);
    reader.write('net/tcp6', `sl\n${socket('1538', '9C44', '00000000:00000001')}\n`);
    const { metrics } = await reader.look({ all: [100] });
    expect(metrics).toMatchObject({
      'sockets.server.unread': 1,
      'sockets.server.unconfirmed': 2,
      'sockets.server.unconfirmed_bytes': 2000,
    });
    expect(metrics['sockets.server.least_us']).toBe(isThere ? 500 : undefined);
    expect(metrics['sockets.clients.unread']).toBe(1);
    // Connections of a tool that has none yet are searched again soon. Between two looks they are reported unchanged; those of an ended tool are not.
    reader.write('net/tcp', 'sl\n');
    reader.set(100, undefined);
    const later = (await reader.look()).metrics;
    expect(later).toMatchObject({ 'sockets.clients.unread': 1 });
    expect(later).not.toHaveProperty(['sockets.server.unread']);
  });

  it('that share memory count it once', async () => {
    reader.set(100, { name: 'server', rss: 5000, shared: 4000 });
    expect((await reader.look({ all: [100] })).metrics['proc.server.rss_kib']).toBe(5000);
    reader.set(101, { name: 'server', rss: 4400, shared: 4000, parent: 100 });
    const { metrics } = await reader.look({ all: [100, 101] });
    expect(metrics['proc.server.rss_kib']).toBe(5400);
    expect(metrics['proc.server.voluntary_switches']).toBeDefined();
    reader.set(101, { name: 'server', parent: 100, threads: 3 });
    expect((await reader.look()).metrics).not.toHaveProperty(['proc.server.voluntary_switches']);
  });

  it('in large numbers are polled in turn, and none is forgotten', async () => {
    const pids = Array.from({ length: 150 }, (_, index) => 1000 + index);
    for (const pid of pids) reader.set(pid, { name: 'server', user: 10 });
    expect(ticks(await reader.look({ all: pids, newest: 2000 }), 'server')).toBe(1500);
    for (const pid of pids) reader.set(pid, { name: 'server', user: 12 });
    for (let second = 0; second < 1; second += 1) await reader.look({ newest: 2000 });
    expect(ticks(await reader.look({ newest: 2000 }), 'server')).toBe(1800);
  });
});
