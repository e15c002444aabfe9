import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkPromises } from './promises.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-promises-'));
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    '{"compilerOptions":{"strict":true,"target":"es2023"},"include":["*.ts"]}',
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const linesOf = (text: string): number[] => {
  writeFileSync(path.join(folder, 'a.ts'), text);
  return checkPromises(folder, 'tsconfig.json').map(({ line }) => line);
};

const DECLARED = `declare const save: () => Promise<void>; declare const list: number[];
type Calls<T> = { [Name in keyof T]: (input: T[Name]) => Promise<Name> };
declare const calls: Calls<{ stop: number }>; declare const maybe: (() => Promise<void>) | undefined;
`;

it('reports each floating promise with its line', () => {
  const floating = [
    'save();',
    'calls.stop(1);',
    'maybe?.();',
    'save().then(() => 1);',
    'save().finally(() => 1);',
    'list.map(async (n) => n);',
    'list.length > 0 && save();',
    'list.length > 0 ? save() : undefined;',
    'new Promise(() => 1);',
  ];
  expect(linesOf(`${DECLARED}${floating.join('\n')}\nexport {};`)).toEqual(floating.map((_, index) => index + 4));
});

it('accepts promises that are awaited, returned, stored, or have a rejection handler', () => {
  const handled = [
    'await save();',
    'export const kept = save();',
    'export const later = () => save();',
    'save().catch(() => 1);',
    'save().then(() => 1, () => 2);',
    'save().catch(() => 1).finally(() => 2);',
    'void save();',
    'let last: Promise<void>; last = save(); export { last };',
    'list.map((n) => n);',
  ];
  expect(linesOf(`${DECLARED}${handled.join('\n')}`)).toEqual([]);
});
