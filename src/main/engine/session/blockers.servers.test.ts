import { afterEach, expect, it } from 'vitest';
import { startPasswordServer, startSshd } from '../../../../e2e/testbed/sshd/index.ts';
import type { SshHostSpec } from '../../../shared/model/host.ts';
import { createTestLibrary, specOf, type TestLibrary } from '../hosts/testing/library.ts';
import { Blockers } from './blockers.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  while (closers.length > 0) await closers.pop()?.();
});

/** A session that watches one host whose connection is needed, as while a trial runs there. */
async function watching(library: TestLibrary, spec: SshHostSpec) {
  const log: string[] = [];
  const closing = new AbortController();
  const blockers = new Blockers({
    hosts: [spec.name],
    signal: closing.signal,
    log: (level, message) => log.push(`${level}: ${message}`),
    onChanged: () => {},
  });
  library.save(spec);
  closers.push(() => library.machines.close());
  const wakes = new Set<() => void>();
  library.machines.onLinks((link) => {
    blockers.linkChanged(link);
    for (const wake of wakes) wake();
  });
  library.machines.need(spec.name);
  await library.machines.get(spec.name).ready();
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise<void>((resolve) => wakes.add(resolve));
  };
  return { blockers, log, until };
}

it('reports a host key that changes during a run, with a remedy', async () => {
  const server = await startSshd();
  closers.push(() => server.close());
  const library = createTestLibrary();
  library.trustServer(server);
  const { blockers, log, until } = await watching(library, specOf('loadgen', server));
  const known = server.fingerprint();
  await server.swapHostKey();
  server.signalSessions('SIGKILL');
  await until(() => blockers.words?.includes('key') === true);
  const words = blockers.words ?? '';
  expect(words).toMatch(/^The key of loadgen has changed, so nothing was sent to it\./);
  expect(words).toContain(known);
  expect(words).toContain(server.fingerprint());
  expect(words).toContain('Jobs on loadgen keep running');
  expect(words).toContain('on the page of loadgen under Hosts');
  expect(log).toHaveLength(2);
  expect(log[1]).toBe(`warn: ${words}`);

  library.trustServer(server);
  library.machines.retry('loadgen');
  await until(() => blockers.words === undefined);
  expect(log[2]).toContain('loadgen is connected again');
});

it('reports a login that is refused during a run, with a remedy', async () => {
  const access = { user: 'bench', password: 'old one' };
  const server = await startPasswordServer(access);
  closers.push(() => server.close());
  const library = createTestLibrary();
  const { port, fingerprint } = server;
  library.trust({ host: '', address: '127.0.0.1', port, algorithm: 'ssh-ed25519', fingerprint });
  library.secrets.set('loadgen', 'old one');
  const { blockers, log, until } = await watching(library, {
    kind: 'ssh',
    name: 'loadgen',
    address: '127.0.0.1',
    port,
    user: 'bench',
    auth: { method: 'password' },
    jumps: [],
  });
  access.password = 'new one';
  server.hangUp();
  await until(() => blockers.words?.includes('login') === true);
  expect(blockers.words).toMatch(/^loadgen refused the login\. loadgen did not accept the login of bench/);
  expect(blockers.words).toContain('Kneepoint does not retry');
  expect(blockers.words).toContain('on the page of loadgen under Hosts');
  expect(log).toHaveLength(2);
  expect(server.refused()).toBe(1);

  library.secrets.set('loadgen', 'new one');
  library.machines.retry('loadgen');
  await until(() => blockers.words === undefined);
  expect(log[2]).toContain('loadgen is connected again');
});
