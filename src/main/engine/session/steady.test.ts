import { afterEach, beforeEach, expect, it } from 'vitest';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { SessionBed } from './testing/session-bed.ts';

skipPauses();

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
});
afterEach(() => bed.close());

/** Lines of seconds, beginning with the first one, each with its rate. */
const lines = (rates: readonly number[], first = 1): string =>
  rates.map((rate, index) => `${first + index} ${rate}\n`).join('');
const FRESH = [900, 700, 500, 300];
const STEADY = [100, 102, 99, 101];
const measures = (job: FakeJob): void => {
  job.print(lines(STEADY));
  job.end(0);
};
const placesOf = (id: number): string[] => bed.runs(id).map(({ trial, step, state }) => `${trial}.${step} ${state}`);
const WHEN = 'steady: { rounds: 2, of: 2 }, duration: 60';
const start = (more = ''): number =>
  bed.start({ trials: 1, steps: `[{ name: fill, measured: false, ${WHEN}${more} }, { name: reads }]` });
/** Prints more of the load, after the time between two looks. */
const prints = (job: FakeJob, text: string): void => {
  bed.monotonic += 2000;
  job.print(text);
};

it('ends a steady load and starts the next step', async () => {
  const id = start();
  const load = await bed.running(id, 0);
  load.print(lines(FRESH));
  await bed.until(id, () => bed.store.samples.count(bed.runs(id)[0]?.id ?? 0, 0) === 4);
  expect(bed.states(id)).toEqual(['running', 'pending']);
  bed.script.push(measures);
  prints(load, lines(STEADY, 5));
  await bed.sessions.settled(id);
  expect(placesOf(id)).toEqual(['0.0 done', '0.1 done']);
  expect(bed.runs(id)[0]).toMatchObject({ partial: false, findings: [], message: null, exit: { code: 143 } });
  expect(bed.log(id).map(({ message }) => message)).toContain(
    'Trial 1: steady after 8 s. Operations in the last 2 rounds of 2 s: 100 to 101 ops/s, a range of 1 % of their mean (at most 20 %) and a slope of 1 % (at most 10 %).',
  );
});

it.each([
  ['', ['0.0 failed', '0.1 skipped'], 'error'],
  [', else: measure', ['0.0 done', '0.1 done'], 'warn'],
])('ends a load that never became steady as the document specifies%s', async (otherwise, states, severity) => {
  bed.script.push((job) => {
    job.print(lines(FRESH));
    job.end(0);
  }, measures);
  const id = start(otherwise);
  await bed.sessions.settled(id);
  expect(placesOf(id)).toEqual(states);
  expect(bed.runs(id)[0]?.findings).toMatchObject([
    {
      ...{ code: 'not-steady', severity },
      message:
        'The load did not become steady. Operations in the last 2 rounds of 2 s: 400 to 800 ops/s, a range of 67 % of their mean (at most 20 %) and a slope of 67 % (at most 10 %).',
    },
  ]);
});

it('waits for each of several places, even if all together are steady', async () => {
  bed.script.push((job) => {
    job.print('1 100+900\n2 100+900\n3 500+500\n4 500+500\n');
    job.end(0);
  });
  const id = start();
  await bed.sessions.settled(id);
  expect(placesOf(id)).toEqual(['0.0 failed', '0.1 skipped']);
  expect(bed.runs(id)[0]?.findings[0]?.message).toMatch(
    /^The load did not become steady\. \/0: Operations in .* 100 to 500 ops\/s/,
  );
});

it('recognizes a steady load by its recorded end if the app was killed before it', async () => {
  const id = start();
  const load = await bed.running(id, 0);
  bed.crash();
  load.print(lines(STEADY));
  load.end(143, 'steady');
  bed.script.push(measures);
  bed.sessions.continueInterrupted(id);
  await bed.sessions.settled(id);
  expect(placesOf(id)).toEqual(['0.0 done', '0.1 done']);
});

it('ends the load with a stopped session', async () => {
  const id = start();
  const load = await bed.running(id, 0);
  load.print(lines(FRESH));
  await bed.sessions.stop(id);
  await bed.sessions.settled(id);
  expect(placesOf(id)).toEqual(['0.0 stopped', '0.1 skipped']);
});

it.each([
  [
    '[{ name: fill, steady: {}, duration: 600 }]',
    'Step “fill” runs until it is steady, so its length varies and it has no figures: set “measured: false”, and measure in the next step.',
  ],
  [
    '[{ name: fill, measured: false, steady: {} }, { name: reads }]',
    'Step “fill” needs a “duration”: the longest time it may take to become steady.',
  ],
  [
    '[{ name: fill, measured: false, steady: {}, duration: 200 }, { name: reads }]',
    '5 rounds of 1 min take 5 min, but step “fill” may take only 3 min 20 s.',
  ],
  ['[{ name: fill, else: measure }]', '“else” is only valid in a step that waits, or that runs until it is steady.'],
])('refuses an end by steadiness where it does not apply: %s', async (steps, message) => {
  await expect(bed.startChecked({ steps })).rejects.toThrow(message);
});
