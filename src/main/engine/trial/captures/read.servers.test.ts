import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CAPTURE_BYTES, type Capture } from '../../../../shared/model/capture.ts';
import { createLocalMachine } from '../../hosts/local.ts';
import { problemFrom } from '../../hosts/testing/library.ts';
import { createShellMachine } from '../../jobs/testing/shell-machine.ts';
import { readOnHost } from './read.ts';

/** A shell and a userland of BusyBox, if available. */
const BUSYBOX = '/bin/busybox';
const applets = mkdtempSync(join(tmpdir(), 'kneepoint-applets-'));
if (existsSync(BUSYBOX))
  for (const applet of execFileSync(BUSYBOX, ['--list'], { encoding: 'utf8' }).split('\n').filter(Boolean))
    symlinkSync(BUSYBOX, join(applets, applet));
afterAll(() => rmSync(applets, { recursive: true }));
const MACHINES = {
  'this computer': createLocalMachine(),
  ...(existsSync(BUSYBOX) && { BusyBox: createShellMachine('busybox', join(applets, 'sh'), { PATH: applets }) }),
};
const MIB = 1024 ** 2;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-captures-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.entries(MACHINES))('on %s', (_name, machine) => {
  const kept = (capture: Omit<Capture, 'name'>, signal = new AbortController().signal) =>
    readOnHost(machine, { name: 'x', ...capture }, (text) => text.replaceAll('secret', '[hidden]'), signal);

  it('the output and the failure of a command are captured', async () => {
    expect(await kept({ command: "printf 'one secret\\n  two'; echo 'no such thing' >&2; exit 3" })).toEqual({
      ...{ content: { text: 'one [hidden]\n  two' }, bytes: 18 },
      problem: 'The command ended with exit code 3: no such thing',
    });
    expect(await kept({ command: 'read -r line || echo nothing; set -e; false' })).toMatchObject({
      content: { text: 'nothing\n' },
      problem: 'The command ended with exit code 1.',
    });
  });

  it('the start of a long output is captured, and an endless one is ended', async () => {
    const long = await kept({ command: `echo first; head -c ${3 * MIB} /dev/zero | tr '\\0' x` });
    expect(long.content.text?.slice(0, 8)).toBe('first\nxx');
    expect([long.bytes, long.left]).toEqual([CAPTURE_BYTES, { count: 2 * MIB + 6, unit: 'bytes' }]);
    const endless = await kept({ command: 'yes' });
    expect([endless.bytes, endless.left]).toEqual([CAPTURE_BYTES, { count: 63 * MIB, unit: 'bytes' }]);
  });

  it('the end of a file is captured, and a missing one is refused', async () => {
    const file = join(folder, 'a log’s file');
    writeFileSync(file, `begin${'é'.repeat(MIB)}end`);
    const { content, bytes, left } = await kept({ file });
    expect([content.text?.slice(-4), left]).toEqual(['éend', { count: MIB + 8, unit: 'bytes' }]);
    expect(bytes).toBe(MIB);
    // A letter that is cut is dropped.
    expect(content.text?.[0]).toBe('é');
    writeFileSync(file, '');
    expect(await kept({ file })).toEqual({ content: { text: '' }, bytes: 0 });
    expect(await problemFrom(kept({ file: join(folder, 'none') }))).toMatchObject({
      message: expect.stringMatching(/none on .* could not be read\.$/),
    });
  });

  it('lines with numbers are counters, and no temporary files remain', async () => {
    const command = `cd ${folder}; TMPDIR=${folder}; printf 'a 1\\nb: 2\\n'`;
    expect((await kept({ command, as: 'difference' })).content.table?.rows).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lines with names are facts, and other output is a single fact', async () => {
    const facts = async (command: string) => (await kept({ command, as: 'fact' })).content.table;
    expect(await facts("printf 'a = 1\\nb: 2 MiB\\n'")).toEqual({
      columns: ['fact', 'value'],
      rows: [
        ['a', '1'],
        ['b', '2 MiB'],
      ],
    });
    expect((await facts("printf '6.1\\n'"))?.rows).toEqual([['', '6.1']]);
  });
});
