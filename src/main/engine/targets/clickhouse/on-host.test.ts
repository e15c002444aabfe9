import { expect, test } from 'vitest';
import { clickhouseTarget } from './index.ts';
import { clickhouseOnHost } from './monitoring/on-host.ts';

const UUID = '5f0a9c3e-0000-4000-8000-00000000abcd';
/** A server's values by expression. Unknown ones cause a ClickHouse error. */
const server = (told: Readonly<Record<string, unknown>>) => ({
  query: async (sql: string): Promise<unknown[][]> => {
    const expression = sql.replace(/^SELECT /, '');
    if (expression in told) return [[told[expression]]];
    if (sql.includes('system.')) return [];
    throw Object.assign(new Error('There is nothing of that name.'), { errno: 46, sqlState: 'HY000' });
  },
});
const OWN = { "getServerPort('mysql_port')": 9004, 'tcpPort()': 9000, 'toString(serverUUID())': UUID };
const config = (port = 9004) => ({
  ...clickhouseTarget.config.parse({ address: '127.0.0.1', port, user: 'bench', database: 'bench', tls: 'disabled' }),
  socket: '',
});
const contentOf = async (told: Readonly<Record<string, unknown>>, name: string, port?: number) =>
  (await clickhouseOnHost(server(told), config(port), 'secret'))?.files.find((file) => file.name === name)?.content;

test('the client gets the password if the app uses the actual port of the server', async () => {
  expect(await contentOf(OWN, 'client.xml')).toContain('<port>9000</port>');
});

test('no client logs in if ports are mapped or unknown', async () => {
  expect(await clickhouseOnHost(server(OWN), config(19_004), 'secret')).toBeUndefined();
  const { "getServerPort('mysql_port')": _, ...older } = OWN;
  expect(await clickhouseOnHost(server(older), config(), 'secret')).toBeUndefined();
});

test.each([
  [OWN, `if(toString(serverUUID()) = '${UUID}', `],
  [
    { ...OWN, 'toString(serverUUID())': '00000000-0000-0000-0000-000000000000', 'hostName()': 'db1' },
    "if(hostName() = 'db1', ",
  ],
  [{ ...OWN, 'toString(serverUUID())': undefined, 'hostName()': "d'b\\" }, "if(hostName() = 'd\\'b\\\\', "],
])('each query first verifies the identity of the server: %o', async (told, condition) => {
  expect(await contentOf(told, 'question')).toContain(condition);
});
