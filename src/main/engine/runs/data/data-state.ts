import { type DataTable, rowsFit, type WantedTable } from '../../../../shared/model/data-set.ts';
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

/** Counts these tables in a target. `made`: right after they were made, when no trial can have changed the number of rows. */
export async function dataState(
  context: RunsContext,
  target: string,
  wanted: readonly WantedTable[],
  { signal, made = false }: { signal?: AbortSignal | undefined; made?: boolean } = {},
): Promise<DataState> {
  const session = await context.targets.open(target, signal);
  if (!session) return { complete: true, empty: false, wrong: [], tables: wanted.map(plain) };
  try {
    const tables: (DataTable & { found: number | null })[] = [];
    for (const table of wanted) tables.push({ ...plain(table), found: (await session.countRows(table.name)) ?? null });
    const wrong = tables
      .filter((table) => (made ? table.found !== table.rows : !rowsFit(table, table.found)))
      .map((table) => wrongTable(table, made));
    return {
      complete: wrong.length === 0,
      empty: tables.every(({ found }) => found === null),
      wrong,
      tables,
    };
  } finally {
    await session.close();
  }
}

const plain = ({ name, rows, runs }: WantedTable): WantedTable => ({ name, rows, ...(runs && { runs }) });

const wrongTable = ({ name, rows, runs, found }: DataTable & { found: number | null }, made: boolean): string =>
  `${name}: ${found === null ? 'missing' : `${found} rows`}, expected ${runs === 'add' && !made ? 'at least ' : ''}${rows}`;

const SHOWN = 4;

/** The first few tables that are not as wanted, in words. */
export const wrongWords = ({ wrong }: DataState): string =>
  `${wrong.slice(0, SHOWN).join('; ')}${wrong.length > SHOWN ? '; …' : ''}`;
