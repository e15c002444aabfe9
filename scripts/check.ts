import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkCycles } from './check/cycles.ts';
import { checkDirections } from './check/directions.ts';
import { checkIdentifiers, checkLinks, checkWords } from './check/docs.ts';
import { checkNames } from './check/names.ts';
import { type Complaint, readProject } from './check/project.ts';
import { checkPromises } from './check/promises.ts';
import { readRooms } from './check/rooms.ts';
import { checkTexts, readTexts } from './check/texts.ts';
import { checkClocks, checkTiers } from './check/tiers.ts';
import { checkPackages, checkUnused } from './check/unused.ts';
import { CHECKS_PAGE, checksPage } from './lib/checks-page.ts';
import { FACTORS_PAGE, factorsPage } from './lib/factors-page.ts';
import { root } from './lib/terminal.ts';
import { TOOLS_PAGE, toolsPage } from './lib/tools-page.ts';

/** The result of a check, with its complaints. */
interface Result {
  readonly name: string;
  readonly ok: boolean;
  readonly output: string;
}

const write = process.argv.includes('--write');
/** Files written by people here, without downloaded or built ones. */
const written = readdirSync(root).filter(
  (name) => /^(src|scripts|bench|e2e)$|\.(ts|json)$/.test(name) && name !== 'package-lock.json',
);
const worlds = ['shared', 'node', 'renderer', 'shell'];

function run(name: string, file: string, args: readonly string[]): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => resolve({ name, ok: false, output: error.message }));
    child.on('close', (code) => resolve({ name, ok: code === 0, output }));
  });
}

function report(name: string, complaints: readonly Complaint[]): Result {
  const output = complaints.map(({ file, line, text }) => `${file}:${line} ${text}\n`).join('');
  return { name, ok: complaints.length === 0, output };
}

function biome(): Promise<Result> {
  const name = write ? 'lint and format (written)' : 'lint and format';
  const binary = path.join(root, `node_modules/@biomejs/cli-${process.platform}-${process.arch}/biome`);
  if (!existsSync(binary)) {
    const output = `Biome is not locked for ${process.platform} ${process.arch}: lint and format were not checked.\n`;
    return Promise.resolve({ name, ok: process.env.CI !== 'true', output });
  }
  return run(name, binary, ['check', '--error-on-warnings', '--colors=off', ...(write ? ['--write'] : []), ...written]);
}

function structure(): Result[] {
  const modules = readProject(root);
  const rooms = readRooms(root);
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  const exists = (file: string): boolean => existsSync(path.join(root, file));
  const { rises, falls } = checkWords(modules.values());
  const wording = report('words of comments', rises);
  const names = checkIdentifiers(modules.values());
  const naming = report('words of names', names.rises);
  const texts = checkTexts(readTexts(modules.values()));
  const reading = report('words on screens', texts.rises);
  const scripts = [...modules.values()].filter((module) => module.file.startsWith('scripts/'));
  return [
    report('import direction', checkDirections(modules.values(), rooms)),
    report('circular imports', checkCycles(modules)),
    report('names of tools and targets', checkNames(modules)),
    report('tiers of tests', [...checkTiers(modules), ...checkClocks(modules)]),
    report('links of pages', checkLinks(pages(), modules.values(), exists)),
    { ...wording, output: wording.output + falls.map((line) => `${line}\n`).join('') },
    { ...naming, output: naming.output + names.falls.map((line) => `${line}\n`).join('') },
    { ...reading, output: reading.output + texts.falls.map((line) => `${line}\n`).join('') },
    report('floating promises', checkPromises(root, 'tsconfig.json')),
    report('unused code', checkUnused(modules, [read('src/renderer/index.html')])),
    report(
      'packages',
      checkPackages(
        modules.values(),
        JSON.parse(read('package.json')),
        // A package of which only files are used is named in a DEPS.
        [
          ...scripts.map((module) => module.text),
          ...rooms.flatMap(({ packages = [] }) => packages.map((name) => `'${name}'`)),
        ].join('\n'),
      ),
    ),
  ];
}

/** Every documentation page, by its path from the root. */
function pages(): Map<string, string> {
  const names = [
    ...readdirSync(root),
    ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.posix.join('docs', name.split(path.sep).join('/')),
    ),
  ];
  return new Map(
    names.filter((name) => name.endsWith('.md')).map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
  );
}

/** Pages generated from texts in the code, so that they always match it. */
function isCurrent(name: string, page: string): Result {
  const file = path.join(root, name);
  const current = existsSync(file) && readFileSync(file, 'utf8') === page;
  if (!current && write) writeFileSync(file, page);
  const ok = current || write;
  return {
    name: `${name} is current`,
    ok,
    output: ok ? '' : 'What it is written from changed: run npm run format.\n',
  };
}

const began = Date.now();
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
// Only files affected by a change are checked again: a tenth of the time.
const remembering = (world: string): string[] => [
  '--incremental',
  '--tsBuildInfoFile',
  path.join(root, `.cache/types/${world}.tsbuildinfo`),
];
const types = worlds.map((world) =>
  run(`types (${world})`, process.execPath, [compiler, '-p', `tsconfig.${world}.json`, ...remembering(world)]),
);
const results = [
  ...structure(),
  isCurrent(TOOLS_PAGE, toolsPage(root)),
  isCurrent(FACTORS_PAGE, factorsPage()),
  isCurrent(CHECKS_PAGE, checksPage(root)),
  ...(await Promise.all([...types, biome()])),
];
for (const { name, ok, output } of results) {
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name}\n`);
  if (output && !(ok && name.startsWith('lint')))
    process.stdout.write(`${output.trimEnd().replace(/^/gm, '       ')}\n`);
}
const failed = results.filter((result) => !result.ok).length;
process.stdout.write(
  `${results.length - failed} checks passed, ${failed} failed, in ${((Date.now() - began) / 1000).toFixed(1)} s\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
