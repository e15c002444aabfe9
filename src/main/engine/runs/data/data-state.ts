import type { DataTable } from '../../../../shared/model/data-set.ts';
import type { RunsContext } from '../context.ts';

/** Which of the wanted tables are there with the right number of rows. */
export interface DataState {
  complete: boolean;
  /** None of them is there. */
  empty: boolean;
  /** Words for each table that is not as wanted. */
  wrong: string[];
  tables: DataTable[];
}

/** Counts these tables in a target. */
export async function dataState(
  context: RunsContext,
  target: string,
  wanted: readonly { name: string; rows: number }[],
  signal?: AbortSignal,
): Promise<DataState> {
  const session = await context.targets.open(target, signal);
  if (!session)
    return { complete: true, empty: false, wrong: [], tables: wanted.map(({ name, rows }) => ({ name, rows })) };
  try {
    const tables: Required<DataTable>[] = [];
    for (const { name, rows } of wanted) tables.push({ name, rows, found: (await session.countRows(name)) ?? null });
    const wrong = tables
      .filter(({ rows, found }) => found !== rows)
      .map(({ name, rows, found }) => `${name}: ${found === null ? 'missing' : `${found} rows`}, expected ${rows}`);
    return { complete: wrong.length === 0, empty: tables.every(({ found }) => found === null), wrong, tables };
  } finally {
    await session.close();
  }
}

const SHOWN = 4;

/** The first few tables that are not as wanted, in words. */
export const wrongWords = ({ wrong }: DataState): string =>
  `${wrong.slice(0, SHOWN).join('; ')}${wrong.length > SHOWN ? '; …' : ''}`;
