import type { MySqlConnection } from '../../mysql/connection.ts';
import { limitedTable } from '../../mysql/connection.ts';
import { type AnswerTable, comingAndGoing, FIGURES_LIMIT } from '../../sampling.ts';
import { numbersFrom } from '../../server-facts.ts';
import type { ServerSample } from '../../target.ts';
import { CODES, clickhouseCode } from '../failure.ts';
import { ASYNCHRONOUS, EVENTS, METRICS } from './names.ts';

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/**
 * By system table. Of events those that have happened are listed; of the 550 metrics those that are not zero; of asynchronous metrics, which
 * the server works out itself now and then and which repeat much of its host, a few.
 */
const TABLES = {
  events: "SELECT concat('events.', event), toString(value) FROM system.events",
  metrics: `SELECT concat('metrics.', metric), toString(value) FROM system.metrics WHERE value != 0 OR metric IN (${list(METRICS)})`,
  asynchronous_metrics: `SELECT concat('asynchronous_metrics.', metric), toString(value) FROM system.asynchronous_metrics WHERE metric IN (${list(ASYNCHRONOUS)})`,
} as const;

/** Metrics that are kept apart. */
const KEPT = 400;

interface Asked {
  question: string;
  events: boolean;
  problems: string[];
}

/** Which of the tables there are for this account. */
async function look(connection: MySqlConnection): Promise<Asked> {
  const there: string[] = [];
  const problems: string[] = [];
  for (const [table, sql] of Object.entries(TABLES)) {
    try {
      await connection.query(sql);
      there.push(table);
    } catch (error) {
      const code = clickhouseCode(error);
      if (code === CODES.accessDenied) {
        problems.push(
          `The account may not read system.${table}. GRANT SELECT ON system.${table} to it to include its figures.`,
        );
      } else if (code !== CODES.unknownTable) throw error;
    }
  }
  const asked = Object.entries(TABLES).flatMap(([table, sql]) => (there.includes(table) ? [sql] : []));
  return { question: asked.join('\nUNION ALL '), events: there.includes('events'), problems };
}

/** One question. It is one of the queries that `events.Query` counts. */
export function clickhouseSampler(connection: MySqlConnection): () => Promise<ServerSample> {
  let asked: Asked | undefined;
  const keep = comingAndGoing(KEPT);
  return async () => {
    const isFirst = asked === undefined;
    asked ??= await look(connection);
    const { question, events, problems } = asked;
    const told = Object.entries(
      numbersFrom(
        question === ''
          ? []
          : (await connection.query(question)).map(([name, value]) => [String(name), value] as const),
      ),
    );
    const isMetric = ([name]: [string, number]): boolean => name.startsWith('metrics.');
    return {
      metrics: {
        ...(events && Object.fromEntries(EVENTS.map((name) => [`events.${name}`, 0]))),
        ...Object.fromEntries(told.filter((each) => !isMetric(each))),
        ...Object.fromEntries(keep(told.filter(isMetric))),
      },
      ...(isFirst && problems.length > 0 && { problems }),
    };
  };
}

export const clickhouseTable = (connection: MySqlConnection, statement: string): Promise<AnswerTable> =>
  limitedTable(connection, statement, [`SET max_execution_time = ${FIGURES_LIMIT / 1000}`]);
