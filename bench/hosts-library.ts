import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { LIBRARY_FILE } from '../src/main/engine/store/open.ts';
import type { Answer } from './ask-engine.ts';
import type { Judged, Opened, Written } from './hosts-process.ts';
import { sealedBytes } from './monitors-stored.ts';
import { discardStored, forgetSummaries } from './open-library.ts';
import type { PrecomputeTimes } from './open-precomputed.ts';
import type { BenchRow } from './row.ts';

const MIB = 2 ** 20;
const GOAL = '≤ 500 ms';
const MEMORY_GOAL = '≤ 500 MiB';

/** Twenty hosts of two hundred series for ten hours in one library: written as by monitoring, judged, opened. Each step is a separate process. */
export async function run(): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-bench-'));
  try {
    const written = step<Written>('write', dataDir);
    const file = path.join(dataDir, LIBRARY_FILE);
    const { size } = statSync(file);
    const disk = bareWrite(dataDir, size);
    const judged = step<Judged>('judge', dataDir, written.session);
    discardStored(dataDir, written.session);
    const fresh = step<Opened>('open', dataDir, written.session);
    forgetSummaries(dataDir);
    const precomputed = step<PrecomputeTimes & { peakMiB: number }>('ahead', dataDir, written.session);
    const kept = step<Opened>('open', dataDir, written.session);
    const what = `${written.hosts} hosts × ${written.counters} counters (${written.series} series) × ${written.seconds.toLocaleString('en-US')} s`;
    const bytes = sealedBytes(file) / written.samples;
    return [
      ratioRow(`Written: ${what}`, written.ms, disk, {
        goal: 'faster than it comes',
        note: `limit: as many bytes as the file has, written and synced; ${Math.round(written.samples / written.ms / 1000)} million samples/s`,
      }),
      { name: 'The same, CPU', value: written.cpuMs, unit: 'ms' },
      ratioRow('Sealed sample on disk', bytes, 8, { unit: 'bytes', goal: '≤ 2 bytes', note: 'limit: a plain double' }),
      { name: 'The file', value: size / MIB, unit: 'MiB' },
      { name: 'Of it free for what comes next', value: freeBytes(file) / MIB, unit: 'MiB' },
      {
        ...{ name: 'Memory of the process at its peak, written', value: written.peakMiB, unit: 'MiB' },
        note: 'most of it garbage: it is written far faster than it is watched',
      },
      ...openRows('nothing kept yet', fresh),
      ratioRow('A run of ten hours over all of it judged', judged.ms, judged.limitMs, {
        note: 'limit: its counters read one after the other',
      }),
      { name: 'The same, CPU', value: judged.cpuMs, unit: 'ms' },
      { name: 'Longest time in which nothing else is done', value: judged.longestMs, unit: 'ms', goal: '≤ 100 ms' },
      memoryRow('judged', judged.peakMiB),
      { name: 'What pages ask for first, worked out ahead: CPU', value: precomputed.cpuMs, unit: 'ms' },
      { name: 'The same, held up at once, at most', value: precomputed.blockedMs, unit: 'ms' },
      memoryRow('worked out ahead', precomputed.peakMiB),
      { name: 'The file with what is kept', value: statSync(file).size / MIB, unit: 'MiB' },
      ...openRows('worked out ahead', kept),
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function step<T>(name: string, dataDir: string, session = 0): T {
  const script = path.join(import.meta.dirname, 'hosts-process.ts');
  return JSON.parse(
    execFileSync(process.execPath, [script, name, dataDir, String(session)], { encoding: 'utf8' }),
  ) as T;
}

const ratioRow = (
  name: string,
  value: number,
  limit: number,
  rest: Partial<Pick<BenchRow, 'unit' | 'goal' | 'note'>>,
): BenchRow => ({ name, value, unit: 'ms', limit, ratio: value / limit, ...rest });

const memoryRow = (when: string, value: number): BenchRow => ({
  ...{ name: `Memory of the process at its peak, ${when}`, value, unit: 'MiB', goal: MEMORY_GOAL },
});

function openRows(when: string, { answers, limitMs, peakMiB }: Opened): BenchRow[] {
  const row = (name: string, { ms, cpuMs }: Answer['first']): BenchRow =>
    ratioRow(name, ms, limitMs, { goal: GOAL, note: `${Math.round(cpuMs)} ms of CPU` });
  return [
    ...answers.flatMap(({ name, first, again }) => [
      row(`${name}, ${when}`, first),
      row(`${name}, asked again`, again),
    ]),
    memoryRow(`opened, ${when}`, peakMiB),
  ];
}

/** Free pages, previously used by rows that were not yet in chunks. */
function freeBytes(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    const [pages, size] = ['freelist_count', 'page_size'].map((name) => Number(db.pragma(name, { simple: true })));
    return (pages ?? 0) * (size ?? 0);
  } finally {
    db.close();
  }
}

/** Milliseconds that the disk needs for this many bytes. */
function bareWrite(folder: string, bytes: number): number {
  const file = path.join(folder, 'bare');
  const piece = Buffer.alloc(MIB, 'kneepoint');
  const began = performance.now();
  const handle = openSync(file, 'w');
  for (let remaining = bytes; remaining > 0; remaining -= piece.length)
    writeSync(handle, piece, 0, Math.min(remaining, piece.length));
  fsyncSync(handle);
  closeSync(handle);
  const took = performance.now() - began;
  rmSync(file);
  return took;
}
