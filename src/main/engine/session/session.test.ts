import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ServerControl, TargetSpec } from '../../../shared/model/target.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { type FakeServer, SessionBed, type SessionOptions } from './testing/session-bed.ts';

skipPauses();

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
});
afterEach(() => bed.close());

const measures = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
const fails = (job: FakeJob): void => job.end(1);
const settled = (id: number) => bed.sessions.settled(id);
/** A session whose first trial is running and has printed something. */
async function running(options: SessionOptions = {}): Promise<{ id: number; job: FakeJob }> {
  const id = bed.start(options);
  if (options.prepare) bed.script.push((job) => job.end(0));
  const job = await bed.running(id, 0);
  job.print('1 100\n');
  return { id, job };
}
/** A session whose data is being prepared, and the job that does it. */
async function preparing(options: SessionOptions = {}): Promise<{ id: number; job: FakeJob }> {
  const prepared = bed.jobs.next();
  const id = bed.start({ prepare: true, ...options });
  const job = await prepared;
  await bed.until(id, () => bed.sessions.activity(id)?.startsWith('Preparing') === true);
  return { id, job };
}
/** A session whose first trial is being launched, until the launch is released. */
async function launching(options: SessionOptions = {}): Promise<{ id: number; release: () => void }> {
  const release = bed.jobs.holdLaunches();
  const id = bed.start(options);
  await bed.until(id, () => bed.states(id)[0] === 'launching');
  return { id, release };
}
/** A session that rests for an hour after its first trial. */
async function resting(): Promise<number> {
  bed.script.push(measures);
  const id = bed.start({ pause: 3600 });
  await bed.until(id, () => bed.sessions.activity(id)?.startsWith('Waiting') === true);
  return id;
}
/** A user presses stop, sees that the host does not respond, and presses stop again. */
async function giveUp(id: number): Promise<void> {
  await bed.sessions.stop(id);
  expect(bed.row(id).state).toBe('stopping');
  bed.monotonic += 5000;
  await bed.sessions.stop(id);
  await settled(id);
}
const locked = (): KneepointError =>
  new KneepointError({ code: 'vault-locked', message: 'The vault is locked.', next: 'Unlock it.' });

describe('start', () => {
  it('publishes each sealed run with its final state', async () => {
    bed.script.push(measures, fails);
    const id = bed.start();
    await settled(id);
    expect(bed.sealed.map((run) => [run.id, run.state])).toEqual(bed.runs(id).map((run) => [run.id, run.state]));
    const [first, second] = bed
      .runs(id)
      .map(({ id: runId }) => bed.store.summaries.stamps({ runs: [runId], metrics: [['tps']] })[0]);
    expect([bed.sealed[0]?.state, bed.sealed[1]?.state]).toEqual(['done', 'failed']);
    expect(first).toHaveProperty('feed');
    expect(second).not.toHaveProperty('feed');
  });

  it('executes every trial in turn and is done', async () => {
    bed.script.push(measures, measures);
    const id = bed.start();
    expect(bed.row(id).state).toBe('starting');
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'done', message: null });
    expect(bed.row(id).endedAt).not.toBeNull();
    expect(bed.runs(id)).toMatchObject([
      { state: 'done', partial: false, exit: { code: 0 }, summary: { rounds: 1 } },
      { state: 'done', partial: false },
    ]);
    expect([...(bed.store.samples.series(bed.runs(id)[0]?.id ?? 0, 'ops')[0]?.v ?? [])]).toEqual([100, 200]);
  });

  it('prepares the data first, and fails with its error', async () => {
    bed.script.push((job) => {
      job.print('no room\n', 'stderr');
      job.end(9);
    });
    const id = bed.start({ prepare: true });
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'failed', message: expect.stringContaining('It ended with 9.') });
    expect(bed.states(id)).toEqual(['pending', 'pending']);
  });

  it('names the host that another session is using', async () => {
    const { id } = await running();
    expect(() => bed.start()).toThrow(`Session ${id} (“Of a test”) is using the generator “one”`);
  });

  it('ends after three failures in a row, and continues with the next trial when resumed', async () => {
    bed.script.push(fails, fails, fails, measures);
    const id = bed.start({ trials: 4 });
    await settled(id);
    expect(bed.row(id)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('3 trials in a row failed'),
    });
    expect(bed.states(id)).toEqual(['failed', 'failed', 'failed', 'pending']);
    await bed.sessions.resume(id);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.states(id)).toEqual(['failed', 'failed', 'failed', 'done']);
  });
});

it('excludes the time after a kill from the duration, but not the time its tool kept running', async () => {
  const id = bed.start({ trials: 2 });
  await bed.running(id, 0);
  const [run] = bed.runs(id);
  const planned = (run?.startedAt ?? 0) + ((run?.warmup ?? 0) + (run?.duration ?? 0)) * 1000;
  // The time of the kill is not recorded.
  bed.crash();
  bed.now = planned + 3_600_000;
  expect([bed.sessions.idleSince(id), bed.row(id).idleMs]).toEqual([planned, 0]);
  bed.sessions.continueInterrupted(id);
  expect([bed.sessions.idleSince(id), bed.row(id).idleMs]).toEqual([undefined, 3_600_000]);
});

describe('pause', () => {
  it('waits for the end of the trial, and resuming starts the next one', async () => {
    const { id, job } = await running();
    bed.sessions.pause(id);
    expect(bed.row(id).state).toBe('pausing');
    measures(job);
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'paused', message: 'Paused by user.' });
    expect(bed.states(id)).toEqual(['done', 'pending']);
    bed.sessions.pause(id);
    const paused = bed.now;
    expect([bed.sessions.idleSince(id), bed.row(id).idleMs]).toEqual([paused, 0]);
    bed.now += 3_600_000;
    expect(bed.sessions.idleSince(id)).toBe(paused);
    bed.script.push(measures);
    await bed.sessions.resume(id);
    expect([bed.sessions.idleSince(id), bed.row(id).idleMs]).toEqual([undefined, 3_600_000]);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
  });

  it('is cancelled before it takes effect', async () => {
    const { id, job } = await running();
    bed.sessions.pause(id);
    await bed.sessions.resume(id);
    expect(bed.row(id).state).toBe('running');
    bed.script.push(measures);
    measures(job);
    await settled(id);
    expect(bed.states(id)).toEqual(['done', 'done']);
  });

  it('waits for data preparation, which resuming does not repeat', async () => {
    const { id, job } = await preparing();
    bed.sessions.pause(id);
    expect(bed.row(id).state).toBe('pausing');
    expect(job.status.state).toBe('running');
    job.end(0);
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'paused', startedAt: null });
    expect(bed.states(id)).toEqual(['pending', 'pending']);
    bed.script.push(measures, measures);
    await bed.sessions.resume(id);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.jobs.all.map(({ spec }) => spec.argv[0])).toEqual(['prepare', 'run', 'run']);
  });

  it('lets a trial that is being launched measure to its end', async () => {
    const { id, release } = await launching();
    bed.sessions.pause(id);
    expect(bed.row(id).state).toBe('pausing');
    bed.script.push(measures);
    release();
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'paused', message: 'Paused by user.' });
    expect(bed.states(id)).toEqual(['done', 'pending']);
  });

  it('ends the pause between two trials early', async () => {
    const id = await resting();
    bed.sessions.pause(id);
    await settled(id);
    expect(bed.row(id).state).toBe('paused');
  });

  it('is refused if nothing is running', async () => {
    bed.script.push(measures, measures);
    const id = bed.start();
    await settled(id);
    expect(() => bed.sessions.pause(id)).toThrow(`Session ${id} is done`);
    await expect(bed.sessions.resume(id)).rejects.toThrow(`Session ${id} is done`);
  });
});

describe('skip', () => {
  it('ends the trial and continues with the next', async () => {
    const { id } = await running();
    bed.script.push(measures);
    bed.sessions.skip(id);
    await settled(id);
    expect(bed.states(id)).toEqual(['skipped', 'done']);
    expect(bed.row(id).state).toBe('done');
  });

  it('ends a trial that is being launched as soon as it runs', async () => {
    const { id, release } = await launching();
    bed.sessions.skip(id);
    bed.script.push(() => {}, measures);
    release();
    await settled(id);
    expect(bed.jobOf(id, 0).status).toMatchObject({ state: 'ended', end: { cause: 'stop' } });
    expect(bed.states(id)).toEqual(['skipped', 'done']);
    expect(bed.row(id).state).toBe('done');
  });

  it('is refused between trials, and the pause continues', async () => {
    const id = await resting();
    expect(() => bed.sessions.skip(id)).toThrow(`No trial of session ${id} is running`);
    expect(() => bed.sessions.skip(id, bed.runs(id)[1]?.id)).toThrow(`No trial of session ${id} is running`);
    expect(bed.states(id)).toEqual(['done', 'pending']);
    expect(bed.sessions.activity(id)).toContain('Waiting');
  });

  it('ignores an ended trial, and refuses a trial of another session', async () => {
    bed.script.push(measures);
    const id = bed.start();
    await bed.running(id, 1);
    bed.sessions.skip(id, bed.runs(id)[0]?.id);
    expect(bed.states(id)).toEqual(['done', 'running']);
    expect(() => bed.sessions.skip(id, 4711)).toThrow('has no run 4711');
  });
});

describe('stop', () => {
  it('ends the tool and skips the other trials', async () => {
    const { id, job } = await running();
    await bed.sessions.stop(id);
    expect(bed.row(id).state).toBe('stopping');
    await settled(id);
    expect(job.status).toMatchObject({ state: 'ended', end: { cause: 'stop' } });
    expect(bed.states(id)).toEqual(['stopped', 'skipped']);
    expect(bed.row(id)).toMatchObject({ state: 'stopped', message: 'Stopped by user.' });
    await bed.sessions.stop(id);
    await expect(bed.sessions.resume(id)).rejects.toThrow(`Session ${id} is stopped`);
  });

  it('ends data preparation', async () => {
    const { id, job } = await preparing();
    await bed.sessions.stop(id);
    await settled(id);
    expect(job.status).toMatchObject({ state: 'ended', end: { cause: 'stop' } });
    expect(bed.row(id).state).toBe('stopped');
    expect(bed.states(id)).toEqual(['skipped', 'skipped']);
  });

  it('ends a tool that is being launched as soon as it runs', async () => {
    const { id, release } = await launching();
    await bed.sessions.stop(id);
    expect(bed.row(id).state).toBe('stopping');
    release();
    await settled(id);
    expect(bed.jobOf(id, 0).status).toMatchObject({ state: 'ended', end: { cause: 'stop' } });
    expect(bed.row(id)).toMatchObject({ state: 'stopped', message: 'Stopped by user.' });
    expect(bed.states(id)).toEqual(['stopped', 'skipped']);
    expect(bed.jobs.all).toHaveLength(1);
  });

  it('ends the pause between two trials and starts no other trial', async () => {
    const id = await resting();
    await bed.sessions.stop(id);
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'stopped', message: 'Stopped by user.' });
    expect(bed.states(id)).toEqual(['done', 'skipped']);
    expect(bed.jobs.all).toHaveLength(1);
  });

  it('waits for an unreachable host; the second stop gives it up', async () => {
    const { id, job } = await running();
    bed.machines.get('one').cut();
    await bed.sessions.stop(id);
    await bed.sessions.stop(id);
    expect(bed.row(id).state).toBe('stopping');
    bed.monotonic += 5000;
    await bed.sessions.stop(id);
    await settled(id);
    expect(bed.row(id).state).toBe('stopped');
    expect(bed.runs(id)[0]).toMatchObject({ state: 'lost', message: expect.stringContaining('was abandoned') });
    expect(job.status.state).toBe('running');
  });

  it('gives up a host that is lost during data preparation', async () => {
    const { id, job } = await preparing();
    bed.machines.get('one').cut();
    await giveUp(id);
    expect(bed.row(id)).toMatchObject({ state: 'stopped', message: 'Stopped by user.' });
    expect(bed.states(id)).toEqual(['skipped', 'skipped']);
    expect(job.status.state).toBe('running');
  });

  it('gives up a host that is lost during a launch', async () => {
    const { id, release } = await launching();
    bed.machines.get('one').cut();
    release();
    await giveUp(id);
    expect(bed.row(id)).toMatchObject({ state: 'stopped', message: 'Stopped by user.' });
    expect(bed.states(id)).toEqual(['lost', 'skipped']);
    expect(bed.runs(id)[0]).toMatchObject({
      partial: true,
      message: expect.stringContaining('one could not be reached'),
    });
    expect(bed.jobs.all).toEqual([]);
  });
});

describe('an unreachable host', () => {
  it('is waited for, and missing output is fetched', async () => {
    const { id, job } = await running({ trials: 1 });
    bed.machines.get('one').cut();
    expect(bed.sessions.activity(id)).toContain('one cannot be reached (the cable is out)');
    measures(job);
    bed.machines.get('one').restore();
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.store.samples.count(bed.runs(id)[0]?.id ?? 0, 0)).toBe(3);
    expect(bed.log(id).map(({ message }) => message)).toContainEqual(expect.stringContaining('is connected again'));
  });

  it('is waited for during data preparation', async () => {
    const { id, job } = await preparing({ trials: 1 });
    bed.machines.get('one').cut();
    expect(bed.sessions.activity(id)).toContain('one cannot be reached (the cable is out)');
    job.end(0);
    bed.script.push(measures);
    bed.machines.get('one').restore();
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.jobs.all.map(({ spec }) => spec.argv[0])).toEqual(['prepare', 'run']);
  });

  it('is waited for during a launch, which happens once', async () => {
    const { id, release } = await launching({ trials: 1 });
    bed.machines.get('one').cut();
    release();
    const logged = () => bed.log(id).filter(({ message }) => message.includes('cannot be reached'));
    await bed.until(id, () => logged().length > 0);
    expect(bed.states(id)).toEqual(['launching']);
    bed.script.push(measures);
    bed.machines.get('one').restore();
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.jobs.all).toHaveLength(1);
    // One alert per link, whoever waits for it.
    expect(logged()).toHaveLength(1);
  });
});

describe('a server that crashed in the previous trial', () => {
  const WORDS = 'Waiting for “db” to accept connections';
  let server: FakeServer;
  beforeEach(() => {
    server = bed.addServer();
  });
  const dies = (job: FakeJob): void => {
    server.isDown = true;
    job.end(1);
  };
  const answers = (job: FakeJob): void => (server.isDown ? job.end(1) : measures(job));
  /** The server runs on the first host, where Kneepoint can restart it. */
  async function placeOnHost(control: ServerControl): Promise<void> {
    const { spec } = bed.targets;
    const place: TargetSpec = { ...spec('db'), server: { host: 'one', control, limitSeconds: 60 } };
    bed.targets = { ...bed.targets, spec: (name) => (name === 'db' ? place : spec(name)) };
    const refuse = (): never => {
      throw new Error('Nobody asks for this.');
    };
    const restart = async (): Promise<void> => {
      server.isDown = false;
    };
    const acts = { state: async () => 'stopped' as const, restart, start: refuse, stop: refuse, reload: refuse };
    bed.servers = { of: () => ({ control: control.kind, settingsFile: undefined, ...acts }) };
    // The engine receives the servers at its start.
    await bed.reopen();
  }
  /** A session whose second trial waits for the server that died in the first. */
  async function waiting(options: SessionOptions = {}): Promise<number> {
    bed.script.push(dies, answers, answers);
    const id = bed.start({ trials: 3, target: 'db', ...options });
    await bed.until(id, () => bed.sessions.needs(id) !== undefined || bed.row(id).endedAt !== null);
    expect(bed.states(id)).toEqual(['failed', 'pending', 'pending']);
    return id;
  }
  const logged = (id: number, words: string): string[] =>
    bed
      .log(id)
      .map(({ message }) => message)
      .filter((message) => message.includes(words));

  it('is waited for without using up trials, with a message, the start time and a remedy', async () => {
    const id = await waiting();
    expect(bed.sessions.activity(id)).toBe(WORDS);
    expect(bed.sessions.activitySince(id)).toBe(bed.now);
    expect(bed.sessions.needs(id)).toMatchObject({
      ...{ code: 'target-unreachable', target: 'db', run: bed.runs(id)[1]?.id },
      message: 'Trial 2 is waiting for “db” to accept connections. The server of “db” does not answer.',
      safe: 'The trial was not started. Measured data is stored.',
      next: 'Start the server. The session continues once the server responds; Skip omits this trial.',
    });
    expect(bed.row(id)).toMatchObject({ state: 'running', trialsFailed: 1 });
    bed.monotonic += 90_000;
    server.isDown = false;
    await settled(id);
    expect(bed.states(id)).toEqual(['failed', 'done', 'done']);
    expect(bed.sessions.needs(id)).toBeUndefined();
    expect(logged(id, 'The session is waiting.')).toHaveLength(1);
    expect(logged(id, '“db” accepts connections again, after 1 min 30 s.')).toHaveLength(1);
    // A wait that only a user could end counts for no limit of the session.
    expect(bed.store.events.spentBefore(id).map(({ seconds }) => seconds)).toEqual([0, 0, 0]);
  });

  it('is waited for again after a pause or a restart of the app', async () => {
    const id = await waiting();
    bed.sessions.pause(id);
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'paused', message: 'Paused by user.' });
    await bed.sessions.resume(id);
    await bed.until(id, () => bed.sessions.activity(id) === WORDS);
    await bed.reopen();
    expect(bed.row(id).state).toBe('interrupted');
    bed.sessions.continueInterrupted(id);
    await bed.until(id, () => bed.sessions.activity(id) === WORDS);
    expect(bed.states(id)).toEqual(['failed', 'pending', 'pending']);
    server.isDown = false;
    await settled(id);
    expect(bed.states(id)).toEqual(['failed', 'done', 'done']);
  });

  it('does not prevent the user from skipping or stopping', async () => {
    const id = await waiting();
    bed.monotonic += 90_000;
    bed.sessions.skip(id, bed.runs(id)[1]?.id);
    const waits = bed.runs(id)[2]?.id;
    await bed.until(id, () => bed.sessions.needs(id)?.run === waits);
    expect(bed.runs(id)[1]).toMatchObject({ state: 'skipped', message: 'Stopped by user before it was started.' });
    await bed.sessions.stop(id);
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'stopped', message: 'Stopped by user.' });
    expect(bed.states(id)).toEqual(['failed', 'skipped', 'skipped']);
    expect(bed.jobs.all).toHaveLength(1);
    expect(bed.store.events.spentBefore(id).map(({ seconds }) => seconds)).toEqual([0, 0]);
  });

  it('is not waited for if only the app cannot reach it, as its generator may', async () => {
    bed.script.push((job) => {
      bed.machines.get('one').cut();
      measures(job);
    }, measures);
    const id = bed.start({ target: 'db', hosts: ['two'] });
    await settled(id);
    expect(bed.states(id)).toEqual(['done', 'done']);
  });

  it('is waited for even if Kneepoint can start it, as the user decides that', async () => {
    await placeOnHost({ kind: 'systemd', unit: 'mariadb', sudo: false });
    const id = await waiting();
    expect(bed.sessions.needs(id)).toMatchObject({
      message: 'Trial 2 is waiting for “db” to accept connections. The server of target “db” on one is stopped.',
      next: expect.stringMatching(
        /^Start it on the page of the target, or with “kneepoint target start”\. The session/,
      ),
    });
    server.isDown = false;
    await settled(id);
    expect(bed.states(id)).toEqual(['failed', 'done', 'done']);
  });

  it('is not waited for if it is restarted before each trial', async () => {
    await placeOnHost({ kind: 'systemd', unit: 'mariadb', sudo: false });
    bed.script.push(dies, answers);
    const id = bed.start({ target: 'db', measure: ', before: { restart: true }' });
    await settled(id);
    expect(bed.states(id)).toEqual(['failed', 'done']);
    expect(logged(id, 'The session is waiting.')).toEqual([]);
  });
});

it('logs warnings of the tool at once, each once', async () => {
  const { id, job } = await running({ trials: 1 });
  const logged = () => bed.log(id).flatMap(({ message }) => (message.includes('held up') ? [message] : []));
  job.print('! by a lock\n');
  await bed.until(id, () => logged().length > 0);
  expect(bed.states(id)).toEqual(['running']);
  await bed.reopen();
  bed.sessions.continueInterrupted(id);
  await bed.until(id, () => bed.row(id).state === 'running');
  job.end(0);
  await settled(id);
  expect(logged()).toEqual(['Trial 1: It is held up: by a lock']);
  expect(bed.runs(id)[0]?.findings).toMatchObject([{ code: 'fake-held', severity: 'warn' }]);
});

describe('a job', () => {
  const ways = { gone: 'vanish', lost: 'lose', rebooted: 'reboot' } as const;
  const all = ['gone', 'lost', 'rebooted'] as const;

  it.each(all)('that is %s during data preparation ends the session, and resuming prepares again', async (how) => {
    const { id, job } = await preparing({ trials: 1 });
    job[ways[how]]();
    await settled(id);
    expect(bed.row(id)).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^Preparing the data was interrupted: .* Resume the session/),
    });
    expect(bed.states(id)).toEqual(['pending']);
    bed.script.push((again) => again.end(0), measures);
    await bed.sessions.resume(id);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.jobs.all.map(({ spec }) => spec.argv[0])).toEqual(['prepare', 'prepare', 'run']);
  });

  it('with truncated output during data preparation is ended before resuming prepares again', async () => {
    const { id, job } = await preparing({ trials: 1 });
    job.replaceOutput();
    await settled(id);
    expect(bed.row(id).state).toBe('failed');
    expect(job.status.state).toBe('ended');
    bed.script.push((again) => again.end(0), measures);
    await bed.sessions.resume(id);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
  });

  it.each(all)('that is %s during its launch loses its trial', async (how) => {
    const { id, release } = await launching();
    bed.script.push((job) => job[ways[how]](), measures);
    release();
    await settled(id);
    expect(bed.states(id)).toEqual(['lost', 'done']);
    expect(bed.row(id).state).toBe('done');
  });

  it.each(all)('that is %s loses its trial', async (how) => {
    const { id, job } = await running();
    bed.script.push(measures);
    job[ways[how]]();
    await settled(id);
    expect(bed.states(id)).toEqual(['lost', 'done']);
    expect(bed.runs(id)[0]).toMatchObject({ partial: true, message: expect.stringContaining('is stored') });
  });
});

it('records each checkpoint report of the tool once, also when the trial is read again', async () => {
  const { id, job } = await running();
  bed.script.push(measures);
  const { createdAt } = bed.row(id);
  job.print(`${createdAt / 1000 + 3} 0 0\n`, 'index');
  job.print('1 100\n1 - 5\n2 200\n2 - 9\n');
  job.end(0);
  await settled(id);
  const noted = () => bed.store.events.ofSession(id, ['checkpoint'], 0, 10);
  expect(noted()).toMatchObject([
    { t: 1, at: createdAt + 4000, runId: bed.runs(id)[0]?.id, message: 'Trial 1 printed a checkpoint report.' },
    { t: 2, at: createdAt + 5000 },
  ]);
  const [run] = bed.runs(id);
  if (run) await bed.readAgain(run);
  expect(noted()).toHaveLength(2);
});

it('records the checkpoint at the end of the warm-up only as its end', async () => {
  const { id, job } = await running({ warmup: 1 });
  bed.script.push(measures);
  job.print('1 100\n1 - 5\n2 200\n3 300\n3 - 9\n');
  job.end(0);
  await settled(id);
  expect(bed.store.events.ofSession(id, ['checkpoint'], 0, 10).map(({ t }) => t)).toEqual([3]);
});

it('stores the clock of the host with the output, and shows how late the output arrives', async () => {
  const { id, job } = await running();
  const run = bed.runs(id)[0]?.id ?? 0;
  const now = bed.row(id).createdAt / 1000;
  job.print(`${now - 7} 12.50 0\n`, 'index');
  await bed.until(id, () => bed.sessions.lag(run) !== undefined);
  expect(bed.sessions.lag(run)).toBe(7);
  expect([...bed.store.samples.index(run, 0).uptime]).toEqual([12.5]);
  bed.script.push(measures);
  measures(job);
  await settled(id);
  expect(bed.sessions.lag(run)).toBeUndefined();
});

describe('closing the app', () => {
  it('during a trial reattaches to it without losing or duplicating a byte', async () => {
    const { id, job } = await running();
    await bed.reopen();
    expect(bed.row(id).state).toBe('interrupted');
    job.print('2 200\n');
    job.end(0);
    bed.script.push(measures);
    bed.sessions.continueInterrupted(id);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.states(id)).toEqual(['done', 'done']);
    expect(bed.store.samples.count(bed.runs(id)[0]?.id ?? 0, 0)).toBe(2);
    expect(bed.jobs.all).toHaveLength(2);
  });

  it('during data preparation reattaches to the same job', async () => {
    const prepared = bed.jobs.next();
    const id = bed.start({ prepare: true });
    const job = await prepared;
    await bed.reopen();
    expect(bed.row(id).state).toBe('interrupted');
    bed.script.push(measures, measures);
    bed.sessions.continueInterrupted(id);
    job.end(0);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.jobs.all).toHaveLength(3);
  });

  it.each([
    ['pausing', 'paused', ['done', 'pending']],
    ['stopping', 'stopped', ['stopped', 'skipped']],
  ] as const)('while the session is %s keeps that state', async (asked, became, states) => {
    const { id, job } = await running();
    job.onStop = () => {};
    if (asked === 'pausing') bed.sessions.pause(id);
    else await bed.sessions.stop(id);
    await bed.reopen();
    expect(bed.row(id).state).toBe(asked);
    job.onStop = () => job.end(143, 'stop');
    bed.sessions.continueInterrupted(id);
    if (asked === 'pausing') job.end(0);
    await settled(id);
    expect(bed.row(id).state).toBe(became);
    expect(bed.states(id)).toEqual(states);
  });

  it('during a launch repeats the launch, which attaches', async () => {
    const release = bed.jobs.holdLaunches();
    const id = bed.start();
    await bed.until(id, () => bed.states(id)[0] === 'launching');
    const closed = bed.reopen();
    release();
    await closed;
    expect(bed.row(id).state).toBe('interrupted');
    bed.script.push(measures, measures);
    await bed.sessions.resume(id);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.jobs.all).toHaveLength(2);
  });

  it('during the pause of a factor interrupts the session, and repeats of a cell have no such pause', async () => {
    bed.script.push(measures, measures, measures);
    const id = bed.start({ factors: '[{name: size, levels: [1, 2], pause: 1h}]', measure: ', order: listed' });
    await bed.until(id, () => bed.sessions.activity(id) === 'Waiting 3600 s before the next trial');
    expect(bed.states(id)).toEqual(['done', 'done', 'pending', 'pending']);
    await bed.reopen();
    expect(bed.row(id).state).toBe('interrupted');
  });

  it('during a pause between trials keeps the finished ones', async () => {
    bed.script.push(measures, measures);
    const id = bed.start({ pause: 3600 });
    await bed.until(id, () => bed.sessions.activity(id)?.startsWith('Waiting') === true);
    await bed.reopen();
    expect(bed.row(id).state).toBe('interrupted');
    expect(bed.states(id)).toEqual(['done', 'pending']);
  });
});

/** Resolves when the session waits for a user. */
const waits = (id: number): Promise<void> => bed.until(id, () => bed.sessions.needs(id) !== undefined);
const waitMessages = (id: number): string[] =>
  bed.log(id).flatMap(({ message }) => (message.startsWith('The session is waiting.') ? [message] : []));

describe('required user input', () => {
  it('is waited for at the start with a message before anything begins, and then the session continues', async () => {
    const { readFacts } = bed;
    bed.readFacts = () => Promise.reject(locked());
    const id = bed.start();
    await waits(id);
    expect(bed.sessions.needs(id)).toMatchObject({ code: 'vault-locked', next: 'Unlock it.' });
    expect(bed.sessions.activity(id)).toBe('The vault is locked. Unlock it.');
    expect(bed.row(id)).toMatchObject({ state: 'starting', startedAt: null });
    bed.readFacts = readFacts;
    bed.script.push(measures, measures);
    bed.sessions.wake();
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.sessions.needs(id)).toBeUndefined();
    expect(waitMessages(id)).toHaveLength(1);
  });

  it.each([
    ['preparing', { prepare: true }],
    ['launching the first trial', { prepare: false }],
  ])('is waited for while %s', async (_when, wanted) => {
    bed.jobs.refuse(locked());
    const id = bed.start(wanted);
    await waits(id);
    expect(bed.states(id)).not.toContain('failed');
    bed.script.push(...(wanted.prepare ? [(job: FakeJob) => job.end(0)] : []), measures, measures);
    // A user resumes after providing it outside of Kneepoint: an agent was started, a disk was cleaned.
    await bed.sessions.resume(id);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.states(id)).toEqual(['done', 'done']);
    expect(bed.log(id).filter(({ message }) => message === 'Trial 1 starts.')).toHaveLength(1);
  });

  it.each([
    'secret-missing',
    'vault-locked',
    'host-key-unknown',
    'host-key-changed',
    'host-auth-failed',
    'disk-full',
  ] as const)('never fails a trial: %s', async (code) => {
    const { id, job } = await running();
    bed.jobs.refuse(new KneepointError({ code, host: 'one', message: 'It is missing.' }));
    measures(job);
    await waits(id);
    expect(bed.states(id)[0]).toBe('done');
    expect(bed.row(id)).toMatchObject({ state: 'running', trialsFailed: 0 });
    bed.script.push(measures);
    bed.sessions.wake();
    await settled(id);
    expect(bed.states(id)).toEqual(['done', 'done']);
  });

  it('while a trial is followed or concluded lets its job continue and stores its output once', async () => {
    const { id, job } = await running({ trials: 1 });
    const { ready } = job.machine;
    job.machine.ready = () => Promise.reject(locked());
    job.end(0);
    await waits(id);
    expect(bed.states(id)).toEqual(['running']);
    job.machine.ready = ready;
    bed.sessions.wake();
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.store.samples.count(bed.runs(id)[0]?.id ?? 0, 0)).toBe(1);
  });

  it('is requested again after the app was killed, without losing a trial', async () => {
    const { id, job } = await running();
    await bed.reopen();
    bed.jobs.refuse(locked());
    measures(job);
    bed.sessions.continueInterrupted(id);
    await waits(id);
    expect(bed.states(id)).toEqual(['done', 'launching']);
    await bed.reopen();
    expect(bed.row(id).state).toBe('interrupted');
    bed.script.push(measures);
    bed.sessions.continueInterrupted(id);
    await settled(id);
    expect(bed.states(id)).toEqual(['done', 'done']);
  });

  it('does not prevent stopping or pausing', async () => {
    const { readFacts } = bed;
    bed.readFacts = () => Promise.reject(locked());
    const stopped = bed.start();
    await waits(stopped);
    await bed.sessions.stop(stopped);
    await settled(stopped);
    expect(bed.row(stopped).state).toBe('stopped');

    const paused = bed.start();
    await waits(paused);
    bed.sessions.pause(paused);
    await settled(paused);
    expect(bed.row(paused).state).toBe('paused');
    bed.readFacts = readFacts;
    bed.script.push(measures, measures);
    await bed.sessions.resume(paused);
    await settled(paused);
    expect(bed.row(paused).state).toBe('done');
  });
});

describe('repeat', () => {
  const counters = (id: number) => {
    const { trialsTotal, trialsEnded, trialsFailed } = bed.row(id);
    return [trialsTotal, trialsEnded, trialsFailed, bed.row(id).trialsMissing];
  };

  it('measures every failed trial again in its place and keeps the old one', async () => {
    bed.script.push(measures, fails, (job) => job.lose(), measures);
    const id = bed.start({ trials: 4 });
    await settled(id);
    expect(bed.states(id)).toEqual(['done', 'failed', 'lost', 'done']);
    expect([bed.row(id).state, ...counters(id)]).toEqual(['done', 4, 4, 2, 2]);

    bed.script.push(measures, measures);
    await bed.sessions.repeat(id);
    expect(bed.row(id)).toMatchObject({ state: 'starting', trialsEnded: 2, trialsFailed: 0 });
    await settled(id);
    expect(bed.states(id)).toEqual(['done', 'failed', 'lost', 'done', 'done', 'done']);
    const runs = bed.runs(id);
    expect(runs.map(({ trial }) => trial)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(runs.slice(4).map(({ cell, repeat, seed }) => [cell, repeat, seed])).toEqual(
      runs.slice(1, 3).map(({ cell, repeat, seed }) => [cell, repeat, seed]),
    );
    expect([bed.row(id).state, ...counters(id)]).toEqual(['done', 4, 4, 0, 0]);
    await expect(bed.sessions.repeat(id)).rejects.toThrow('No trial of session 1 has failed');
  });

  it('excludes a replaced trial from counts, also when it is judged again', async () => {
    bed.script.push(measures, fails);
    const id = bed.start();
    await settled(id);
    bed.script.push(measures);
    await bed.sessions.repeat(id);
    await settled(id);
    const before = counters(id);
    bed.store.runs.update(bed.runs(id)[1]?.id ?? 0, { state: 'done' });
    expect(counters(id)).toEqual(before);
  });

  it('adds a repeat next to a measured trial, with its own seed', async () => {
    bed.script.push(measures, measures);
    const id = bed.start();
    await settled(id);
    const [first] = bed.runs(id);
    bed.script.push(measures);
    await bed.sessions.repeat(id, [first?.id ?? 0]);
    await settled(id);
    const [, , third] = bed.runs(id);
    expect(third).toMatchObject({ state: 'done', cell: 0, repeat: 2 });
    expect(new Set(bed.runs(id).map(({ seed }) => seed)).size).toBe(3);
    expect(counters(id)).toEqual([3, 3, 0, 0]);
  });

  it('uses other random numbers in a second session of the document, and no number twice', async () => {
    bed.script.push(...Array.from({ length: 5 }, () => measures));
    const first = bed.start();
    await settled(first);
    const second = bed.start();
    await settled(second);
    await bed.sessions.addRepeats(second, { repeats: 1 });
    await settled(second);
    const seeds = [first, second].flatMap((id) => bed.runs(id).map(({ seed }) => seed));
    expect(new Set(seeds).size).toBe(5);
    const { plan } = bed.store.sessions.snapshot(second);
    expect(plan.trials.map(({ seed }) => seed)).toEqual(seeds.slice(2, 4));
    expect(plan.seed).not.toBe(bed.store.sessions.snapshot(first).plan.seed);
  });

  it('replaces a measured trial for a reason and keeps the old one', async () => {
    bed.script.push(measures, measures);
    const id = bed.start();
    await settled(id);
    const [first] = bed.runs(id);
    bed.script.push(measures);
    await bed.sessions.repeat(id, [first?.id ?? 0], 'its link was cut');
    expect(bed.runs(id)[0]).toMatchObject({ state: 'done', excluded: { reason: 'its link was cut' } });
    await settled(id);
    const [old, , third] = bed.runs(id);
    expect(third).toMatchObject({ state: 'done', cell: 0, repeat: old?.repeat, seed: old?.seed, excluded: null });
    expect(bed.store.samples.metrics(old?.id ?? 0)).not.toEqual([]);
    expect(counters(id)).toEqual([2, 2, 0, 0]);
    expect(() => bed.sessions.include(id, [old?.id ?? 0])).toThrow(
      'Trial 3 of session 1 counts in place of trial 1: both would count as the same repeat.',
    );
    bed.sessions.exclude(id, [third?.id ?? 0], 'a backup ran');
    bed.sessions.include(id, [old?.id ?? 0]);
    expect(bed.runs(id).map(({ excluded }) => excluded?.reason)).toEqual([undefined, undefined, 'a backup ran']);
    expect(bed.store.events.ofSession(id, ['log'], 0, 1000).map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Trial 1 .*is excluded from all figures: its link was cut$/),
        expect.stringMatching(/^Trial 1 .*counts again\.$/),
      ]),
    );
  });

  it('excludes only ended trials, and measures an excluded trial again in its place', async () => {
    const { id, job } = await running();
    const [open] = bed.runs(id);
    expect(() => bed.sessions.exclude(id, [open?.id ?? 0], 'no')).toThrow('Trial 1 of session 1 has not ended.');
    expect(() => bed.sessions.exclude(id, [9999], 'no')).toThrow('has no run 9999');
    bed.script.push(measures, measures);
    measures(job);
    await settled(id);
    bed.sessions.exclude(id, [open?.id ?? 0], 'cut');
    await bed.sessions.repeat(id, [open?.id ?? 0]);
    await settled(id);
    expect(bed.runs(id).at(-1)).toMatchObject({ state: 'done', repeat: open?.repeat });
  });

  it('adds repeats to some cells in rounds, each with its own seed, and reads facts again', async () => {
    const factors = '[{ name: size, levels: [1, 2, 4] }]';
    bed.script.push(measures, measures, measures);
    const id = bed.start({ trials: 1, factors });
    await settled(id);
    const before = bed.runs(id);
    const kernels = ['6.12'];
    const plain = bed.readFacts;
    bed.readFacts = async (...given) => ({ ...(await plain(...given)), kernel: kernels[0] ?? '' });

    bed.script.push(measures, measures, measures, measures);
    await bed.sessions.addRepeats(id, { repeats: 2, cells: [0, 2] });
    await settled(id);
    const runs = bed.runs(id);
    expect(runs.slice(3).map(({ cell, repeat }) => [cell, repeat])).toEqual([
      [0, 1],
      [2, 1],
      [0, 2],
      [2, 2],
    ]);
    expect(runs.slice(3).map(({ levels }) => levels)).toEqual([0, 2, 0, 2].map((cell) => before[cell]?.levels));
    expect(new Set(runs.map(({ seed }) => seed)).size).toBe(7);
    expect([bed.row(id).state, ...counters(id)]).toEqual(['done', 7, 7, 0, 0]);
    const { hosts, later } = bed.store.sessions.snapshot(id);
    expect(hosts[0]?.facts?.kernel).not.toBe('6.12');
    expect(later).toMatchObject([{ from: 3, added: 4, facts: { hosts: [{ facts: { kernel: '6.12' } }] } }]);
  });

  it('adds repeats to every cell unless some are named, and refuses an unknown cell', async () => {
    bed.script.push(measures);
    const id = bed.start({ trials: 1 });
    await settled(id);
    await expect(bed.sessions.addRepeats(id, { repeats: 1, cells: [7] })).rejects.toThrow('Session 1 has no cell 8.');
    bed.script.push(measures);
    await bed.sessions.addRepeats(id, { repeats: 1 });
    await settled(id);
    expect(bed.states(id)).toEqual(['done', 'done']);
    expect(bed.store.sessions.snapshot(id).later).toMatchObject([{ from: 1, added: 1 }]);
  });

  it('in a running session comes after its plan', async () => {
    bed.script.push(fails);
    const id = bed.start({ trials: 2 });
    const job = await bed.running(id, 1);
    await bed.sessions.repeat(id);
    bed.script.push(measures);
    measures(job);
    await settled(id);
    expect(bed.states(id)).toEqual(['failed', 'done', 'done']);
    expect(bed.row(id).state).toBe('done');
  });

  it.each([
    ['stopped', (id: number) => bed.sessions.stop(id)],
    ['paused', async (id: number) => bed.sessions.pause(id)],
  ])('of a session that is %s runs the named trial', async (_state, ask) => {
    const { id, job } = await running();
    await ask(id);
    job.end(1);
    await settled(id);
    const [first] = bed.runs(id);
    bed.script.push(measures, measures);
    await bed.sessions.repeat(id, [first?.id ?? 0]);
    await settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.states(id).at(-1)).toBe('done');
  });

  it('is refused for a trial that has not ended, was replaced, or is unknown', async () => {
    bed.script.push(fails);
    const id = bed.start();
    const job = await bed.running(id, 1);
    const [failed, open] = bed.runs(id).map((run) => run.id);
    await expect(bed.sessions.repeat(id, [open ?? 0])).rejects.toThrow('has not ended');
    await expect(bed.sessions.repeat(id, [9999])).rejects.toThrow('has no run 9999');
    await bed.sessions.repeat(id, [failed ?? 0]);
    await expect(bed.sessions.repeat(id, [failed ?? 0])).rejects.toThrow('was measured again already');
    bed.script.push(measures);
    measures(job);
    await settled(id);
  });
});

describe('two generators', () => {
  it('start together, and losing one loses the trial', async () => {
    const id = bed.start({ hosts: ['one', 'two'], trials: 1 });
    await bed.running(id, 0);
    measures(bed.jobOf(id, 0, 0));
    bed.jobOf(id, 0, 1).lose();
    await settled(id);
    expect(bed.states(id)).toEqual(['lost']);
    expect(bed.runs(id)[0]?.message).toContain('one measured to the end');
    expect(bed.jobs.all.every(({ releasedAt }) => releasedAt !== undefined)).toBe(true);
  });
});
