import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSshd, type TestSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import type { Machine } from '../../hosts/machine.ts';
import { createTestLibrary, problemFrom, specOf, type TestLibrary } from '../../hosts/testing/library.ts';
import type { DesiredSetting } from '../change.ts';
import { hostSettingChanger as changer } from './changer.ts';
import { atOf, desiredSetting, findingsFor, readOne } from './testing/places.ts';

let server: TestSshd;
let library: TestLibrary;
let machine: Machine;
let folder: string;
let file: string;

beforeEach(async () => {
  server = await startSshd();
  library = createTestLibrary();
  library.save(specOf('db-1', server));
  library.trustServer(server);
  machine = library.machines.get('db-1');
  folder = mkdtempSync(join(tmpdir(), "kneepoint command's "));
  file = join(folder, 'state');
  writeFileSync(file, 'as it was\n');
});
afterEach(async () => {
  await library.machines.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const quoted = (): string => `'${file.replaceAll("'", `'\\''`)}'`;
const commands = (level: string, change: Record<string, string | undefined> = {}): DesiredSetting => {
  const set: Record<string, string | undefined> = {
    apply: `printf '%s\\n' "$level" >${quoted()}`,
    read: `cat ${quoted()}`,
    undo: `printf '%s\\n' "$first" >${quoted()}`,
    ...change,
  };
  return desiredSetting(
    'commands',
    '',
    level,
    Object.fromEntries(Object.entries(set).filter(([, text]) => text !== undefined)) as Record<string, string>,
  );
};
const content = (): string => readFileSync(file, 'utf8');

it('commands apply, read back and undo a level, whatever its text contains', async () => {
  const at = atOf(machine);
  const level = `it's "$HOME" $(id) \`id\` \\ }; exit 1`;
  const setting = commands(level);
  expect(await changer.examine(at, [setting])).toEqual([{ found: { value: 'as it was' }, cost: 'live', findings: [] }]);
  const first = { value: 'as it was' };
  await changer.apply(at, [{ setting, first }]);
  expect(content()).toBe(`${level}\n`);
  expect(changer.matches(setting, (await readOne(at, setting)).value)).toBe(true);
  await changer.restore(at, [{ what: setting.what, how: setting.how, first }]);
  await changer.restore(at, [{ what: setting.what, how: setting.how, first }]);
  expectSame('what the commands set', content(), 'as it was\n');
});

it('commands that did not apply are detected by the read-back', async () => {
  const at = atOf(machine);
  const setting = commands('4', { apply: 'echo done' });
  await changer.apply(at, [{ setting, first: { value: 'as it was' } }]);
  expect(changer.matches(setting, (await readOne(at, setting)).value)).toBe(false);
});

it('commands that fail report their output', async () => {
  const at = atOf(machine);
  const setting = commands('4', { apply: 'echo out of order >&2; exit 3' });
  expect(await problemFrom(changer.apply(at, [{ setting, first: { value: '' } }]))).toMatchObject({
    code: 'change-refused',
    host: 'db-1',
    message: 'The command to apply a level failed on db-1: out of order.',
  });
  expect(await problemFrom(changer.read(at, [commands('4', { read: 'if' })]))).toMatchObject({
    code: 'change-refused',
  });
  const endless = commands('4', { read: 'head -c 5000 /dev/zero | tr "\\0" x' });
  expect(await problemFrom(changer.read(at, [endless]))).toMatchObject({ code: 'change-not-possible' });
});

it('commands without a reading are recorded on the host until the undo', async () => {
  const at = atOf(machine);
  const setting = commands('7', { read: undefined, undo: `echo 'as it was' >${quoted()}` });
  expect(await findingsFor(at, setting)).toEqual(['warn cannot-verify']);
  const first = await readOne(at, setting);
  expect(first).toEqual({ value: null });
  await changer.apply(at, [{ setting, first }]);
  expect(await readOne(at, setting)).toEqual({ value: '7' });
  const applied = join(server.home, '.local/state/kneepoint/applied');
  const failing = { ...setting, how: { ...setting.how, apply: `${setting.how?.apply}; exit 1` } };
  await problemFrom(changer.apply(at, [{ setting: failing, first }]));
  expect(await readOne(at, failing)).toEqual({ value: '7 (the command did not finish)' });
  expect(changer.matches(failing, '7 (the command did not finish)')).toBe(false);
  await changer.restore(at, [{ what: failing.what, how: failing.how, first }]);
  expectSame('what the commands set', [content(), await readOne(at, failing)], ['as it was\n', { value: null }]);
  const [note = ''] = readdirSync(applied);
  writeFileSync(join(applied, note), readFileSync(join(applied, note), 'utf8').replace(/^.*/, 'another boot'));
  expect(await readOne(at, setting)).toEqual({ value: '7 (before the host was restarted)' });
  await changer.restore(at, [{ what: setting.what, how: setting.how, first }]);
  expect(await readOne(at, setting)).toEqual({ value: null });
  expectSame('what the commands set', content(), 'as it was\n');
});

it('commands without an undo block the start, and report that at the undo', async () => {
  const at = atOf(machine);
  const setting = commands('7', { undo: undefined });
  expect(await findingsFor(at, setting)).toEqual(['block cannot-undo']);
  const first = await readOne(at, setting);
  await changer.restore(at, [{ what: setting.what, how: setting.how, first }]);
  await changer.apply(at, [{ setting, first }]);
  expect(await problemFrom(changer.restore(at, [{ what: setting.what, how: setting.how, first }]))).toMatchObject({
    code: 'change-not-possible',
    next: 'Restore it by hand.',
  });
});
