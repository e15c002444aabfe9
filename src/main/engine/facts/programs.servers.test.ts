import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { TOOLS, toolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { readProgram } from './server-process.ts';

type Packaging = Record<'files' | 'asarUnpack', string[]>;
const ROOT = path.join(import.meta.dirname, '../../../..');

it('reads a self-contained program that sends queries', () => {
  const { partOfApp } = toolById('queries') as Tool;
  if (partOfApp?.runs !== 'anywhere') throw new Error('The tool has no program.');
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-program-'));
  try {
    const file = path.join(folder, 'queries.mjs');
    writeFileSync(file, readProgram(path.join(ROOT, partOfApp.program)));
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, 'nothing.json'], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: 'The settings cannot be read (Error).\n',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('finds programs in the package, next to the archive that only Electron reads', () => {
  const packaging = parse(readFileSync(path.join(ROOT, 'electron-builder.yml'), 'utf8')) as Packaging;
  for (const { partOfApp } of TOOLS) {
    if (partOfApp?.runs !== 'anywhere') continue;
    expect(packaging.files).toContain(`${path.dirname(partOfApp.program)}/**`);
    expect(packaging.asarUnpack).toContain(partOfApp.program);
  }
});

it('explains what to do if a program was not built', () => {
  expect(() => readProgram(path.join(ROOT, 'dist/main/nothing.mjs'))).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        code: 'tool-missing',
        message: expect.stringContaining('dist/main/nothing.mjs'),
        next: expect.stringContaining('npm run build'),
      }),
    }),
  );
});
