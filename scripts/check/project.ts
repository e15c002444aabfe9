import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Module, readModule } from './modules.ts';

/** A problem that a check found: where, and what to change. */
export interface Complaint {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const SOURCE = /\.tsx?$/;

/** Every source file of the project, parsed, by its path from the root. */
export function readProject(root: string): Map<string, Module> {
  const top = readdirSync(root).filter((name) => SOURCE.test(name));
  const below = ['src', 'scripts', 'bench', 'e2e'].flatMap((folder) => sources(root, folder));
  return new Map([...top, ...below].map((file) => [file, readModule(root, file)]));
}

function sources(root: string, folder: string): string[] {
  let entries: string[];
  try {
    entries = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .filter((name) => SOURCE.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')));
}

/** The file of a relative specifier, from the root; undefined for packages and Node's own modules. */
export const targetOf = (file: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : undefined;

/** `@scope/name` or `name` of a package specifier. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Tests, and modules that only tests load: `x.test.ts`, `test-x.ts`, everything in a folder `testing`. */
export const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$|\/testing\/|\/test-[\w-]+\.tsx?$/.test(file);
