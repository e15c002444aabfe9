import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { FakeChanger, grantsClaims } from './testing/fake-changer.ts';
import { SessionBed } from './testing/session-bed.ts';

const THREADS = '[{name: size, levels: [1, 2]}]';
const PRICED =
  '[{name: volume, kind: price, levels: [{name: slow, price: {amount: 1, per: hour}}, {name: fast, price: {amount: 9, per: hour}}]}]';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed(['one']);
});
afterEach(() => bed.close());

const messages = (id: number): string[] => bed.log(id).map(({ message }) => message);
const pass = (seconds: number): void => {
  bed.now += seconds * 1000;
  bed.monotonic += seconds * 1000;
};
/** Measures this rate in the trial at this place, for this many seconds on our clock. */
async function measures(id: number, trial: number, rate: number, seconds = 0): Promise<void> {
  finish(await bed.running(id, trial), rate, seconds);
  await bed.until(id, () => bed.states(id)[trial] === 'done');
}
function finish(job: FakeJob, rate: number, seconds = 0): void {
  pass(seconds);
  job.print(`1 ${rate}\n`);
  job.end(0);
}
describe('a limit of time', () => {
  it('ends the session with the running trial, reports that once, and has the same result after a restart of the app', async () => {
    const id = bed.start({ trials: 5, measure: ', stop: { minutes: 2 }' });
    await measures(id, 0, 100, 50);
    await bed.running(id, 1);
    pass(50);
    await bed.reopen();
    bed.sessions.continueInterrupted(id);
    await measures(id, 1, 100, 25);
    await bed.sessions.settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'done', message: null });
    expect(bed.states(id)).toEqual(['done', 'done', 'skipped', 'skipped', 'skipped']);
    expect(bed.runs(id)[2]).toMatchObject({
      startedAt: null,
      message: 'Not measured: the session had reached its limit of 2 minutes.',
      findings: [{ code: 'stop-rule' }],
    });
    const message = 'The session has reached its limit of 2 minutes: 2.1 minutes spent, 3 trials not measured.';
    expect(messages(id).filter((words) => words === message)).toHaveLength(1);
    expect([bed.row(id).trialsMissing, bed.store.runs.notNeeded(id)]).toEqual([3, 3]);
  });

  it('includes changes between trials, but not those before the first one, nor pauses', async () => {
    const changer = new FakeChanger('host-setting');
    changer.before = (step) => {
      if (step === 'apply') pass(45);
    };
    bed.useChanger(changer);
    bed.machines.get('one').answer = grantsClaims;
    const levels = '{kind: host-setting, setting: sysctl, of: vm.swappiness, on: generators, levels: [1, 2]}';
    const factors = `[${levels.replace('{', '{name: swap, ')}]`;
    const id = bed.start({ trials: 3, factors, measure: ', order: rounds, stop: { minutes: 3 }' });
    await bed.running(id, 0);
    bed.sessions.pause(id);
    await measures(id, 0, 100, 30);
    await bed.sessions.settled(id);
    pass(3600);
    await bed.sessions.resume(id);
    // 30 s, and then 45 s of changes and 30 s of load each time.
    for (const trial of [1, 2]) await measures(id, trial, 100, 30);
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['done', 'done', 'done', 'skipped', 'skipped', 'skipped']);
    expect(messages(id).join()).toContain('3.0 minutes spent');
  });

  it('does not apply to trials added later', async () => {
    const id = bed.start({ trials: 3, measure: ', stop: { minutes: 1 }' });
    await measures(id, 0, 100, 90);
    await bed.sessions.settled(id);
    await bed.sessions.addRepeats(id, { repeats: 1 });
    await measures(id, 3, 100);
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['done', 'skipped', 'skipped', 'done']);
  });
});

describe('a limit of cost', () => {
  it('counts each trial by the price of its cell', async () => {
    const id = bed.start({ trials: 3, factors: PRICED, measure: ', stop: { cost: 10 }' });
    await measures(id, 0, 100, 3600);
    await measures(id, 1, 100, 3600);
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['done', 'done', 'skipped', 'skipped', 'skipped', 'skipped']);
    expect(messages(id)).toContain('The session has reached its limit of $10.00: $10.00 spent, 4 trials not measured.');
  });

  it('uses the current price of the session, and reports once if there is none', async () => {
    const id = bed.start({ trials: 4, measure: ', stop: { cost: 5 }' });
    await measures(id, 0, 100, 3600);
    await measures(id, 1, 100, 3600);
    const message = 'The cost limit has no effect. The session has no price.';
    expect(messages(id).filter((words) => words === message)).toHaveLength(1);
    const components = [{ kind: 'own' as const, label: 'rent', amount: 2, per: 'hour' as const }];
    bed.store.sessions.update(id, { cost: { label: '', currency: 'EUR', components } });
    await measures(id, 2, 100, 3600);
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['done', 'done', 'done', 'skipped']);
  });
});

describe('repeats until the interval is narrow', () => {
  const start = (trials: number, more = ''): number =>
    bed.start({ trials, factors: THREADS, measure: `, stop: { interval: 5 }${more}` });

  it('skips further repeats of resolved cells, after at least three', async () => {
    const id = start(5);
    const noisy = [100, 150, 60, 130, 90];
    for (let repeat = 0; repeat < 5; repeat++) {
      if (repeat < 3) await measures(id, 2 * repeat, 200);
      await measures(id, 2 * repeat + 1, noisy[repeat] ?? 0);
    }
    await bed.sessions.settled(id);
    const skipped = bed.runs(id).filter(({ state }) => state === 'skipped');
    expect(skipped.map(({ cell, repeat }) => [cell, repeat])).toEqual([
      [0, 3],
      [0, 4],
    ]);
    expect(skipped[0]?.message).toBe('Not needed: the mean of 3 repeats is within ±0.0 %, and the goal is ±5.0 %.');
    expect(bed.row(id).state).toBe('done');
  });

  it('has the same result if a trial ends while the app is closed', async () => {
    const id = start(4);
    for (let trial = 0; trial < 5; trial++) await measures(id, trial, 100);
    const job = await bed.running(id, 5);
    await bed.reopen();
    finish(job, 100);
    bed.sessions.continueInterrupted(id);
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual([...Array(6).fill('done'), 'skipped', 'skipped']);
  });

  it('measures repeats added to a resolved cell', async () => {
    const id = start(3);
    for (let trial = 0; trial < 6; trial++) await measures(id, trial, 100);
    await bed.sessions.settled(id);
    await bed.sessions.addRepeats(id, { repeats: 1, cells: [1] });
    await measures(id, 6, 100);
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(Array(7).fill('done'));
  });

  it('keeps the canary between measured trials, excludes it from repeats, and skips it after skipped trials', async () => {
    const id = start(5, ', canary: { every: 2 }');
    const rateOf = (run: { repeat: number; cell: number }): number => (run.repeat >= 5 ? 1 : 100 + run.cell);
    for (let trial = 0; trial < 10; trial++) {
      const run = bed.runs(id)[trial];
      if (run) await measures(id, trial, rateOf(run));
    }
    await bed.sessions.settled(id);
    // C 1 2 C 1 2 C 1 2 C, and then only trials that are not needed.
    expect(bed.states(id).map((state) => state === 'done')).toEqual([...Array(10).fill(true), ...Array(6).fill(false)]);
    expect(bed.runs(id).at(-1)?.message).toBe('No trial was measured since the previous canary.');
  });
});
