import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { createLocalMachine } from '../hosts/local.ts';
import type { Machine } from '../hosts/machine.ts';
import type { NeededPath } from '../tools/tool.ts';
import { checkPaths } from './paths.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-paths-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const look = (needed: Parameters<typeof checkPaths>[0], machine: Machine = createLocalMachine()) =>
  checkPaths(needed, machine, new AbortController().signal);

/** This computer with the rights of an ordinary account, because root may do everything. */
function asUnprivileged(): Machine {
  const machine = createLocalMachine();
  if (process.getuid?.() !== 0) return machine;
  const exec: Machine['exec'] = (command, options) =>
    machine.exec(`setpriv --reuid=65534 --regid=65534 --clear-groups sh -c ${shellQuote(command)}`, options);
  return { ...machine, exec };
}

const needed = (kind: NeededPath['kind'], ...anyOf: string[]): NeededPath => ({ what: 'Directory', kind, anyOf });

describe('a path on a generator', () => {
  it('passes if it exists, with file system and free space of a folder as evidence', async () => {
    const name = join(folder, "it's a $(file)");
    writeFileSync(name, '');
    const { findings, evidence } = await look([
      needed('writable-folder', folder),
      needed('file', name),
      needed('program', 'sh'),
      needed('folder', folder),
    ]);
    // The folder for temporary files may be in memory.
    expect(findings.filter(({ code }) => code !== 'folder-in-memory')).toEqual([]);
    expect(evidence).toEqual([expect.stringMatching(/^\/.+, [a-z][\w.]*, [\d.,]+ [KMGT]iB free$/), name, 'sh', folder]);
  });

  it.skipIf(!existsSync('/dev/shm'))('warns of a folder in memory', async () => {
    const { findings, evidence } = await look([needed('writable-folder', '/dev/shm'), needed('folder', '/dev/shm')]);
    expect(evidence).toEqual([expect.stringMatching(/^\/dev\/shm, tmpfs, /), '/dev/shm']);
    expect(findings).toMatchObject([
      {
        code: 'folder-in-memory',
        severity: 'warn',
        message: expect.stringMatching(/^\/dev\/shm .* in memory \(tmpfs\)/),
      },
    ]);
  });

  it.each([
    ['writable-folder', 'there is no folder'],
    ['folder', 'there is no folder'],
    ['file', 'there is no file'],
    ['program', 'there is no program'],
  ] as const)('blocks if it is missing: %s', async (kind, words) => {
    const path = join(folder, 'nowhere');
    const { findings, evidence } = await look([needed(kind, path)]);
    expect(evidence).toEqual([]);
    expect(findings).toMatchObject([
      { code: 'path-unusable', severity: 'block', message: expect.stringContaining(`Directory: ${words} ${path}.`) },
    ]);
    expect(findings[0]?.next).toBeTruthy();
  });

  it('offers to pick a folder on its host, but not a file', async () => {
    const path = join(folder, 'nowhere');
    const fix = { kind: 'path' as const, option: 'directory', path };
    const { findings } = await look([
      { ...needed('writable-folder', path), fix },
      { ...needed('file', path), fix },
    ]);
    expect(findings.map((finding) => finding.fix)).toEqual([{ ...fix, folder: 'this computer' }, fix]);
  });

  it('blocks if a template leaves it open, whatever exists', async () => {
    const { findings, evidence } = await look([needed('writable-folder', '/choose/first-file-system')]);
    expect(evidence).toEqual([]);
    expect(findings).toMatchObject([
      {
        ...{ code: 'folder-not-chosen', severity: 'block', next: 'Choose a folder on this computer.' },
        message: 'On this computer: Directory: no folder is chosen yet for “first file system”.',
      },
    ]);
    const only = await look([needed('writable-folder', '/choose/folder')]);
    expect(only.findings[0]?.message).toBe('On this computer: Directory: no folder is chosen yet.');
  });

  it('blocks if it is of another type', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { findings } = await look([needed('writable-folder', file), needed('file', folder)]);
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${file} is not a folder`),
      expect.stringContaining(`${folder} is not a file`),
    ]);
  });

  it('blocks if the account has no permission', async () => {
    chmodSync(folder, 0o755);
    const inside = join(folder, 'closed');
    mkdirSync(inside);
    chmodSync(inside, 0o500);
    const { findings } = await look([needed('writable-folder', inside)], asUnprivileged());
    expect(findings[0]?.message).toContain(`has no permission to write to ${inside}`);
  });

  it('may be missing if the tool creates it, in a writable parent folder', async () => {
    const file = join(folder, 'in the way');
    writeFileSync(file, '');
    const { findings, evidence } = await look([
      needed('new-folder', join(folder, "not 'yet'", 'there')),
      needed('new-folder', join(file, 'data')),
    ]);
    expect(evidence).toEqual([expect.stringContaining(folder)]);
    expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining(`${file} is not a folder`)]);
  });

  it('may be one of several, also by a pattern', async () => {
    mkdirSync(join(folder, 'lib'));
    writeFileSync(join(folder, 'lib', 'core-0.17.0.jar'), '');
    const { findings, evidence } = await look([
      needed('file', `${folder}/core/lib/core-*.jar`, `${folder}/lib/core-*.jar`),
      needed('file', `${folder}/jdbc-binding/lib/*.jar`),
    ]);
    expect(evidence).toEqual([join(folder, 'lib', 'core-0.17.0.jar')]);
    expect(findings).toHaveLength(1);
  });
});
