import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { parseText, toolById } from '../src/main/engine/tools/index.ts';
import type { Tool } from '../src/main/engine/tools/tool.ts';
import { RunRecorder } from '../src/main/engine/trial/recorder.ts';
import { median } from '../src/shared/util/numbers.ts';
import { addRuns, withLibrary } from './library.ts';
import type { BenchRow } from './row.ts';
import { seconds } from './sysbench-like.ts';

const ROUNDS = 3;
/** Live: one line per commit. Back-fill after a lost link: as many as arrive at once. */
const CASES = [
  { name: 'Parse and store, 1 second per commit', lines: 3_000, perCommit: 1 },
  { name: 'Parse and store, 2,000 seconds per commit (back-fill)', lines: 36_000, perCommit: 2_000 },
];

/** One commit: the bytes as received, and the rows that a parser reads from them. */
interface Piece {
  offset: number;
  bytes: Buffer;
  rows: { t: number; values: number[] }[];
}

/**
 * Samples per second along the path of a real run: sysbench's lines through line splitter, parser and store, as bytes, samples and offset in one
 * durable commit. Limits: better-sqlite3 alone inserting rows parsed beforehand, and the same bytes, in as many commits: a row per sample (series,
 * second, value), and the cheapest of all layouts for one known tool, a row per second with a column per metric.
 */
export async function run(): Promise<BenchRow[]> {
  const tool = toolById('sysbench');
  if (!tool) throw new Error('There is no sysbench.');
  return CASES.flatMap(({ name, lines, perCommit }) => {
    const { pieces, metrics } = outputOf(tool, lines, perCommit);
    const samples = lines * metrics.length;
    const rounds = Array.from({ length: ROUNDS }, () => ({
      whole: samples / throughParserAndStore(tool, pieces, lines),
      narrow: samples / throughBareInserts(pieces, NARROW),
      wide: samples / throughBareInserts(pieces, wideOf(metrics)),
    }));
    const value = median(rounds.map((round) => round.whole));
    const narrow = median(rounds.map((round) => round.narrow));
    const wide = median(rounds.map((round) => round.wide));
    const row = { value, unit: 'samples/s' };
    return [
      { name, ...row, limit: narrow, ratio: value / narrow, goal: 'ratio ≥ 0.5', note: 'bare: a row per sample' },
      {
        ...{ name: `${name}, against columns`, ...row, limit: wide, ratio: value / wide },
        note: 'bare: a row of columns per second',
      },
    ];
  });
}

/** Layout of a second in a bare table. */
interface Layout {
  schema: string;
  insert: string;
  rows(t: number, values: readonly number[]): number[][];
}

const NARROW: Layout = {
  schema: 'CREATE TABLE sample (series INTEGER, t REAL, value REAL, PRIMARY KEY (series, t)) WITHOUT ROWID',
  insert: 'INSERT INTO sample VALUES (?, ?, ?)',
  rows: (t, values) => values.map((value, series) => [series, t, value]),
};

const wideOf = (metrics: readonly string[]): Layout => ({
  schema: `CREATE TABLE sample (t REAL PRIMARY KEY, ${metrics.map((name) => `${name} REAL`).join(', ')}) WITHOUT ROWID`,
  insert: `INSERT INTO sample VALUES (?, ${metrics.map(() => '?').join(', ')})`,
  rows: (t, values) => [[t, ...values]],
});

function outputOf(tool: Tool, lines: number, perCommit: number): { pieces: Piece[]; metrics: string[] } {
  const all = [...seconds(lines, 1)];
  const pieces: Piece[] = [];
  let offset = 0;
  let metrics: string[] = [];
  for (let first = 0; first < all.length; first += perCommit) {
    const bytes = Buffer.from(
      all
        .slice(first, first + perCommit)
        .map(({ line }) => line)
        .join(''),
    );
    const { samples } = parseText(tool, bytes, '');
    metrics = Object.keys(samples[0]?.metrics ?? {});
    pieces.push({
      offset,
      bytes,
      rows: samples.map((sample) => ({ t: sample.t, values: Object.values(sample.metrics) })),
    });
    offset += bytes.length;
  }
  return { pieces, metrics };
}

function throughParserAndStore(tool: Tool, pieces: readonly Piece[], rows: number): number {
  return withLibrary((store) => {
    const [runId = 0] = addRuns(store, 1);
    const options = tool.options.parse({});
    const recorder = new RunRecorder({
      ...{ store, runId, generator: 0 },
      makeParser: (events) => tool.parser('run', options, events),
    });
    const start = performance.now();
    for (const { offset, bytes } of pieces) {
      recorder.push('stdout', offset, bytes);
      recorder.flush();
    }
    const taken = (performance.now() - start) / 1000;
    if (store.samples.count(runId, 0) !== rows) throw new Error('Not every line became a sample.');
    return taken;
  });
}

function throughBareInserts(pieces: readonly Piece[], layout: Layout): number {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-bare-'));
  const db = new Database(join(folder, 'bare.db'));
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec(`${layout.schema}; CREATE TABLE raw (offset INTEGER PRIMARY KEY, data BLOB)`);
    const sample = db.prepare(layout.insert);
    const raw = db.prepare('INSERT INTO raw VALUES (?, ?)');
    const commit = db.transaction(({ offset, bytes, rows }: Piece) => {
      for (const { t, values } of rows) for (const row of layout.rows(t, values)) sample.run(...row);
      raw.run(offset, bytes);
    });
    const start = performance.now();
    for (const piece of pieces) commit(piece);
    return (performance.now() - start) / 1000;
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
