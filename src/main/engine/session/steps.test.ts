import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import type { RunRow } from '../store/store.ts';
import { SessionBed, type SessionOptions } from './testing/session-bed.ts';

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
/** Fills, and measures two loads; the sizes identify the step of a job. */
const STEPS: SessionOptions = {
  steps:
    '[{ name: fill, options: { size: 7 }, measured: false }, { name: reads, note: On a warm cache, duration: 5 }, { name: writes, options: { size: 9 }, warmup: 1 }]',
  trials: 2,
};
const THREE_CELLS = '[{ name: operations, kind: option, option: operations, levels: [1, 2, 3] }]';
const placesOf = (id: number): string[] => bed.runs(id).map(({ trial, step, state }) => `${trial}.${step} ${state}`);
const settingsOf = (job: FakeJob): string => job.spec.files.map(({ content }) => String(content)).join();
const seriesOf = (run: RunRow): number => bed.store.samples.series(run.id, 'ops').length;

describe('a trial with steps', () => {
  it('runs them in order, each with its own options and seed', async () => {
    bed.script.push(...Array.from({ length: 6 }, () => measures));
    const id = bed.start(STEPS);
    await bed.sessions.settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'done', trialsTotal: 2, trialsEnded: 2, trialsFailed: 0 });
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '1.0 done', '1.1 done', '1.2 done']);
    expect(bed.jobs.all.map(settingsOf)).toEqual(['7', '1', '9', '7', '1', '9']);
    const runs = bed.runs(id);
    expect(runs.slice(0, 3).map(({ warmup, duration }) => [warmup, duration])).toEqual([
      [0, 1],
      [0, 5],
      [1, 1],
    ]);
    expect(new Set(runs.map(({ seed }) => seed)).size).toBe(6);
    expect(bed.row(id).steps).toEqual([
      { name: 'fill', tool: 'fake', metric: 'ops', measured: false },
      { name: 'reads', tool: 'fake', metric: 'ops' },
      { name: 'writes', tool: 'fake', metric: 'ops' },
    ]);
    expect(bed.log(id).map(({ message }) => message)).toContain('Trial 1, step “writes” is done.');
    expect(bed.log(id).filter(({ message }) => message.includes('Note:'))).toMatchObject([
      { message: 'Trial 1, step “reads” starts. Note: On a warm cache' },
      { message: 'Trial 2, step “reads” starts. Note: On a warm cache' },
    ]);
  });

  it('drops caches before the first step only', async () => {
    const dropped: number[] = [];
    bed.machines.get('one').answer = (script) => {
      if (script.includes('drop_caches')) dropped.push(bed.jobs.all.length);
      return { code: 0, stdout: 'Cached: 1024 kB\ndropped\nCached: 0 kB\n', stderr: '' };
    };
    bed.script.push(...Array.from({ length: 6 }, () => measures));
    const id = bed.start({ ...STEPS, measure: ', before: { caches: all }' });
    await bed.sessions.settled(id);
    expect(dropped).toEqual([0, 3]);
  });

  it('skips the rest if a setup step fails', async () => {
    bed.script.push(fails, measures, measures, measures);
    const id = bed.start(STEPS);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 failed', '0.1 skipped', '0.2 skipped', '1.0 done', '1.1 done', '1.2 done']);
    expect(bed.runs(id)[1]?.message).toBe('Step “fill” of the same trial failed, and this step depends on it.');
    expect(bed.row(id)).toMatchObject({ state: 'done', trialsFailed: 1 });
  });

  it('continues if a measured step fails', async () => {
    bed.script.push(measures, fails, measures, measures, measures, measures);
    const id = bed.start(STEPS);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 failed', '0.2 done', '1.0 done', '1.1 done', '1.2 done']);
  });

  it('is repeated as a whole, replacing all of its measured steps', async () => {
    bed.script.push(measures, measures, fails, ...Array.from({ length: 6 }, () => measures));
    const id = bed.start(STEPS);
    await bed.sessions.settled(id);
    await bed.sessions.repeat(id);
    await bed.sessions.settled(id);
    expect(placesOf(id).slice(6)).toEqual(['2.0 done', '2.1 done', '2.2 done']);
    const again = bed.runs(id).slice(6);
    expect(again.map(({ cell, repeat, step, seed }) => [cell, repeat, step, seed])).toEqual(
      bed
        .runs(id)
        .slice(0, 3)
        .map(({ cell, repeat, step, seed }) => [cell, repeat, step, seed]),
    );
    const counted = bed.runs(id).filter(({ state, excluded }) => state === 'done' && !excluded);
    expect(counted.map(({ repeat, step }) => `${repeat}.${step}`).sort()).toEqual([
      ...['0.0', '0.1', '0.2', '1.0', '1.1', '1.2'],
    ]);
    expect(bed.row(id)).toMatchObject({ trialsTotal: 2, trialsEnded: 2, trialsFailed: 0 });
  });

  it('is added with all of its steps', async () => {
    bed.script.push(...Array.from({ length: 9 }, () => measures));
    const id = bed.start(STEPS);
    await bed.sessions.settled(id);
    await bed.sessions.addRepeats(id, { repeats: 1 });
    await bed.sessions.settled(id);
    expect(placesOf(id).slice(6)).toEqual(['2.0 done', '2.1 done', '2.2 done']);
    expect(bed.row(id)).toMatchObject({ trialsTotal: 3, trialsEnded: 3 });
    expect(new Set(bed.runs(id).map(({ seed }) => seed)).size).toBe(9);
    expect(bed.log(id).map(({ message }) => message)).toContain('1 repeat of every cell added: 1 trial.');
  });

  it('is measured to its end before a stop rule skips repeats', async () => {
    bed.script.push(...Array.from({ length: 30 }, () => measures));
    const id = bed.start({ ...STEPS, trials: 8, measure: ', stop: { interval: 5 }' });
    await bed.sessions.settled(id);
    const states = placesOf(id);
    expect(states.filter((words) => words.endsWith('done')).length % 3).toBe(0);
    expect(states.filter((words) => words.endsWith('skipped')).length).toBeGreaterThan(0);
  });
});

describe('an interrupted session with steps', () => {
  /** Places in the life of a run at which the app is closed. */
  const edges = Array.from({ length: 6 }, (_, run) => [
    [run, 'pending' as const],
    [run, 'running' as const],
  ]).flat() as [number, 'pending' | 'running'][];

  it.each(edges)('measures each step once when the app is closed with run %i %s', async (place, state) => {
    const before = state === 'running' ? place : Math.max(0, place - 1);
    bed.script.push(...Array.from({ length: before }, () => measures));
    const id = bed.start(STEPS);
    if (state === 'running') await bed.running(id, place);
    else {
      // A pause takes effect before the next run.
      const last = place > 0 ? await bed.running(id, place - 1) : undefined;
      bed.sessions.pause(id);
      if (last) measures(last);
      await bed.sessions.settled(id);
    }
    await bed.reopen();
    const left = state === 'running' ? bed.jobOf(id, place) : undefined;
    bed.script.push(...Array.from({ length: 6 }, () => measures));
    await bed.sessions.resume(id);
    if (left) measures(left);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '1.0 done', '1.1 done', '1.2 done']);
    expect(bed.jobs.all.map(settingsOf)).toEqual(['7', '1', '9', '7', '1', '9']);
    expect(bed.runs(id).map(seriesOf)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

it('counts cells and trials, not steps, with the time of all steps', () => {
  const { plan, commands, problems } = bed.check(`kneepoint: 2
name: Of a test
workload: { tool: fake }
steps: [{ name: one, duration: 10 }, { name: two, warmup: 5, duration: 20 }]
where: {}
factors: ${THREE_CELLS.replaceAll('operations', 'size')}
measure: { duration: 1, repeats: 2, pause: 1 }
`);
  expect(problems).toEqual([]);
  expect([plan?.cells.length, plan?.trials.length, commands?.length]).toEqual([3, 6, 3]);
  expect(commands?.[0]?.split('\n')).toMatchObject(['# one', expect.anything(), '# two', expect.anything()]);
  expect(plan?.estimate).toMatchObject({ load: 6 * 35, pauses: 5 });
});

it.each([
  ['kneepoint: 2', 'kneepoint: 1', 'kneepoint', 'write “kneepoint: 2”'],
  ['name: two', 'name: one', 'steps.1.name', 'Two steps are named “one”'],
  ['size: 2', 'size: big', 'steps.1.options.size', 'size'],
  ['size: 2', 'sise: 2', 'steps.1.options.sise', 'sise'],
  ['size: 2', 'operations: 2', 'steps.1.options.operations', 'which the factor “operations” varies'],
  ['measured: true', 'measured: false', 'steps', 'No step is measured'],
])('refuses %s as %s', (right, wrong, path, words) => {
  const text = `kneepoint: 2
name: Of a test
workload: { tool: fake }
steps: [{ name: one, measured: false }, { name: two, measured: true, options: { size: 2 } }]
where: {}
factors: ${THREE_CELLS}
measure: { duration: 1 }
`;
  expect(bed.check(text).problems).toEqual([]);
  expect(bed.check(text.replace(right, wrong)).problems).toMatchObject([
    { path, message: expect.stringContaining(words) },
  ]);
});

describe('a step that changes the data of an earlier one', () => {
  const notes = (steps: string, measure = ', repeats: 2') => {
    bed.addServer();
    const { plan, problems } = bed.check(`kneepoint: 2
name: Of a test
workload: { tool: fake, options: { rows: 5 }, data: recreate }
steps: [${steps}]
where: { target: db }
factors: []
measure: { duration: 60${measure} }
`);
    expect(problems).toEqual([]);
    return (plan?.findings ?? []).flatMap(({ code, message }) => (code === 'data-carried' ? message : []));
  };
  const WRITES = '{ name: writes, options: { writes: true } }';

  it('is noted if a later trial starts on what it left', () => {
    expect(notes(`{ name: reads }, ${WRITES}`)).toEqual([
      'Step “reads” measures data that the later step “writes” changes, so each trial starts with the data left by the previous one. Only the first trial measures the data as prepared.',
    ]);
  });

  it.each([
    ['with one trial', `{ name: reads }, ${WRITES}`, ', repeats: 1'],
    ['if it comes first', `${WRITES}, { name: reads }`, ', repeats: 2'],
    ['if the earlier one is not measured', `{ name: fill, measured: false }, ${WRITES}`, ', repeats: 2'],
  ])('is not noted %s', (_, steps, measure) => {
    expect(notes(steps, measure)).toEqual([]);
  });
});

it('refuses steps that need different data in the same tables', () => {
  bed.addServer();
  const { problems } = bed.check(`kneepoint: 2
name: Of a test
workload: { tool: fake, data: recreate }
steps: [{ name: small, options: { rows: 5 } }, { name: large, options: { rows: 9 } }]
where: { target: db }
factors: []
measure: { duration: 1 }
`);
  expect(problems).toMatchObject([
    { path: 'steps.1', message: expect.stringContaining('“small” and “large” need different data') },
  ]);
});
