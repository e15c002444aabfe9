import type { Tabling } from '../../mysql/connection.ts';
import {
  addressToBeOwn,
  BEGIN,
  clientScript,
  END,
  framed,
  READ_QUESTION,
  ROW,
  rowsOf,
  statementLine,
  TABS,
} from '../../on-host.ts';
import { FIGURES_LIMIT } from '../../sampling.ts';
import type { ServerConfig } from '../../server-facts.ts';
import type { HostSampling, ServerSample } from '../../target.ts';
import { CODES, clickhouseCode, isRefusal } from '../failure.ts';
import { type Asking, clickhouseTable, detailsOf, figuresIn } from './sample.ts';

/** Seconds after which the client is restarted: it reads all of its input, 1 to 2 MB, before it begins. */
const ASKED_AT_ONCE = 300;

/** How its client connects to the same server as the app. */
interface Place {
  config: ServerConfig;
  /** A condition that is true on this server, and on no other that its client may reach. */
  isIt: string;
}

/**
 * Its own protocol has a separate port, which the server reports as configured. If the port that the app uses differs from the reported one, ports
 * are mapped: the own protocol is then elsewhere on the host, another server may be on that port, and nothing is sent there. Undefined in that case,
 * if TLS is wanted but not available, and if a CA of this computer has to be checked.
 */
async function placeOf(connection: Asking, config: ServerConfig): Promise<Place | undefined> {
  if (Number(await evaluate(connection, "getServerPort('mysql_port')")) !== config.port) return undefined;
  const port = Number(
    await evaluate(connection, config.tls === 'required' ? "getServerPort('tcp_port_secure')" : 'tcpPort()'),
  );
  const isIt = await identityOf(connection);
  return port > 0 && isIt !== undefined ? { config: { ...config, port }, isIt } : undefined;
}

export async function clickhouseOnHost(
  connection: Asking,
  config: ServerConfig,
  secret: string | undefined,
): Promise<HostSampling | undefined> {
  const place = await placeOf(connection, config);
  const { question } = await detailsOf(connection);
  if (!place || question === '') return undefined;
  const program = clickhouseProgram(place.config, `${onOneLine(question, place.isIt)};`, secret);
  return program && { script: `${program.script('')}\n`, files: program.files };
}

/**
 * The client itself finds the end of each statement. One that the server cannot parse has no reliable end, and would absorb the rest: it is not sent.
 */
export async function clickhouseStatementsOnHost(
  connection: Tabling,
  config: ServerConfig,
  secret: string | undefined,
  statements: readonly string[],
): Promise<HostSampling | undefined> {
  const place = await placeOf(connection, config);
  if (!place) return undefined;
  const asked: string[] = [];
  for (const [index, statement] of statements.entries()) {
    asked.push(`SELECT if(${place.isIt}, '${index}', '${ANOTHER}') AS \`${BEGIN}\`;`);
    if (await isReadable(connection, statement)) asked.push(`${statement.replace(/[;\s]+$/, '')}\n;`);
    asked.push(`SELECT 1 AS \`${END}\`;`);
  }
  const program = clickhouseProgram(place.config, asked.join('\n'), secret);
  const options = `--format=TabSeparatedWithNames --ignore-error --max_execution_time=${FIGURES_LIMIT / 1000}`;
  return program && { script: framed(program.script(options)), files: program.files };
}

async function isReadable(connection: Tabling, statement: string): Promise<boolean> {
  try {
    await clickhouseTable(connection, statement);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return clickhouseCode(error) !== CODES.syntaxError;
  }
}

export const clickhouseStatementLines = statementLine(TABS);

/** `port`: that of its own protocol. `script` takes additional options of its client. */
function clickhouseProgram(
  config: ServerConfig,
  question: string,
  secret: string | undefined,
): { script(options: string): string; files: HostSampling['files'] } | undefined {
  const { address, port, user, database, tls } = config;
  const values = { host: address.replaceAll(/[[\]]/g, ''), port: String(port), user, password: secret ?? '', database };
  // XML cannot contain control characters, and not all versions preserve leading and trailing white space.
  if (tls === 'verify' || Object.values(values).some((value) => hasControls(value) || value !== value.trim()))
    return undefined;
  const login = Object.entries(values).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return {
    script: (options) =>
      clientScript(
        { programs: ['clickhouse-client'], own: addressToBeOwn(config) },
        // It waits on the server between two questions: its single connection stays open, and no process is started.
        `left=${ASKED_AT_ONCE}
  while printf '%s\\n' "$question" && left=$((left - 1)) && [ $left -gt 0 ]; do
    echo 'SELECT sleep(1) FORMAT Null;'
  done | "$client" --config-file="$dir/client.xml" --multiquery ${options}`,
        READ_QUESTION,
      ),
    files: [
      {
        name: 'client.xml',
        content: `<config>${login.join('')}${tls === 'required' ? ENCRYPTED : ''}</config>\n`,
        mode: 0o600,
        secret: true,
      },
      { name: 'question', content: `${question}\n`, mode: 0o600, secret: false },
    ],
  };
}

const ENCRYPTED = `<secure>true</secure><openSSL><client><verificationMode>none</verificationMode>
<invalidCertificateHandler><name>AcceptCertificateHandler</name></invalidCertificateHandler></client></openSSL>`;

/** The server's value. Undefined if the server is too old for the expression or has no such value. */
async function evaluate(connection: Asking, expression: string): Promise<string | undefined> {
  try {
    const [[value] = []] = await connection.query(`SELECT ${expression}`);
    return value === undefined || value === null ? undefined : String(value);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** Expressions that identify a server, most reliable first. An id stays with the data; servers before version 22 have none. */
const IDENTITIES = [
  { expression: 'toString(serverUUID())', nobody: '00000000-0000-0000-0000-000000000000' },
  { expression: 'hostName()' },
];

/** A condition that is true on this server, and on no other that its client may reach. */
async function identityOf(connection: Asking): Promise<string | undefined> {
  for (const { expression, nobody: unset } of IDENTITIES) {
    const value = await evaluate(connection, expression);
    if (value !== undefined && value !== unset) return `${expression} = '${value.replace(/[\\']/g, '\\$&')}'`;
  }
  return undefined;
}

const ANOTHER = 'another server responds on this port of the host, so its data is discarded';

const ROW_IN_SQL = `\\x${ROW.charCodeAt(0).toString(16)}`;

/** Returns all rows as one, with its length in bytes. A different server returns a message instead. */
const onOneLine = (question: string, isIt: string): string =>
  `SELECT if(${isIt}, concat(line, toString(length(line))), '${ANOTHER}')
FROM (SELECT arrayStringConcat(groupArray(concat(item, '\\t', figure, '${ROW_IN_SQL}'))) AS line FROM (${question}))
FORMAT TSVRaw`;

const hasControls = (value: string): boolean => [...value].some((letter) => letter < ' ');

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (value: string): string => value.replaceAll(/[&<>]/g, (letter) => MARKUP[letter] ?? letter);

export function clickhouseHostLines(
  known: readonly string[] = [],
): (line: string) => ServerSample['metrics'] | undefined {
  const figures = figuresIn(known);
  return (line) => {
    const metrics = figures(rowsOf(line));
    return Object.keys(metrics).length === 0 ? undefined : metrics;
  };
}
