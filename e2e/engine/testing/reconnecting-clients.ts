import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import type { DatabaseServer } from '../../testbed/databases/index.ts';

/** Delay before a refused client retries, in milliseconds. */
const RETRY_AFTER = 100;

/** An application of the MySQL family that opens a connection for each statement, and retries if refused. */
export function startReconnecting(
  { address, port, user, password, database }: DatabaseServer,
  clients: number,
  statement: string,
): { stop(): Promise<void> } {
  const login = { host: address, port, user, password, database };
  let isStopped = false;
  const client = async (): Promise<void> => {
    while (!isStopped) {
      const connection = await createConnection(login).catch(() => undefined);
      if (connection) await connection.query(statement).finally(() => connection.end());
      else await delay(RETRY_AFTER);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    async stop() {
      isStopped = true;
      await all;
    },
  };
}
