import { describe, expect, it } from 'vitest';
import { root } from '../lib/terminal.ts';
import { checkCycles } from './cycles.ts';
import { checkDirections } from './directions.ts';
import { parseModule } from './modules.ts';
import { checkNames } from './names.ts';
import { readRooms, roomsIn } from './rooms.ts';
import { checkPackages, checkUnused } from './unused.ts';

const ROOMS = readRooms(root);
const directions = (file: string, text: string, rooms = ROOMS) => checkDirections([parseModule(file, text)], rooms);
const lines = (file: string, text: string) => directions(file, text).map((complaint) => complaint.line);

describe('import direction', () => {
  it('reports file, line and rule of a forbidden import', () => {
    const [complaint, ...more] = directions(
      'src/main/engine/tools/fio/index.ts',
      "import { z } from 'zod';\nimport type { Machine } from '../../hosts/machine.ts';\n",
    );
    expect(complaint).toMatchObject({ file: 'src/main/engine/tools/fio/index.ts', line: 2 });
    expect(complaint?.text).toContain('src/main/engine/hosts/machine.ts, but src/main/engine/tools/*/ may import only');
    expect(more).toEqual([]);
  });

  it.each([
    ['a type', "import type { Store } from '../store/store.ts';"],
    ['a type among values', "import { type Store } from '../store/store.ts';"],
    ['a re-export', "export * from '../store/store.ts';"],
    ['a named re-export', "export { open } from '../store/store.ts';"],
    ['a dynamic import', "const store = await import('../store/store.ts');"],
    ['an import inside a type', "type Store = import('../store/store.ts').Store;"],
    ['a worker', "new Worker(new URL('../store/store.ts', import.meta.url));"],
  ])('counts %s', (_, statement) => {
    expect(lines('src/main/engine/hosts/ssh.ts', `\n${statement}\n`)).toEqual([2]);
  });

  it('separates the rooms behind a star, and lets each import itself', () => {
    const view = "import { a } from './a.ts';\nimport { b } from '../hosts/b.ts';\n";
    expect(lines('src/renderer/views/library/View.tsx', view)).toEqual([2]);
  });

  it('lets the rooms of a tool import earlier ones, and its tests the whole folder', () => {
    const from = (file: string, target: string): number[] =>
      lines(`src/main/engine/tools/${file}`, `import { a } from '${target}';`);
    expect(from('fio/plan/index.ts', '../options/place.ts')).toEqual([]);
    expect(from('fio/options/place.ts', '../plan/index.ts')).toEqual([1]);
    expect(from('ycsb/plan/index.ts', '../data.ts')).toEqual([]);
    expect(from('ycsb/data.ts', './parse/index.ts')).toEqual([1]);
    expect(from('fio/plan/index.ts', '../../ycsb/options/index.ts')).toEqual([1]);
    expect(from('fio/index.ts', '../ycsb/options/index.ts')).toEqual([1]);
    expect(from('fio/parse/series.ts', '../recordings.ts')).toEqual([1]);
    expect(from('fio/parse/parse.test.ts', '../recordings.ts')).toEqual([]);
  });

  it('allows packages and Node modules by room', () => {
    expect(lines('src/shared/stats/index.ts', "import fs from 'node:fs';\nimport { z } from 'zod';")).toEqual([1]);
    expect(lines('src/main/engine/api/hosts.ts', "import { app } from 'electron';")).toEqual([1]);
    expect(lines('src/main/electron/app.ts', "import { app } from 'electron';")).toEqual([]);
  });

  it('allows test tools in tests, but not other rooms', () => {
    const test = "import { it } from 'vitest';\nimport { open } from '../store/store.ts';";
    expect(lines('src/main/engine/hosts/ssh.test.ts', test)).toEqual([2]);
    expect(lines('src/main/engine/hosts/ssh.ts', test)).toEqual([1, 2]);
  });

  it('lets a test import through the door of the surrounding rooms', () => {
    const test = "import { openStore } from '../open.ts';\nimport { MIGRATIONS } from '../migrations/index.ts';";
    expect(lines('src/main/engine/store/file/private.test.ts', test)).toEqual([]);
    expect(lines('src/main/engine/store/file/private.ts', test)).toEqual([1, 2]);
  });

  it('parses rooms, files, stars and parts of a DEPS file', () => {
    const house = roomsIn(
      'src/house/',
      '# A house.\nimports ./cellar/\npackages zod\n\n[door.ts]\nnode\n\n[cellar/*/]\npart rack\npart wine imports rack\n',
    );
    expect(house.map(({ at }) => at)).toEqual([
      ...['src/house/', 'src/house/door.ts', 'src/house/cellar/*/'],
      ...['rack', 'wine'].flatMap((part) => [`src/house/cellar/*/${part}.ts`, `src/house/cellar/*/${part}/`]),
    ]);
    expect(house[0]).toMatchObject({ rooms: ['src/house/cellar/'], packages: ['zod'], node: false });
    expect(house[1]).toMatchObject({ rooms: [], node: true });
    expect(house.at(-1)?.rooms).toEqual(['src/house/cellar/*/rack.ts', 'src/house/cellar/*/rack/']);
    const refused = (file: string, target: string) => directions(file, `import { a } from '${target}';`, house).length;
    expect(refused('src/house/cellar/old/wine.ts', './rack.ts')).toBe(0);
    expect(refused('src/house/cellar/old/rack.ts', './wine.ts')).toBe(1);
    expect(refused('src/house/door.ts', './hall.ts')).toBe(1);
  });

  it('names only existing rooms', () => {
    const known = new Set(ROOMS.map(({ at }) => at));
    expect(
      ROOMS.flatMap(({ at, rooms, tests = [] }) =>
        [...rooms, ...tests].filter((name) => !known.has(name)).map((name) => `${at}: ${name}`),
      ),
    ).toEqual([]);
  });

  it('refuses a file without a room', () => {
    expect(directions('src/attic/things.ts', '')[0]?.text).toContain('belongs to no room');
  });
});

describe('circular imports', () => {
  const cycles = (files: Record<string, string>) =>
    checkCycles(new Map(Object.entries(files).map(([file, text]) => [file, parseModule(file, text)])));

  it('reports the path of the circle at its first file', () => {
    expect(
      cycles({
        'src/c.ts': "import { a } from './a.ts';",
        'src/a.ts': "import 'zod';\nimport { b } from './b.ts';",
        'src/b.ts': "export { c } from './c.ts';",
        'src/entry.ts': "import { a } from './a.ts';",
      }),
    ).toEqual([
      { file: 'src/a.ts', line: 2, text: 'imports itself in a circle: src/a.ts → src/b.ts → src/c.ts → src/a.ts' },
    ]);
  });

  it('finds each of several circles through one file', () => {
    const found = cycles({
      'src/a.ts': "import { b } from './b.ts';\nimport { c } from './c.ts';",
      'src/b.ts': "import { a } from './a.ts';",
      'src/c.ts': "import { type A } from './a.ts';",
    });
    expect(found.map(({ file, line }) => `${file}:${line}`)).toEqual(['src/a.ts:1', 'src/a.ts:2']);
  });

  it.each([
    ['types', "import type { B } from './b.ts';"],
    ['a type inside a type', "type B = import('./b.ts').B;"],
  ])('counts a circle through %s', (_, statement) => {
    expect(cycles({ 'src/a.ts': statement, 'src/b.ts': "import { a } from './a.ts';" })).toHaveLength(1);
  });

  it.each([
    ['what is loaded when code gets there', "const b = () => import('./b.ts');"],
    ['a worker', "new Worker(new URL('./b.ts', import.meta.url));"],
  ])('ignores a circle through %s', (_, statement) => {
    expect(cycles({ 'src/a.ts': statement, 'src/b.ts': "import { a } from './a.ts';" })).toEqual([]);
  });
});

describe('unused code', () => {
  const unused = (files: Record<string, string>) =>
    checkUnused(new Map(Object.entries(files).map(([file, text]) => [file, parseModule(file, text)]))).map(
      ({ file, text }) => `${file} ${text.split(' ')[0]} ${text.split(' ')[1]?.replace(',', '')}`,
    );

  it('finds unused exports and files, through barrels', () => {
    expect(
      unused({
        'src/main/cli.ts': "import { used, passed } from './a/index.ts';",
        'src/main/a/index.ts': "export * from './deep.ts';\nexport const used = 1, spare = 2;",
        'src/main/a/deep.ts': 'export const passed = 1;\nexport const idle = 2;',
        'src/main/a/alone.ts': 'export const nothing = 1;',
      }),
    ).toEqual([
      'src/main/a/index.ts exports spare',
      'src/main/a/deep.ts exports idle',
      'src/main/a/alone.ts is loaded',
    ]);
  });

  it('counts a file as used if its path occurs in a text, and a type if its own file uses it', () => {
    expect(
      unused({
        'src/main/cli.ts': "const program = 'program/main.ts';\nimport { open } from './a/open.ts';",
        'src/main/program/main.ts': 'console.log(1);',
        'src/main/a/open.ts':
          'export interface Box { a: 1 }\nexport const open = (): Box => ({ a: 1 });\nexport type Idle = 1;',
      }),
    ).toEqual(['src/main/a/open.ts exports Idle']);
  });

  it('compares imported packages with package.json', () => {
    const modules = [parseModule('src/main/a.ts', "import 'vitest';\nimport 'ws';\nimport 'pg';")];
    const manifest = { dependencies: { ws: '1', yaml: '1' }, devDependencies: { vitest: '1', '@types/ws': '1' } };
    expect(checkPackages(modules, manifest, '').map(({ text }) => text)).toEqual([
      'imports vitest, which is not in the dependencies of package.json',
      'imports pg, which is not in the dependencies of package.json',
      'lists yaml, which nothing imports',
    ]);
  });
});

describe('names of tools and targets', () => {
  const FOLDERS = ['tools/fio', 'tools/command', 'targets/mysql', 'targets/postgres', 'targets/host'];
  const MODEL = { 'src/shared/model/session.ts': 'const Run = z.object({ command: z.string() });' };
  const names = (file: string, text: string) => {
    const folders = Object.fromEntries(FOLDERS.map((at) => [`src/main/engine/${at}/index.ts`, '']));
    const files = { ...folders, 'src/shared/model/host.ts': '', ...MODEL, [file]: text };
    const modules = new Map(Object.entries(files).map(([at, content]) => [at, parseModule(at, content)]));
    return checkNames(modules)
      .map(({ line, text: words }) => `${line} ${/“(.*)”/.exec(words)?.[1]}`)
      .sort();
  };
  const OUTSIDE = 'src/main/engine/plans/check.ts';

  it.each([
    ['a comparison', "if (spec.kind === 'mysql') go();", ['1 mysql']],
    ['a default', "const kind = needs[0] ??\n  'mysql';", ['2 mysql']],
    ['a choice', "const kind = named ? 'mysql' : other;", ['1 mysql']],
    ['a case', "switch (tool) { case 'fio': go(); }", ['1 fio']],
    ['a list', "const SERVERS = ['mysql', 'other'];", ['1 mysql']],
    ['a lookup', "drives.includes('mysql'); toolById('fio');", ['1 fio', '1 mysql']],
    ['a prefix and an end', "kind.startsWith('mysql'); kind.endsWith('-fio');", ['1 fio', '1 mysql']],
    ['a pattern', 'if (/^(mysql|maria)$/.test(kind)) go();', ['1 mysql']],
    ['a text put together', 'if (key === `mysql:`) go();', ['1 mysql']],
    ['a member', 'const port = ports.mysql ?? forms.fio(it);', ['1 fio', '1 mysql']],
    ['a member by its text', "const port = ports['mysql'];", ['1 mysql']],
    ['a field of a class', "class Form { readonly kind = 'mysql'; }", ['1 mysql']],
    ['a default of a parameter', "const go = (tool = 'fio', { kind = 'mysql' } = {}) => tool;", ['1 fio', '1 mysql']],
    ['a property', "go({ kind: 'mysql', tool: 'fio' });", ['1 fio', '1 mysql']],
    ['a table', "const PORTS = { mysql: 3306, 'postgres': 5432 };", ['1 mysql', '1 postgres']],
    ['a noun of the model beside a name', "const KINDS = ['host', 'postgres'];", ['1 host', '1 postgres']],
    ['a type', "type Kind = 'mysql' | 'postgres';", ['1 mysql', '1 postgres']],
  ])('refuses %s', (_name, text, found) => {
    expect(names(OUTSIDE, text)).toEqual(found);
  });

  it.each([
    ['what is merely called so', "row({ id: 'host', title: 'command' }); table('host'); cli.command('host');"],
    ['a noun of the model', "const place = { kind: 'host' }; if (place.kind === 'host') go(['host']);"],
    ['a property of that name', 'const place = { host: machine.name, command };'],
    ['a type with another meaning', "type Place = Pick<Problem, 'host' | 'target'>;"],
    ['prose', "say('Needs mysql or fio.'); // mysql"],
    ['documents', 'const text = `workload:\n  tool: fio\n`;'],
    ['a member that is a property of the model', 'say(run.command);'],
    ['a pattern with a property of the model', 'const CHOSEN = /^command[- ]line$/;'],
    ['a private field', 'class Form { readonly #fio: Tool; go() { this.#fio(); } }'],
    ['a template of prose', 'if (words === `mysql on a host`) go();'],
    ['a longer word', "name.startsWith('mysqldump') && /postgresql/.test(name);"],
    ['a list of imports', "import { fioTool } from '../tools/fio/index.ts';"],
  ])('allows %s', (_name, text) => {
    expect(names(OUTSIDE, text)).toEqual([]);
  });

  it('reads components, and ignores tests and the folders of tools and targets', () => {
    const text = "const isIt = kind === 'mysql' || tool === 'fio';";
    expect(names('src/renderer/views/where/Where.tsx', 'const it = <Form kind="mysql" />;')).toEqual(['1 mysql']);
    expect(names('src/renderer/views/where/where.test.ts', text)).toEqual([]);
    expect(names('src/main/engine/figures/testing/measured.ts', text)).toEqual([]);
    expect(names('src/main/engine/tools/fio/plan.ts', text)).toEqual([]);
    expect(names('src/main/engine/targets/mysql/data.ts', text)).toEqual([]);
    expect(names('src/main/engine/tools/divide.ts', text)).toEqual(['1 fio', '1 mysql']);
  });
});
