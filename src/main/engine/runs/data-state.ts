import type { DataNeed } from '../tools/tool.ts';
import type { RunsContext } from './context.ts';

/** Which of the needed tables are there with the right number of rows. */
export interface DataState {
  complete: boolean;
  /** None of them is there. */
  empty: boolean;
  /** Words for each table that is not as needed. */
  wrong: string[];
}

/** Counts every table that a data need names. */
export async function dataState(
  context: RunsContext,
  target: string,
  need: DataNeed,
  signal?: AbortSignal,
): Promise<DataState> {
  const session = await context.targets.open(target, signal);
  if (!session) return { complete: true, empty: false, wrong: [] };
  try {
    const wrong: string[] = [];
    let found = 0;
    for (const { name, rows: expected } of need.tables) {
      const rows = await session.countRows(name);
      if (rows !== undefined) found++;
      if (rows !== expected)
        wrong.push(`${name}: ${rows === undefined ? 'missing' : `${rows} rows`}, expected ${expected}`);
    }
    return { complete: wrong.length === 0, empty: found === 0, wrong };
  } finally {
    await session.close();
  }
}
