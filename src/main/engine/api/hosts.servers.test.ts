import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../../../../e2e/testbed/programs.ts';
import { startSshd, type TestSshd } from '../../../../e2e/testbed/sshd/index.ts';
import { type AppContract, contract } from '../../../shared/contract/index.ts';
import type { SshHostSpec } from '../../../shared/model/host.ts';
import { connect } from '../../../shared/rpc/client.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { serve } from '../../../shared/rpc/server.ts';
import { memoryTransports } from '../../../shared/rpc/transports.ts';
import { openStore } from '../store/open.ts';
import type { Identity } from '../store/store.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { createApi } from './index.ts';

describe.skipIf(lacks('sshd') !== '')('a host with unrestored settings', () => {
  let sshd: TestSshd;
  const folder = libraryFolder();
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(async () => {
    await sshd?.close();
    folder.remove();
  });

  const specAt = (address: string, port = sshd.port): SshHostSpec => {
    const { user, keyFile } = sshd;
    return { kind: 'ssh', name: 'db1', address, port, user, auth: { method: 'key', keyFile }, jumps: [] };
  };

  async function withEngine(work: (client: Client<AppContract>) => Promise<void>): Promise<void> {
    const clock = { now: () => 0, monotonic: () => 0 };
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const engine = await createApi({
      ...{ dataDir: folder.path, assetsDir: '.', nodePath: process.execPath, version: '0', mode: 'test' },
      ...{ resumeSessions: false, clock, log },
    });
    const [near, far] = memoryTransports();
    serve(contract, engine.implementation, far);
    try {
      await work(connect(contract, near));
    } finally {
      near.close();
      await engine.close();
    }
  }

  /** A change of db1, at its first address, on the machine with this identity. */
  function fillLibrary(identity: Identity): void {
    const store = openStore(folder.path);
    for (const { id } of store.hosts.list()) store.hosts.remove(id);
    for (const { id } of store.journal.open()) store.journal.close(id, 'restored', 0);
    store.hosts.insert(specAt('192.0.2.1'), 0);
    store.journal.write({
      ...{ sessionId: null, runId: null, place: { kind: 'host', name: 'db1' }, what: 'vm.swappiness' },
      ...{ oldValue: '60', wanted: '1', identity, writtenAt: 0 },
      undo: { kind: 'put-back', changer: 'host-setting', first: { value: '60' } },
    });
    store.close();
  }

  it('accepts another address of the same machine, and refuses one of another machine or one without a response', async () => {
    const key = sshd.fingerprint();
    const save = async (address: string, port?: number): Promise<unknown> => {
      let saved: unknown;
      await withEngine(async (client) => {
        const [host] = (await client.hosts.list({})).filter(({ spec }) => spec.name === 'db1');
        const first = await client.hosts.testSpec({ spec: specAt(address, port) });
        if (first.result === 'key-unknown') await client.hosts.trustKey({ key: first.key });
        saved = await client.hosts.save({ id: host?.id ?? 0, spec: specAt(address, port) }).then(
          ({ spec }) => spec.kind === 'ssh' && spec.address,
          (error: { problem: { code: string } }) => error.problem.code,
        );
      });
      return saved;
    };
    fillLibrary({ 'SSH host key': key });
    expect(await save('127.0.0.1')).toBe('127.0.0.1');
    fillLibrary({ 'SSH host key': 'SHA256:of another machine' });
    expect(await save('127.0.0.1')).toBe('conflict');
    fillLibrary({});
    expect(await save('127.0.0.1')).toBe('conflict');
    fillLibrary({ 'SSH host key': key });
    expect(await save('127.0.0.1', 1)).toBe('conflict');
  });
});
