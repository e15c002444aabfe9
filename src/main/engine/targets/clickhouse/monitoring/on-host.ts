import { addressToBeOwn, clientScript, ROW, rowsOf } from '../../on-host.ts';
import type { ServerConfig } from '../../server-facts.ts';
import type { HostSampling, ServerSample } from '../../target.ts';
import { clickhouseCode } from '../failure.ts';
import { type Asking, detailsOf, figuresIn } from './sample.ts';

/** Seconds after which the client is started again: it reads all of its input before it begins, 1 to 2 MB. */
const ASKED_AT_ONCE = 300;

/** Its own protocol is on a port of its own. Undefined where TLS is wanted and there is none, or where a CA of this computer has to be checked. */
export async function clickhouseOnHost(
  connection: Asking,
  config: ServerConfig,
  secret: string | undefined,
): Promise<HostSampling | undefined> {
  const port = await ownPort(connection, config.tls);
  const { question } = await detailsOf(connection);
  return port === undefined || question === '' ? undefined : clickhouseProgram({ ...config, port }, question, secret);
}

/** `port`: that of its own protocol; `question`: rows of name and figure. */
function clickhouseProgram(
  config: ServerConfig,
  question: string,
  secret: string | undefined,
): HostSampling | undefined {
  const { address, port, user, database, tls } = config;
  const values = { host: address.replaceAll(/[[\]]/g, ''), port: String(port), user, password: secret ?? '', database };
  // XML has no place for control characters, and white space at an end is not kept by all versions.
  if (tls === 'verify' || Object.values(values).some((value) => hasControls(value) || value !== value.trim()))
    return undefined;
  const login = Object.entries(values).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return {
    script: `${clientScript(
      { programs: ['clickhouse-client'], own: addressToBeOwn(config) },
      // It waits on the server between two questions: its one connection stays open, and nothing is started.
      `left=${ASKED_AT_ONCE}
  while printf '%s\\n' "$question" && left=$((left - 1)) && [ $left -gt 0 ]; do
    echo 'SELECT sleep(1) FORMAT Null;'
  done | "$client" --config-file="$dir/client.xml" --multiquery`,
      'question=$(cat "$dir/question") || exit 69\n',
    )}\n`,
    files: [
      {
        name: 'client.xml',
        content: `<config>${login.join('')}${tls === 'required' ? ENCRYPTED : ''}</config>\n`,
        mode: 0o600,
        secret: true,
      },
      { name: 'question', content: `${onOneLine(question)};\n`, mode: 0o600, secret: false },
    ],
  };
}

const ENCRYPTED = `<secure>true</secure><openSSL><client><verificationMode>none</verificationMode>
<invalidCertificateHandler><name>AcceptCertificateHandler</name></invalidCertificateHandler></client></openSSL>`;

/** The port that the server says its own protocol has; undefined where it has none, or is too old to tell. */
async function ownPort(connection: Asking, tls: ServerConfig['tls']): Promise<number | undefined> {
  try {
    const of = tls === 'required' ? "getServerPort('tcp_port_secure')" : 'tcpPort()';
    const [[port] = []] = await connection.query(`SELECT ${of}`);
    return Number(port) > 0 ? Number(port) : undefined;
  } catch (error) {
    if (clickhouseCode(error) === undefined) throw error;
    return undefined;
  }
}

const ROW_IN_SQL = `\\x${ROW.charCodeAt(0).toString(16)}`;

/** All rows as one, with its length in bytes. */
const onOneLine = (question: string): string =>
  `SELECT concat(line, toString(length(line)))
FROM (SELECT arrayStringConcat(groupArray(concat(item, '\\t', figure, '${ROW_IN_SQL}'))) AS line FROM (${question}))
FORMAT TSVRaw`;

const hasControls = (value: string): boolean => [...value].some((letter) => letter < ' ');

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (value: string): string => value.replaceAll(/[&<>]/g, (letter) => MARKUP[letter] ?? letter);

export function clickhouseHostLines(): (line: string) => ServerSample['metrics'] | undefined {
  const figures = figuresIn();
  return (line) => {
    const metrics = figures(rowsOf(line));
    return Object.keys(metrics).length === 0 ? undefined : metrics;
  };
}
