import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findElectron } from './electron.ts';

let root: string;
const display = { ...process.env, DISPLAY: ':7', ELECTRON_OVERRIDE_DIST_PATH: '' };

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'kneepoint-electron-'));
  mkdirSync(path.join(root, 'node_modules/electron/dist'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

/** A program in place of Electron. */
function program(text: string): void {
  const file = path.join(root, 'node_modules/electron/dist/electron');
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}
/** A program in place of the package's own download. */
const installer = (text: string): void => writeFileSync(path.join(root, 'node_modules/electron/install.js'), text);
const failed = (): string => path.join(root, '.cache/electron-download-failed');

it('uses the Electron that prints its version', () => {
  program('echo v45.4.1');
  expect(findElectron(root, display)).toEqual({
    binary: path.join(root, 'node_modules/electron/dist/electron'),
    version: '45.4.1',
  });
});

it('opens no window without a display', () => {
  program('echo v45.4.1');
  expect(findElectron(root, { PATH: process.env.PATH })).toEqual({
    why: 'there is no display (DISPLAY and WAYLAND_DISPLAY are not set)',
  });
});

it('reports the message of an Electron that cannot start', () => {
  program('echo "libgtk-3.so.0: cannot open shared object file" >&2; exit 127');
  expect(findElectron(root, display)).toEqual({
    why: 'Electron does not start on this computer (libgtk-3.so.0: cannot open shared object file)',
  });
});

it('remembers a failed download for one day', () => {
  installer('process.stderr.write("fetch failed"); process.exit(1);');
  expect(findElectron(root, display)).toEqual({
    why: 'the Electron binary could not be downloaded; this is tried again tomorrow',
  });
  installer('throw new Error("asked again too early");');
  expect(findElectron(root, display)).toMatchObject({ why: expect.stringContaining('within the last day') });
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(failed(), yesterday, yesterday);
  const binary = JSON.stringify(path.join(root, 'node_modules/electron/dist/electron'));
  installer(`require('node:fs').writeFileSync(${binary}, '#!/bin/sh\\necho v45.4.1\\n', { mode: 0o755 });`);
  expect(findElectron(root, display)).toMatchObject({ version: '45.4.1' });
  expect(existsSync(failed())).toBe(false);
});
