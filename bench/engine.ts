import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestHost } from '../e2e/testbed/sshd/index.ts';
import { outsideOf } from '../src/main/computer/index.ts';
import { createEngine } from '../src/main/engine/index.ts';
import { type AppContract, contract } from '../src/shared/contract/index.ts';
import { connect } from '../src/shared/rpc/client.ts';
import type { Client } from '../src/shared/rpc/define.ts';
import { memoryTransports } from '../src/shared/rpc/transports.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** A complete engine in this process, with its own library, accessed through the contract; removed afterwards. */
export async function withEngine<T>(work: (client: Client<AppContract>) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-bench-'));
  const engine = await createEngine(outsideOf({ mode: 'test', dataDir, log: quiet }));
  const [near, far] = memoryTransports();
  engine.serve(far);
  try {
    return await work(connect(contract, near));
  } finally {
    near.close();
    await engine.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Adds a host and trusts the known key of its server. */
export async function addHost(client: Client<AppContract>, name: string, host: TestHost): Promise<void> {
  const { address, port, user, keyFile } = host;
  const auth = { method: 'key', keyFile } as const;
  const { id } = await client.hosts.save({ spec: { kind: 'ssh', name, address, port, user, auth, jumps: [] } });
  const first = await client.hosts.test({ id });
  if (first.result !== 'key-unknown' || first.key.fingerprint !== host.fingerprint())
    throw new Error(`First contact with ${name} gave ${JSON.stringify(first)}`);
  await client.hosts.trustKey({ key: first.key });
}

/** Starts an experiment and waits for its end; a session that is not done is an error. */
export async function runToEnd(client: Client<AppContract>, text: string): Promise<number> {
  const { id } = await client.sessions.start({ text });
  for await (const _ of client.sessions.watch({ id }));
  const { session } = await client.sessions.get({ id });
  if (session.state !== 'done' || session.trialsFailed > 0)
    throw new Error(`Session “${session.name}” is ${session.state}: ${session.message ?? 'a trial failed'}`);
  return id;
}
