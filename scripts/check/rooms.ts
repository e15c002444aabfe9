import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A room and its imports, from its file `DEPS`. Everything else is forbidden; type-only imports count. */
export interface Room {
  /**
   * A file, or a folder with a closing slash. `*` is one name, and each name is a separate room: they do not import each other, and rooms below the
   * same star import only those of the same name.
   */
  readonly at: string;
  /** `at` of the rooms that it may import, in addition to itself. */
  readonly rooms: readonly string[];
  readonly packages?: readonly string[];
  /** Whether Node's own modules may be imported. */
  readonly node?: boolean;
  /** `at` of the rooms that only its tests may import. */
  readonly tests?: readonly string[];
}

const shared = [
  'src/shared/util/',
  'src/shared/model/',
  'src/shared/metrics/',
  'src/shared/monitoring/',
  'src/shared/patterns/',
  'src/shared/measures/',
  'src/shared/stats/',
  'src/shared/analysis/',
  'src/shared/captures/',
  'src/shared/costs/',
  'src/shared/checks/',
  'src/shared/chart-models/',
  'src/shared/rpc/',
  'src/shared/contract/',
];
/** The engine's outside interface, and the secret box: interfaces that every room of the engine may name. */
const outside = ['src/main/engine/outside.ts', 'src/main/engine/secrets/'];
const plugins = [
  'src/main/engine/tools/tool.ts',
  'src/main/engine/tools/index.ts',
  'src/main/engine/tools/',
  'src/main/engine/targets/target.ts',
  'src/main/engine/targets/index.ts',
  'src/main/engine/targets/',
  'src/main/engine/factors/factor.ts',
  'src/main/engine/factors/change.ts',
  'src/main/engine/factors/index.ts',
  'src/main/engine/servers/',
];
/** The type of a machine, and how a script runs on any: it cannot open a connection. */
const machine = [
  'src/main/engine/hosts/machine.ts',
  'src/main/engine/hosts/shell.ts',
  'src/main/engine/hosts/cancel.ts',
];
const ground = [
  ...machine,
  'src/main/engine/hosts/facts/',
  'src/main/engine/hosts/',
  'src/main/engine/store/',
  'src/main/engine/reports/',
];
const work = ['src/main/engine/jobs/', 'src/main/engine/monitors/', 'src/main/engine/devices/'];
const engine = [
  ...outside,
  ...plugins,
  ...ground,
  ...work,
  'src/main/engine/plans/',
  'src/main/engine/runs/',
  'src/main/engine/facts/',
  'src/main/engine/world/',
  'src/main/engine/watching/',
  'src/main/engine/trial/',
  'src/main/engine/data/',
  'src/main/engine/preflight/',
  'src/main/engine/session/',
  'src/main/engine/figures/',
  'src/main/engine/monitored/',
  'src/main/engine/judging/',
  'src/main/engine/comparing/',
  'src/main/engine/results/',
];
const view = [
  ...['domain', 'code-editor', 'ui', 'charts', 'forms', 'client'].map((name) => `src/renderer/${name}/`),
  ...shared,
];

/** Rooms and packages that a `DEPS` may name together, as `@shared`. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  shared,
  outside,
  plugins,
  machine,
  ground,
  work,
  engine,
  view,
};
const PAGE = ['react', '@mantine/core', '@mantine/hooks', '@tabler/icons-react'];
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  page: PAGE,
  view: [
    ...PAGE,
    ...['@mantine/notifications', '@tanstack/react-query', '@tanstack/react-table', '@tanstack/react-virtual'],
    ...['wouter', 'yaml', 'zod'],
  ],
};

const DEPS = 'DEPS';

/**
 * Reads every `DEPS`. Its lines are `imports ROOM…`, `packages NAME…`, `tests ROOM…` (imports of its tests), `node` (Node's own modules) and
 * comments; `[NAME]` begins a room below the folder. A room is named relative to its folder (`./testing/`), to `src` or to the engine. `part NAME
 * imports NAME…` is a folder or a file of each room behind a star.
 */
export function readRooms(root: string): Room[] {
  const folders = ['src', 'scripts', 'bench', 'e2e'].flatMap((folder) =>
    existsSync(path.join(root, folder))
      ? readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => path.basename(name) === DEPS)
          .map((name) => path.posix.join(folder, path.dirname(name).split(path.sep).join('/'), '/'))
      : [],
  );
  return ['', ...folders].flatMap((folder) => roomsIn(folder, readFileSync(path.join(root, folder, DEPS), 'utf8')));
}

/** The rooms of one `DEPS`. */
export function roomsIn(folder: string, text: string): Room[] {
  const sections = text.split(/^(?=\[)/m).map((section) => section.split('\n').map((line) => line.trim()));
  return sections.flatMap((lines) => {
    const name = /^\[(.+)\]$/.exec(lines[0] ?? '')?.[1] ?? '';
    const words = (key: string): string[] =>
      lines.flatMap((line) => (line.startsWith(`${key} `) ? line.split(' ').slice(1) : []));
    const named = (key: string): string[] => words(key).flatMap((word) => roomsNamed(folder, word));
    const packages = words('packages').flatMap((word) => groupOf(PACKAGES, word) ?? [word]);
    const node = lines.includes('node');
    const at = folder + name;
    const room = { at, rooms: named('imports'), packages, node, tests: named('tests') };
    const parts = lines.filter((line) => line.startsWith('part ')).map((line) => line.split(' '));
    const either = (part: string): string[] => [`${at}${part}.ts`, `${at}${part}/`];
    const all = parts.flatMap(([, part = '']) => either(part));
    const isEmpty = name === '' && !lines.some((line) => /^(imports|packages|node)\b/.test(line));
    if (isEmpty) return [];
    return [
      { ...room, rooms: [...room.rooms, ...all] },
      ...parts.flatMap(([, part = '', , ...before]) =>
        either(part).map((each) => ({
          ...room,
          at: each,
          rooms: [...room.rooms, ...before.flatMap(either)],
          tests: [at, ...all],
        })),
      ),
    ];
  });
}

const groupOf = (groups: Readonly<Record<string, readonly string[]>>, word: string): readonly string[] | undefined =>
  word.startsWith('@') && !word.includes('/') ? groups[word.slice(1)] : undefined;

function roomsNamed(folder: string, word: string): readonly string[] {
  const group = groupOf(ROOMS, word);
  if (group) return group;
  if (word.startsWith('./')) return [folder + word.slice(2)];
  if (word.startsWith('engine/')) return [`src/main/${word}`];
  return [/^(shared|main|renderer)\//.test(word) ? `src/${word}` : word];
}

/** Imports allowed in tests in addition to their room, the rooms around it and their imports. */
export const testing: Pick<Room, 'rooms' | 'packages'> = {
  rooms: [
    'e2e/testbed/',
    'scripts/test/integrity.ts',
    'scripts/test/recorded.ts',
    'src/main/engine/figures/testing/',
    'src/main/engine/hosts/local.ts',
    'src/main/engine/hosts/testing/',
    'src/main/engine/monitors/testing/',
    'src/main/engine/session/testing/',
    'src/main/engine/store/testing/',
    'src/main/engine/targets/testing/',
    'src/renderer/testing/',
  ],
  packages: [
    'vitest',
    'fast-check',
    '@testing-library/react',
    'fast-check',
    'happy-dom',
    'ws',
    'yaml',
    'zod',
    'mysql2',
    'pg',
    'ssh2',
    'better-sqlite3',
  ],
};
