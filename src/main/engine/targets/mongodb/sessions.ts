import type { Document } from 'mongodb';
import type { LiveSession } from '../../../../shared/model/target-details.ts';
import { present, SESSIONS_LISTED, statementOf } from '../server-facts.ts';
import type { MongoConnection } from './connection.ts';
import { CODES, mongoCode } from './failure.ts';

/** Connections of clients, running or not; without the right inprog only one's own. */
export async function mongoSessions(connection: MongoConnection): Promise<LiveSession[]> {
  const operations = await operationsOf(connection, true).catch((error: unknown) => {
    if (mongoCode(error) === CODES.unauthorized) return operationsOf(connection, false);
    throw error;
  });
  return operations
    .filter((operation) => operation.connectionId !== undefined)
    .slice(0, SESSIONS_LISTED)
    .map(sessionOf(connection));
}

async function operationsOf(connection: MongoConnection, allUsers: boolean): Promise<Document[]> {
  const stage = { $currentOp: { allUsers, idleConnections: true } };
  try {
    return await connection.find('admin', { aggregate: 1, pipeline: [stage], cursor: {} });
  } catch (error) {
    // FerretDB has the older command only.
    if (mongoCode(error) === CODES.unauthorized || mongoCode(error) === undefined) throw error;
    const { inprog } = await connection.command('admin', { currentOp: 1, $all: true, $ownOps: !allUsers });
    return Array.isArray(inprog) ? inprog : [];
  }
}

const sessionOf =
  (connection: MongoConnection) =>
  (operation: Document): LiveSession => {
    const { active, op, ns, command, waitingForLock, secs_running: seconds, connectionId } = operation;
    const users = Array.isArray(operation.effectiveUsers) ? operation.effectiveUsers : [];
    const idle = command === undefined || Object.keys(command).length === 0;
    return {
      id: String(connectionId),
      state: active === true ? String(op ?? 'active') : 'idle',
      own: connectionId === connection.hello.connectionId,
      ...present({
        user: users.map((each: Document) => String(each.user)).join(', '),
        client: [operation.client, operation.appName].filter((part) => typeof part === 'string').join(', '),
        database: typeof ns === 'string' ? ns.split('.')[0] : undefined,
        wait: waitingForLock === true ? 'a lock' : undefined,
        seconds: typeof seconds === 'number' ? seconds : undefined,
        statement: idle ? undefined : statementOf(JSON.stringify(command)),
      }),
    };
  };
