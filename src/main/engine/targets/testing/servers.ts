import { connect, type NetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import type { DatabaseServer } from '../../../../../e2e/testbed/databases/index.ts';
import { KneepointError, type Problem } from '../../../../shared/model/problem.ts';
import type { Reach, TargetSession, TargetType } from '../target.ts';

const connected = (to: NetConnectOpts): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const socket = connect(to);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });

/** Connects directly from this computer. */
export const directly: Reach = {
  dial: (host, port) => connected({ host, port }),
  dialSocket: (path) => connected({ path }),
  exec: () => Promise.reject(new Error('A server needs no script.')),
};

/** The app's connection to a server of the test bed, with its key pinned. `changes` override its configuration, and `secret` in them its password. */
export async function openServer(
  target: TargetType,
  {
    address,
    port,
    user,
    database,
    password,
    serverKey,
  }: Pick<DatabaseServer, 'address' | 'port' | 'user' | 'database' | 'password' | 'serverKey'>,
  changes: Record<string, unknown> = {},
  reach: Reach = directly,
): Promise<Required<TargetSession>> {
  const { secret = password, ...rest } = changes;
  const pinned = serverKey === undefined ? {} : { serverKey };
  const session = await target.open?.(
    target.config.parse({ address, port, user, database, ...pinned, ...rest }),
    String(secret),
    reach,
  );
  if (!session?.settings || !session.sizes || !session.sessions) throw new Error('This kind has no server.');
  return session as Required<TargetSession>;
}

/** The problem that a promise rejects with. Throws if it resolves. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const outcome = await work.then(
    () => new Error('It was accepted.'),
    (error: unknown) => error,
  );
  if (outcome instanceof KneepointError) return outcome.problem;
  throw outcome;
}
