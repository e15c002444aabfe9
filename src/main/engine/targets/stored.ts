import type { StoredPart } from '../../../shared/measures/index.ts';
import { wordsOf } from './failure.ts';
import type { AnswerTable, StoredSize } from './target.ts';

type Rows = AnswerTable['rows'];

/** Rows of a response, or the server's words for why there are none. */
export type Reported = Rows | string;

/** Asks a server for data that the account may not be allowed to see. Throws if the connection failed. */
export const reporting =
  (ask: (statement: string) => Promise<Pick<AnswerTable, 'rows'>>, isRefusal: (error: unknown) => boolean) =>
  async (statement: string): Promise<Reported> => {
    try {
      return (await ask(statement)).rows;
    } catch (error) {
      if (isRefusal(error)) return wordsOf(error);
      throw error;
    }
  };

/** A size from a column of the result, summed over its rows. Without rows or values, its value is absent. */
export function storedSize(what: StoredPart, source: string, reported: Reported, column = 0): StoredSize {
  if (typeof reported === 'string') return { what, source: `not reported by ${source}: ${reported}` };
  const values = reported.flatMap((row) =>
    row[column] === null || row[column] === undefined ? [] : Number(row[column]),
  );
  const sum = values.reduce((all, value) => all + value, 0);
  return values.length > 0 && Number.isFinite(sum)
    ? { what, value: sum, source }
    : { what, source: `empty in ${source}` };
}
