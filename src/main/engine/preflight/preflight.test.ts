import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PreflightLine } from '../../../shared/contract/experiments.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import { preflight } from './index.ts';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
});
afterEach(() => bed.close());

it('shows evidence next to each passed check, with neutral titles', async () => {
  bed.addServer().rows.set('things', 100);
  const lines = await bed.preflight({ target: 'db', options: ', rows: 100' });
  const byTitle = Object.fromEntries(lines.map(({ title, state, evidence }) => [title, [state, evidence]]));
  expect(byTitle).toMatchObject({
    Document: ['ok', '1 cell, 2 trials'],
    'Other sessions on the generator or the target': ['ok', 'None'],
    'Generator “one”': ['ok', 'one: Debian GNU/Linux 12, 2 CPUs'],
    Fake: ['ok', 'No program needed'],
    'Target “db”': ['ok', 'Fake 1'],
    'Data in the target': ['ok', 'Matches the experiment'],
  });
  expect(lines.filter(({ state, evidence }) => state === 'ok' && !evidence).map(({ title }) => title)).toEqual([
    'Connection from “one” to the target',
  ]);
});

it('shows how far the check of a large document is', async () => {
  // Each reading of the clock is a turn later.
  let now = 0;
  const context = { ...bed.runsContext(), clock: { now: () => 0, monotonic: () => (now += 150) } };
  const text = `kneepoint: 1
name: Large
workload: { tool: fake }
where: { generators: [one] }
factors: [{ name: size, levels: [1, 2, 3] }]
measure: { duration: 1 }
`;
  const shown: string[] = [];
  const { signal } = new AbortController();
  for await (const [line] of preflight(context, bed.sessions, { text, destroy: [] }, signal))
    if (line?.id === 'document' && line.state === 'running') shown.push(`${line.title}: ${line.evidence}`);
  expect(shown).toEqual(
    ['Planning cells', 'Checking commands'].flatMap((what) => [1, 2, 3].map((cell) => `${what}: cell ${cell} of 3`)),
  );
});

it('keeps the title of a failed check without evidence', async () => {
  bed.readFacts = () => Promise.reject(new KneepointError({ code: 'host-unreachable', message: 'No answer.' }));
  const lines: readonly PreflightLine[] = await bed.preflight();
  const line = lines.find(({ id }) => id === 'generator');
  expect(line).toMatchObject({ title: 'Generator “one”', state: 'block', finding: { message: 'No answer.' } });
  expect(line).not.toHaveProperty('evidence');
});

it.each([
  ['target-auth-failed', {}, { kind: 'password', place: 'target', name: 'db' }],
  ['secret-missing', { target: 'db' }, { kind: 'password', place: 'target', name: 'db' }],
  ['secret-missing', { host: 'jump' }, { kind: 'password', place: 'host', name: 'jump' }],
  ['vault-locked', { target: 'db' }, { kind: 'open-vault' }],
  ['host-key-unknown', { host: 'jump' }, { kind: 'open', place: 'host', name: 'jump' }],
  ['target-unreachable', { host: 'jump' }, { kind: 'open', place: 'target', name: 'db' }],
  ['not-found', { target: 'db' }, { kind: 'add', place: 'target', name: 'db' }],
  ['internal', {}, undefined],
] as const)('shows the fix of %s %o and skips dependent checks', async (code, place, fix) => {
  bed.addServer();
  bed.targets = {
    ...bed.targets,
    open: () => Promise.reject(new KneepointError({ code, message: 'No.', ...place })),
  };
  const lines = await bed.preflight({ target: 'db', options: ', rows: 5' });
  const line = lines.find(({ id }) => id === 'target');
  expect(line).toMatchObject({ state: 'block', finding: { code } });
  expect(line?.fix).toEqual(fix);
  expect(line?.finding).not.toHaveProperty('fix');
  expect(lines.find(({ id }) => id === 'data')?.state).toBe('skipped');
});

it('offers to add a generator that is not saved', async () => {
  const [line] = await bed.preflight({ hosts: ['nowhere'] });
  expect(line).toMatchObject({ state: 'block', fix: { kind: 'add', place: 'host', name: 'nowhere' } });
});

it.each([
  ['stopped', 'The server of target “db” on one is stopped.', 'kneepoint target start'],
  [
    'starting',
    'The server of target “db” on one is starting and does not accept connections yet.',
    'Wait until it is up',
  ],
  ['running', 'Nothing answers.', 'Look at it.'],
] as const)('reports the server of a target that does not respond as %s', async (state, message, next) => {
  bed.addServer();
  const { spec } = bed.targets;
  const server = { host: 'one', control: { kind: 'systemd', unit: 'db.service', sudo: false } } as const;
  const problem = { code: 'target-unreachable', message: 'Nothing answers.', next: 'Look at it.' } as const;
  bed.targets = {
    ...bed.targets,
    spec: (name) => ({ ...spec(name), server }),
    open: () => Promise.reject(new KneepointError(problem)),
  };
  const unexpected = () => Promise.reject(new Error('The preflight only looks.'));
  bed.servers = {
    of: () => ({
      ...{ control: 'systemd', settingsFile: undefined, state: async () => state },
      ...{ start: unexpected, stop: unexpected, restart: unexpected, reload: unexpected },
    }),
  };
  const line = (await bed.preflight({ target: 'db', options: ', rows: 5' })).find(({ id }) => id === 'target');
  expect(line?.finding).toMatchObject({ code: 'target-unreachable', message, next: expect.stringContaining(next) });
});

it('notes writing trials without a rest, but not resting, read-only or single trials', async () => {
  bed.addServer().rows.set('things', 100);
  bed.addDisk().sizes.set('things', 100);
  const isNoted = async (more: Parameters<typeof bed.preflight>[0]) =>
    (await bed.preflight(more)).some(({ finding }) => finding?.code === 'no-rest-between-writes');
  const tables = { target: 'db', options: ', rows: 100, writes: true' };
  expect(await isNoted(tables)).toBe(true);
  expect(await isNoted({ options: ', bytes: 100, writes: true' })).toBe(true);
  expect(await isNoted({ ...tables, pause: 15 })).toBe(false);
  expect(await isNoted({ ...tables, measure: ', before: { rest: 5 }' })).toBe(false);
  expect(await isNoted({ ...tables, trials: 1 })).toBe(false);
  expect(await isNoted({ target: 'db', options: ', rows: 100' })).toBe(false);
  expect(await isNoted({})).toBe(false);
});
