import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { formatNumber, formatPercent, formatShort } from '../src/shared/util/format.ts';
import { KEPT_RUNS, type KeptBench, keptFigures, type Slip, stillWorse } from './figures.ts';
import type { BenchRow } from './row.ts';

interface Bench {
  name: string;
  words: string;
  run(): Promise<BenchRow[]>;
}

/** Loaded on demand: a figure of the store must not start a browser or a database. */
const BENCHES: readonly Bench[] = [
  { name: 'ingest', words: 'store: samples in', run: async () => (await import('./ingest.ts')).run() },
  {
    name: 'parsed',
    words: 'parser and store: a run as it comes',
    run: async () => (await import('./parsed.ts')).run(),
  },
  { name: 'read', words: 'store: series out, bytes per sample', run: async () => (await import('./read.ts')).run() },
  {
    name: 'timeline',
    words: 'hours of many runs for the page',
    run: async () => (await import('./timeline.ts')).run(),
  },
  {
    name: 'open',
    words: 'results of 64 runs of ten hours, tab by tab (minutes; BENCH_LIBRARY keeps the library)',
    run: async () => (await import('./open.ts')).run(),
  },
  {
    name: 'open-page',
    words: 'the same in Chromium: until the first chart of each tab, and the heap of the page',
    run: async () => (await import('./open-page.ts')).run(),
  },
  {
    name: 'sessions',
    words: 'lists, details, live ticks and changes of large sessions',
    run: async () => (await import('./sessions.ts')).run(),
  },
  { name: 'start', words: 'from nothing to a usable page', run: async () => (await import('./start.ts')).run() },
  {
    name: 'matrix',
    words: 'a click on one of 2,000 cells of the editor, until it is painted',
    run: async () => (await import('./matrix.ts')).run(),
  },
  {
    name: 'lanes',
    words: 'frames while lanes of hosts are scrolled, zoomed and pointed at',
    run: async () => (await import('./lanes.ts')).run(),
  },
  {
    name: 'streams',
    words: 'the engine while 16 generators stream',
    run: async () => (await import('./streams.ts')).run(),
  },
  {
    name: 'monitors',
    words: 'the engine while 20 hosts are watched, what of it is stored, and its memory over hours',
    run: async () => (await import('./monitors.ts')).run(),
  },
  {
    name: 'judging',
    words: 'a run of ten hours with 20 watched hosts is judged (minutes)',
    run: async () => (await import('./judging.ts')).run(),
  },
  {
    name: 'hosts-library',
    words: '20 hosts of 200 series for ten hours in one library: written, judged, opened (minutes; 400 MB on disk)',
    run: async () => (await import('./hosts-library.ts')).run(),
  },
  {
    name: 'disturbance',
    words: 'sysbench driven by Kneepoint against sysbench alone (minutes)',
    run: async () => (await import('./disturbance.ts')).run(),
  },
  {
    name: 'collector',
    words: 'what watching a host takes (minutes)',
    run: async () => (await import('./collector.ts')).run(),
  },
  {
    name: 'error-rates',
    words:
      'how often verdicts on simulated worlds are wrong; --write puts them into docs/statistics/error-rates.md (minutes)',
    run: async () => (await import('./error-rates.ts')).run(),
  },
];

const HELP = `Measures Kneepoint itself, each figure beside its limit in the same run. Nothing else should be busy meanwhile.

  npm run bench                      everything
  npm run bench -- NAME …            some of it
  npm run -s bench -- NAME … --json  as JSON
  npm run bench -- --keep NAME …     five times each; ratios and their spread are kept in bench/figures.json
  npm run bench -- --against NAME …  names what has become worse than that (exit code 1); without a name, all that is kept

${BENCHES.map(({ name, words }) => `  ${name.padEnd(13)} ${words}`).join('\n')}
`;

interface Outcome {
  name: string;
  rows: BenchRow[];
  /** Why it could not be measured here. */
  notRun?: string;
}

/** In a process of its own: a bench leaves memory and compiled code, which the next one would count as its own. */
function measure({ name }: Bench): Outcome {
  const flags = ['--json', ...words.filter((word) => word === '--write')];
  const command = [...process.execArgv, import.meta.filename, name, ...flags];
  const { status, signal, stdout } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [outcome]: Outcome[] = stdout.startsWith('{') ? JSON.parse(stdout).benches : [];
  return outcome ?? { name, rows: [], notRun: `its process ended with ${signal ?? status}` };
}

async function measureHere({ name, words, run }: Bench): Promise<Outcome> {
  process.stderr.write(`${name}: ${words} …\n`);
  try {
    return { name, rows: await run() };
  } catch (error) {
    return { name, rows: [], notRun: error instanceof Error ? error.message : String(error) };
  }
}

function show(outcomes: readonly Outcome[]): string {
  const head = ['', 'measured', '', 'limit', 'ratio', 'goal', ''];
  const number = (value: number | undefined): string => (value === undefined ? '' : formatShort(value));
  const lines = outcomes.flatMap(({ name, rows, notRun }) =>
    notRun === undefined
      ? rows.map((row) => [
          row.name,
          number(row.value),
          row.unit,
          number(row.limit),
          row.ratio === undefined ? '' : formatNumber(row.ratio, row.ratio < 0.1 ? 4 : 3),
          row.goal ?? '',
          row.note ?? '',
        ])
      : [[`${name}: not run`, '', '', '', '', '', notRun]],
  );
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)));
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) =>
          [1, 3, 4].includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const FIGURES = path.join(import.meta.dirname, 'figures.json');
const readKept = (): Record<string, KeptBench> => JSON.parse(readFileSync(FIGURES, 'utf8'));

/** Written after each bench, as earlier ones took minutes. */
function keep(bench: Bench): Outcome {
  const runs: BenchRow[][] = [];
  for (let run = 0; run < KEPT_RUNS; run += 1) {
    const { rows, notRun } = measure(bench);
    if (notRun !== undefined) return { name: bench.name, rows: [], notRun };
    runs.push(rows);
  }
  const rows = keptFigures(runs);
  if (Object.keys(rows).length > 0) {
    const kept = { ...readKept(), [bench.name]: { date: new Date().toISOString().slice(0, 10), rows } };
    const inOrder = BENCHES.flatMap(({ name }) => (kept[name] ? [[name, kept[name]] as const] : []));
    writeFileSync(FIGURES, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
  }
  return { name: bench.name, rows: runs.at(-1) ?? [] };
}

/**
 * Prints figures that are worse than the stored ones, and those that cannot be compared; returns whether nothing is worse and everything could be
 * measured.
 */
async function compare(benches: readonly Bench[]): Promise<boolean> {
  const kept = readKept();
  const list = (words: string, lines: readonly string[]): void => {
    if (lines.length > 0) process.stdout.write(`${words}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  };
  const [worse, unknown, missing, notRun]: [string[], string[], string[], string[]] = [[], [], [], []];
  for (const bench of benches) {
    const { name } = bench;
    const { date, rows } = kept[name] ?? { date: '', rows: {} };
    try {
      const found = await stillWorse(rows, () => measured(bench));
      worse.push(...found.worse.map((slip) => `${name}: ${wordsOf(slip)}, kept on ${date}`));
      unknown.push(...found.unknown.map((row) => `${name}: ${row}`));
      missing.push(...found.missing.map((row) => `${name}: ${row}`));
    } catch (error) {
      notRun.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  missing.push(...Object.keys(kept).filter((name) => !BENCHES.some((bench) => bench.name === name)));
  list('Not kept yet (npm run bench -- --keep NAME):', unknown);
  list('Kept, and no longer measured:', missing);
  list('Not run:', notRun);
  list('Worse than kept:', worse);
  if (worse.length === 0) process.stdout.write('Nothing that was measured is worse than kept.\n');
  return worse.length === 0 && notRun.length === 0;
}

async function measured(bench: Bench): Promise<readonly BenchRow[]> {
  const { rows, notRun } = measure(bench);
  if (notRun !== undefined) throw new Error(notRun);
  return rows;
}

function wordsOf({ row, measured: figure, bound, kept: { figure: before, low, high } }: Slip): string {
  const change = formatPercent(Math.abs(figure / before - 1));
  return `${row} ${formatNumber(figure, 3)}, ${change} off ${formatNumber(before, 3)} (${formatNumber(low, 3)} to ${formatNumber(high, 3)}); noise reaches ${formatNumber(bound, 3)}`;
}

const FLAGS = ['--json', '--write', '--keep', '--against'];
const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('-'));
const unknown = words.filter((word) => !FLAGS.includes(word) && !BENCHES.some(({ name }) => name === word));
if (unknown.length > 0) {
  process.stderr.write(HELP);
  process.exit(words.includes('--help') ? 0 : 2);
}
const named = BENCHES.filter(({ name }) => names.length === 0 || names.includes(name));
if (words.includes('--against')) {
  const kept = readKept();
  const holds = await compare(names.length > 0 ? named : named.filter(({ name }) => kept[name] !== undefined));
  process.exit(holds ? 0 : 1);
}
const outcomes: Outcome[] = [];
const isSingle = names.length === 1 && words.includes('--json') && !words.includes('--keep');
for (const bench of named)
  outcomes.push(words.includes('--keep') ? keep(bench) : isSingle ? await measureHere(bench) : measure(bench));
const machine = {
  cpus: os.availableParallelism(),
  node: process.version,
  load: os.loadavg().map((load) => Number(load.toFixed(1))),
};
process.stdout.write(
  words.includes('--json')
    ? `${JSON.stringify({ machine, benches: outcomes }, null, 2)}\n`
    : `${show(outcomes)}\n\n${machine.cpus} cores, Node ${machine.node}, load ${machine.load.join(' ')} at the end\n`,
);
process.exitCode = outcomes.some(({ notRun }) => notRun !== undefined) ? 1 : 0;
