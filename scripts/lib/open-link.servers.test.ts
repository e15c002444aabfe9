import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLink } from './open-link.ts';
import { root } from './terminal.ts';

const LINK = 'http://127.0.0.1:8470/#link=s3cret';

let folder: string;
let home: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-opening-'));
  home = path.join(folder, 'home');
  mkdirSync(home);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Replaces xdg-open: records its command line as others see it, and who can read the given file. */
function opener(code = 0): string {
  const file = path.join(folder, 'xdg-open');
  const seen = `tr '\\0' ' ' </proc/$$/cmdline; stat -c '%a' "$1" "$(dirname "$1")"; cat "$1"`;
  writeFileSync(
    file,
    `#!/bin/sh\n{ ${seen}; } >${folder}/seen.new\nmv ${folder}/seen.new ${folder}/seen\nexit ${code}\n`,
  );
  chmodSync(file, 0o755);
  return file;
}
const seen = (): string => readFileSync(path.join(folder, 'seen'), 'utf8');

it('opens the link in a browser through a private file, never through a command line', async () => {
  const { done, forget } = openLink(LINK, [opener()], [home]);
  expect(await done).toBe(true);
  const [, command = '', file = '', around = '', page = ''] = /^(.*)(\d{3})\n(\d{3})\n([\s\S]*)$/.exec(seen()) ?? [];
  expect(command).toContain('open.html');
  expect(command).not.toContain('s3cret');
  expect([file, around]).toEqual(['600', '700']);
  expect(page).toContain(`<meta http-equiv="refresh" content="0;url=${LINK}">`);
  forget();
  expect(readdirSync(home)).toEqual([]);
});

it('leaves nothing behind without a program to open it', async () => {
  expect(await openLink(LINK, [path.join(folder, 'none')], [home]).done).toBe(false);
  expect(await openLink(LINK, [opener(3)], [home]).done).toBe(false);
  await vi.waitFor(() => expect(readdirSync(home)).toEqual([]));
});

it('uses the next folder if the first is not writable, and reports failure if none is', async () => {
  const missing = path.join(folder, 'missing');
  const { done, forget } = openLink(LINK, [opener()], [missing, home]);
  expect(await done).toBe(true);
  expect(readdirSync(home)).toHaveLength(1);
  forget();
  expect(await openLink(LINK, [opener()], [missing]).done).toBe(false);
});

/** The whole of `npm start -- --browser`, on a desktop with a fake browser. */
it('starts browser mode without the link on any command line', async () => {
  opener();
  const env = { ...process.env, HOME: home, DISPLAY: ':9', PATH: `${folder}:${process.env.PATH}` };
  const args = [path.join(root, 'scripts/start.ts'), '--browser', '--data-dir', path.join(folder, 'library')];
  const start = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  start.stderr.on('data', (data: Buffer) => {
    words += data.toString();
  });
  await vi.waitFor(() => expect(words).toMatch(/http\S+#link=[\w-]{43}\n/), { timeout: 400_000 });
  const link = new URL(/http\S+/.exec(words)?.[0] ?? '');
  const secret = link.hash.slice('#link='.length);
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => path.join('/proc', pid, 'cmdline'))
    .map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
  expect([seen().split('\n')[0], ...lines].filter((line) => line?.includes(secret))).toEqual([]);
  expect(seen()).toContain(`url=${link.href}`);

  // Once used, the file is removed. Once ended, nothing is left.
  expect(readdirSync(home).filter((name) => name.startsWith('kneepoint-open-'))).toHaveLength(1);
  const headers = { Authorization: `Bearer ${secret}` };
  expect((await fetch(new URL('/session', link), { method: 'POST', headers })).status).toBe(200);
  await vi.waitFor(() => expect(readdirSync(home).filter((name) => name.startsWith('kneepoint-open-'))).toEqual([]));
  start.kill('SIGTERM');
  await once(start, 'exit');
});
