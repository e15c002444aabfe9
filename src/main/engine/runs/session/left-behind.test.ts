import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import type { FakeJob } from '../../jobs/testing/fake-job.ts';
import { SessionBench } from '../testing/session-bench.ts';

let bench: SessionBench;
beforeEach(() => {
  bench = new SessionBench();
});
afterEach(() => bench.close());

const measures = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
const settled = (id: number) => bench.sessions.settled(id);

describe('a tool whose output was cut or replaced', () => {
  it('is ended before the next trial starts', async () => {
    const id = bench.start();
    const first = await bench.running(id, 0);
    first.print('1 100\n');
    let atWorkThen: string | undefined;
    bench.script.push((job) => {
      atWorkThen = first.status.state;
      measures(job);
    });
    first.replaceOutput();
    await settled(id);
    expect(atWorkThen).toBe('ended');
    expect(bench.states(id)).toEqual(['lost', 'done']);
    expect(bench.log(id).map(({ message }) => message)).toContainEqual(expect.stringContaining('Its tool is ended'));
    expect(bench.runs(id)[1]?.findings).toEqual([]);
  });

  it('that no signal ends is named on the trial that ran beside it, and looked for until it is gone', async () => {
    const id = bench.start({ trials: 3 });
    const first = await bench.running(id, 0);
    first.left = 2;
    bench.script.push(measures, (job) => {
      measures(job);
    });
    first.replaceOutput();
    await bench.until(id, () => bench.states(id)[1] === 'done');
    first.left = 0;
    await settled(id);
    const [, second, third] = bench.runs(id);
    expect(second?.findings).toMatchObject([
      {
        code: 'overlapping-load',
        severity: 'warn',
        message: `This trial ran beside 2 processes of trial 1 of session ${id} on one that could not be ended: both loaded the target.`,
      },
    ]);
    expect(third?.state).toBe('done');
  });
});

it('ends the tool of a host that was given up before anything else is launched there', async () => {
  const id = bench.start();
  const first = await bench.running(id, 0);
  const machine = bench.machines.get('one');
  machine.cut();
  await bench.sessions.stop(id);
  bench.monotonic += 5000;
  await bench.sessions.stop(id);
  await settled(id);
  expect(bench.states(id)).toEqual(['lost', 'skipped']);
  expect(first.status.state).toBe('running');
  machine.restore();
  let atWorkThen: string | undefined;
  bench.script.push((job) => {
    atWorkThen = first.status.state;
    measures(job);
  }, measures);
  const next = bench.start();
  await settled(next);
  expect(bench.row(next).state).toBe('done');
  expect(atWorkThen).toBe('ended');
});

describe('a password file on a host', () => {
  const left = () => bench.store.journal.open().map(({ place, what }) => [place.name, what]);

  it('is listed while its tool runs, and no more when the job has ended', async () => {
    const id = bench.start({ secret: true, trials: 1 });
    const job = await bench.running(id, 0);
    expect(left()).toEqual([['one', `Password file my.cnf of job ${job.spec.id}`]]);
    measures(job);
    await settled(id);
    expect(left()).toEqual([]);
    expect(bench.store.journal.ofSession(id)).toMatchObject([{ state: 'restored' }]);
  });

  it.each(['lose', 'reboot'] as const)('is removed when the supervisor could not do it (%s)', async (how) => {
    const id = bench.start({ secret: true, trials: 1 });
    const job = await bench.running(id, 0);
    expect(job.hasSecrets).toBe(true);
    job[how]();
    await settled(id);
    expect(bench.states(id)).toEqual(['lost']);
    expect(job.hasSecrets).toBe(false);
    expect(left()).toEqual([]);
  });

  it.each([{ prepare: true }, { prepare: false }])(
    'stays while its job is launched, whatever links tell (%o)',
    async (wanted) => {
      const letGo = bench.jobs.holdLaunches();
      const id = bench.start({ secret: true, trials: 1, ...wanted });
      await expect.poll(left).toHaveLength(1);
      const asked = bench.jobs.removals;
      bench.machines.get('one').restore();
      await new Promise((resolve) => setImmediate(resolve));
      expect(bench.jobs.removals).toBe(asked);
      if (wanted.prepare) bench.script.push((job) => job.end(0));
      bench.script.push(measures);
      letGo();
      await settled(id);
      expect(bench.row(id).state).toBe('done');
      expect(left()).toEqual([]);
    },
  );

  it('is removed at the next contact with a host that was given up, also after a restart of the app', async () => {
    const id = bench.start({ secret: true, trials: 1 });
    const job = await bench.running(id, 0);
    const machine = bench.machines.get('one');
    machine.cut();
    await bench.sessions.stop(id);
    bench.monotonic += 5000;
    await bench.sessions.stop(id);
    await settled(id);
    job.lose();
    expect(left()).toHaveLength(1);
    await bench.reopen();
    machine.restore();
    await expect.poll(() => left()).toEqual([]);
    expect(job.hasSecrets).toBe(false);
    expect(bench.hostsChanges).toBe(1);
  });

  it('of a session that was given up on this computer is removed when the app starts again', async () => {
    await bench.close();
    bench = new SessionBench([LOCAL_HOST_NAME]);
    const id = bench.start({ secret: true, trials: 1, hosts: [LOCAL_HOST_NAME] });
    const job = await bench.running(id, 0);
    const stuck = bench.machines.get(LOCAL_HOST_NAME);
    stuck.cut();
    await bench.sessions.stop(id);
    bench.monotonic += 5000;
    await bench.sessions.stop(id);
    await settled(id);
    await bench.sessions.close();
    stuck.restore();
    job.lose();
    expect(left()).toHaveLength(1);
    await bench.reopen();
    await expect.poll(() => left()).toEqual([]);
    expect(job.hasSecrets).toBe(false);
  });
});
