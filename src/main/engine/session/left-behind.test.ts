import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { SessionBed } from './testing/session-bed.ts';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
});
afterEach(() => bed.close());

const measures = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
const settled = (id: number) => bed.sessions.settled(id);
/** Cuts the link to its host, and stops it twice as a user does. */
async function giveUp(id: number): Promise<void> {
  bed.machines.get('one').cut();
  await bed.sessions.stop(id);
  bed.monotonic += 5000;
  await bed.sessions.stop(id);
  await settled(id);
}

describe('a tool whose output was truncated or replaced', () => {
  it('is ended before the next trial starts', async () => {
    const id = bed.start();
    const first = await bed.running(id, 0);
    first.print('1 100\n');
    let stateBefore: string | undefined;
    bed.script.push((job) => {
      stateBefore = first.status.state;
      measures(job);
    });
    first.replaceOutput();
    await settled(id);
    expect(stateBefore).toBe('ended');
    expect(bed.states(id)).toEqual(['lost', 'done']);
    expect(bed.log(id).map(({ message }) => message)).toContainEqual(expect.stringContaining('Ending its tool'));
    expect(bed.runs(id)[1]?.findings).toEqual([]);
  });

  it('that no signal ends is reported on the trial next to it, and polled until it is gone', async () => {
    const id = bed.start({ trials: 3 });
    const first = await bed.running(id, 0);
    first.left = 2;
    bed.script.push(measures, (job) => {
      measures(job);
    });
    first.replaceOutput();
    await bed.until(id, () => bed.states(id)[1] === 'done');
    first.left = 0;
    await settled(id);
    const [, second, third] = bed.runs(id);
    expect(second?.findings).toMatchObject([
      {
        code: 'overlapping-load',
        severity: 'warn',
        message: `This trial ran in parallel with 2 processes of trial 1 of session ${id} on one that could not be stopped: both put load on the target.`,
      },
    ]);
    expect(third?.state).toBe('done');
  });
});

it('ends the tool of a host that was given up before the next launch there', async () => {
  const id = bed.start();
  const first = await bed.running(id, 0);
  await giveUp(id);
  expect(bed.states(id)).toEqual(['lost', 'skipped']);
  expect(first.status.state).toBe('running');
  bed.machines.get('one').restore();
  let stateBefore: string | undefined;
  bed.script.push((job) => {
    stateBefore = first.status.state;
    measures(job);
  }, measures);
  const next = bed.start();
  await settled(next);
  expect(bed.row(next).state).toBe('done');
  expect(stateBefore).toBe('ended');
});

it.each([{ prepare: false }, { prepare: true }])(
  'ends a step of a host that was given up before the next launch there (%o)',
  async (next) => {
    const prepared = bed.jobs.next();
    const id = bed.start({ prepare: true, secret: true });
    const step = await prepared;
    await bed.until(id, () => bed.sessions.activity(id)?.startsWith('Preparing') === true);
    await giveUp(id);
    expect(bed.states(id)).toEqual(['skipped', 'skipped']);
    expect(step.status.state).toBe('running');
    bed.machines.get('one').restore();
    let stateBefore: string | undefined;
    bed.script.push((job) => {
      stateBefore = step.status.state;
      if (next.prepare) job.end(0);
      else measures(job);
    });
    if (next.prepare) bed.script.push(measures);
    const other = bed.start({ trials: 1, ...next });
    await settled(other);
    expect(bed.row(other).state).toBe('done');
    expect(stateBefore).toBe('ended');
    expect(bed.log(other).map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`The tool of the data preparation of session ${id} is still running on one`),
    );
    expect(bed.store.jobs.orphanJobs('one')).toEqual([]);
  },
);

describe('a password file on a host', () => {
  const left = () => bed.store.journal.open().map(({ place, what }) => [place.name, what]);

  it('is listed only while its tool runs', async () => {
    const id = bed.start({ secret: true, trials: 1 });
    const job = await bed.running(id, 0);
    expect(left()).toEqual([['one', `Files of job ${job.spec.id}, with a password`]]);
    measures(job);
    await settled(id);
    expect(left()).toEqual([]);
    expect(bed.store.journal.ofSession(id)).toMatchObject([{ state: 'restored' }]);
  });

  it.each(['lose', 'reboot'] as const)('is removed if the supervisor could not remove it (%s)', async (how) => {
    const id = bed.start({ secret: true, trials: 1 });
    const job = await bed.running(id, 0);
    expect(job.hasSecrets).toBe(true);
    job[how]();
    await settled(id);
    expect(bed.states(id)).toEqual(['lost']);
    expect(job.hasSecrets).toBe(false);
    expect(left()).toEqual([]);
  });

  it('is not considered removed if another machine responds, and is removed when its own does', async () => {
    const one = bed.machines.get('one');
    one.key = 'SHA256:own';
    const lost = async () => {
      const id = bed.start({ secret: true, trials: 1 });
      return { id, job: await bed.running(id, 0) };
    };
    const first = await lost();
    expect(bed.store.journal.open()).toMatchObject([{ identity: { 'SSH host key': 'SHA256:own' } }]);
    one.key = 'SHA256:other';
    first.job.lose();
    await settled(first.id);
    expect(first.job.hasSecrets).toBe(true);
    expect(bed.store.journal.open()).toMatchObject([
      { state: 'planned', message: expect.stringMatching(/^Host “one” is no longer the machine that was changed\./) },
    ]);
    one.key = 'SHA256:own';
    const second = await lost();
    second.job.lose();
    await settled(second.id);
    expect(first.job.hasSecrets).toBe(false);
    expect(left()).toEqual([]);
  });

  it.each([{ prepare: true }, { prepare: false }])(
    'stays while its job is being launched, whatever happens to links (%o)',
    async (wanted) => {
      const release = bed.jobs.holdLaunches();
      const id = bed.start({ secret: true, trials: 1, ...wanted });
      await expect.poll(left).toHaveLength(1);
      const asked = bed.jobs.removals;
      bed.machines.get('one').restore();
      await new Promise((resolve) => setImmediate(resolve));
      expect(bed.jobs.removals).toBe(asked);
      if (wanted.prepare) bed.script.push((job) => job.end(0));
      bed.script.push(measures);
      release();
      await settled(id);
      expect(bed.row(id).state).toBe('done');
      expect(left()).toEqual([]);
    },
  );

  it('is removed at the next contact with a host that was given up, also after a restart of the app', async () => {
    const id = bed.start({ secret: true, trials: 1 });
    const job = await bed.running(id, 0);
    await giveUp(id);
    job.lose();
    expect(left()).toHaveLength(1);
    await bed.reopen();
    bed.machines.get('one').restore();
    await expect.poll(() => left()).toEqual([]);
    expect(job.hasSecrets).toBe(false);
    expect(bed.hostsChanges).toBe(1);
  });

  it('of a step is removed at the next contact with a host that was given up', async () => {
    const prepared = bed.jobs.next();
    const id = bed.start({ secret: true, prepare: true });
    const step = await prepared;
    await bed.until(id, () => bed.sessions.activity(id)?.startsWith('Preparing') === true);
    await giveUp(id);
    step.lose();
    expect(left()).toHaveLength(1);
    bed.machines.get('one').restore();
    await expect.poll(() => left()).toEqual([]);
    expect(step.hasSecrets).toBe(false);
  });

  it.each(['lose', 'reboot'] as const)(
    'of a step is removed if the supervisor could not remove it (%s)',
    async (how) => {
      const prepared = bed.jobs.next();
      const id = bed.start({ secret: true, prepare: true });
      const step = await prepared;
      step[how]();
      await settled(id);
      expect(step.hasSecrets).toBe(false);
      expect(left()).toEqual([]);
    },
  );

  it('of a session that was given up on this computer is removed at the next start of the app', async () => {
    await bed.close();
    bed = new SessionBed([LOCAL_HOST_NAME]);
    const id = bed.start({ secret: true, trials: 1, hosts: [LOCAL_HOST_NAME] });
    const job = await bed.running(id, 0);
    const stuck = bed.machines.get(LOCAL_HOST_NAME);
    stuck.cut();
    await bed.sessions.stop(id);
    bed.monotonic += 5000;
    await bed.sessions.stop(id);
    await settled(id);
    await bed.sessions.close();
    stuck.restore();
    job.lose();
    expect(left()).toHaveLength(1);
    await bed.reopen();
    await expect.poll(() => left()).toEqual([]);
    expect(job.hasSecrets).toBe(false);
  });
});
