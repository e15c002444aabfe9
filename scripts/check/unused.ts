import path from 'node:path';
import type { Module } from './modules.ts';
import { type Complaint, isTest, packageOf, targetOf } from './project.ts';

/** Files that are started rather than imported. */
const ENTRY =
  /^src\/main\/(?:electron|preload|engine|server|cli)\.ts$|^scripts\/[a-z-]+\.ts$|^bench\/main\.ts$|\.config\.ts$|\.d\.ts$/;

/** Exports that are never imported, and files that are never loaded. */
export function checkUnused(modules: ReadonlyMap<string, Module>, pages: readonly string[] = []): Complaint[] {
  const used = usedNames(modules);
  const started = startedFiles(modules, pages);
  const complaints: Complaint[] = [];
  for (const module of modules.values()) {
    if (ENTRY.test(module.file) || isTest(module.file)) continue;
    const names = used.get(module.file);
    if (!names && !started.has(module.file)) {
      complaints.push({ file: module.file, line: 1, text: 'is loaded by nothing: remove it or use it' });
      continue;
    }
    if (names?.has('*')) continue;
    for (const { name, line, isType } of module.exports)
      if (!names?.has(name) && !(isType && isNamedAgain(module, name)))
        complaints.push({
          file: module.file,
          line,
          text: `exports ${name}, which nothing imports: remove it or drop its "export"`,
        });
  }
  return complaints;
}

/** A type that this file also names elsewhere is part of its exports, or belongs to the schema of the same name. */
const isNamedAgain = ({ text }: Module, name: string): boolean => text.split(new RegExp(`\\b${name}\\b`)).length > 2;

function usedNames(modules: ReadonlyMap<string, Module>): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  const use = (file: string, name: string | undefined): void => {
    const names = used.get(file) ?? new Set<string>();
    used.set(file, names);
    if (name === undefined || names.has(name)) return;
    names.add(name);
    const module = modules.get(file);
    if (!module || module.exports.some((entry) => entry.name === name)) return;
    for (const mention of module.mentions) {
      const next = mention.passesOn ? targetOf(file, mention.specifier) : undefined;
      if (next !== undefined) use(next, name);
    }
  };
  for (const module of modules.values())
    for (const mention of module.mentions) {
      const target = targetOf(module.file, mention.specifier);
      if (target === undefined) continue;
      use(target, undefined);
      for (const name of mention.names) use(target, name);
    }
  return used;
}

/** Files whose path is a text somewhere: workers, programs run by a job, the script of a page. */
function startedFiles(modules: ReadonlyMap<string, Module>, pages: readonly string[]): Set<string> {
  const files = [...modules.keys()];
  const texts = [...[...modules.values()].map((module) => module.text), ...pages];
  const mentioned = texts.flatMap((text) =>
    [...text.matchAll(/['"`/]([\w.-]+(?:\/[\w.-]+)*\.tsx?)['"`]/g)].map((match) => match[1] ?? ''),
  );
  return new Set(
    mentioned.flatMap((tail) => files.filter((file) => file === tail || file.endsWith(path.posix.join('/', tail)))),
  );
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Packages that are declared but never imported, or imported but not declared (in `dependencies`, if the app itself needs them). */
export function checkPackages(modules: Iterable<Module>, manifest: Manifest, otherText: string): Complaint[] {
  const complaints: Complaint[] = [];
  const imported = new Set<string>();
  const resolved: string[] = [];
  for (const module of modules) {
    // Files of a package that are read, such as fonts.
    for (const [, name = ''] of module.text.matchAll(/['"]((?:@[\w.-]+\/)?[\w.-]+)\/package\.json['"]/g))
      resolved.push(name);
    for (const { specifier, line } of module.mentions) {
      if (specifier.startsWith('.') || specifier.startsWith('node:')) continue;
      const name = packageOf(specifier);
      imported.add(name);
      const inApp = module.file.startsWith('src/main/') && !isTest(module.file) && name !== 'electron';
      if (name in manifest.dependencies || (!inApp && name in manifest.devDependencies)) continue;
      const list = inApp ? 'dependencies' : 'devDependencies';
      complaints.push({
        file: module.file,
        line,
        text: `imports ${name}, which is not in the ${list} of package.json`,
      });
    }
  }
  for (const name of [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]) {
    const typed = name.replace(/^@types\//, '');
    if (
      imported.has(typed) ||
      resolved.includes(name) ||
      typed === 'node' ||
      otherText.includes(`'${name}'`) ||
      otherText.includes(`/${name}/`)
    )
      continue;
    complaints.push({ file: 'package.json', line: 1, text: `lists ${name}, which nothing imports` });
  }
  return complaints;
}
