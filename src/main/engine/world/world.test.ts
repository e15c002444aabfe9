import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { DesiredSetting } from '../factors/change.ts';
import type { FakeMachine } from '../hosts/testing/fake-machines.ts';
import { FakeChanger } from '../session/testing/fake-changer.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import { changedNow } from './entries.ts';
import { likeness } from './identity.ts';
import { reachSettings } from './reach.ts';
import { restoreChanges, restoreSession } from './restore.ts';

let bed: SessionBed;
let changer: FakeChanger;
let session: number;
const { signal } = new AbortController();
const WAITING = { signal };
const SWAP = 'host one: swappiness';
const THP = 'host one: thp';

const setting = (what: string, value: string, name = 'one'): DesiredSetting => ({
  changer: 'fake',
  place: { kind: 'host', name },
  what,
  value,
});
/** The host creates and reads the link of a claim: here it always belongs to this session. */
const claims: string[] = [];
/** Id of the machine that responds. */
let machineId = 'aaa';

beforeEach(async () => {
  bed = new SessionBed();
  changer = new FakeChanger();
  changer.world.set(SWAP, '60').set(THP, 'always');
  bed.useChanger(changer);
  claims.length = 0;
  machineId = 'aaa';
  for (const name of ['one', 'two']) bed.machines.get(name).answer = claimsOf();
  bed.script.push(
    (job) => job.end(0),
    (job) => job.end(0),
  );
  session = bed.start();
  await bed.sessions.settled(session);
});
afterEach(() => bed.close());

/** A host that knows one link, and answers the scripts of claims. */
function claimsOf(): FakeMachine['answer'] {
  let owner = '';
  return (script) => {
    if (script.includes('machine-id')) return { code: 0, stdout: `machine id=${machineId}\n`, stderr: '' };
    claims.push(script);
    const made = /^ln -s '([^']*)'/.exec(script)?.[1];
    const isNew = made !== undefined && owner === '';
    if (made !== undefined) owner ||= made;
    if (/rm -f/.test(script)) owner = '';
    return { code: 0, stdout: made === undefined ? '' : `${isNew ? 'made\n' : ''}${owner}\n`, stderr: '' };
  };
}
const run = (trial = 0) => {
  const found = bed.runs(session)[trial];
  if (!found) throw new Error('The session has no such trial.');
  return found;
};
const reach = (settings: readonly DesiredSetting[], trial = 0) =>
  reachSettings(bed.runsContext(), run(trial), settings, WAITING, 'launch');
const back = (force = false, confirmed: readonly string[] = []) =>
  restoreChanges(bed.runsContext(), changedNow(bed.store, session), { signal, confirmed, ...(force && { force }) });
const journal = () => bed.store.journal.ofSession(session);
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof KneepointError) return error.problem;
  throw error ?? new Error('It was not refused.');
};

describe('applying the settings of a cell', () => {
  it('changes only differing ones, and stores read-back values with the run', async () => {
    await reach([setting('swappiness', '1'), setting('thp', 'ALWAYS')]);
    expect(changer.done).toEqual(['set swappiness=1']);
    const place = { kind: 'host', name: 'one' };
    expect(run().facts).toEqual([
      { place, what: 'swappiness', wanted: '1', found: '1', first: '60' },
      { place, what: 'thp', wanted: 'ALWAYS', found: 'always', first: 'always' },
    ]);
    expect(journal()).toMatchObject([
      { what: 'swappiness', oldValue: '60', wanted: '1', readBack: '1', state: 'verified', runId: run().id },
    ]);
  });

  it('checks before each trial whether another library varies the place, even if all values match', async () => {
    await reach([setting('thp', 'always')]);
    const one = bed.machines.get('one');
    const { answer } = one;
    const link = 'uuid ~ session 5 of /other, since noon\n';
    one.answer = (script) => (script.startsWith('readlink') ? { code: 0, stdout: link, stderr: '' } : answer(script));
    expect(await refusal(reach([setting('thp', 'always')], 1))).toMatchObject({
      code: 'conflict',
      message: 'The settings of host “one” are being varied by session 5 of /other, since noon.',
    });
    expect(changer.done).toEqual([]);
  });

  it('writes the original value into the journal before any change', async () => {
    const seen: unknown[] = [];
    changer.before = (step) => {
      if (step === 'apply')
        seen.push(...changedNow(bed.store).map(({ what, oldValue, state }) => [what, oldValue, state]));
    };
    await reach([setting('swappiness', '1')]);
    expect(seen).toEqual([['swappiness', '60', 'planned']]);
  });

  it('keeps the original value over many levels', async () => {
    await reach([setting('swappiness', '1')]);
    await reach([setting('swappiness', '10')], 1);
    expect(run(1).facts).toMatchObject([{ wanted: '10', first: '60' }]);
    expect(journal()).toHaveLength(1);
    await back();
    expect(changer.world.get(SWAP)).toBe('60');
  });

  it('restores settings that an earlier cell changed and this one does not name', async () => {
    await reach([setting('swappiness', '1'), setting('thp', 'never')]);
    await reach([setting('thp', 'never')], 1);
    expect(changer.done).toEqual(['set swappiness=1 thp=never', 'back swappiness=60']);
    expect(changedNow(bed.store).map(({ what }) => what)).toEqual(['thp']);
  });

  it('keeps settings of another server, unless both may be the same', async () => {
    const spec = (name: string, port: number): TargetSpec => ({
      ...{ name, kind: 'mysql', via: null, config: { port } },
      server: { host: 'one', control: { kind: 'none' } },
    });
    const targets = [spec('a', 1), spec('b', 2), spec('also a', 1)];
    bed.targets = {
      ...bed.targets,
      spec: (name) => targets.find((each) => each.name === name) ?? bed.targets.spec(name),
    };
    const of = (name: string, what: string, value: string): DesiredSetting => ({
      ...setting(what, value, name),
      place: { kind: 'server', name },
    });
    await reach([of('a', 'binlog', 'off'), of('a', 'sync', '7')]);
    await reach([of('b', 'binlog', 'off')], 1);
    expect(changer.done).toEqual(['set binlog=off sync=7', 'back sync=null', 'set binlog=off']);
    await reach([of('also a', 'binlog', 'on')], 1);
    expect(changer.done.slice(3)).toEqual(['back binlog=null', 'set binlog=on']);
    expect(changedNow(bed.store).map(({ place }) => place.name)).toEqual(['also a', 'b']);
    await back();
    expect([...changer.world.keys()]).toEqual([SWAP, THP]);
  });

  it('refuses the trial with found and desired values if a value reads differently', async () => {
    changer.becomes = (value) => (value === '1' ? '5' : value);
    const problem = await refusal(reach([setting('swappiness', '1')]));
    expect(problem).toMatchObject({ code: 'change-refused', run: run().id });
    expect(problem.message).toBe('“swappiness” of host “one” is “5” after it was set to “1”.');
    expect(run().facts).toMatchObject([{ wanted: '1', found: '5', matches: false }]);
    expect(journal()).toMatchObject([{ state: 'differs', readBack: '5' }]);
    await back();
    expect(changer.world.get(SWAP)).toBe('60');
  });

  it('waits for a link that breaks between the change and the read-back, and then reads', async () => {
    const one = bed.machines.get('one');
    const cut = new Promise<void>((resolve) => {
      changer.before = (step) => {
        if (step !== 'applied') return;
        changer.before = () => one.requireUp();
        one.cut();
        resolve();
      };
    });
    const reached = reach([setting('swappiness', '1')]);
    await cut;
    one.restore();
    await reached;
    expect(run().facts).toMatchObject([{ found: '1' }]);
  });

  it.each([
    ['before the change was made', 'apply', '60'],
    ['after it, before it was read back', 'applied', '1'],
  ] as const)('is reverted after the engine died %s', async (_when, at, left) => {
    changer.before = (step) => {
      if (step === at) throw new Error('The engine dies.');
    };
    await expect(reach([setting('swappiness', '1')])).rejects.toThrow('dies');
    expect(changer.world.get(SWAP)).toBe(left);
    changer.before = () => {};
    expect(await back()).toMatchObject([{ outcome: 'restored' }]);
    expect(changer.world.get(SWAP)).toBe('60');
    expect(changedNow(bed.store)).toEqual([]);
  });

  it('refuses a place that another library is varying, with its name', async () => {
    bed.machines.get('one').answer = () => ({
      code: 0,
      stdout: 'other-uuid ~ session 4 of ann@laptop, /home/ann/kneepoint\n',
      stderr: '',
    });
    const problem = await refusal(reach([setting('swappiness', '1')]));
    expect(problem.code).toBe('conflict');
    expect(problem.message).toBe(
      'The settings of host “one” are being varied by session 4 of ann@laptop, /home/ann/kneepoint.',
    );
    expect(changer.done).toEqual([]);
    expect(changedNow(bed.store)).toEqual([]);
  });
});

describe('a side effect of a change', () => {
  const CAPACITY = 'host one: capacity';
  const MOST = 'host one: most';
  beforeEach(() => {
    changer.world.set(CAPACITY, '200').set(MOST, '2000').set('host one: positions', '1');
    changer.restless.add('positions');
    // As MariaDB: a lower maximum is raised to twice the value, and comes down by no other way.
    changer.watch((what, value) =>
      what === 'capacity' && Number(changer.world.get(MOST)) < Number(value) ? { most: String(Number(value) * 2) } : {},
    );
  });

  it('is recorded with its old value, reported, and restored, unlike values that vary by themselves', async () => {
    const logged: string[] = [];
    const notice = (_level: string, words: string) => void logged.push(words);
    await reachSettings(bed.runsContext(), run(), [setting('capacity', '5000')], { signal, notice }, 'launch');
    expect(journal()).toMatchObject([
      { what: 'capacity', oldValue: '200', wanted: '5000', state: 'verified' },
      { what: 'most', oldValue: '2000', wanted: '10000', state: 'verified', undo: { by: ['capacity'] } },
    ]);
    expect(journal()[0]?.undo).not.toHaveProperty('watched');
    expect(logged).toEqual([
      'Setting “capacity” on host “one” also changed “most” from “2000” to “10000”. They are restored together.',
    ]);
    expect((await back()).map(({ what, outcome }) => `${what} ${outcome}`)).toEqual([
      'most restored',
      'capacity restored',
    ]);
    expect([changer.world.get(CAPACITY), changer.world.get(MOST)]).toEqual(['200', '2000']);
  });

  it('is in the journal before the change, so that it is found if the app ends right after it', async () => {
    changer.before = (step) => {
      if (step === 'applied') throw new Error('The engine dies.');
    };
    await expect(reach([setting('capacity', '5000')])).rejects.toThrow('dies');
    changer.before = () => {};
    expect(changer.world.get(MOST)).toBe('10000');
    expect(await back()).toHaveLength(2);
    expect([changer.world.get(CAPACITY), changer.world.get(MOST)]).toEqual(['200', '2000']);
    await expect(reach([setting('capacity', '5000')])).resolves.toBeUndefined();
  });

  it('depends on the level only, not on the previous one, and stays with its cause', async () => {
    await reach([setting('capacity', '8000')]);
    expect(changer.world.get(MOST)).toBe('16000');
    await reach([setting('capacity', '5000')], 1);
    expect(changer.world.get(MOST)).toBe('10000');
    await reach([setting('capacity', '5000'), setting('swappiness', '1')]);
    expect(changer.done.at(-1)).toBe('set swappiness=1');
    await reach([setting('swappiness', '1')], 1);
    expect([changer.world.get(CAPACITY), changer.world.get(MOST)]).toEqual(['200', '2000']);
    expect(changedNow(bed.store).map(({ what }) => what)).toEqual(['swappiness']);
  });

  it('belongs to its own cause if several settings are applied at once', async () => {
    await reach([setting('capacity', '5000'), setting('swappiness', '1')]);
    expect(journal().map(({ undo }) => undo)).toMatchObject([{}, { by: ['capacity'] }, {}]);
    await reach([setting('capacity', '5000')], 1);
    expect(changer.done.at(-1)).toBe('back swappiness=60');
    expect(changer.world.get(MOST)).toBe('10000');
  });

  it('is refused by name if it cannot be restored, and the change is reverted', async () => {
    changer.stuck.set('most', 'it stands in a file of somebody else');
    const problem = await refusal(reach([setting('capacity', '5000')]));
    expect(problem).toMatchObject({ code: 'change-not-possible', run: run().id });
    expect(problem.message).toBe(
      'Setting “capacity” on host “one” also changed “most” from “2000” to “10000”, which cannot be restored: it stands in a file of somebody else.',
    );
    await back();
    expect(changer.world.get(CAPACITY)).toBe('200');
  });

  it('is applied again after a cell that sets its value itself', async () => {
    await reach([setting('capacity', '5000')]);
    await reach([setting('capacity', '5000'), setting('most', '20000')], 1);
    expect(run(1).facts).toMatchObject([{ found: '5000' }, { found: '20000', first: '2000' }]);
    await reach([setting('capacity', '5000')]);
    expect(changer.world.get(MOST)).toBe('10000');
    await back();
    expect([changer.world.get(CAPACITY), changer.world.get(MOST)]).toEqual(['200', '2000']);
  });
});

describe('a place that another library has just restored', () => {
  it('is read again once claimed, so that its original value is kept', async () => {
    changer.world.set(SWAP, '1');
    const answer = bed.machines.get('one').answer;
    bed.machines.get('one').answer = (script, ...rest) => {
      if (script.startsWith('ln -s')) changer.world.set(SWAP, '60');
      return answer(script, ...rest);
    };
    await reach([setting('swappiness', '10')]);
    expect(run().facts).toMatchObject([{ first: '60', found: '10' }]);
    await back();
    expect(changer.world.get(SWAP)).toBe('60');
    changer.world.set(SWAP, '1');
    await reach([setting('swappiness', '60')]);
    expect(changer.done).toEqual(['set swappiness=10', 'back swappiness=60']);
    expect(claims.at(-1)).toContain('rm -f');
  });
});

describe('restoring', () => {
  it('removes settings that were not set before', async () => {
    await reach([setting('fresh', 'x')]);
    expect(await back()).toMatchObject([{ what: 'fresh', first: null, outcome: 'restored' }]);
    expect(changer.world.has('host one: fresh')).toBe(false);
  });

  it('releases the place when nothing remains changed', async () => {
    await reach([setting('swappiness', '1')]);
    await back();
    expect(claims.at(-1)).toContain('rm -f /var/tmp/kneepoint-claim-');
  });

  it('releases the place if the engine died after restoring', async () => {
    await reach([setting('swappiness', '1')]);
    const context = bed.runsContext();
    changer.world.set(SWAP, '60');
    for (const { id } of changedNow(bed.store)) bed.store.journal.close(id, 'restored', bed.now);
    expect(await restoreSession(context, session, { signal })).toEqual([]);
    expect(claims.at(-1)).toContain('rm -f /var/tmp/kneepoint-claim-');
  });

  it('keeps a value that something else has changed since, and reports that', async () => {
    await reach([setting('swappiness', '1')]);
    changer.world.set(SWAP, '30');
    expect(await back()).toMatchObject([
      {
        outcome: 'left',
        message: 'It has been changed to “30” since, so it was left unchanged. It was “60” before the session.',
      },
    ]);
    expect(changer.world.get(SWAP)).toBe('30');
    expect(await back(true)).toMatchObject([{ outcome: 'restored' }]);
    expect(changer.world.get(SWAP)).toBe('60');
  });

  it('closes settings that are already restored, without changing them', async () => {
    await reach([setting('swappiness', '1')]);
    changer.world.set(SWAP, '60');
    expect(await back()).toMatchObject([{ outcome: 'restored' }]);
    expect(changer.done).toEqual(['set swappiness=1']);
  });

  it('keeps settings that could not be restored, with the reason, and restores the rest', async () => {
    await reach([setting('swappiness', '1')]);
    await reach([setting('swappiness', '1'), setting('thp', 'never', 'two')], 1);
    const one = bed.machines.get('one');
    one.cut();
    changer.before = (_step, { place }) => {
      if (place.name === 'one') one.requireUp();
    };
    const results = await back();
    expect(results.map(({ place, outcome }) => [place.name, outcome])).toEqual([
      ['two', 'restored'],
      ['one', 'failed'],
    ]);
    expect(changedNow(bed.store)).toMatchObject([{ place: { name: 'one' }, message: /fake link to one is down/ }]);
  });
});

describe('another machine or server under the same name', () => {
  it('is not changed and is named with the original one, which is restored when it is back', async () => {
    await reach([setting('swappiness', '1')]);
    machineId = 'bbb';
    changer.done.length = 0;
    const [result] = await back(true, ['one']);
    expect(result).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/machine id bbb.*machine id aaa/),
    });
    expect(result).not.toHaveProperty('confirm');
    await expect(reach([setting('swappiness', '10')], 1)).rejects.toMatchObject({ code: 'change-not-possible' });
    expect(changer.done).toEqual([]);
    expect(changedNow(bed.store)).toMatchObject([{ what: 'swappiness', message: result?.message }]);
    machineId = 'aaa';
    expect(await back()).toMatchObject([{ outcome: 'restored' }]);
    expect(changer.world.get(SWAP)).toBe('60');
  });

  it('is uncertain if only the host key differs: the user can confirm it', async () => {
    bed.machines.get('one').key = 'SHA256:old';
    await reach([setting('swappiness', '1')]);
    bed.machines.get('one').key = 'SHA256:new';
    expect(await back()).toMatchObject([{ outcome: 'failed', confirm: 'one', message: /SHA256:new.*SHA256:old/ }]);
    expect(await back(false, ['two'])).toMatchObject([{ outcome: 'failed' }]);
    expect(await back(false, ['one'])).toMatchObject([{ outcome: 'restored' }]);
  });

  it('cannot be excluded for an entry of an earlier version, which the user confirms first', async () => {
    await reach([setting('swappiness', '1')]);
    for (const { id } of changedNow(bed.store)) bed.store.journal.note(id, { identity: null });
    expect(await back(true)).toMatchObject([
      { outcome: 'failed', confirm: 'one', message: /earlier version.*machine id aaa/ },
    ]);
    expect(changer.world.get(SWAP)).toBe('1');
    expect(await back(false, ['one'])).toMatchObject([{ outcome: 'restored' }]);
    expect(changer.world.get(SWAP)).toBe('60');
  });

  it('is detected for a server by its own identity, also on the same host', async () => {
    bed.addServer('db');
    const { open } = bed.targets;
    let uuid = 'first';
    bed.targets = {
      ...bed.targets,
      open: async (name, of) => {
        const session = await open(name, of);
        return session && { ...session, identity: async () => ({ 'server uuid': uuid }) };
      },
    };
    await reach([{ ...setting('sync', '7'), place: { kind: 'server', name: 'db' } }]);
    uuid = 'second';
    expect(await back()).toMatchObject([{ outcome: 'failed', message: /server uuid second.*server uuid first/ }]);
    uuid = 'first';
    expect(await back()).toMatchObject([{ outcome: 'restored' }]);
  });

  it.each([
    [{ 'machine id': 'a', 'SSH host key': 'k' }, { 'machine id': 'a', 'SSH host key': 'k' }, 'same'],
    [{ 'machine id': 'a', 'SSH host key': 'k' }, { 'machine id': 'b', 'SSH host key': 'l' }, 'other'],
    [{ 'machine id': 'a', 'SSH host key': 'k' }, { 'machine id': 'b', 'SSH host key': 'k' }, 'doubtful'],
    [{ 'machine id': 'a', 'server uuid': 's' }, { 'machine id': 'a', 'server uuid': 't' }, 'other'],
    [{ 'machine id': 'a', 'server uuid': 's' }, { 'machine id': 'a' }, 'same'],
    [{ 'server uid': 's', 'data directory': 'd' }, { 'server uid': 't', 'data directory': 'd' }, 'doubtful'],
    [{ 'machine id': 'a', 'host name': 'x' }, { 'machine id': 'a', 'host name': 'y' }, 'same'],
    [{ 'host name': 'x' }, { 'host name': 'y' }, 'other'],
    [{ 'machine id': 'a' }, { 'SSH host key': 'k' }, 'unknown'],
    [{}, {}, 'same'],
  ] as const)('%j compared with %j: %s', (then, now, found) => {
    expect(likeness(then, now)).toBe(found);
  });
});
