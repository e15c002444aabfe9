import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FakeMachine } from '../hosts/testing/fake-machines.ts';
import { problemFrom } from '../hosts/testing/library.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import { claim, claimedElsewhere, leftoverClaims, release } from './claims.ts';

const { signal } = new AbortController();
const PLACE = { kind: 'host', name: 'one' } as const;
let here: SessionBed;
let elsewhere: SessionBed;
/** The one link on the host that both libraries reach. */
let link: string;

const answer: FakeMachine['answer'] = (script) => {
  const owner = /in '([^']*)'\*\) rm -f/.exec(script)?.[1];
  if (owner !== undefined && link.startsWith(owner)) link = '';
  const wanted = /ln -s '([^']*)'/.exec(script)?.[1];
  const isNew = wanted !== undefined && link === '';
  if (isNew) link = wanted;
  return { code: 0, stdout: `${isNew ? 'made\n' : ''}${link}\n`, stderr: '' };
};

beforeEach(() => {
  link = '';
  here = new SessionBed();
  elsewhere = new SessionBed();
  for (const bed of [here, elsewhere]) bed.machines.get('one').answer = answer;
});
afterEach(async () => {
  await Promise.all([here.close(), elsewhere.close()]);
});

test('a place is reported as varied by a session of another library until released', async () => {
  const session = elsewhere.start();
  await claim(elsewhere.runsContext(), session, PLACE, signal);
  expect(await claimedElsewhere(here.runsContext(), PLACE, signal)).toMatch(new RegExp(`^session ${session} of `));
  expect(await claimedElsewhere(elsewhere.runsContext(), PLACE, signal)).toBeUndefined();
  const problem = await problemFrom(claim(here.runsContext(), here.start(), PLACE, signal));
  expect(problem).toMatchObject({ code: 'conflict', message: expect.stringContaining(`session ${session} of `) });
  await release(elsewhere.runsContext(), session, PLACE, signal);
  expect(await claimedElsewhere(here.runsContext(), PLACE, signal)).toBeUndefined();
});

test('a server with an unknown host has no visible claims', async () => {
  link = 'somebody ~ session 1 of another library';
  expect(await claimedElsewhere(here.runsContext(), { kind: 'server', name: 'none' }, signal)).toBeUndefined();
});

/** An ended session of the first library whose claim still exists. */
async function leavesClaim(): Promise<number> {
  here.script.push(
    (job) => job.end(0),
    (job) => job.end(0),
  );
  const session = here.start();
  await here.sessions.settled(session);
  await claim(here.runsContext(), session, PLACE, signal);
  here.machines.get('one').cut();
  await expect(release(here.runsContext(), session, PLACE, signal)).rejects.toMatchObject({ code: 'host-unreachable' });
  return session;
}

test('a claim that could not be released is released when its host is reachable again', async () => {
  const session = await leavesClaim();
  expect(leftoverClaims(here.runsContext())).toMatchObject([{ host: 'one', owner: here.row(session).uuid }]);
  expect(link).not.toBe('');
  await here.reopen();
  here.machines.get('one').restore();
  await vi.waitFor(() => expect(link).toBe(''));
  expect(leftoverClaims(here.runsContext())).toEqual([]);
});

test('the next session of the library takes over a claim that an ended one could not release', async () => {
  await leavesClaim();
  // The claim is still there when the next session starts.
  await here.sessions.close();
  const context = here.runsContext();
  const next = here.start();
  here.machines.get('one').restore();
  expect(await claim(context, next, PLACE, signal)).toBe(true);
  expect(link.startsWith(here.row(next).uuid)).toBe(true);
});

test('a session with unrestored settings, or that is running, keeps its claim', async () => {
  const left = await leavesClaim();
  await here.sessions.close();
  here.machines.get('one').restore();
  const { id } = here.store.journal.write({
    ...{ sessionId: left, runId: null, place: PLACE, what: 'swappiness', oldValue: '60', wanted: '1', writtenAt: 0 },
    undo: { kind: 'put-back', changer: 'fake', first: { value: '60' } },
  });
  const context = here.runsContext();
  expect(leftoverClaims(context)).toEqual([]);
  const next = here.start();
  const problem = await problemFrom(claim(context, next, PLACE, signal));
  expect(problem).toMatchObject({ code: 'conflict', next: expect.stringContaining(`kneepoint restore ${left}`) });
  here.store.journal.close(id, 'restored', 1);
  expect(await claim(context, next, PLACE, signal)).toBe(true);
  const third = here.start({ hosts: ['two'] });
  expect((await problemFrom(claim(context, third, PLACE, signal))).code).toBe('conflict');
});
