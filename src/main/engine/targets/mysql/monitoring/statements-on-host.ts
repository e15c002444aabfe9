import { BEGIN, clientScript, END, framed, READ_QUESTION, ROW, wholeOf } from '../../on-host.ts';
import { figuresOf } from '../../sampling.ts';
import type { ServerConfig } from '../../server-facts.ts';
import type { HostSampling, StatementAnswer } from '../../target.ts';
import { type MySqlConnection, mysqlLimit } from '../connection.ts';
import { clientOf, filesOf, quoted } from './on-host.ts';

const fieldOf = (name: string): string => `<field name="${name}">`;
const isFieldOf = (name: string): string => `index($0, "${fieldOf(name).replaceAll('"', '\\"')}")`;
/** Column names distinguish marks from results. */
const MARKS = { begin: isFieldOf(BEGIN), end: isFieldOf(END), first: `$0 "${'\\036'}"` };

/**
 * A client that continues after errors also continues without a connection, and never reconnects. It then gets no more questions, and ends. One line
 * of each of its errors is passed on.
 */
const asked = (command: string): string => `rm -f "$dir/lost"
  while [ ! -e "$dir/lost" ] && printf '%s\\n' "$question"; do sleep 1; done | {
    { ${command} 2>&1 >&3 3>&-; } | $awk -v lost="$dir/lost" '
      /^ERROR/ && !/\\(kneepoint\\)/ && !gone { print; fflush() }
      /^ERROR (2006|2013|2055|4031) / { gone = 1; print >lost; close(lost) }' >&2 3>&-
  } 3>&1`;

/**
 * Each statement is sent as hex digits and prepared by the server, so the client does not interpret its quotes, delimiters or commands. The output is
 * XML: a column without a name is named like the lines of its expression, and the client would print these unchanged.
 */
export async function mysqlStatementsOnHost(
  connection: MySqlConnection,
  config: ServerConfig,
  secret: string | undefined,
  statements: readonly string[],
): Promise<HostSampling | undefined> {
  const [[version] = []] = await connection.query('SELECT VERSION()');
  const known = clientOf(config, secret, /mariadb/i.test(String(version)));
  if (!known) return undefined;
  const limit = await mysqlLimit(connection);
  const options = [...known.options, '[mysql]', 'default-character-set=utf8mb4'];
  const question = statements.flatMap((statement, place) => [
    `SELECT ${place} AS '${BEGIN}';`,
    `SET @kneepoint = CONVERT(X'${Buffer.from(statement).toString('hex')}' USING utf8mb4);`,
    'PREPARE kneepoint FROM @kneepoint;',
    'EXECUTE kneepoint;',
    `SELECT 1 AS '${END}';`,
  ]);
  return {
    script: framed(clientScript(known.client, asked(`${known.command} --xml --force`), READ_QUESTION), MARKS),
    files: filesOf(limit === undefined ? options : [...options, `init-command=${quoted(limit)}`], question.join('\n')),
  };
}

export function mysqlStatementLines(line: string): StatementAnswer | undefined {
  const [mark = '', ...lines] = wholeOf(line).split(ROW);
  const [, place] = /">(\d+)<\/field>$/.exec(mark) ?? [];
  if (place === undefined) return undefined;
  const [, answer] = /<resultset statement="EXECUTE[^>]*>(.*?)<\/resultset>/s.exec(lines.join('\n')) ?? [];
  return { statement: Number(place), figures: answer === undefined ? undefined : figuresOf(tableIn(answer)) };
}

function tableIn(answer: string): Parameters<typeof figuresOf>[0] {
  const rows = answer.split('</row>').map((row) =>
    [...row.matchAll(/<field name="([^"]*)"(?: xsi:nil="true" \/>|>([^<]*)<\/field>)/g)].map(
      ([, name = '', value]) => ({
        name: plain(name),
        value: value === undefined ? null : plain(value),
      }),
    ),
  );
  return {
    columns: rows[0]?.map(({ name }) => name) ?? [],
    rows: rows.filter((row) => row.length > 0).map((row) => row.map(({ value }) => value)),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const plain = (text: string): string => text.replaceAll(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all);
