import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TargetSpec } from '../../../shared/model/target.ts';
import { SessionBed } from '../session/testing/session-bed.ts';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
});
afterEach(() => bed.close());

/** States and messages of this line of the preflight. */
async function checked(before: string, server?: TargetSpec['server']): Promise<[string, string | undefined][]> {
  bed.addServer().rows.set('things', 5);
  const { spec } = bed.targets;
  bed.targets = { ...bed.targets, spec: (name) => ({ ...spec(name), ...(server && { server }) }) };
  const lines = await bed.preflight({ target: 'db', options: ', rows: 5', measure: `, before: { ${before} }` });
  return lines.filter(({ title }) => title === 'Before each trial').map((line) => [line.state, line.finding?.message]);
}
const answerOf = (code: number, stderr: string) => {
  bed.machines.get('one').answer = (script) => ({
    code: script.includes('drop_caches') ? code : 0,
    stdout: '',
    stderr,
  });
};
const PLACE = { host: 'one', control: { kind: 'systemd', unit: 'db.service', sudo: false } } as const;

it('is required only if something is done before trials', async () => {
  bed.addServer().rows.set('things', 5);
  const lines = await bed.preflight({ target: 'db', options: ', rows: 5' });
  expect(lines.map(({ id }) => id)).toContain('target');
  expect(lines.map(({ id }) => id)).not.toContain('before');
});

it('passes if possible', async () => {
  answerOf(0, '');
  expect(await checked('restart: true, caches: all, dirty: 5', PLACE)).toEqual([['ok', undefined]]);
});

it('is refused if the target does not know its server host or its control', async () => {
  expect(await checked('restart: true, dirty: 5')).toEqual([
    ['block', 'The server of “db” cannot be restarted before each trial: its target has no server control.'],
    ['block', 'The server host of “db” is unknown.'],
  ]);
});

it('is refused if the account cannot drop caches', async () => {
  answerOf(3, 'sudo: a password is required\n');
  expect(await checked('caches: generators')).toEqual([
    ['block', 'The OS caches of one cannot be dropped: sudo: a password is required.'],
  ]);
});

it('is refused if the server accepts no statements', async () => {
  expect(await checked('statement: CALL warm')).toEqual([
    ['block', '“db” cannot run statements: servers of its kind do not support them.'],
  ]);
});
