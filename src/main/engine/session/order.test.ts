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

it.each(['rounds', 'shuffled', 'interleaved'])(
  'executes the planned order %s, also after kills, skips, repeats and additions',
  async (order) => {
    const measure = `, order: ${order}, canary: { every: 4 }, seed: 5`;
    const id = bed.start({ trials: 2, factors: FACTORS, options: ', rows: 0', target: 'db', measure });
    const { trials, estimate } = bed.store.sessions.snapshot(id).plan;
    // 12 trials, a canary before every fourth of them, and one at the end.
    expect(trials.flatMap(({ canary }, index) => (canary ? [index] : []))).toEqual([0, 5, 10, 15]);
    const left: number[] = [];
    for (const { index } of trials) {
      let job = await bed.running(id, index);
      left.push(bed.sessions.remainingChanges(id)?.restarts ?? -1);
      if (index === 3 || index === 9) {
        await bed.reopen();
        if (index === 9) finish(job);
        bed.sessions.continueInterrupted(id);
        job = bed.jobOf(id, index);
      }
      if (index === 6) bed.sessions.skip(id, bed.runs(id)[index]?.id);
      else finish(job);
      await bed.until(id, () => bed.runs(id)[index]?.endedAt !== null);
    }
    await bed.sessions.settled(id);
    const skipped = bed.runs(id).find(({ state }) => state === 'skipped');
    bed.script.push(finish, finish);
    await bed.sessions.repeat(id, [skipped?.id ?? 0]);
    await bed.sessions.addRepeats(id, { repeats: 1, cells: [5] });
    await bed.sessions.settled(id);

    const launched = bed.jobs.all.map(({ spec }) =>
      bed.runs(id).find(({ jobs }) => jobs.some(({ jobId }) => jobId === spec.id)),
    );
    expect(launched.map((run) => [run?.cell, run?.repeat, run?.seed])).toEqual([
      ...trials.map(({ cell, repeat, seed }) => [cell, repeat, seed]),
      [skipped?.cell, skipped?.repeat, skipped?.seed],
      [5, 2, expect.any(Number)],
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
  },
);
