import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { changedNow } from '../world/index.ts';
import { FakeChanger, grantsClaims } from './testing/fake-changer.ts';
import { SessionBed } from './testing/session-bed.ts';

const SWAP = 'host one: sysctl vm.swappiness';
const LEVELS = (levels: string, more = ''): string =>
  `[{name: swap, kind: host-setting, setting: sysctl, of: vm.swappiness, on: generators, levels: ${levels}}${more}]`;

let bed: SessionBed;
let changer: FakeChanger;
beforeEach(() => {
  bed = new SessionBed(['one']);
  changer = new FakeChanger('host-setting');
  changer.world.set(SWAP, '30');
  bed.useChanger(changer);
  bed.machines.get('one').answer = grantsClaims;
});
afterEach(() => bed.close());

const measures = (job: FakeJob): void => {
  job.print('1 100\n');
  job.end(0);
};
const start = (factors: string, trials = 1): number => bed.start({ trials, factors });
const messages = (id: number): string[] => bed.log(id).map(({ message }) => message);
const refused = (message: string): KneepointError => new KneepointError({ code: 'change-refused', message });

describe('a session with host settings', () => {
  it('stores read-back values with each run and reports restored settings at the end', async () => {
    bed.script.push(measures, measures);
    const id = start(LEVELS('[1, 60]'));
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.runs(id).map(({ facts }) => facts[0])).toMatchObject([
      { what: 'sysctl vm.swappiness', wanted: '1', found: '1', first: '30' },
      { wanted: '60', found: '60', first: '30' },
    ]);
    expect(changer.world.get(SWAP)).toBe('30');
    expect(messages(id)).toContain('1 setting restored and read back: sysctl vm.swappiness of host “one”: “30”.');
  });

  it('shows its current step with the start time', async () => {
    const reported: unknown[] = [];
    changer.before = () => {
      bed.now += 1000;
      const since = bed.sessions.activitySince(id) ?? 0;
      reported.push([bed.sessions.activity(id), bed.now - since]);
    };
    bed.script.push(measures);
    const id = start(LEVELS('[60]'));
    await bed.sessions.settled(id);
    expect(reported.slice(0, 4)).toEqual([
      ['Reading sysctl vm.swappiness of host “one”', 1000],
      ['Setting sysctl vm.swappiness = 60 on host “one”', 1000],
      ['Setting sysctl vm.swappiness = 60 on host “one”', 2000],
      ['Reading sysctl vm.swappiness of host “one”', 1000],
    ]);
    expect(reported).toContainEqual(['Restoring sysctl vm.swappiness of host “one”', 1000]);
    expect(bed.sessions.activity(id)).toBeUndefined();
  });

  it('waits for the vault passphrase before restoring settings, and does not end earlier', async () => {
    bed.script.push(measures);
    let locked = true;
    changer.before = (step) => {
      if (step === 'restore' && locked) throw new KneepointError({ code: 'vault-locked', message: 'It is locked.' });
    };
    const id = start(LEVELS('[1]'));
    await bed.until(id, () => bed.sessions.needs(id) !== undefined);
    expect(bed.states(id)).toEqual(['done']);
    expect(bed.row(id).state).toBe('running');
    expect(changer.world.get(SWAP)).toBe('1');
    locked = false;
    bed.sessions.wake();
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(changer.world.get(SWAP)).toBe('30');
  });

  it('reports unrestored settings when stopped while the vault is locked', async () => {
    changer.before = (step) => {
      if (step === 'restore') throw new KneepointError({ code: 'vault-locked', message: 'It is locked.' });
    };
    const id = start(LEVELS('[1]'));
    await bed.until(id, () => bed.states(id)[0] === 'running');
    const stopped = bed.sessions.stop(id);
    bed.jobs.all[0]?.end(0);
    await stopped;
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('stopped');
    expect(messages(id).join(' ')).toContain('was not restored to “30”. It is locked.');
  });

  it('fails trials of a refused level without a retry, and measures the others', async () => {
    let asked = 0;
    changer.before = (step) => {
      if (step !== 'apply' || asked > 0) return;
      asked += 1;
      throw refused('one does not take “1”: Invalid argument.');
    };
    bed.script.push(measures, measures, measures, measures);
    const id = start(LEVELS('[1, 60]', ', {name: size, levels: [1, 2]}'), 2);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
    const round = [
      [1, 1, 'failed'],
      [1, 2, 'failed'],
      [60, 1, 'done'],
      [60, 2, 'done'],
    ];
    expect(bed.runs(id).map(({ levels, state }) => [levels.swap, levels.size, state])).toEqual([...round, ...round]);
    expect(bed.runs(id)[0]).toMatchObject({ startedAt: null, partial: false, message: /does not take “1”/ });
  });

  it('continues after any number of refused levels', async () => {
    changer.becomes = (value) => (value === '60' ? value : '0');
    bed.script.push(measures);
    const id = start(LEVELS('[1, 2, 3, 4, 60]'));
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['failed', 'failed', 'failed', 'failed', 'done']);
  });

  it('fails if a server does not come back three times, and restores what is possible', async () => {
    bed.script.push(measures);
    const id = start(LEVELS('[60, 1, 2, 3, 4]'));
    changer.before = (step) => {
      if (step === 'apply' && changer.done.length > 0)
        throw new KneepointError({ code: 'server-not-back', message: 'The server of “db” is not back.' });
    };
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('failed');
    expect(bed.states(id)).toEqual(['done', 'failed', 'failed', 'failed', 'pending']);
    expect(changer.world.get(SWAP)).toBe('30');
    expect(changedNow(bed.store)).toEqual([]);
  });
});

describe('the settings of a session that ends before its plan', () => {
  /** Its first trial is running, with a setting of its own. */
  async function running(): Promise<{ id: number; job: FakeJob }> {
    const id = start(LEVELS('[1, 60]'));
    const job = await bed.running(id, 0);
    expect(changer.world.get(SWAP)).toBe('1');
    return { id, job };
  }

  it('are restored after a stop', async () => {
    const { id } = await running();
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('stopped');
    expect(changer.world.get(SWAP)).toBe('30');
  });

  it('are kept while the app is closed and a tool runs, and restored after it continued', async () => {
    const { id, job } = await running();
    await bed.reopen();
    expect(changer.world.get(SWAP)).toBe('1');
    expect(changedNow(bed.store, id)).toHaveLength(1);
    bed.sessions.continueInterrupted(id);
    bed.script.push(measures);
    measures(job);
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['done', 'done']);
    expect(changer.world.get(SWAP)).toBe('30');
  });

  it.each([
    ['keep', '60'],
    ['restore', '30'],
  ])('during a pause follow the option %s: the setting is %s', async (paused, value) => {
    bed.script.push(measures);
    const text = `kneepoint: 1
name: Paused
workload: { tool: fake, data: create }
where: { generators: [one] }
factors: ${LEVELS('[1, 60]')}
measure: { duration: 1, pause: 3600, paused: ${paused} }
`;
    const { id } = bed.sessions.start(text);
    await bed.until(id, () => bed.sessions.activity(id)?.startsWith('Waiting') === true);
    bed.sessions.pause(id);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('paused');
    // The second trial was prepared before the rest.
    expect(changer.world.get(SWAP)).toBe(value);
  });

  it('are listed if not restored, with how to restore them later', async () => {
    bed.script.push(measures, measures);
    const id = start(LEVELS('[1, 60]'));
    changer.before = (step) => {
      if (step === 'restore') throw refused('one is read-only now.');
    };
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(messages(id).slice(-2)).toEqual([
      '“sysctl vm.swappiness” of host “one” was not restored to “30”. one is read-only now.',
      `Restore the remaining changes with “kneepoint restore ${id}”, or in the app.`,
    ]);
    expect(changedNow(bed.store, id)).toHaveLength(1);
  });
});
