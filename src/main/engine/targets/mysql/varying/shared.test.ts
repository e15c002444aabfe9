import { expect, it } from 'vitest';
import type { MySqlConnection } from '../connection.ts';
import { mysqlControl } from './index.ts';

it('a connection during its login is not counted as another client', async () => {
  const answers: Readonly<Record<string, unknown[][]>> = {
    'SELECT USER()': [['bench@localhost']],
    'SHOW PROCESSLIST': [
      [1, 'bench', 'localhost', 'bench', 'Query', 0],
      [2, 'unauthenticated user', 'connecting host', null, 'Connect', null],
      [3, 'unauthenticated user', '10.0.0.7:5000', null, 'Connect', 0],
      [4, 'app', '10.0.0.7:5001', 'app', 'Sleep', 3],
    ],
  };
  const query = async (sql: string) => Object.entries(answers).find(([start]) => sql.startsWith(start))?.[1] ?? [];
  const { clients } = await (await mysqlControl({ query } as unknown as MySqlConnection)).shared();
  expect(clients).toEqual(['app from 10.0.0.7']);
});
