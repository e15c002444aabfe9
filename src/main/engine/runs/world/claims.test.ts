import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FakeMachine } from '../../hosts/testing/fake-machines.ts';
import { problemFrom } from '../../hosts/testing/library.ts';
import { SessionBed } from '../testing/session-bed.ts';
import { claim, claimedElsewhere, release } from './claims.ts';

const { signal } = new AbortController();
const PLACE = { kind: 'host', name: 'one' } as const;
let here: SessionBed;
let elsewhere: SessionBed;
/** The one link of the host that both libraries reach. */
let link: string;

const answer: FakeMachine['answer'] = (script) => {
  const made = /^ln -s '([^']*)'/.exec(script)?.[1];
  if (made !== undefined) link ||= made;
  const owner = /in '([^']*)'\*\) rm -f/.exec(script)?.[1];
  if (owner !== undefined && link.startsWith(owner)) link = '';
  return { code: 0, stdout: link === '' ? '' : `${link}\n`, stderr: '' };
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

test('a place is told to be varied by the session of another library, until that lets it go', async () => {
  const session = elsewhere.start();
  await claim(elsewhere.runsContext(), session, PLACE, signal);
  expect(await claimedElsewhere(here.runsContext(), PLACE, signal)).toMatch(new RegExp(`^session ${session} of `));
  expect(await claimedElsewhere(elsewhere.runsContext(), PLACE, signal)).toBeUndefined();
  const problem = await problemFrom(claim(here.runsContext(), here.start(), PLACE, signal));
  expect(problem).toMatchObject({ code: 'conflict', message: expect.stringContaining(`session ${session} of `) });
  await release(elsewhere.runsContext(), session, PLACE, signal);
  expect(await claimedElsewhere(here.runsContext(), PLACE, signal)).toBeUndefined();
});

test('of a server whose host is not known nothing can be told', async () => {
  link = 'somebody ~ session 1 of another library';
  expect(await claimedElsewhere(here.runsContext(), { kind: 'server', name: 'none' }, signal)).toBeUndefined();
});
