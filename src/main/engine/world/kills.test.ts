import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atDepth } from '../../../shared/util/testing/depth.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { FakeChanger, grantsClaims } from '../session/testing/fake-changer.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import { changedNow } from './entries.ts';

const FACTORS = `
  - {name: swap, kind: host-setting, setting: sysctl, of: vm.swappiness, on: generators, levels: [1, 60]}
  - {name: thp, kind: host-setting, setting: transparent-hugepages, on: generators, levels: [always, never]}`;
/** By day one step of three, at night each of them. */
const EACH = atDepth(1, 3);
/** Cells times repeats. */
const TRIALS = 4;

let bed: SessionBed;
let changer: FakeChanger;
/** Settings of every trial at the start of its tool. */
let measured: string[];

beforeEach(() => {
  bed = new SessionBed(['one']);
  changer = new FakeChanger('host-setting');
  bed.useChanger(changer);
  bed.machines.get('one').answer = grantsClaims;
  measured = [];
});
afterEach(() => bed.close());

/** Records the current settings, and measures one second. */
const measures = (job: FakeJob): void => {
  measured.push([...changer.world].map(([, value]) => value).join(' '));
  job.print('1 100\n');
  job.end(0);
};
const start = (): number => {
  bed.script.push(...Array.from({ length: TRIALS * 2 }, () => measures));
  return bed.start({ trials: 1, factors: FACTORS });
};
/** The world before the session, as found by the first look. */
const world = (): string => [...changer.world].map((entry) => entry.join('=')).join(', ');

/** Runs a session that hangs for ever at this step, counted from 0. Undefined if it ended before. */
async function diesAt(step: number): Promise<number | undefined> {
  let count = 0;
  const died = new Promise<'died'>((resolve) => {
    changer.before = () => {
      if (count++ !== step) return undefined;
      resolve('died');
      return new Promise<never>(() => {});
    };
  });
  const id = start();
  const ended = await Promise.race([died, bed.sessions.settled(id)]);
  return ended === 'died' ? id : undefined;
}

describe('a plan with host settings, killed at each step of a change', () => {
  it('is measured under the right settings, each trial once, and restores everything', async () => {
    changer.world.set('host one: sysctl vm.swappiness', '30');
    changer.world.set('host one: transparent-hugepages', 'madvise').set('host one: sysctl vm.beside', '5');
    changer.watch((what, value) =>
      what === 'sysctl vm.swappiness' ? { 'sysctl vm.beside': value === '30' ? '7' : `${value}0` } : {},
    );
    const first = world();
    let steps = 0;
    for (;;) {
      measured = [];
      const id = await diesAt(steps);
      if (id === undefined) break;
      changer.before = () => {};
      bed.crash();
      bed.sessions.continueInterrupted(id);
      await bed.sessions.settled(id);
      const where = `killed at step ${steps}`;
      expect(bed.states(id), where).toEqual(Array.from({ length: TRIALS }, () => 'done'));
      expect(measured, where).toEqual(['1 always 10', '60 always 600', '1 never 10', '60 never 600'].toSorted(byPlan));
      expect(world(), where).toBe(first);
      expect(changedNow(bed.store), where).toEqual([]);
      for (const { facts } of bed.runs(id)) expect(facts.every(({ matches }) => matches !== false)).toBe(true);
      bed.script.length = 0;
      steps += EACH;
    }
    // Reading, changing and reading back before each of four trials, and restoring at the end.
    expect(steps).toBeGreaterThan(12);
    expect(world()).toBe(first);
  });
});

/** In the order of the plan: the last factor varies fastest. */
const PLAN = ['1 always 10', '1 never 10', '60 always 600', '60 never 600'];
const byPlan = (a: string, b: string): number => PLAN.indexOf(a) - PLAN.indexOf(b);
