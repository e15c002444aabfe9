import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { FakeChanger, grantsClaims } from './testing/fake-changer.ts';
import { SessionBed } from './testing/session-bed.ts';

const FACTORS = `
  - {name: log, kind: server-setting, levels: [{name: small, set: {innodb_log_file_size: 128M}}, {name: large, set: {innodb_log_file_size: 1G}}]}
  - {name: size, levels: [1, 2, 4]}`;

let bed: SessionBed;
let changer: FakeChanger;
beforeEach(() => {
  bed = new SessionBed(['one']);
  bed.addServer('db');
  changer = new FakeChanger('server-setting');
  bed.useChanger(changer);
  bed.machines.get('one').answer = grantsClaims;
});
afterEach(() => bed.close());

const finish = (job: FakeJob): void => {
  job.print('1 100\n');
  job.end(0);
};

/** Steps of each trial, as a document writes them, with their number. */
const SEQUENCES: Readonly<Record<string, readonly [steps: string | undefined, count: number]>> = {
  'one step': [undefined, 1],
  'three steps, the first one not measured': [
    '[{ name: fill, measured: false }, { name: reads }, { name: after, same: reads, gate: { of: reads, ratio-above: 0.5 } }]',
    3,
  ],
  'a group that is repeated': [
    '[{ name: before, each: [{ name: a }, { name: b }] }, { name: after, same: before }]',
    4,
  ],
};

it.each([
  ...['rounds', 'shuffled', 'interleaved'].map((order) => [order, 'one step'] as const),
  ['rounds', 'three steps, the first one not measured'],
  ['interleaved', 'a group that is repeated'],
] as const)(
  'executes the planned order %s with %s, also after kills, skips, repeats and additions',
  async (order, sequence) => {
    const [steps, count = 1] = SEQUENCES[sequence] ?? [];
    const places = Array.from({ length: count }, (_, place) => place);
    const measure = `, order: ${order}, canary: { every: 4 }, seed: 5`;
    const id = bed.start({
      ...{ trials: 2, factors: FACTORS, options: ', rows: 0', target: 'db', measure },
      ...(steps !== undefined && { steps }),
    });
    const { trials, estimate } = bed.store.sessions.snapshot(id).plan;
    // 12 trials, a canary before every fourth of them, and one at the end.
    expect(trials.flatMap(({ canary }, index) => (canary ? [index] : []))).toEqual([0, 5, 10, 15]);
    const left: number[] = [];
    for (const [index, place] of trials.flatMap((trial) => places.map((step) => [trial.index, step] as const))) {
      const own = index * count + place;
      let job = await bed.running(id, own);
      left.push(bed.sessions.remainingChanges(id)?.restarts ?? -1);
      // At another step of each of these trials.
      if ((index === 3 && place === 0) || (index === 9 && place === count - 1)) {
        await bed.reopen();
        if (index === 9) finish(job);
        bed.sessions.continueInterrupted(id);
        job = bed.jobOf(id, own);
      }
      if (index === 6 && place === count - 1) bed.sessions.skip(id, bed.runs(id)[own]?.id);
      else finish(job);
      await bed.until(id, () => bed.runs(id)[own]?.endedAt !== null);
    }
    await bed.sessions.settled(id);
    const skipped = bed.runs(id).find(({ state }) => state === 'skipped');
    bed.script.push(...Array.from({ length: 2 * count }, () => finish));
    await bed.sessions.repeat(id, [skipped?.id ?? 0]);
    await bed.sessions.addRepeats(id, { repeats: 1, cells: [5] });
    await bed.sessions.settled(id);

    const launched = bed.jobs.all.map(({ spec }) =>
      bed.runs(id).find(({ jobs }) => jobs.some(({ jobId }) => jobId === spec.id)),
    );
    const again = [
      { cell: skipped?.cell, repeat: skipped?.repeat },
      { cell: 5, repeat: 2 },
    ];
    expect(launched.map((run) => [run?.cell, run?.repeat, run?.step])).toEqual(
      [...trials, ...again].flatMap(({ cell, repeat }) => places.map((place) => [cell, repeat, place])),
    );
    if (count === 1)
      expect(launched.map((run) => run?.seed)).toEqual([
        ...[...trials.map(({ seed }) => seed), skipped?.seed, expect.any(Number)],
      ]);
    // The setting during each trial matches its label.
    for (const run of launched) {
      const wanted = run?.levels.log === 'small' ? '128M' : '1G';
      expect(run?.facts).toMatchObject([{ what: 'innodb_log_file_size', wanted, found: wanted }]);
    }
    // The plan's estimate is the maximum number of restarts, which was counted down to the restore at the end.
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    expect(left.at(-1)).toBe(1);
    expect(estimate?.changes?.restarts).toBe((left[0] ?? 0) + 1);
    expect(changer.world.size).toBe(0);
    // Every step of a cell counts each of its repeats once.
    const counted = bed.runs(id).filter(({ state, excluded }) => state === 'done' && !excluded);
    expect(counted).toHaveLength((trials.length + 1) * count);
  },
);
