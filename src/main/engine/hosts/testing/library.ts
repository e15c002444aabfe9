import type { TestSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import type { HostKey, SshHostSpec } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { HostMachines } from '../machine.ts';
import { createMachines, type MachinesOptions } from '../machines.ts';

/** Host spec of an SSH server of the test bed. */
export const specOf = (name: string, server: TestSshd, change: Partial<SshHostSpec> = {}): SshHostSpec => ({
  kind: 'ssh',
  name,
  address: server.address,
  port: server.port,
  user: server.user,
  auth: { method: 'key', keyFile: server.keyFile },
  jumps: [],
  ...change,
});

/** A library in memory: hosts, secrets and trusted keys, and their machines. */
export interface TestLibrary {
  readonly machines: HostMachines;
  readonly keys: Map<string, HostKey>;
  readonly secrets: Map<string, string>;
  save(spec: SshHostSpec): void;
  trust(key: HostKey): void;
  trustServer(server: TestSshd): void;
}

export function createTestLibrary(
  options: Pick<MachinesOptions, 'knownHostsFile' | 'agentSocket' | 'idleAfterMs'> = {},
): TestLibrary {
  const specs = new Map<string, SshHostSpec>();
  const secrets = new Map<string, string>();
  const keys = new Map<string, HostKey>();
  const trust = (key: HostKey) => void keys.set(`${key.address} ${key.port}`, key);
  return {
    keys,
    secrets,
    save: (spec) => void specs.set(spec.name, spec),
    trust,
    trustServer(server) {
      const { address, port } = server;
      trust({ host: '', address, port, algorithm: 'ssh-ed25519', fingerprint: server.fingerprint() });
    },
    machines: createMachines({
      knownHostsFile: '/nonexistent/known_hosts',
      agentSocket: () => undefined,
      ...options,
      resolve(name) {
        const spec = specs.get(name);
        return spec && { spec, secret: async () => secrets.get(name) };
      },
      trustedKey: (address, port) => keys.get(`${address} ${port}`),
    }),
  };
}

/** Returns the problem that a promise rejects with; fails if it does not reject. */
export async function problemFrom(promise: Promise<unknown>) {
  const outcome = await promise.then(
    () => new Error('It should have failed and did not.'),
    (error: unknown) => error,
  );
  if (outcome instanceof KneepointError) return outcome.problem;
  throw outcome;
}
