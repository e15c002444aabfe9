import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { SessionBed, type SessionOptions } from './testing/session-bed.ts';

skipPauses();

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
  bed.readClock = async () => ({ offsetMs: -12.5, roundTripMs: 1.3 });
});
afterEach(() => bed.close());

const measures = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
const keepsRunning = (): void => {};
/** One step alone, two at the same time, the second of them 20 s later, and one more alone. */
const STEPS: SessionOptions = {
  steps: `[{ name: alone }, { name: both, parallel: [{ name: load, same: alone }, { name: report, options: { size: 9 }, from: 20 }] }, { name: after }]`,
  trials: 1,
  duration: 60,
};
const placesOf = (id: number): string[] => bed.runs(id).map(({ trial, step, state }) => `${trial}.${step} ${state}`);
const settingsOf = (job: FakeJob): string => job.spec.files.map(({ content }) => String(content)).join();

/** The jobs of the group, as soon as both tools are released. */
async function bothRun(id: number): Promise<[load: FakeJob, report: FakeJob]> {
  return [await bed.running(id, 1), await bed.running(id, 2)];
}

describe('parallel steps', () => {
  it('run at the same time, on one clock, between the steps before and after them', async () => {
    bed.script.push(measures, keepsRunning, keepsRunning, measures);
    const id = bed.start(STEPS);
    const [load, report] = await bothRun(id);
    expect(bed.states(id)).toEqual(['done', 'running', 'running', 'pending']);
    expect(bed.jobs.all.map(settingsOf)).toEqual(['1', '1', '9']);
    expect((report.releasedAt ?? 0) - (load.releasedAt ?? 0)).toBe(20_000);
    expect(bed.runs(id).map(({ duration }) => duration)).toEqual([60, 60, 40, 60]);
    report.print('! slow\n');
    await bed.until(id, () => bed.log(id).some(({ message }) => message.includes('held up')));
    expect(bed.log(id).map(({ message }) => message)).toContain('Trial 1, step “both / report”: It is held up: slow');
    // The first one to end leaves the other one running.
    measures(report);
    await bed.until(id, () => bed.states(id)[2] === 'done');
    expect(bed.states(id)).toEqual(['done', 'running', 'done', 'pending']);
    measures(load);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '0.3 done']);
    expect(bed.row(id)).toMatchObject({ state: 'done', trialsTotal: 1, trialsEnded: 1, trialsFailed: 0 });
    const [, first, second] = bed.runs(id);
    expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBe(20_000);
    expect(bed.row(id).steps.map(({ parallel }) => parallel)).toEqual([undefined, 'both', 'both', undefined]);
  });

  it('are events of earlier ones: the depth of the drop and its end', async () => {
    bed.script.push(measures, keepsRunning, keepsRunning, measures);
    const id = bed.start(STEPS);
    const [load, report] = await bothRun(id);
    measures(report);
    await bed.until(id, () => bed.states(id)[2] === 'done');
    const rates = Array.from({ length: 60 }, (_, at) => `${at + 1} ${at > 20 && at < 30 ? 40 : 100}\n`);
    load.print(rates.join(''));
    bed.now += 60_000;
    load.end(0);
    await bed.sessions.settled(id);
    const [, run, other] = bed.runs(id);
    const event = 'The parallel step “both / report” begins.';
    expect(bed.store.events.ofSession(id, ['scenario'], 0, 9)).toMatchObject([
      { runId: run?.id, t: 20, message: event, at: other?.startedAt },
    ]);
    const [finding, ...others] = (run?.findings ?? []).filter(({ code }) => code === 'scenario-effect');
    expect(others).toEqual([]);
    expect(finding?.message).toMatch(
      /^Second 20: The parallel step “both \/ report” begins\. .* fell after 1 s from 100 to 40, by 60 %, and recovered after 10 s\./,
    );
    expect(finding?.recovery).toMatchObject({ at: 20, event, seconds: 10, depth: 0.6 });
    expect(other?.findings.filter(({ code }) => code === 'scenario-effect')).toEqual([]);
    // Found again in the stored data, once.
    const again = run && (await bed.readAgain(run));
    expect(again?.findings.filter(({ code }) => code === 'scenario-effect')).toMatchObject([
      { recovery: finding?.recovery },
    ]);
  });

  it.each([
    ['fails', (job: FakeJob) => job.end(1), 'failed'],
    ['is lost', (job: FakeJob) => job.lose(), 'lost'],
  ] as const)('are all ended when one of them %s, and keep their measured data', async (_, break_, state) => {
    bed.script.push(measures, keepsRunning, keepsRunning, measures);
    const id = bed.start(STEPS);
    const [load, report] = await bothRun(id);
    load.print('1 100\n');
    break_(report);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 skipped', `0.2 ${state}`, '0.3 done']);
    expect(load.status).toMatchObject({ end: { code: 143, cause: 'stop' } });
    const [, run] = bed.runs(id);
    expect(run).toMatchObject({
      message: `Ended because the parallel step “both / report” ${state === 'failed' ? 'failed' : 'was lost'}. Data recorded until then is stored.`,
      partial: true,
    });
    expect(bed.store.samples.count(run?.id ?? 0, 0)).toBe(1);
  });

  it('do not start if one of them cannot be launched', async () => {
    const refused = new KneepointError({ code: 'tool-missing', host: 'one', message: 'It is missing.' });
    bed.script.push(
      (job) => {
        measures(job);
        bed.jobs.refuse(refused);
      },
      keepsRunning,
      measures,
    );
    const id = bed.start(STEPS);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 failed', '0.2 skipped', '0.3 done']);
    expect(bed.jobOf(id, 2)).toMatchObject({ releasedAt: undefined, status: { state: 'ended' } });
    expect(bed.runs(id)[1]?.message).toBe('It is missing.');
  });

  it('are skipped together, and the next step starts', async () => {
    bed.script.push(measures, keepsRunning, keepsRunning, measures);
    const id = bed.start(STEPS);
    await bothRun(id);
    await bed.sessions.skip(id, bed.runs(id)[2]?.id);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 skipped', '0.2 skipped', '0.3 done']);
    expect(bed.runs(id)[1]?.message).toBe('Skipped by user.');
  });

  it('are stopped together', async () => {
    bed.script.push(measures, keepsRunning, keepsRunning);
    const id = bed.start(STEPS);
    await bothRun(id);
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 stopped', '0.2 stopped', '0.3 skipped']);
    expect(bed.row(id).state).toBe('stopped');
  });

  it('skip the rest if an unmeasured one fails', async () => {
    bed.script.push(keepsRunning, (job) => job.end(1));
    const steps = '[{ name: both, parallel: [{ name: load }, { name: fill, measured: false }] }, { name: after }]';
    const id = bed.start({ ...STEPS, steps });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 skipped', '0.1 failed', '0.2 skipped']);
    expect(bed.runs(id)[2]?.message).toBe('Step “both / fill” of the same trial failed, and this step depends on it.');
  });
});

const textOf = (steps = STEPS.steps, more = '') => `kneepoint: 2
name: Two at once
workload: { tool: fake }
where: { generators: [one] }
steps: ${steps}
factors: [{ name: writes, kind: option, option: writes, levels: [false, true] }]
measure: { warmup: 10, duration: 50, repeats: 1${more} }
`;

it('parallel steps are planned with the time of the longest one', () => {
  const { plan, problems, commands } = bed.check(textOf());
  expect(problems).toEqual([]);
  expect(plan?.estimate).toMatchObject({ load: 2 * 3 * 60, overhead: 2 * 3 * 3 });
  expect(commands?.[0]?.match(/^# .*/gm)).toEqual(['# alone', '# both / load', '# both / report', '# after']);
});

const COMMAND = '{ name: report, do: run, command: ls';

it.each([
  ['same: alone', 'same: alone, duration: 5', 'steps.1.parallel.0.duration', 'so “duration” is not valid in it'],
  ['same: alone', 'same: alone, options: { size: 1 }', 'steps.1.parallel.0.size', 'so “size” is not valid in it'],
  ['same: alone', 'same: other', 'steps.1.parallel.0.same', 'no step named “other” before this group'],
  ['size: 9', 'sise: 9', 'steps.1.parallel.1.options.sise', 'sise'],
  ['from: 20', 'from: 50', 'steps.1.parallel.1.from', 'nothing is left to measure'],
  ['from: 20', 'from: 20, duration: 40', 'steps.1.parallel.1.from', 'is measured for 40 s. Start it earlier'],
  ['same: alone', 'from: 5', 'steps.1.parallel', 'omit “from” in the first one'],
  ['name: report', 'name: load', 'steps.1.parallel.1.name', 'Two steps are named “both / load”.'],
  ['name: both,', 'name: both, each: [{ name: a }],', 'steps.1.each', 'not valid in a group of parallel steps'],
  ['name: both,', 'name: both, do: run,', 'steps.1.do', 'set it in the steps under “parallel”'],
  [
    '{ name: report, options: { size: 9 }',
    `${COMMAND.replace('ls', 'blkdiscard /dev/sdb')}, overwrites: /dev/sdb`,
    'steps.1.parallel.1.overwrites',
    'A step that overwrites a device runs alone',
  ],
  [
    '{ name: report, options: { size: 9 }',
    '{ name: report, do: wait, until: { file: /tmp/there }',
    'steps.1.parallel.1.do',
    'A step with “do: wait” runs alone',
  ],
  [
    '{ name: report, options: { size: 9 }',
    '{ name: report, factors: [{ name: size, levels: [1, 2] }]',
    'steps.1.parallel.1.factors',
    'cannot vary within a parallel step',
  ],
])('parallel steps are refused with %s as %s', (right, wrong, path, words) => {
  const text = textOf().replace(right, wrong);
  expect(text).not.toBe(textOf());
  expect(bed.check(text).problems[0]).toMatchObject({ path, message: expect.stringContaining(words) });
});

it('parallel steps are planned with the time of the step that outlasts the loads, if known', () => {
  const steps = `[{ name: both, parallel: [${COMMAND}, from: 5, measured: true }, { name: load }] }]`;
  const { plan, problems } = bed.check(textOf(steps));
  expect(problems).toEqual([]);
  expect(plan?.estimate).toMatchObject({ load: 2 * 60, overhead: 2 * 3 });
  expect(plan?.estimate).not.toHaveProperty('open');
  const acts = `[{ name: both, parallel: [${COMMAND}, from: 5, measured: true }, ${COMMAND.replace('report', 'other')} }] }]`;
  expect(bed.check(textOf(acts)).plan?.estimate).toMatchObject({ open: 2 });
});

it('parallel steps require a load that starts with the group, if it has any', () => {
  const steps = `[{ name: both, parallel: [${COMMAND} }, { name: load, from: 5 }] }]`;
  expect(bed.check(textOf(steps)).problems[0]?.message).toContain('No load of “both” starts together with the group');
});

describe('parallel steps during which the engine was down', () => {
  it('are reattached, each at its current state', async () => {
    bed.script.push(measures, keepsRunning, keepsRunning, measures);
    const id = bed.start(STEPS);
    const [load, report] = await bothRun(id);
    measures(report);
    await bed.until(id, () => bed.states(id)[2] === 'done');
    bed.crash();
    await bed.sessions.resume(id);
    measures(load);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '0.3 done']);
    expect(bed.jobs.all).toHaveLength(4);
  });

  it('are launched once and start on one clock', async () => {
    bed.script.push(measures, keepsRunning, keepsRunning, measures);
    const id = bed.start(STEPS);
    await bed.until(id, () => bed.states(id)[0] === 'done');
    const release = bed.jobs.holdLaunches();
    await bed.until(id, () => bed.states(id)[2] === 'launching');
    const closed = bed.reopen();
    release();
    await closed;
    expect(bed.states(id)).toEqual(['done', 'launching', 'launching', 'pending']);
    bed.sessions.continueInterrupted(id);
    const [load, report] = await bothRun(id);
    expect((report.releasedAt ?? 0) - (load.releasedAt ?? 0)).toBe(20_000);
    measures(load);
    measures(report);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '0.3 done']);
    expect(bed.jobs.all).toHaveLength(4);
  });

  it('are ended if one of them was lost meanwhile', async () => {
    bed.script.push(measures, keepsRunning, keepsRunning, measures);
    const id = bed.start(STEPS);
    const [, report] = await bothRun(id);
    bed.crash();
    report.reboot();
    await bed.sessions.resume(id);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 skipped', '0.2 lost', '0.3 done']);
  });
});
