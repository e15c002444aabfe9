import { execFileSync } from 'node:child_process';
import path from 'node:path';
import Database from 'better-sqlite3';
import { LIBRARY_FILE } from '../src/main/engine/store/open.ts';
import { median } from '../src/shared/util/numbers.ts';
import type { Answer, Took } from './ask-engine.ts';
import { METRICS, RUNS, SECONDS } from './hours.ts';
import { discardStored, forgetSummaries, withHours } from './open-library.ts';
import { judgeAll } from './open-precomputed.ts';
import type { BenchRow } from './row.ts';

const ROUNDS = 5;
const GOAL = '≤ 500 ms';
const METRIC = 'tps';

interface OpenResult {
  answers: Answer[];
  peakMiB: number;
}

/** Opens the results of sixty-four runs of ten hours, tab by tab, each time with a new engine. */
export const run = (): Promise<BenchRow[]> =>
  withHours(async (dataDir, session) => {
    // Otherwise an engine judges while it is being measured.
    await judgeAll(dataDir);
    const limit = bareChunks(dataDir);
    forgetSummaries(dataDir);
    discardStored(dataDir, session);
    const made = ask(dataDir, session);
    dropCache(dataDir);
    const stored = ask(dataDir, session);
    return [
      ...rowsOf('nothing worked out yet', made, limit),
      ...rowsOf('opened again, cold disk cache', stored, limit),
    ];
  });

function ask(dataDir: string, session: number): OpenResult {
  const script = path.join(import.meta.dirname, 'open-process.ts');
  return JSON.parse(
    execFileSync(process.execPath, [script, dataDir, String(session)], { encoding: 'utf8' }),
  ) as OpenResult;
}

function rowsOf(when: string, { answers, peakMiB }: OpenResult, limit: number): BenchRow[] {
  const row = (name: string, { ms, cpuMs }: Took): BenchRow => ({
    ...{ name, value: ms, unit: 'ms', limit, ratio: ms / limit, goal: GOAL },
    note: `${Math.round(cpuMs)} ms of CPU`,
  });
  return [
    ...answers.flatMap(({ name, first, again }) => [
      row(`${name}, ${when}`, first),
      row(`${name}, asked again`, again),
    ]),
    { name: `Memory of the engine at its peak, ${when}`, value: peakMiB, unit: 'MiB' },
  ];
}

/** Limit: the chunks of one metric of all runs, read by better-sqlite3 alone and not decoded. */
function bareChunks(dataDir: string): number {
  const db = new Database(path.join(dataDir, LIBRARY_FILE), { readonly: true });
  try {
    const select = db.prepare<[string], { count: number; data: Buffer }>(
      `SELECT count, data FROM chunk WHERE feed_id IN (SELECT id FROM feed WHERE kind = 'samples')
        AND metric_id = (SELECT id FROM metric WHERE name = ?) ORDER BY feed_id, first`,
    );
    const rounds = Array.from({ length: ROUNDS }, () => {
      const start = performance.now();
      let rows = 0;
      for (const { count } of select.iterate(METRIC)) rows += count;
      if (rows !== RUNS * SECONDS) throw new Error(`There are ${rows} samples of ${METRICS} metrics each.`);
      return performance.now() - start;
    });
    return median(rounds);
  } finally {
    db.close();
  }
}

/** Only for this file: other programs keep their cached data. */
function dropCache(dataDir: string): void {
  execFileSync('dd', [`of=${path.join(dataDir, LIBRARY_FILE)}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'], {
    stdio: 'ignore',
  });
}
