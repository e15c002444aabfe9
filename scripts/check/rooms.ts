/** A room of the house: who lives there and whom it may import. Anything absent is forbidden; type-only imports count. */
export interface Room {
  /**
   * A file, or a folder with a closing slash. `*` is one name, and each name is a room of its own: they do not import each other, and
   * rooms below the same star import only those of the same name.
   */
  readonly at: string;
  /** `at` of the rooms that it may import, besides itself. */
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
  'src/shared/stats/',
  'src/shared/analysis/',
  'src/shared/costs/',
  'src/shared/checks/',
  'src/shared/chart-models/',
  'src/shared/rpc/',
  'src/shared/contract/',
];
/** What the engine takes from outside, and the secret box: interfaces that every room of the engine may name. */
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
/** What a machine is, and how a script runs on any: no connection can be made with it. */
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

/** Rooms that execute a session, from what all of them share to the session itself. */
const RUNNING = ['runs', 'facts', 'world', 'watching', 'trial', 'data', 'preflight', 'session'];
const running = (count: number): string[] => RUNNING.slice(0, count).map((name) => `src/main/engine/${name}/`);

/** The first room that fits a file is its room: the special ones stand before the general ones. */
export const rooms: readonly Room[] = [
  { at: 'src/shared/util/', rooms: [], packages: ['zod'] },
  { at: 'src/shared/model/', rooms: ['src/shared/util/'], packages: ['zod'] },
  { at: 'src/shared/metrics/', rooms: ['src/shared/util/', 'src/shared/model/'], packages: ['zod'] },
  // Series of hosts and servers, worked out from counters as they were read.
  { at: 'src/shared/monitoring/', rooms: ['src/shared/util/', 'src/shared/model/'], packages: ['zod'] },
  // Patterns that people write for lines of output.
  { at: 'src/shared/patterns/', rooms: ['src/shared/util/'], packages: ['re2js'] },
  ...['stats', 'costs'].map((name) => ({
    at: `src/shared/${name}/`,
    rooms: ['src/shared/util/', 'src/shared/model/', 'src/shared/metrics/', 'src/shared/monitoring/'],
    packages: ['zod'],
  })),
  // What the series of hosts and servers say of a run: what bounds it, what an operation took, what changed around a stall.
  {
    at: 'src/shared/analysis/',
    rooms: [
      'src/shared/util/',
      'src/shared/model/',
      'src/shared/metrics/',
      'src/shared/monitoring/',
      'src/shared/stats/',
    ],
    packages: ['zod'],
  },
  {
    at: 'src/shared/checks/',
    rooms: [
      'src/shared/util/',
      'src/shared/model/',
      'src/shared/metrics/',
      'src/shared/monitoring/',
      'src/shared/stats/',
      'src/shared/analysis/',
    ],
    packages: ['zod'],
  },
  // What a chart shows, as data: the page and the reports draw the same.
  {
    at: 'src/shared/chart-models/',
    rooms: [
      'src/shared/util/',
      'src/shared/model/',
      'src/shared/metrics/',
      'src/shared/monitoring/',
      'src/shared/stats/',
    ],
    packages: ['zod', 'echarts'],
  },
  { at: 'src/shared/rpc/', rooms: ['src/shared/util/', 'src/shared/model/'], packages: ['zod'] },
  {
    at: 'src/shared/contract/',
    rooms: ['src/shared/util/', 'src/shared/model/', 'src/shared/metrics/', 'src/shared/rpc/'],
    packages: ['zod'],
  },
  { at: 'src/shared/platform.d.ts', rooms: [] },

  { at: 'src/main/engine/outside.ts', rooms: ['src/main/engine/secrets/'] },
  { at: 'src/main/engine/secrets/', rooms: [...shared, 'src/main/engine/outside.ts'], packages: ['zod'], node: true },
  // Tests that loop over a whole list, or ask it for one of its own.
  ...['tools', 'targets', 'factors'].map((name) => ({
    at: `src/main/engine/${name}/*.test.ts`,
    rooms: [...shared, ...plugins, `src/main/engine/${name}/*/`],
    packages: ['zod'],
    node: true,
  })),
  { at: 'src/main/engine/tools/tool.ts', rooms: shared, packages: ['zod'] },
  {
    at: 'src/main/engine/tools/index.ts',
    rooms: [...shared, 'src/main/engine/tools/tool.ts', 'src/main/engine/tools/', 'src/main/engine/tools/*/'],
    packages: ['zod'],
  },
  // Recordings read, steps performed, outputs damaged: what the tests of every tool do.
  {
    at: 'src/main/engine/tools/testing/',
    rooms: [...shared, 'src/main/engine/tools/tool.ts'],
    node: true,
  },
  ...roomsOfTools(),
  { at: 'src/main/engine/tools/', rooms: [...shared, 'src/main/engine/tools/tool.ts'], packages: ['zod'] },
  { at: 'src/main/engine/targets/target.ts', rooms: [...shared, ...outside], packages: ['zod'], node: true },
  {
    at: 'src/main/engine/targets/index.ts',
    rooms: [
      ...shared,
      'src/main/engine/targets/target.ts',
      'src/main/engine/targets/',
      'src/main/engine/targets/*/',
      'src/main/engine/targets/clickhouse/',
    ],
    packages: ['zod'],
  },
  // Sessions with servers of the testbed.
  {
    at: 'src/main/engine/targets/testing/',
    rooms: [...shared, 'src/main/engine/targets/target.ts'],
    node: true,
  },
  // ClickHouse speaks MySQL's protocol: its connection is that of MySQL.
  {
    at: 'src/main/engine/targets/clickhouse/',
    rooms: [...shared, 'src/main/engine/targets/target.ts', 'src/main/engine/targets/', 'src/main/engine/targets/*/'],
    packages: ['zod'],
  },
  {
    at: 'src/main/engine/targets/*/',
    rooms: [...shared, 'src/main/engine/targets/target.ts', 'src/main/engine/targets/'],
    packages: ['zod', 'better-sqlite3', 'mongodb', 'mysql2', 'pg'],
    node: true,
  },
  {
    at: 'src/main/engine/targets/',
    rooms: [...shared, 'src/main/engine/targets/target.ts'],
    packages: ['zod'],
    node: true,
  },
  // How a server is started, stopped and told its settings, on the host that it lives on.
  {
    at: 'src/main/engine/servers/',
    rooms: [
      ...shared,
      ...machine,
      'src/main/engine/targets/target.ts',
      'src/main/engine/targets/index.ts',
      'src/main/engine/jobs/',
    ],
    packages: ['zod'],
    node: true,
  },
  // What is varied: a folder per kind. What a level means is pure; what is changed on a host or server is done by its changer.
  {
    at: 'src/main/engine/factors/change.ts',
    rooms: [
      ...shared,
      'src/main/engine/hosts/machine.ts',
      'src/main/engine/servers/',
      'src/main/engine/targets/target.ts',
    ],
  },
  {
    at: 'src/main/engine/factors/factor.ts',
    rooms: [...shared, 'src/main/engine/tools/tool.ts', 'src/main/engine/factors/change.ts'],
    packages: ['zod'],
  },
  {
    at: 'src/main/engine/factors/index.ts',
    rooms: [
      ...shared,
      'src/main/engine/tools/tool.ts',
      'src/main/engine/factors/factor.ts',
      'src/main/engine/factors/change.ts',
      'src/main/engine/factors/*/',
    ],
    packages: ['zod'],
  },
  // What several kinds share.
  {
    at: 'src/main/engine/factors/option-sets.ts',
    rooms: [
      ...shared,
      'src/main/engine/tools/tool.ts',
      'src/main/engine/tools/index.ts',
      'src/main/engine/tools/',
      'src/main/engine/factors/factor.ts',
    ],
  },
  {
    at: 'src/main/engine/factors/host-commands.ts',
    rooms: [...shared, 'src/main/engine/factors/factor.ts', 'src/main/engine/factors/change.ts'],
    packages: ['zod'],
  },
  {
    at: 'src/main/engine/factors/*/',
    rooms: [
      ...shared,
      ...machine,
      'src/main/engine/factors/option-sets.ts',
      'src/main/engine/factors/host-commands.ts',
      'src/main/engine/tools/tool.ts',
      'src/main/engine/tools/index.ts',
      'src/main/engine/tools/',
      'src/main/engine/targets/target.ts',
      'src/main/engine/targets/index.ts',
      'src/main/engine/servers/',
      'src/main/engine/factors/factor.ts',
      'src/main/engine/factors/change.ts',
    ],
    packages: ['zod'],
    node: true,
  },
  ...machine.map((at) => ({ at, rooms: [...shared, ...machine], node: true })),
  { at: 'src/main/engine/hosts/local.ts', rooms: [...shared, ...machine], node: true },
  { at: 'src/main/engine/hosts/facts/', rooms: [...shared, ...machine], node: true },
  { at: 'src/main/engine/hosts/ssh/', rooms: [...shared, ...machine], packages: ['ssh2'], node: true },
  { at: 'src/main/engine/hosts/ssh-config/', rooms: shared, node: true },
  { at: 'src/main/engine/hosts/tunnels/', rooms: [...shared, ...machine], node: true },
  // Hosts in memory, over real connections or none.
  {
    at: 'src/main/engine/hosts/testing/',
    rooms: [...shared, ...machine, 'src/main/engine/hosts/'],
    node: true,
  },
  {
    at: 'src/main/engine/hosts/',
    rooms: [
      ...shared,
      ...machine,
      'src/main/engine/hosts/local.ts',
      'src/main/engine/hosts/facts/',
      'src/main/engine/hosts/ssh/',
      'src/main/engine/hosts/ssh-config/',
      'src/main/engine/hosts/tunnels/',
    ],
    node: true,
  },
  // The file, how columns are packed, the tables and the samples in it; `open.ts` puts them together.
  { at: 'src/main/engine/store/file/', rooms: shared, packages: ['better-sqlite3'], node: true },
  { at: 'src/main/engine/store/codec/', rooms: shared, node: true },
  {
    at: 'src/main/engine/store/migrations/',
    rooms: [...shared, 'src/main/engine/store/file/', 'src/main/engine/store/codec/'],
    packages: ['better-sqlite3'],
    node: true,
  },
  {
    at: 'src/main/engine/store/tables/',
    rooms: [...shared, 'src/main/engine/store/file/', 'src/main/engine/store/codec/'],
    packages: ['zod'],
    node: true,
  },
  {
    at: 'src/main/engine/store/samples/',
    rooms: [...shared, 'src/main/engine/store/file/', 'src/main/engine/store/codec/', 'src/main/engine/store/tables/'],
    node: true,
  },
  // Libraries to read and to damage, and processes that hold one.
  {
    at: 'src/main/engine/store/testing/',
    rooms: [
      ...shared,
      'src/main/engine/store/file/',
      'src/main/engine/store/codec/',
      'src/main/engine/store/migrations/',
      'src/main/engine/store/samples/',
      'src/main/engine/store/',
    ],
    node: true,
  },
  {
    at: 'src/main/engine/store/',
    rooms: [
      ...shared,
      'src/main/engine/store/file/',
      'src/main/engine/store/codec/',
      'src/main/engine/store/migrations/',
      'src/main/engine/store/tables/',
      'src/main/engine/store/samples/',
    ],
    node: true,
  },
  {
    at: 'src/main/engine/reports/',
    rooms: [...shared, ...outside],
    packages: ['@expo-google-fonts/roboto-mono', 'echarts', 'pdfmake', 'yaml', 'zod'],
    node: true,
  },
  // Programs that watch a host, as jobs; who follows them is said in runs.
  // What a collector wrote, for tests of the whole.
  { at: 'src/main/engine/monitors/testing/', rooms: ['src/main/engine/monitors/'], node: true },
  {
    at: 'src/main/engine/monitors/',
    rooms: [...shared, ...outside, ...machine, 'src/main/engine/jobs/'],
    packages: ['zod', 're2js'],
    node: true,
    // Outputs damaged.
    tests: ['src/main/engine/tools/testing/'],
  },
  ...work.map((at) => ({
    at,
    rooms: [...shared, ...outside, ...machine, 'src/main/engine/hosts/facts/'],
    packages: ['zod'],
    node: true,
  })),
  {
    at: 'src/main/engine/plans/',
    rooms: [...shared, ...outside, ...plugins, ...ground, ...work],
    packages: ['yaml', 'zod'],
    node: true,
  },
  // A session on hosts in memory, for tests of each of these rooms.
  {
    at: 'src/main/engine/session/testing/',
    rooms: [...shared, ...engine, 'src/main/engine/hosts/testing/', 'src/main/engine/store/testing/'],
    node: true,
  },
  // From a click on Start to the last second recorded: each of these rooms knows those before it.
  ...RUNNING.map((name, index) => ({
    at: `src/main/engine/${name}/`,
    rooms: [...shared, ...outside, ...plugins, ...ground, ...work, 'src/main/engine/plans/', ...running(index)],
    packages: ['zod'],
    node: true,
  })),
  // Sessions and worlds whose truth is known.
  { at: 'src/main/engine/figures/testing/', rooms: [...shared, 'src/main/engine/store/'], node: true },
  // Figures of runs and cells from stored samples, and what charts ask of them.
  {
    at: 'src/main/engine/figures/',
    rooms: [...shared, ...outside, 'src/main/engine/store/'],
    packages: ['zod'],
    node: true,
  },
  // Series of hosts and servers from stored counters.
  { at: 'src/main/engine/monitored/', rooms: [...shared, 'src/main/engine/store/'], node: true },
  // Runs with what was watched around them: what bounds them, what events did, what else is to be said.
  {
    at: 'src/main/engine/judging/',
    rooms: [...shared, 'src/main/engine/store/', 'src/main/engine/figures/', 'src/main/engine/monitored/'],
    node: true,
  },
  // Cells of several sides: verdicts, fairness, what differs.
  {
    at: 'src/main/engine/comparing/',
    rooms: [...shared, 'src/main/engine/store/'],
    node: true,
    tests: ['src/main/engine/judging/'],
  },
  // Results of a session: its cells, each against its baseline, and its overview.
  {
    at: 'src/main/engine/results/',
    rooms: [
      ...shared,
      'src/main/engine/store/',
      'src/main/engine/figures/',
      'src/main/engine/judging/',
      'src/main/engine/comparing/',
    ],
    node: true,
  },
  // What every tool has printed in recorded runs, beside what is shown of it.
  {
    at: 'src/main/engine/recordings.test.ts',
    rooms: [
      ...shared,
      'src/main/engine/tools/*/',
      'src/main/engine/tools/testing/',
      'src/main/engine/store/',
      'src/main/engine/results/',
    ],
    node: true,
  },
  { at: 'src/main/engine/api/', rooms: [...shared, ...engine], packages: ['yaml', 'zod'], node: true },
  { at: 'src/main/engine/index.ts', rooms: [...shared, ...engine, 'src/main/engine/api/'], node: true },

  // What every process of ours tells the engine about the computer it runs on: folders, clock, log, parent process.
  { at: 'src/main/computer/', rooms: [...shared, ...outside], node: true },
  { at: 'src/main/electron/', rooms: shared, packages: ['electron', 'zod'], node: true },
  { at: 'src/main/server/', rooms: shared, packages: ['ws'], node: true },
  {
    at: 'src/main/cli/',
    rooms: [
      ...shared,
      ...outside,
      'src/main/engine/index.ts',
      'src/main/engine/tools/index.ts',
      'src/main/engine/targets/index.ts',
      'src/main/computer/',
      'src/main/server/',
    ],
    packages: ['commander', 'yaml', 'zod'],
    node: true,
    // Libraries whose truth is known.
    tests: ['src/main/engine/figures/', 'src/main/engine/results/', 'src/main/engine/store/'],
  },

  // The entry files are the only ones that name two rooms together.
  {
    at: 'src/main/electron.ts',
    rooms: [...shared, 'src/main/electron/', 'src/main/computer/'],
    packages: ['electron'],
    node: true,
  },
  { at: 'src/main/preload.ts', rooms: [...shared, 'src/main/electron/'], packages: ['electron'] },
  {
    at: 'src/main/engine.ts',
    rooms: [...shared, 'src/main/engine/index.ts', ...outside, 'src/main/computer/'],
    node: true,
  },
  {
    at: 'src/main/server.ts',
    rooms: [...shared, 'src/main/engine/index.ts', ...outside, 'src/main/computer/', 'src/main/server/'],
    node: true,
  },
  {
    at: 'src/main/cli.ts',
    rooms: [
      ...shared,
      'src/main/engine/index.ts',
      ...outside,
      'src/main/computer/',
      'src/main/server/',
      'src/main/cli/',
    ],
    packages: ['commander'],
    node: true,
  },

  {
    at: 'src/renderer/main.tsx',
    rooms: ['src/renderer/app/', 'src/renderer/client/', ...shared],
    packages: pagePackages('react-dom', '@mantine/notifications', '@mantine/spotlight', '@tanstack/react-query'),
  },
  { at: 'src/renderer/ui/', rooms: [], packages: pagePackages('@tanstack/react-table', '@tanstack/react-virtual') },
  {
    at: 'src/renderer/charts/',
    rooms: ['src/renderer/ui/', ...shared],
    packages: pagePackages('echarts', '@mantine/notifications'),
  },
  // A text that a machine reads: YAML, SQL, Lua.
  {
    at: 'src/renderer/code-editor/',
    rooms: ['src/renderer/client/', 'src/renderer/ui/', ...shared],
    packages: pagePackages(
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/lang-sql',
      '@codemirror/lang-yaml',
      '@codemirror/language',
      '@codemirror/legacy-modes',
      '@codemirror/state',
      '@codemirror/view',
      '@lezer/highlight',
    ),
  },
  {
    at: 'src/renderer/forms/',
    rooms: ['src/renderer/code-editor/', 'src/renderer/ui/', ...shared],
    packages: pagePackages(),
  },
  { at: 'src/renderer/client/', rooms: shared, packages: ['react', '@tanstack/react-query', 'zod'] },
  // An engine in memory and documents for it: what the tests of the page start from.
  {
    at: 'src/renderer/testing/',
    rooms: ['src/renderer/client/', ...shared],
    packages: ['@codemirror/view', '@mantine/core', '@mantine/notifications', '@testing-library/react', 'react'],
  },
  // Pieces that several views show: they know the product's words, which ui does not.
  {
    at: 'src/renderer/domain/',
    rooms: ['src/renderer/ui/', 'src/renderer/charts/', 'src/renderer/forms/', 'src/renderer/client/', ...shared],
    packages: pagePackages('@mantine/notifications', '@tanstack/react-query', 'wouter'),
  },
  // The document that is edited, and what each step of the editor gets of it.
  { at: 'src/renderer/views/experiments/document/', ...view() },
  { at: 'src/renderer/views/experiments/list/', ...view('src/renderer/views/experiments/document/') },
  { at: 'src/renderer/views/experiments/steps/*/', ...view('src/renderer/views/experiments/document/') },
  {
    at: 'src/renderer/views/experiments/editor/',
    ...view('src/renderer/views/experiments/document/', 'src/renderer/views/experiments/steps/*/'),
  },
  {
    at: 'src/renderer/views/experiments/',
    ...view('src/renderer/views/experiments/list/', 'src/renderer/views/experiments/editor/'),
  },
  // A host before and behind its first contact: the test of a connection is shown by the form and by the page.
  { at: 'src/renderer/views/hosts/contact/', ...view() },
  { at: 'src/renderer/views/hosts/facts/', ...view() },
  { at: 'src/renderer/views/hosts/tunnels/', ...view() },
  { at: 'src/renderer/views/hosts/form/', ...view('src/renderer/views/hosts/contact/') },
  {
    at: 'src/renderer/views/hosts/',
    ...view(
      'src/renderer/views/hosts/contact/',
      'src/renderer/views/hosts/facts/',
      'src/renderer/views/hosts/tunnels/',
      'src/renderer/views/hosts/form/',
    ),
  },
  // What the engine tells of a session under way, and the trial that it tells of.
  { at: 'src/renderer/views/live/stream/', ...view() },
  { at: 'src/renderer/views/live/running/', ...view('src/renderer/views/live/stream/') },
  {
    at: 'src/renderer/views/live/',
    ...view('src/renderer/views/live/stream/', 'src/renderer/views/live/running/'),
  },
  // What was chosen (metric, cut, filters) and what came of it: head and tabs show the same.
  { at: 'src/renderer/views/results/filter.ts', ...view() },
  { at: 'src/renderer/views/results/useResults.ts', ...view('src/renderer/views/results/filter.ts') },
  { at: 'src/renderer/views/results/useReadAgain.ts', ...view() },
  { at: 'src/renderer/views/results/head/', ...view('src/renderer/views/results/useResults.ts') },
  {
    at: 'src/renderer/views/results/tabs/',
    ...view('src/renderer/views/results/useResults.ts', 'src/renderer/views/results/useReadAgain.ts'),
  },
  {
    at: 'src/renderer/views/results/',
    ...view(
      'src/renderer/views/results/useResults.ts',
      'src/renderer/views/results/useReadAgain.ts',
      'src/renderer/views/results/head/',
      'src/renderer/views/results/tabs/',
    ),
  },
  { at: 'src/renderer/views/*/', ...view() },
  {
    at: 'src/renderer/app/',
    rooms: [
      'src/renderer/ui/',
      'src/renderer/charts/',
      'src/renderer/code-editor/',
      'src/renderer/forms/',
      'src/renderer/client/',
      'src/renderer/domain/',
      'src/renderer/views/*/',
      'src/renderer/views/experiments/',
      'src/renderer/views/hosts/',
      'src/renderer/views/live/',
      'src/renderer/views/results/',
      ...shared,
    ],
    packages: pagePackages(
      '@mantine/notifications',
      '@mantine/spotlight',
      '@tanstack/react-query',
      'react-dom',
      'wouter',
    ),
  },

  // What assertions about data are made with, wherever a test is.
  { at: 'scripts/test/integrity.ts', rooms: [] },
  { at: 'scripts/test/recorded.ts', rooms: ['scripts/test/integrity.ts'], packages: ['vitest'], node: true },
  {
    at: 'scripts/',
    rooms: [
      'scripts/test/integrity.ts',
      'src/main/engine/factors/index.ts',
      'src/main/engine/targets/index.ts',
      'src/main/engine/tools/index.ts',
      'src/main/engine/tools/tool.ts',
      'src/shared/checks/',
      'src/shared/metrics/',
      'src/shared/model/',
      'src/shared/rpc/',
      'src/shared/contract/',
      'src/main/cli.ts',
      'src/main/cli/',
      'src/main/computer/',
      'src/main/engine/index.ts',
      'src/main/server/',
      'e2e/testbed/',
    ],
    packages: ['rolldown', 'typescript', 'vite', 'vitest', 'zod'],
    node: true,
  },
  {
    at: 'bench/',
    rooms: [
      ...shared,
      ...engine,
      'src/main/engine/hosts/testing/',
      'src/main/engine/comparing/testing/',
      'src/main/engine/figures/testing/',
      'src/main/engine/session/testing/',
      'src/main/engine/store/samples/',
      'src/main/engine/store/testing/',
      'src/main/engine/api/',
      'src/main/engine/index.ts',
      'src/main/computer/',
      'src/main/server/',
      'e2e/testbed/',
    ],
    packages: ['@playwright/test', 'better-sqlite3', 'ssh2', 'ws', 'zod'],
    node: true,
  },
  {
    at: 'e2e/testbed/',
    rooms: [
      ...shared,
      ...engine,
      'src/main/engine/hosts/ssh/',
      'src/main/engine/index.ts',
      'src/main/computer/',
      'scripts/',
    ],
    packages: ['@playwright/test', 'better-sqlite3', 'electron', 'mongodb', 'mysql2', 'pg', 'ssh2', 'zod'],
    node: true,
  },
  {
    at: 'e2e/',
    rooms: [
      ...shared,
      'src/main/engine/index.ts',
      'src/main/engine/outside.ts',
      'src/main/computer/',
      'e2e/testbed/',
      'scripts/',
      'scripts/test/integrity.ts',
      'scripts/test/recorded.ts',
    ],
    packages: ['@axe-core/playwright', '@playwright/test', 'electron', 'pg', 'mysql2', 'ws', 'yaml'],
    node: true,
    // What is stored of a host or server beside what was written there.
    tests: ['src/main/engine/monitors/', 'src/main/engine/targets/index.ts', 'src/main/engine/store/'],
  },
  {
    at: '*.config.ts',
    rooms: ['e2e/testbed/', 'scripts/'],
    packages: ['@playwright/test', '@vitejs/plugin-react', 'vite', 'vitest'],
    node: true,
  },
];

/**
 * A tool: its rooms, and its folder itself, which puts them together. Each is a folder, or a file where one is enough, and imports only
 * those before it.
 */
function roomsOfTools(): Room[] {
  const tool = 'src/main/engine/tools/*/';
  const common = [
    ...shared,
    'src/main/engine/tools/tool.ts',
    'src/main/engine/tools/',
    'src/main/engine/tools/testing/',
  ];
  const either = (...names: string[]): string[] => names.flatMap((name) => [`${tool}${name}.ts`, `${tool}${name}/`]);
  const before: Readonly<Record<string, readonly string[]>> = {
    // What the tool brings or is brought: Lua scripts; a program of ours with its lines and settings.
    scripts: [],
    program: [],
    options: ['scripts', 'program'],
    data: ['scripts', 'options'],
    files: ['options'],
    plan: ['scripts', 'program', 'options', 'data', 'files'],
    faults: ['scripts', 'program', 'options'],
    parse: ['scripts', 'program', 'options', 'plan', 'faults'],
  };
  const packages = ['zod', 'better-sqlite3', 're2js', 'luaparse', 'mysql2', 'pg', 'mongodb'];
  return [
    ...Object.entries(before).flatMap(([name, others]) =>
      either(name).map((at) => ({
        at,
        rooms: [...common, ...either(...others)],
        packages,
        node: true,
        tests: [tool, ...either(...Object.keys(before))],
      })),
    ),
    { at: tool, rooms: [...common, ...either(...Object.keys(before))], packages, node: true },
  ];
}

function pagePackages(...more: string[]): string[] {
  return ['react', '@mantine/core', '@mantine/hooks', '@tabler/icons-react', ...more];
}

/** A view, or a room of one: it never imports another view. */
function view(...more: string[]): Pick<Room, 'rooms' | 'packages'> {
  return {
    rooms: [
      ...more,
      'src/renderer/domain/',
      'src/renderer/code-editor/',
      'src/renderer/ui/',
      'src/renderer/charts/',
      'src/renderer/forms/',
      'src/renderer/client/',
      ...shared,
    ],
    packages: pagePackages(
      '@mantine/notifications',
      '@tanstack/react-query',
      '@tanstack/react-table',
      '@tanstack/react-virtual',
      'wouter',
      'yaml',
      'zod',
    ),
  };
}

/** What a test may load beyond its room, the rooms around it and what these may import. */
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
