import type { Document } from 'mongodb';
import { clientScript, ROW, rowsOf } from '../../on-host.ts';
import type { HostSampling, ServerSample } from '../../target.ts';
import type { MongoConfig, MongoConnection } from '../connection.ts';
import { DROPPED, metricsOf, QUESTION } from './sample.ts';

/** mongosh settings: no log, no history, no telemetry. */
const SETTINGS = JSON.stringify({ enableTelemetry: false, disableLogging: true, historyLength: 0 });

/**
 * Samples the member that the app is connected to, by mongosh, which is started once and reconnects by itself. Undefined if a CA of this computer has
 * to be checked. The default login mechanisms (SCRAM) never send the password.
 */
export async function mongoOnHost(
  { place: { address, port, socket } }: MongoConnection,
  { user, authSource, tls }: MongoConfig,
  secret: string | undefined,
): Promise<HostSampling | undefined> {
  if (tls === 'verify') return undefined;
  const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(secret ?? '')}@`;
  const host = address.includes(':') ? `[${address.replaceAll(/[[\]]/g, '')}]` : address;
  const options = {
    directConnection: 'true',
    appName: 'kneepoint',
    maxPoolSize: '1',
    serverSelectionTimeoutMS: '5000',
    heartbeatFrequencyMS: '3600000',
    serverMonitoringMode: 'poll',
    retryReads: 'false',
    retryWrites: 'false',
    ...(user !== '' && { authSource }),
    tls: String(tls === 'required'),
    ...(tls === 'required' && { tlsAllowInvalidCertificates: 'true', tlsAllowInvalidHostnames: 'true' }),
  };
  const url = `mongodb://${login}${socket === '' ? `${host}:${port}` : encodeURIComponent(socket)}/?${new URLSearchParams(options)}`;
  return {
    script: `${clientScript(
      { programs: ['mongosh'] },
      'HOME="$dir" "$client" --quiet --nodb --norc --file "$dir/sample.js"',
      `mkdir -p "$dir/.mongodb/mongosh" && printf '%s\\n' '${SETTINGS}' >"$dir/.mongodb/mongosh/config"\n`,
    )}\n`,
    files: [{ name: 'sample.js', content: loop(url), mode: 0o600, secret: true }],
  };
}

/** JavaScript for mongosh: prints the numbers of a response on one line each second, with its length in bytes. */
const loop = (url: string): string => `// mongosh goes on when nobody reads any more.
process.stdout.on('error', () => process.exit(1));
const dropped = ${String(DROPPED)};
const numbers = (value, path) => {
  if (typeof value === 'number') return dropped.test(path) ? undefined : value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  if (typeof value.toNumber === 'function') return numbers(value.toNumber(), path);
  const kept = Object.entries(value).map(([name, each]) => [name, numbers(each, path === '' ? name : path + '.' + name)]);
  const found = kept.filter(([, each]) => each !== undefined);
  return found.length === 0 ? undefined : Object.fromEntries(found);
};
let admin;
for (;;) {
  try {
    admin ??= new Mongo(${JSON.stringify(url)}).getDB('admin');
    const row = JSON.stringify(numbers(admin.runCommand(${JSON.stringify(QUESTION)}), '') ?? {}) + ${JSON.stringify(ROW)};
    print(row + Buffer.byteLength(row));
  } catch (error) {
    print(error.message);
  }
  sleep(1000);
}
`;

export function mongoHostLines(): (line: string) => ServerSample['metrics'] | undefined {
  return (line) => {
    const [text] = rowsOf(line)[0] ?? [];
    const document = text === undefined ? undefined : documentIn(text);
    const metrics = document && metricsOf(document);
    return metrics && Object.keys(metrics).length > 0 ? metrics : undefined;
  };
}

/** A message of the server may look like a whole line. */
function documentIn(text: string): Document | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null && !Array.isArray(document) ? document : undefined;
  } catch {
    return undefined;
  }
}
