import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { type FakeServer, SessionBed } from './testing/session-bed.ts';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed(['one', 'two']);
});
afterEach(() => bed.close());

const measures = (job: FakeJob): void => {
  job.print('1 100\n');
  job.end(0);
};
async function done(id: number): Promise<void> {
  await bed.sessions.settled(id);
  expect(bed.row(id)).toMatchObject({ state: 'done', message: null });
}
/** Name of the step and its connection, identified by the password. */
const steps = (): string[] => bed.jobs.all.map(({ spec }) => [spec.argv[0], spec.files[0]?.content].join(' '));

describe('a target per cell', () => {
  const SERVERS = '[{ name: server, kind: target, levels: [old, new] }]';
  const options = ', rows: 100';
  const makesIn =
    (server: FakeServer) =>
    (job: FakeJob): void => {
      server.rows.set('things', 100);
      job.end(0);
    };

  function addServers(): [FakeServer, FakeServer] {
    const servers: [FakeServer, FakeServer] = [bed.addServer('old'), bed.addServer('new')];
    bed.targets.connection = async (name) => ({ kind: 'mysql', password: name });
    return servers;
  }

  it('prepares data on each target once and runs each trial against its own', async () => {
    const [before, after] = addServers();
    bed.script.push(makesIn(before), makesIn(after), measures, measures, measures, measures);
    await done(bed.start({ options, factors: SERVERS, trials: 2 }));
    expect(steps()).toEqual(['prepare 1 old', 'prepare 1 new', 'run 1 old', 'run 1 new', 'run 1 old', 'run 1 new']);
    expect(bed.store.dataSets.tables.list().map(({ placeId }) => placeId)).toHaveLength(2);
  });

  it('stores the facts of each target, and all of them with the session', async () => {
    const [before, after] = addServers();
    for (const { rows } of [before, after]) rows.set('things', 100);
    after.storage = () => [{ name: 'Engine', tables: ['things'], durability: { level: 'unsafe', why: 'It forgets.' } }];
    bed.script.push(measures, measures);
    const id = bed.start({ options, factors: SERVERS, trials: 1 });
    await done(id);
    expect(bed.row(id)).toMatchObject({ targets: ['old', 'new'], generators: ['one'] });
    const snapshot = bed.store.sessions.snapshot(id);
    expect(snapshot.target).toBeUndefined();
    expect(targetsOf(snapshot).map(({ name, description }) => [name, description?.durability?.level])).toEqual([
      ['old', undefined],
      ['new', 'unsafe'],
    ]);
  });

  it('continues after a restart with the remaining data of one target', async () => {
    const [before, after] = addServers();
    bed.script.push(makesIn(before));
    const first = bed.jobs.next();
    const id = bed.start({ options, factors: SERVERS, trials: 1 });
    await first;
    const second = await bed.jobs.next();
    await bed.reopen();
    makesIn(after)(second);
    bed.script.push(measures, measures);
    bed.sessions.continueInterrupted(id);
    await done(id);
    expect(steps()).toEqual(['prepare 1 old', 'prepare 1 new', 'run 1 old', 'run 1 new']);
  });

  it('checks each target before a start and locks all of them', async () => {
    const [before, after] = addServers();
    for (const { rows } of [before, after]) rows.set('things', 100);
    const lines = await bed.preflight({ options, factors: SERVERS });
    expect(lines.filter(({ id }) => id.startsWith('target')).map(({ title, state }) => [title, state])).toEqual([
      ['Target “old”', 'ok'],
      ['Target “new”', 'ok'],
    ]);
    const id = bed.start({ options, factors: SERVERS, trials: 1 });
    await bed.running(id, 0);
    expect(() => bed.start({ options, target: 'new', hosts: ['two'] })).toThrow('is using the target “new”');
    bed.jobs.all.at(-1)?.end(0);
    bed.script.push(measures);
    await done(id);
  });

  it('reports an unknown target', async () => {
    addServers();
    const factors = '[{ name: server, kind: target, levels: [old, gone] }]';
    bed.targets = {
      ...bed.targets,
      shown: (name) => (name === 'gone' ? undefined : { kind: 'mysql' }),
      connection: async (name) => {
        if (name === 'gone') throw new Error('There is no target named “gone”.');
        return { kind: 'mysql' };
      },
    };
    const lines = await bed.preflight({ options, factors });
    expect(lines.find(({ title }) => title === 'Target “gone”')).toMatchObject({
      state: 'block',
      finding: { message: expect.stringContaining('gone') },
    });
  });
});

describe('generators per cell', () => {
  it('runs each trial on its own hosts and locks all of them', async () => {
    const factors = '[{ name: clients, kind: generators, levels: [1, two, { name: both, hosts: [one, two] }] }]';
    bed.script.push(measures, measures, measures, measures);
    const id = bed.start({ factors, trials: 1 });
    expect(bed.row(id).generators).toEqual(['one', 'two']);
    await done(id);
    expect(bed.runs(id).map(({ jobs }) => jobs.map(({ host }) => host))).toEqual([['one'], ['two'], ['one', 'two']]);
    expect(bed.store.sessions.snapshot(id).hosts.map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('creates files on the host that the cell uses', async () => {
    const factors = '[{ name: clients, kind: generators, levels: [one, two] }]';
    const bytes = new Map<string, number>();
    for (const name of ['one', 'two']) {
      bed.store.hosts.insert(
        { kind: 'ssh', name, address: name, port: 22, user: 'u', auth: { method: 'agent' }, jumps: [] },
        0,
      );
      bed.machines.get(name).answer = () => {
        const stdout = bytes.has(name) ? `${bytes.get(name)} things\n` : '';
        return { code: 0, stdout, stderr: '' };
      };
    }
    const makesOn =
      (name: string) =>
      (job: FakeJob): void => {
        bytes.set(name, 5);
        job.end(0);
      };
    bed.script.push(makesOn('one'), makesOn('two'), measures, measures);
    await done(bed.start({ factors, trials: 1, prepare: true, options: ', bytes: 5' }));
    expect(bed.jobs.all.map(({ spec, machine }) => [spec.argv[0], machine.name])).toEqual([
      ['prepare', 'one'],
      ['prepare', 'two'],
      ['run', 'one'],
      ['run', 'two'],
    ]);
  });
});

describe('durations per cell', () => {
  it('stores the measured time with each trial', async () => {
    bed.script.push(measures, measures);
    const id = bed.start({ factors: '[{ name: length, kind: duration, levels: [1, 1m] }]', trials: 1 });
    await done(id);
    expect(bed.runs(id).map(({ levels, duration }) => [levels, duration])).toEqual([
      [{ length: 1 }, 1],
      [{ length: 60 }, 60],
    ]);
    expect(bed.store.sessions.snapshot(id).plan.estimate?.load).toBe(61);
  });

  it('reports the remaining share of the load', async () => {
    bed.script.push(measures);
    const id = bed.start({ factors: '[{ name: length, kind: duration, levels: [1, 9] }]', trials: 1 });
    await bed.running(id, 1);
    expect(bed.store.runs.remainingShare(id)).toBe(0);
    bed.sessions.skip(id);
    await bed.sessions.settled(id);
    const pending = bed.start({ factors: '[{ name: length, kind: duration, levels: [1, 9] }]', trials: 1 });
    await bed.running(pending, 0);
    expect(bed.store.runs.remainingShare(pending)).toBe(0.9);
  });
});
