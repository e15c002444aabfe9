import { limitedTable, type MySqlConnection, type Row, type Tabling } from '../../mysql/connection.ts';
import { comingAndGoing, FIGURES_LIMIT } from '../../sampling.ts';
import { numbersFrom } from '../../server-facts.ts';
import type { AnswerTable, ServerSample, TableHow } from '../../target.ts';
import { CODES, clickhouseCode } from '../failure.ts';
import { ASYNCHRONOUS, EVENTS, METRICS } from './names.ts';

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/**
 * Queries by system table: events that have happened, those of the 550 metrics that are not zero, and a few asynchronous metrics, which the server
 * calculates at intervals and which largely repeat those of its host.
 */
const TABLES = {
  events: "SELECT concat('events.', event) AS item, toString(value) AS figure FROM system.events",
  metrics: `SELECT concat('metrics.', metric) AS item, toString(value) AS figure FROM system.metrics WHERE value != 0 OR metric IN (${list(METRICS)})`,
  asynchronous_metrics: `SELECT concat('asynchronous_metrics.', metric) AS item, toString(value) AS figure FROM system.asynchronous_metrics WHERE metric IN (${list(ASYNCHRONOUS)})`,
} as const;

/** Maximum distinct metrics tracked. */
const KEPT = 400;

/** The connection for questions. */
export type Asking = Pick<MySqlConnection, 'query'>;

/** Returns a question for name and figure rows, from the tables that exist for this account. Empty if there are none. */
export async function detailsOf(connection: Asking): Promise<{ question: string; problems: string[] }> {
  const asked: string[] = [];
  const problems: string[] = [];
  for (const [table, sql] of Object.entries(TABLES)) {
    try {
      await connection.query(sql);
      asked.push(sql);
    } catch (error) {
      const code = clickhouseCode(error);
      if (code === CODES.accessDenied) {
        problems.push(
          `The account has no permission to read system.${table}. GRANT SELECT ON system.${table} to it to include its figures.`,
        );
      } else if (code !== CODES.unknownTable) throw error;
    }
  }
  return { question: asked.join('\nUNION ALL '), problems };
}

/** Reads the responses of one connection. */
export function figuresIn(known?: readonly string[]): (rows: readonly Row[]) => ServerSample['metrics'] {
  const keep = comingAndGoing(KEPT, 'metrics.', known);
  return (rows) => {
    const isOf =
      (table: string) =>
      ([name]: [string, number]): boolean =>
        name.startsWith(`${table}.`);
    const reported = Object.entries(numbersFrom(rows.map(([name, value]) => [String(name), value]))).filter((each) =>
      Object.keys(TABLES).some((table) => isOf(table)(each)),
    );
    // No response: the previous metrics are not known to be zero.
    if (reported.length === 0) return {};
    // This question is an event too, so a server that reports events reports at least one.
    const zeros = reported.some(isOf('events')) ? EVENTS.map((name) => [`events.${name}`, 0]) : [];
    const isMetric = isOf('metrics');
    return {
      ...Object.fromEntries(zeros),
      ...Object.fromEntries(reported.filter((each) => !isMetric(each))),
      ...Object.fromEntries(keep(reported.filter(isMetric))),
    };
  };
}

/** Sends one question per sample. `events.Query` counts it as a query. */
export function clickhouseSampler(connection: MySqlConnection): () => Promise<ServerSample> {
  let asked: Awaited<ReturnType<typeof detailsOf>> | undefined;
  const figures = figuresIn();
  return async () => {
    const isFirst = asked === undefined;
    asked ??= await detailsOf(connection);
    const { question, problems } = asked;
    return {
      metrics: figures(question === '' ? [] : await connection.query(question)),
      ...(isFirst && problems.length > 0 && { problems }),
    };
  };
}

export const clickhouseTable = (
  connection: Tabling,
  statement: string,
  { first }: TableHow = {},
): Promise<AnswerTable> =>
  limitedTable(connection, statement, [`SET max_execution_time = ${FIGURES_LIMIT / 1000}`], first);
