import { type AnswerTable, FIGURES_LIMIT } from '../../sampling.ts';
import type { PostgresConnection } from '../connection.ts';

export const BEFORE_STATEMENT = ['BEGIN READ ONLY', `SET LOCAL statement_timeout = ${FIGURES_LIMIT}`];

/**
 * What a statement of a person answers with that is asked for figures again and again. It runs in a transaction of its own that reads only and
 * ends by itself: a time limit of the session would stay on a connection that a pooler gives to others.
 */
export async function postgresTable(connection: PostgresConnection, statement: string): Promise<AnswerTable> {
  try {
    // A statement may end with a comment.
    const answers = await connection.several(
      [...BEFORE_STATEMENT, `${statement}\n`, 'COMMIT'].join(';'),
      2 * FIGURES_LIMIT,
    );
    return answers[BEFORE_STATEMENT.length] ?? { columns: [], rows: [] };
  } catch (error) {
    await connection.several('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
