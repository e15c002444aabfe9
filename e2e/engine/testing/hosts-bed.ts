import type { AppContract } from '../../../src/shared/contract/index.ts';
import type { Run, Session } from '../../../src/shared/model/session.ts';
import type { TargetSpec } from '../../../src/shared/model/target.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import { canMakeNetworks, createHosts, type TestHost } from '../../testbed/sshd/index.ts';
import { startEngine } from './engine.ts';
import { ended, until } from './session.ts';

const PASSPHRASE = 'a passphrase of the vault';

/** Hosts behind SSH, and an engine in this process that has them saved by name. */
export interface HostsBed {
  readonly client: Client<AppContract>;
  /** On our side of the bridge, for servers that every host reaches. */
  readonly address: string;
  host(name: string): TestHost;
  addTarget(spec: TargetSpec, secret: string): Promise<number>;
  close(): Promise<void>;
}

export async function startHostsBed(names: readonly string[]): Promise<HostsBed> {
  const network = await createHosts(names.length);
  const engine = await startEngine();
  const { client } = engine;
  const host = (name: string): TestHost => network.hosts[names.indexOf(name)] as TestHost;
  await client.app.unlockVault({ passphrase: PASSPHRASE });
  for (const name of names) await addHost(client, name, host(name));
  return {
    client,
    host,
    address: canMakeNetworks() ? (network.hosts[0] as TestHost).address.replace(/\.\d+$/, '.254') : '127.0.0.1',
    addTarget: async (spec, secret) => (await client.targets.save({ spec, secret })).id,
    async close() {
      await engine.close();
      await network.close();
    },
  };
}

/** Like a user: trusts the key that is shown at first contact. */
export async function addHost(
  client: Client<AppContract>,
  name: string,
  { address, port, user, keyFile }: TestHost,
): Promise<void> {
  const { id } = await client.hosts.save({
    spec: { kind: 'ssh', name, address, port, user, auth: { method: 'key', keyFile } },
  });
  const first = await client.hosts.test({ id });
  if (first.result !== 'key-unknown') throw new Error(`First contact gave ${JSON.stringify(first)}`);
  await client.hosts.trustKey({ key: first.key });
}

/**
 * Runs a session to its end. `meanwhile` is called once for each trial and awaited: when its tool starts, with its levels applied, or with
 * `seconds: 1` when it has recorded a second. That is for long trials: on a busy machine the first second of a short one arrives with its end.
 */
export async function runSession(
  client: Client<AppContract>,
  text: string,
  meanwhile: (run: Run) => Promise<void> = async () => {},
  { destroy = [], seconds = 0 }: { destroy?: string[]; seconds?: 0 | 1 } = {},
): Promise<{ session: Session; runs: Run[] }> {
  const { id } = await client.sessions.start({ text, destroy });
  const seen = new Set<number>();
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'session' && ended(event.session)) break;
    if (event.kind !== 'run' || event.run.state !== 'running' || event.run.seconds < seconds) continue;
    if (seen.has(event.run.id)) continue;
    seen.add(event.run.id);
    await meanwhile(event.run);
  }
  return { session: await until(client, id, ended), runs: await client.sessions.runs({ id }) };
}
