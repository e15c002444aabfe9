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

  it('an attachment is kept byte for byte as a whole, and named after its file', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7 + (index >> 8)) % 256);
    const file = join(folder, 'a trace’s data.bin');
    writeFileSync(file, bytes);
    const { content, ...rest } = await kept({ file, as: 'attachment' });
    expect(rest).toEqual({ bytes: bytes.length });
    expect(content.file?.name).toBe('a-trace-s-data.bin');
    expect(Buffer.compare(content.file?.bytes ?? Buffer.of(), bytes)).toBe(0);
    const printed = await kept({ command: "printf '\\037\\213\\000'; exit 3", as: 'attachment' });
    expect([...(printed.content.file?.bytes ?? [])]).toEqual([0x1f, 0x8b, 0]);
    expect([printed.content.file?.name, printed.problem]).toEqual(['x.gz', 'The command ended with exit code 3.']);
    expect((await kept({ command: 'true', as: 'attachment' })).bytes).toBe(0);
  });

  it('secrets are hidden in attached text, and keep other files with one from being kept', async () => {
    const text = await kept({ command: "printf 'a secret\\n'", as: 'attachment' });
    expect([text.content.file?.name, Buffer.from(text.content.file?.bytes ?? []).toString()]).toEqual([
      'x.txt',
      'a [hidden]\n',
    ]);
    const encodings = { utf8: 'a secret', utf16: 's\\000e\\000c\\000r\\000e\\000t\\000' };
    for (const [name, written] of Object.entries(encodings))
      expect(await problemFrom(kept({ command: `printf '\\000${written}'`, as: 'attachment' })), name).toMatchObject({
        message: 'Not kept: It contains a stored password, which cannot be hidden in a file that is not text.',
      });
  });

  it('a file larger than an attachment is not kept, and the reason has its size', async () => {
    const file = join(folder, 'large');
    writeFileSync(file, Buffer.alloc(MIB + 1));
    for (const capture of [{ file }, { command: `cat ${file}` }])
      expect(await problemFrom(kept({ ...capture, as: 'attachment' }))).toMatchObject({
        message: 'Not kept: Its size is 1.00 MiB; attachments are never truncated, so the limit is 1.00 MiB.',
      });
    writeFileSync(file, Buffer.alloc(MIB));
    expect((await kept({ file, as: 'attachment' })).bytes).toBe(MIB);
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
