import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problemOf } from '../../../shared/model/problem.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { type AddedLevels, requireLevels } from './added-levels.ts';
import { FakeChanger, grantsClaims } from './testing/fake-changer.ts';
import { SessionBed, type SessionOptions } from './testing/session-bed.ts';

skipPauses();

const SIZES = '[{name: size, levels: [1, 4]}, {name: writes, levels: [false, true]}]';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed(['one', 'two']);
});
afterEach(() => bed.close());

const measures = (job: FakeJob): void => {
  job.print('1 100\n');
  job.end(0);
};
const settled = (id: number): Promise<void> => bed.sessions.settled(id);
const start = (options: SessionOptions): number => bed.start({ trials: 1, factors: SIZES, ...options });

async function add(id: number, wanted: AddedLevels): Promise<void> {
  const { signal } = new AbortController();
  const known = await requireLevels(bed.runsContext(), bed.sessions, { id, wanted, destroy: [] }, signal);
  await bed.sessions.addLevels(id, wanted, known);
}
const refusal = (id: number, wanted: AddedLevels): Promise<string> =>
  add(id, wanted).then(
    () => 'accepted',
    (error: unknown) => `${problemOf(error).code}: ${problemOf(error).message}`,
  );
const cellsRun = (id: number): unknown[] => bed.runs(id).map(({ cell, levels }) => [cell, levels.size, levels.writes]);

describe('levels added to a running session', () => {
  it('create cells after the existing ones and are measured after the plan', async () => {
    const id = start({});
    const job = await bed.running(id, 0);
    bed.now += 60_000;
    await add(id, { factor: 'size', levels: [2, '8..16 doubling'] });
    bed.script.push(...Array(9).fill(measures));
    measures(job);
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'done', cells: 10, trialsTotal: 10, trialsEnded: 10 });
    expect(cellsRun(id).slice(0, 4)).toEqual([
      [0, 1, false],
      [1, 1, true],
      [2, 4, false],
      [3, 4, true],
    ]);
    expect(cellsRun(id).slice(4)).toEqual([
      [4, 2, false],
      [5, 2, true],
      [6, 8, false],
      [7, 8, true],
      [8, 16, false],
      [9, 16, true],
    ]);
    const { experiment, experimentText, plan, later } = bed.store.sessions.snapshot(id);
    expect(experiment.factors[0]?.levels).toEqual([1, 2, 4, 8, 16]);
    expect(experimentText).toContain('[1, 2, 4, 8, 16]');
    expect(plan.cells.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(plan.trials).toHaveLength(4);
    expect(later).toMatchObject([
      {
        from: 4,
        at: bed.now,
        added: 6,
        grown: { factor: 'size', levels: [2, 8, 16] },
        facts: { hosts: [{ name: 'one' }] },
      },
    ]);
    expect(bed.log(id).map(({ message }) => message)).toContain('Levels of “size” added: 2, 8, 16. 6 cells, 6 trials.');
  });

  it('wait for a server that is down before its facts are read again', async () => {
    const server = bed.addServer();
    const id = start({ factors: '[{name: size, levels: [1]}]', target: 'db' });
    const job = await bed.running(id, 0);
    await bed.sessions.addLevels(id, { factor: 'size', levels: [2] }, { granted: [], confirmed: [] });
    server.isDown = true;
    bed.script.push(measures);
    measures(job);
    await bed.until(id, () => bed.log(id).some(({ message }) => message.startsWith('The session is waiting.')));
    server.isDown = false;
    await settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'done', trialsEnded: 2 });
    expect(bed.store.sessions.snapshot(id).later).toMatchObject([{ facts: { target: { name: 'db' } } }]);
  });

  it('are interleaved with further repeats of other cells, also after the app was closed', async () => {
    const id = start({ trials: 2, factors: '[{name: size, levels: [1, 4]}]' });
    await bed.running(id, 0);
    await add(id, { factor: 'size', levels: [2], baseCells: [0] });
    const job = bed.jobOf(id, 0);
    await bed.reopen();
    bed.script.push(...Array(8).fill(measures));
    measures(job);
    bed.sessions.continueInterrupted(id);
    await settled(id);
    expect(
      bed
        .runs(id)
        .slice(4)
        .map(({ cell, repeat }) => [cell, repeat]),
    ).toEqual([
      [0, 2],
      [2, 0],
      [0, 3],
      [2, 1],
    ]);
    expect(new Set(bed.states(id))).toEqual(new Set(['done']));
  });

  it('continue an ended session, and can be added repeatedly', async () => {
    const id = start({});
    bed.script.push(...Array(4).fill(measures));
    await settled(id);
    for (const level of ['2', '3..3 by 1']) {
      bed.script.push(measures, measures);
      await add(id, { factor: 'size', levels: level });
      await settled(id);
    }
    expect(bed.row(id)).toMatchObject({ state: 'done', cells: 8, trialsEnded: 8 });
    expect(bed.store.sessions.snapshot(id).experiment.factors[0]?.levels).toEqual([1, 2, 3, 4]);
    expect(cellsRun(id).at(-1)).toEqual([7, 3, true]);
  });
});

describe('levels that cannot be added', () => {
  it('are refused with the reason, and nothing is changed', async () => {
    const id = start({
      factors: `[{name: size, levels: [1, 4]}, {name: hosts, kind: generators, levels: [{name: a, hosts: [one]}]}]`,
    });
    await bed.running(id, 0);
    const asked: [AddedLevels, RegExp][] = [
      [
        { factor: 'threads', levels: [2] },
        /^bad-request: “threads” is not a factor of this session\. It has: size, hosts\.$/,
      ],
      [{ factor: 'size', levels: [2, 4] }, /^bad-request: 4 is already a level of “size”\.$/],
      [{ factor: 'size', levels: [2, '2'] }, /^bad-request: 2 is already a level of “size”\.$/],
      [{ factor: 'size', levels: ['4..2 doubling'] }, /ends before it starts/],
      [{ factor: 'size', levels: '2, [' }, /^bad-request: “2, \[” is not a list of levels/],
      [{ factor: 'size', levels: ['many'] }, /^bad-request: .*size/],
      [
        { factor: 'hosts', levels: [{ name: 'b', hosts: ['two'] }] },
        /^bad-request: Session 1 does not use the generator “two”/,
      ],
      [{ factor: 'size', levels: [2], baseCells: [9] }, /^bad-request: Session 1 has no cell 10\.$/],
    ];
    for (const [wanted, words] of asked) expect(await refusal(id, wanted)).toMatch(words);
    expect(bed.store.sessions.snapshot(id).later).toBeUndefined();
    expect(bed.row(id)).toMatchObject({ cells: 2, trialsTotal: 2 });
  });

  it('are refused if a host blocks the new cells, and accepted once confirmed', async () => {
    const changer = new FakeChanger('host-setting');
    const examined: string[] = [];
    const shared = {
      code: 'cannot-undo',
      severity: 'block' as const,
      liftedBy: 'setting' as const,
      message: 'This cannot be undone.',
    };
    changer.examine = async (_at, settings) =>
      settings.map(({ value }) => {
        examined.push(value);
        return { found: { value: '1' }, cost: 'live' as const, findings: value === '90' ? [shared] : [] };
      });
    bed.useChanger(changer);
    bed.machines.get('one').answer = grantsClaims;
    const factors =
      '[{name: swap, kind: host-setting, setting: sysctl, of: vm.swappiness, on: generators, levels: [1]}]';
    const id = start({ factors });
    const job = await bed.running(id, 0);
    const wanted = { factor: 'swap', levels: [90] };
    expect(await refusal(id, wanted)).toBe('preflight-refused: This cannot be undone.');
    expect(examined).toEqual(['90']);
    const { signal } = new AbortController();
    const destroy = ['one:sysctl vm.swappiness'];
    const known = await requireLevels(bed.runsContext(), bed.sessions, { id, wanted, destroy }, signal);
    await bed.sessions.addLevels(id, wanted, known);
    expect(bed.store.sessions.snapshot(id).confirmed).toEqual(destroy);
    bed.script.push(measures);
    measures(job);
    await settled(id);
    expect(bed.states(id)).toEqual(['done', 'done']);
  });
});
