import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import type { TargetSession } from '../targets/target.ts';

skipPauses();

/** A result as the client of a server prints it: rows, and their length. */
function line(t: number, n: number, more = ''): string {
  const rows = `Uptime\t${t}\x1en\t${n}\x1e${more}`;
  return `${t.toFixed(2)} ${rows}${rows.length}\n`;
}
const OFFSET_S = 50;

let bed: SessionBed;
/** Times of samples over the app's own connection, except the one that checks what the account may see. */
let direct: number[];
let isUp: boolean;
/** Number of queries while it was down. */
let downs: number;
let hasProgram: boolean;

beforeEach(() => {
  bed = new SessionBed();
  bed.monitors = { servers: true };
  bed.readClock = async () => ({ offsetMs: OFFSET_S * 1000, roundTripMs: 1 });
  bed.addServer();
  direct = [];
  isUp = true;
  downs = 0;
  hasProgram = true;
  const { targets } = bed;
  const shown = { kind: 'mysql', host: '127.0.0.1', port: 3306 } as const;
  bed.targets = {
    ...targets,
    shown: (name) => (targets.shown(name) ? shown : undefined),
    open: async (name, signal) => {
      const session = await targets.open(name, signal);
      if (!isUp) {
        downs += 1;
        throw new Error('The server is down.');
      }
      return session && { ...session, ...answers() };
    },
  };
  bed.crash();
});
afterEach(() => bed.close());

function answers(): Pick<TargetSession, 'sample' | 'samplesOnHost'> {
  let asked = 0;
  return {
    sample: async () => {
      asked += 1;
      bed.now += 1000;
      if (asked > 1 || !hasProgram) direct.push(bed.now);
      return { metrics: { n: -bed.now }, ...(asked === 1 && { problems: ['It tells no waits.'] }) };
    },
    samplesOnHost: async () =>
      hasProgram
        ? { script: 'ask', files: [{ name: 'my.cnf', content: 'password=x', mode: 0o600, secret: true }] }
        : undefined,
  };
}

const clients = (): FakeJob[] => bed.jobs.all.filter(({ spec }) => spec.files.some(({ name }) => name === 'sample.sh'));
const sourceOf = (id: number) => bed.store.sources.ofSession(id).find(({ kind }) => kind === 'server');
const stored = (id: number): { t: number[]; n: number[] } => {
  const { t, columns } = bed.store.monitored.columns(sourceOf(id)?.id ?? 0, ['n']);
  return { t: [...t], n: [...(columns.get('n') ?? [])] };
};
const passwords = (): number => bed.store.journal.open({ kind: 'host', name: 'one' }).length;
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
async function client(number = 1): Promise<FakeJob> {
  await until(() => clients().length === number);
  return clients()[number - 1] as FakeJob;
}
async function finish(id: number): Promise<void> {
  const trial = await bed.running(id, 0);
  trial.print('1 100\n');
  trial.end(0);
  await bed.sessions.settled(id);
}

describe('a server whose host is reached over SSH', () => {
  it('has the reason for each statement without values', async () => {
    const full = new KneepointError({ code: 'target-unreachable', message: 'No connection is left.' });
    bed.targets = { ...bed.targets, open: async () => Promise.reject(full) };
    const { id } = bed.sessions.start(`kneepoint: 1
name: Of a test
workload: { tool: fake }
where: { generators: [one], target: db }
measure: { duration: 1 }
monitors: { statements: [{ name: open orders, statement: SELECT 1 }] }
`);
    const own = () => bed.store.sources.ofSession(id).find(({ kind }) => kind === 'own');
    await until(() => own()?.problem === 'No connection is left.');
    await bed.sessions.settled(id);
  });

  it('is queried by its own client there, without a link and while the app is closed', async () => {
    const id = bed.start({ trials: 1, target: 'db' });
    const job = await client();
    expect(job.hasSecrets).toBe(true);
    expect(passwords()).toBe(1);
    job.print(line(100, 1));
    bed.machines.get('one').cut();
    job.print(line(101, 2));
    bed.machines.get('one').restore();
    await until(() => stored(id).n.length === 2);
    await bed.running(id, 0);
    await bed.reopen();
    job.print(`${line(102, 3)}.\n${line(103, 4)}`);
    await bed.sessions.resume(id);
    await until(() => stored(id).n.length === 4);
    expect(sourceOf(id)).toMatchObject({ about: { host: 'one', place: 'one' }, problem: 'It tells no waits.' });
    job.onStop = (cause) => {
      job.print(line(104, 5));
      job.end(143, cause);
    };
    await finish(id);
    expect(stored(id)).toEqual({ t: [100, 101, 102, 103, 104], n: [1, 2, 3, 4, 5] });
    expect(clients()).toHaveLength(1);
    expect(direct).toEqual([]);
    expect(passwords()).toBe(0);
    expect(bed.store.jobs.orphanJobs('one')).toEqual([]);
  });

  it('reports zero for a state without sessions, also after the app was reopened', async () => {
    const id = bed.start({ target: 'db', trials: 1 });
    const asked = await client();
    asked.print(line(1, 10, 'sessions.waiting\t2\x1e') + line(2, 20));
    await until(() => stored(id).t.length === 2);
    await bed.running(id, 0);
    await bed.reopen();
    asked.print(line(3, 30));
    await bed.sessions.resume(id);
    await until(() => stored(id).t.length === 3);
    const { columns } = bed.store.monitored.columns(sourceOf(id)?.id ?? 0, ['sessions.waiting']);
    expect([...(columns.get('sessions.waiting') ?? [])]).toEqual([2, 0, 0]);
    await finish(id);
  });

  it('leaves no client and no password behind if that host was unreachable at the end', async () => {
    const id = bed.start({ trials: 1, target: 'db' });
    const job = await client();
    await bed.running(id, 0);
    bed.crash();
    bed.machines.get('one').cut();
    bed.store.sessions.update(id, { state: 'done' });
    expect([job.status.state, passwords()]).toEqual(['running', 1]);
    bed.machines.get('one').restore();
    await until(() => passwords() === 0);
    expect(job.status.state).toBe('ended');
  });

  it('is queried over the connection if its client is missing, permanently and with a message', async () => {
    const id = bed.start({ trials: 1, target: 'db' });
    const job = await client();
    job.print('100.00 kneepoint: mysql or mariadb is not installed on this host\n.\n');
    job.end(69);
    await until(() => stored(id).n.length === 1);
    const words =
      'Read over Kneepoint’s own connection: per-second values will be missing while that connection is down. The client on one cannot be used: kneepoint: mysql or mariadb is not installed on this host.';
    await until(() => sourceOf(id)?.problem === `${words} It tells no waits.`);
    expect(sourceOf(id)?.about).not.toHaveProperty('host');
    await bed.reopen();
    await bed.sessions.resume(id);
    await until(() => stored(id).n.length > 2);
    await finish(id);
    expect(clients()).toHaveLength(1);
    expect(passwords()).toBe(0);
    expect(bed.log(id).map(({ message }) => message)).toContain(
      `“db” is only partly monitored: ${words} It tells no waits.`,
    );
  });

  it('is queried over the connection if its client cannot log in, and only if the server reports that', async () => {
    const id = bed.start({ trials: 1, target: 'db' });
    const job = await client();
    isUp = false;
    job.print("100.00 ERROR 1045 (28000): Access denied for user 'bench'\n");
    // Asked twice whether it responds.
    await until(() => downs === 2);
    expect(job.status.state).toBe('running');
    isUp = true;
    await until(() => stored(id).n.length === 1);
    expect(job.status.state).toBe('ended');
    expect(sourceOf(id)?.about?.direct).toContain('ERROR 1045');
    await finish(id);
    expect(clients()).toHaveLength(1);
  });

  it('is queried over the connection if no client can connect as the target requires', async () => {
    hasProgram = false;
    const id = bed.start({ trials: 1, target: 'db' });
    await until(() => stored(id).n.length === 1);
    expect(sourceOf(id)?.about?.direct).toContain('cannot be given this target’s connection settings');
    await finish(id);
    expect(clients()).toEqual([]);
    expect(bed.store.jobs.orphanJobs('one')).toEqual([]);
  });

  it('is queried over the connection if its host is unreachable and not needed to connect', async () => {
    const session = await bed.targets.open('db');
    const { targets } = bed;
    const place = { host: 'one', control: { kind: 'none' }, limitSeconds: 60 } as const;
    bed.targets = {
      ...targets,
      spec: (name) => ({ ...targets.spec(name), via: null, ...(name === 'db' && { server: place }) }),
      shown: (name) => targets.shown(name) && { kind: 'mysql', host: '192.0.2.5' },
      open: async () => session,
    };
    bed.machines.get('one').cut();
    const id = bed.start({ trials: 1, target: 'db', hosts: ['two'] });
    await until(() => stored(id).n.length === 1);
    expect(sourceOf(id)?.about?.direct).toContain('the cable is out');
    bed.machines.get('one').restore();
    await finish(id);
    expect(clients()).toEqual([]);
    expect(bed.store.jobs.orphanJobs('one')).toEqual([]);
  });

  it.each([true, false])(
    'keeps a client that was started while the server was queried (its host stays up: %s)',
    async (stays) => {
      const session = await bed.targets.open('db');
      const { targets } = bed;
      const one = bed.machines.get('one');
      const place = { host: 'one', control: { kind: 'none' }, limitSeconds: 60 } as const;
      const ping = async (): Promise<number> => {
        one.restore();
        await client();
        if (!stays) one.cut();
        return 1;
      };
      bed.targets = {
        ...targets,
        spec: (name) => ({ ...targets.spec(name), via: null, ...(name === 'db' && { server: place }) }),
        shown: (name) => targets.shown(name) && { kind: 'mysql', host: '192.0.2.5' },
        open: async () => session && { ...session, ping },
      };
      one.cut();
      const id = bed.start({ trials: 1, target: 'db', hosts: ['two'] });
      const job = await client();
      await until(() => stays === (one.link().state === 'up'));
      job.print(line(100, 1));
      await until(() => stored(id).n.length > 0);
      expect(stored(id).n[0] === 1).toBe(stays);
      expect([job.status.state, passwords()]).toEqual(['running', 1]);
      one.restore();
      await finish(id);
      await until(() => passwords() === 0);
      expect(job.status.state).toBe('ended');
      expect(stored(id).n.filter((value) => value > 0)).toEqual(stays ? [1] : []);
      expect(bed.store.jobs.orphanJobs('one')).toEqual([]);
    },
  );

  it('is not queried over the connection while its client runs, whatever else failed', async () => {
    const { jobs } = bed;
    const follow = jobs.follow.bind(jobs);
    let failures = 0;
    jobs.follow = async function* (machine, id, stream, offset, signal) {
      for await (const chunk of follow(machine, id, stream, offset, signal)) {
        yield chunk;
        if (stream !== 'stdout' || failures > 0 || id !== clients()[0]?.spec.id) continue;
        failures += 1;
        throw new KneepointError({ code: 'host-refused', host: machine.name, message: 'No channel is free.' });
      }
    };
    const id = bed.start({ trials: 1, target: 'db' });
    const job = await client();
    job.print(line(100, 1));
    await until(() => failures === 1);
    job.print(line(101, 2));
    await until(() => stored(id).n.includes(2));
    expect([stored(id).n, direct, clients().length]).toEqual([[1, 2], [], 1]);
    await finish(id);
  });

  it('is queried by its client even if the disk of this computer was full at first', async () => {
    const { monitored } = bed.store;
    const begin = monitored.beginJob;
    let refusals = 0;
    monitored.beginJob = (job) => {
      refusals += 1;
      if (refusals <= 2) throw new KneepointError({ code: 'disk-full', message: 'The disk is full.' });
      begin(job);
    };
    const id = bed.start({ trials: 1, target: 'db' });
    const job = await client();
    job.print(line(100, 1));
    await until(() => stored(id).n.length === 1);
    expect(direct).toEqual([]);
    await finish(id);
    expect(refusals).toBeGreaterThan(2);
  });

  it('is queried over the connection until a client that died runs again, on the clock of its host', async () => {
    const id = bed.start({ trials: 1, target: 'db' });
    const job = await client();
    const start = bed.now / 1000 - OFFSET_S;
    job.print(line(start, 1), 'stdout');
    job.print(`${start + OFFSET_S} 100.00\n`, 'index');
    await until(() => stored(id).n.length === 1 && bed.store.sources.clocks(sourceOf(id)?.id ?? 0).length === 1);
    bed.now += 5000;
    job.end(137);
    const again = await client(2);
    const { t, n } = stored(id);
    expect(n.length).toBeGreaterThan(1);
    expect(n.slice(1).every((value) => value < 0)).toBe(true);
    for (const [index, value] of n.slice(1).entries())
      expect(Math.abs((t[index + 1] ?? 0) - (-value / 1000 - OFFSET_S))).toBeLessThan(1);
    again.print(line(start + 1000, 2));
    await until(() => stored(id).n.at(-1) === 2);
    const before = direct.length;
    await finish(id);
    expect(direct).toHaveLength(before);
    expect(sourceOf(id)?.about).toMatchObject({ host: 'one' });
  });
});
