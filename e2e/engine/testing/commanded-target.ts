import type { AppContract } from '../../../src/shared/contract/index.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import type { CommandedServer, DatabaseServer } from '../../testbed/databases/index.ts';

/** Saves a stopped server of this computer with the commands that start it, and starts it. */
export async function addCommanded(
  client: Client<AppContract>,
  name: string,
  { product, address, port, user, password, database }: DatabaseServer,
  { start, stop, settingsFile }: CommandedServer,
  way: { port?: number } = {},
): Promise<void> {
  const isPostgres = product === 'postgres';
  const config = { address, port: way.port ?? port, user, database };
  const saved = await client.targets.save({
    spec: {
      name,
      kind: isPostgres ? 'postgres' : 'mysql',
      via: null,
      config: isPostgres ? config : { ...config, allowCleartextPassword: true },
      server: {
        host: 'this computer',
        control: { kind: 'commands', start, stop },
        limitSeconds: 60,
        ...(!isPostgres && { settingsFile }),
      },
    },
    secret: password,
  });
  await client.targets.startServer({ id: saved.id });
}

export async function stopServers(client: Client<AppContract>): Promise<void> {
  for (const { id } of await client.targets.list({})) await client.targets.stopServer({ id });
}
