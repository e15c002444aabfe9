import type { TestSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import type { HostKey, SshHostSpec } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { HostMachines } from '../machine.ts';
import { createMachines, type MachinesOptions } from '../machines.ts';

/** An SSH server of the test bed as the spec of a host. */
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

/** A library in memory: hosts, secrets and trusted keys, with the machines over it. */
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

/** The problem a promise ends in; fails when it does not. */
export async function problemFrom(promise: Promise<unknown>) {
  const outcome = await promise.then(
    () => new Error('It should have failed and did not.'),
    (error: unknown) => error,
  );
  if (outcome instanceof KneepointError) return outcome.problem;
  throw outcome;
}
