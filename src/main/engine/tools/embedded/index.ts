import { defineTool, type NeededPath, type PlanInput, type ToolPlan } from '../tool.ts';
import { type EmbeddedOptions, embeddedOptions, recordAccesses } from './options.ts';
import { embeddedParser } from './parse.ts';

/** Benchmarks SQLite with the core workloads of YCSB. It is part of the app, so nothing has to be installed. */
export const embeddedTool = defineTool(
  {
    id: 'embedded',
    title: 'Embedded SQLite',
    options: embeddedOptions,
    metrics: { primary: () => 'ops', failures: ['errors_total'] },
    parser: (_step, _options, events) => embeddedParser(events),
  },
  {
    summary:
      'Reads, updates, inserts and scans on an SQLite database on this computer: the core workloads of YCSB. Nothing to install.',
    load: {
      workers: { unit: ['thread', 'threads'], count: (options) => options.threads },
      rate: ({ rate }) => rate || undefined,
    },
    drives: ['sqlite'],
    partOfApp: { runs: 'here' },
    processes: ['node'],
    paths: pathsOf,
    accesses: recordAccesses,
    plan: planEmbedded,
    // Without a saved target it creates its own database.
    needs: () => ['sqlite'],
  },
);

/** The folder of the database: the option, or the folder of a target's file. SQLite creates files next to its database. */
function pathsOf({ directory }: EmbeddedOptions, path: string | undefined): NeededPath[] {
  const folder = path === undefined ? directory : path.replace(/\/[^/]*$/, '') || '/';
  // The program checks Windows paths itself, since no shell there accepts them.
  if (!folder.startsWith('/')) return [];
  const option = path === undefined ? { option: 'directory' } : {};
  return [{ what: 'Folder of the database', ...option, kind: 'writable-folder', anyOf: [folder] }];
}

/** Path of the program, relative to the folder with the app's source. */
const PROGRAM = 'src/main/engine/tools/embedded/program/main.ts';

/**
 * One command: the program loads its data, then measures; its lines do not include the load. The database file of a saved target is used as named
 * (the program refuses it if it contains anything else); without a target the database is temporary.
 */
function planEmbedded({
  options,
  connection,
  warmup,
  duration,
  seed,
  nodePath,
  assetsDir,
}: PlanInput<EmbeddedOptions>): ToolPlan {
  const seconds = warmup + duration;
  const { directory, ...rest } = options;
  const file = connection.kind === 'sqlite' ? (connection.path ?? '') : '';
  const flags = Object.entries({ ...rest, duration: seconds, seed: seed % 4_294_967_296 }).map(
    ([name, value]) => `--${name}=${value}`,
  );
  const place = file !== '' ? [`--file=${file}`] : directory !== '' ? [`--directory=${directory}`] : [];
  return {
    run: {
      argv: [nodePath, `${assetsDir.replace(/[\\/]+$/, '')}/${PROGRAM}`, ...flags, ...place],
      env: {},
      files: [],
      plannedSeconds: seconds,
    },
  };
}
