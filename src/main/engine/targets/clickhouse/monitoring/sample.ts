import type { MySqlConnection, Row } from '../../mysql/connection.ts';
import { limitedTable, type Tabling } from '../../mysql/connection.ts';
import { comingAndGoing, FIGURES_LIMIT } from '../../sampling.ts';
import { numbersFrom } from '../../server-facts.ts';
import type { AnswerTable, ServerSample, TableHow } from '../../target.ts';
import { CODES, clickhouseCode } from '../failure.ts';
import { ASYNCHRONOUS, EVENTS, METRICS } from './names.ts';

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/**
 * By system table. Of events those that have happened are listed; of the 550 metrics those that are not zero; of asynchronous metrics, which
 * the server works out itself now and then and which repeat much of its host, a few.
 */
const TABLES = {
  events: "SELECT concat('events.', event) AS item, toString(value) AS figure FROM system.events",
  metrics: `SELECT concat('metrics.', metric) AS item, toString(value) AS figure FROM system.metrics WHERE value != 0 OR metric IN (${list(METRICS)})`,
  asynchronous_metrics: `SELECT concat('asynchronous_metrics.', metric) AS item, toString(value) AS figure FROM system.asynchronous_metrics WHERE metric IN (${list(ASYNCHRONOUS)})`,
} as const;

/** Metrics that are kept apart. */
const KEPT = 400;

/** What questions are asked over. */
export type Asking = Pick<MySqlConnection, 'query'>;

/** Rows of name and figure, of those tables that there are for this account; empty where there is none. */
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
          `The account may not read system.${table}. GRANT SELECT ON system.${table} to it to include its figures.`,
        );
      } else if (code !== CODES.unknownTable) throw error;
    }
  }
  return { question: asked.join('\nUNION ALL '), problems };
}

/** Reads answers of one connection. */
export function figuresIn(known?: readonly string[]): (rows: readonly Row[]) => ServerSample['metrics'] {
  const keep = comingAndGoing(KEPT, 'metrics.', known);
  return (rows) => {
    const isOf =
      (table: string) =>
      ([name]: [string, number]): boolean =>
        name.startsWith(`${table}.`);
    const told = Object.entries(numbersFrom(rows.map(([name, value]) => [String(name), value]))).filter((each) =>
      Object.keys(TABLES).some((table) => isOf(table)(each)),
    );
    // No answer: not even that all metrics of before are zero now.
    if (told.length === 0) return {};
    // This question is an event too: a server that tells of events tells of one at least.
    const zeros = told.some(isOf('events')) ? EVENTS.map((name) => [`events.${name}`, 0]) : [];
    const isMetric = isOf('metrics');
    return {
      ...Object.fromEntries(zeros),
      ...Object.fromEntries(told.filter((each) => !isMetric(each))),
      ...Object.fromEntries(keep(told.filter(isMetric))),
    };
  };
}

/** One question. It is one of the queries that `events.Query` counts. */
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
