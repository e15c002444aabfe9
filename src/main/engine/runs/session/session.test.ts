import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { FakeJob } from '../../jobs/testing/fake-job.ts';
import { SessionBench, type Wanted } from '../testing/session-bench.ts';

let bench: SessionBench;
beforeEach(() => {
  bench = new SessionBench();
});
afterEach(() => bench.close());

const measures = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
const fails = (job: FakeJob): void => job.end(1);
const settled = (id: number) => bench.sessions.settled(id);
/** A session whose first trial runs and has said something. */
async function running(wanted: Wanted = {}): Promise<{ id: number; job: FakeJob }> {
  const id = bench.start(wanted);
  if (wanted.prepare) bench.script.push((job) => job.end(0));
  const job = await bench.running(id, 0);
  job.print('1 100\n');
  return { id, job };
}
const locked = (): KneepointError =>
  new KneepointError({ code: 'vault-locked', message: 'The vault is locked.', next: 'Unlock it.' });

describe('start', () => {
  it('executes every trial in turn and is done', async () => {
    bench.script.push(measures, measures);
    const id = bench.start();
    expect(bench.row(id).state).toBe('starting');
    await settled(id);
    expect(bench.row(id)).toMatchObject({ state: 'done', message: null });
    expect(bench.row(id).endedAt).not.toBeNull();
    expect(bench.runs(id)).toMatchObject([
      { state: 'done', partial: false, exit: { code: 0 }, summary: { rounds: 1 } },
      { state: 'done', partial: false },
    ]);
    expect([...(bench.store.samples.series(bench.runs(id)[0]?.id ?? 0, 'ops')[0]?.v ?? [])]).toEqual([100, 200]);
  });

  it('makes the data first, and ends as failed with its words when that fails', async () => {
    bench.script.push((job) => {
      job.print('no room\n', 'stderr');
      job.end(9);
    });
    const id = bench.start({ prepare: true });
    await settled(id);
    expect(bench.row(id)).toMatchObject({ state: 'failed', message: expect.stringContaining('It ended with 9.') });
    expect(bench.states(id)).toEqual(['pending', 'pending']);
  });

  it('says which host another session is using', async () => {
    const { id } = await running();
    expect(() => bench.start()).toThrow(`Session ${id} (“Of a test”) is using the generator “one”`);
  });

  it('ends after three failures in a row, and goes on with the next trial when a person resumes', async () => {
    bench.script.push(fails, fails, fails, measures);
    const id = bench.start({ trials: 4 });
    await settled(id);
    expect(bench.row(id)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('3 trials in a row failed'),
    });
    expect(bench.states(id)).toEqual(['failed', 'failed', 'failed', 'pending']);
    await bench.sessions.resume(id);
    await settled(id);
    expect(bench.row(id).state).toBe('done');
    expect(bench.states(id)).toEqual(['failed', 'failed', 'failed', 'done']);
  });
});

describe('pause', () => {
  it('waits for the end of the trial, and resuming begins the next one', async () => {
    const { id, job } = await running();
    bench.sessions.pause(id);
    expect(bench.row(id).state).toBe('pausing');
    measures(job);
    await settled(id);
    expect(bench.row(id)).toMatchObject({ state: 'paused', message: 'Paused by a person.' });
    expect(bench.states(id)).toEqual(['done', 'pending']);
    bench.sessions.pause(id);
    bench.script.push(measures);
    await bench.sessions.resume(id);
    await settled(id);
    expect(bench.row(id).state).toBe('done');
  });

  it('is taken back before it has begun', async () => {
    const { id, job } = await running();
    bench.sessions.pause(id);
    await bench.sessions.resume(id);
    expect(bench.row(id).state).toBe('running');
    bench.script.push(measures);
    measures(job);
    await settled(id);
    expect(bench.states(id)).toEqual(['done', 'done']);
  });

  it('cuts the rest between two trials short', async () => {
    bench.script.push(measures);
    const id = bench.start({ pause: 3600 });
    await bench.until(id, () => bench.sessions.activity(id)?.startsWith('Resting') === true);
    bench.sessions.pause(id);
    await settled(id);
    expect(bench.row(id).state).toBe('paused');
  });

  it('is refused when nothing runs', async () => {
    bench.script.push(measures, measures);
    const id = bench.start();
    await settled(id);
    expect(() => bench.sessions.pause(id)).toThrow(`Session ${id} is done`);
    await expect(bench.sessions.resume(id)).rejects.toThrow(`Session ${id} is done`);
  });
});

describe('skip', () => {
  it('ends the trial and goes on with the next', async () => {
    const { id } = await running();
    bench.script.push(measures);
    bench.sessions.skip(id);
    await settled(id);
    expect(bench.states(id)).toEqual(['skipped', 'done']);
    expect(bench.row(id).state).toBe('done');
  });

  it('leaves a trial alone that has ended, and knows no trial of another session', async () => {
    bench.script.push(measures);
    const id = bench.start();
    await bench.running(id, 1);
    bench.sessions.skip(id, bench.runs(id)[0]?.id);
    expect(bench.states(id)).toEqual(['done', 'running']);
    expect(() => bench.sessions.skip(id, 4711)).toThrow('has no run 4711');
  });
});

describe('stop', () => {
  it('ends the tool and leaves the other trials out', async () => {
    const { id, job } = await running();
    await bench.sessions.stop(id);
    expect(bench.row(id).state).toBe('stopping');
    await settled(id);
    expect(job.status).toMatchObject({ state: 'ended', end: { cause: 'stop' } });
    expect(bench.states(id)).toEqual(['stopped', 'skipped']);
    expect(bench.row(id)).toMatchObject({ state: 'stopped', message: 'Stopped by a person.' });
    await bench.sessions.stop(id);
    await expect(bench.sessions.resume(id)).rejects.toThrow(`Session ${id} is stopped`);
  });

  it('ends what prepares the data', async () => {
    const prepared = bench.jobs.next();
    const id = bench.start({ prepare: true });
    const job = await prepared;
    await bench.until(id, () => bench.sessions.activity(id)?.startsWith('Preparing') === true);
    await bench.sessions.stop(id);
    await settled(id);
    expect(job.status).toMatchObject({ state: 'ended', end: { cause: 'stop' } });
    expect(bench.row(id).state).toBe('stopped');
    expect(bench.states(id)).toEqual(['skipped', 'skipped']);
  });

  it('waits for a host out of reach; the second one gives it up', async () => {
    const { id, job } = await running();
    bench.machines.get('one').cut();
    await bench.sessions.stop(id);
    await bench.sessions.stop(id);
    expect(bench.row(id).state).toBe('stopping');
    bench.monotonic += 5000;
    await bench.sessions.stop(id);
    await settled(id);
    expect(bench.row(id).state).toBe('stopped');
    expect(bench.runs(id)[0]).toMatchObject({ state: 'lost', message: expect.stringContaining('was given up') });
    expect(job.status.state).toBe('running');
  });
});

describe('a host out of reach', () => {
  it('is waited for, and what was missed is fetched', async () => {
    const { id, job } = await running({ trials: 1 });
    bench.machines.get('one').cut();
    expect(bench.sessions.activity(id)).toContain('one cannot be reached (the cable is out)');
    measures(job);
    bench.machines.get('one').restore();
    await settled(id);
    expect(bench.row(id).state).toBe('done');
    expect(bench.store.samples.count(bench.runs(id)[0]?.id ?? 0, 0)).toBe(3);
    expect(bench.log(id).map(({ message }) => message)).toContainEqual(expect.stringContaining('is connected again'));
  });

  it.each(['gone', 'lost', 'rebooted'] as const)('leaves a trial lost whose job is %s', async (how) => {
    const { id, job } = await running();
    bench.script.push(measures);
    if (how === 'gone') job.vanish();
    else if (how === 'lost') job.lose();
    else job.reboot();
    await settled(id);
    expect(bench.states(id)).toEqual(['lost', 'done']);
    expect(bench.runs(id)[0]).toMatchObject({ partial: true, message: expect.stringContaining('is kept') });
  });
});

it('notes the reports that its tool printed on the way, once, also when the trial is read again', async () => {
  const { id, job } = await running();
  bench.script.push(measures);
  const { createdAt } = bench.row(id);
  job.print(`${createdAt / 1000 + 3} 0 0\n`, 'index');
  job.print('1 100\n1 - 5\n2 200\n2 - 9\n');
  job.end(0);
  await settled(id);
  const noted = () => bench.store.events.ofSession(id, ['checkpoint'], 0, 10);
  expect(noted()).toMatchObject([
    { t: 1, at: createdAt + 4000, runId: bench.runs(id)[0]?.id, message: 'Trial 1 printed a checkpoint report.' },
    { t: 2, at: createdAt + 5000 },
  ]);
  const [run] = bench.runs(id);
  if (run) bench.readAgain(run);
  expect(noted()).toHaveLength(2);
});

it('keeps the host’s clock beside the output, and says how late the output arrives', async () => {
  const { id, job } = await running();
  const run = bench.runs(id)[0]?.id ?? 0;
  const now = bench.row(id).createdAt / 1000;
  job.print(`${now - 7} 12.50 0\n`, 'index');
  await bench.until(id, () => bench.sessions.lag(run) !== undefined);
  expect(bench.sessions.lag(run)).toBe(7);
  expect([...bench.store.samples.index(run, 0).uptime]).toEqual([12.5]);
  bench.script.push(measures);
  measures(job);
  await settled(id);
  expect(bench.sessions.lag(run)).toBeUndefined();
});

describe('the app closes', () => {
  it('while a trial runs: it is followed again, and no byte is lost or doubled', async () => {
    const { id, job } = await running();
    await bench.reopen();
    expect(bench.row(id).state).toBe('interrupted');
    job.print('2 200\n');
    job.end(0);
    bench.script.push(measures);
    bench.sessions.goOn(id);
    await settled(id);
    expect(bench.row(id).state).toBe('done');
    expect(bench.states(id)).toEqual(['done', 'done']);
    expect(bench.store.samples.count(bench.runs(id)[0]?.id ?? 0, 0)).toBe(2);
    expect(bench.jobs.all).toHaveLength(2);
  });

  it('while data is made: the same job is followed', async () => {
    const prepared = bench.jobs.next();
    const id = bench.start({ prepare: true });
    const job = await prepared;
    await bench.reopen();
    expect(bench.row(id).state).toBe('interrupted');
    bench.script.push(measures, measures);
    bench.sessions.goOn(id);
    job.end(0);
    await settled(id);
    expect(bench.row(id).state).toBe('done');
    expect(bench.jobs.all).toHaveLength(3);
  });

  it.each([
    ['pausing', 'paused', ['done', 'pending']],
    ['stopping', 'stopped', ['stopped', 'skipped']],
  ] as const)('while it is %s: that still counts', async (asked, became, states) => {
    const { id, job } = await running();
    job.onStop = () => {};
    if (asked === 'pausing') bench.sessions.pause(id);
    else await bench.sessions.stop(id);
    await bench.reopen();
    expect(bench.row(id).state).toBe(asked);
    job.onStop = () => job.end(143, 'stop');
    bench.sessions.goOn(id);
    if (asked === 'pausing') job.end(0);
    await settled(id);
    expect(bench.row(id).state).toBe(became);
    expect(bench.states(id)).toEqual(states);
  });

  it('while a trial is launched: the launch is repeated and attaches', async () => {
    const letGo = bench.jobs.holdLaunches();
    const id = bench.start();
    await bench.until(id, () => bench.states(id)[0] === 'launching');
    const closed = bench.reopen();
    letGo();
    await closed;
    expect(bench.row(id).state).toBe('interrupted');
    bench.script.push(measures, measures);
    await bench.sessions.resume(id);
    await settled(id);
    expect(bench.row(id).state).toBe('done');
    expect(bench.jobs.all).toHaveLength(2);
  });

  it('while it rests between two trials: what is done is kept', async () => {
    bench.script.push(measures, measures);
    const id = bench.start({ pause: 3600 });
    await bench.until(id, () => bench.sessions.activity(id)?.startsWith('Resting') === true);
    await bench.reopen();
    expect(bench.row(id).state).toBe('interrupted');
    expect(bench.states(id)).toEqual(['done', 'pending']);
  });
});

describe('a secret that cannot be read', () => {
  it('at the start: nothing is begun, and resuming starts it', async () => {
    const { readFacts } = bench;
    bench.readFacts = () => Promise.reject(locked());
    const id = bench.start();
    await settled(id);
    expect(bench.row(id)).toMatchObject({
      state: 'failed',
      startedAt: null,
      message: 'The vault is locked. Unlock it.',
    });
    bench.readFacts = readFacts;
    bench.script.push(measures, measures);
    await bench.sessions.resume(id);
    await settled(id);
    expect(bench.row(id).state).toBe('done');
  });

  it.each([
    ['preparing', { prepare: true }],
    ['launching the first trial', { prepare: false }],
  ])('while %s: it can go on when it is there', async (_when, wanted) => {
    bench.jobs.refuse(locked());
    const id = bench.start(wanted);
    await settled(id);
    expect(bench.row(id).message).toContain('The vault is locked.');
    expect(['failed', 'interrupted']).toContain(bench.row(id).state);
    bench.script.push(...(wanted.prepare ? [(job: FakeJob) => job.end(0)] : []), measures, measures);
    await bench.sessions.resume(id);
    await settled(id);
    expect(bench.row(id).state).toBe('done');
    expect(bench.states(id)).toEqual(['done', 'done']);
  });
});

describe('two generators', () => {
  it('start together, and one that is lost leaves the trial lost', async () => {
    const id = bench.start({ hosts: ['one', 'two'], trials: 1 });
    await bench.running(id, 0);
    measures(bench.jobOf(id, 0, 0));
    bench.jobOf(id, 0, 1).lose();
    await settled(id);
    expect(bench.states(id)).toEqual(['lost']);
    expect(bench.runs(id)[0]?.message).toContain('one measured to the end');
    expect(bench.jobs.all.every(({ releasedAt }) => releasedAt !== undefined)).toBe(true);
  });
});

describe('a secret that is missing later', () => {
  const unlockAndEnd = async (id: number, ...scripts: ((job: FakeJob) => void)[]): Promise<void> => {
    bench.script.push(...scripts);
    await bench.sessions.resume(id);
    await settled(id);
    expect(bench.row(id).state).toBe('done');
  };

  it('before the second trial: the first one is kept, and resuming launches the second', async () => {
    const { id, job } = await running();
    bench.jobs.refuse(locked());
    measures(job);
    await settled(id);
    expect(bench.states(id)[0]).toBe('done');
    expect(bench.row(id)).toMatchObject({
      state: 'interrupted',
      message: expect.stringContaining('The vault is locked.'),
    });
    await unlockAndEnd(id, measures);
    expect(bench.states(id)).toEqual(['done', 'done']);
  });

  it('while a trial runs or is concluded: its job goes on, and resuming has all of its output once', async () => {
    const { id, job } = await running({ trials: 1 });
    const { status } = bench.jobs;
    bench.jobs.status = () => Promise.reject(locked());
    job.end(0);
    await settled(id);
    expect(bench.row(id)).toMatchObject({
      state: 'interrupted',
      message: expect.stringContaining('The vault is locked.'),
    });
    bench.jobs.status = status;
    await unlockAndEnd(id);
    expect(bench.store.samples.count(bench.runs(id)[0]?.id ?? 0, 0)).toBe(1);
  });
});
