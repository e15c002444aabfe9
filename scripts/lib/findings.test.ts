import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writtenFindings } from './findings.ts';

function found(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(path.join(tmpdir(), 'kneepoint-findings-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(path.join(root, 'src'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, 'src', name), text);
  return writtenFindings(root).map(({ code, severity, message }) => `${code} ${severity} ${message}`);
}

it('reads findings from objects, constants, choices and templates', () => {
  expect(
    found({
      'codes.ts': "export const CODE = 'far-away';",
      'a.ts': `import { CODE } from './codes.ts';
        const [ONE] = ['the-one'] as const;
        const made = [
          { code: 'plain', severity: 'note', message: 'As it is.' },
          { code: 'chosen', severity: bad ? 'block' : 'warn', message: \`\${n} of \${all}.\` },
          { code: CODE, severity: 'warn', message: 'Elsewhere.' },
          { code: ONE, severity: 'error', message: 'Of a list.' },
          { code: exit, signal: 9 },
        ];`,
      'a.test.ts': "const x = { code: 'of-a-test', severity: 'note', message: '' };",
    }),
  ).toEqual([
    'plain note As it is.',
    'chosen block or warn … of ….',
    'far-away warn Elsewhere.',
    'the-one error Of a list.',
  ]);
});

it('reads findings made by functions at their calls, and the tables of faults', () => {
  expect(
    found({
      'make.ts': "export const warning = (code: string, message: string) => ({ code, severity: 'warn', message });",
      'use.ts': "import { warning } from './make.ts'; warning('by-call', 'Called.');",
      'words.ts': "export const FAULTS = { 'disk-full': { message: 'Full.', next: '' } } as const;",
    }),
  ).toEqual(['disk-full error Full.', 'by-call warn Called.']);
});

it('throws for a finding whose code cannot be listed', () => {
  expect(() => found({ 'a.ts': "const x = { code: pick(), severity: 'warn', message: '' };" })).toThrow(
    'src/a.ts makes a finding whose code cannot be read',
  );
  expect(found({ 'a.ts': "const x = { code: problem.code, severity: 'block', message: '' };" })).toEqual([]);
});
