import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type HostKey, LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { createLocalMachine } from './local.ts';
import type { HostMachines, Machine } from './machine.ts';
import { type KeySource, parseKnownHosts } from './ssh/host-keys.ts';
import { Links, type SshHostOf } from './ssh/links.ts';
import { createSshMachine, openStream } from './ssh/machine.ts';
import type { HostEntry } from './ssh/open-host.ts';
import { StreamList } from './tunnels/tunnels.ts';

const IDLE_AFTER_MS = 5 * 60_000;

export interface MachinesOptions {
  /** The host as currently saved; called again at each connection attempt. */
  resolve(name: string): HostEntry | undefined;
  /** The key that the user has trusted for an address. */
  trustedKey(address: string, port: number): HostKey | undefined;
  /** The user's own known_hosts file, which is never written. Default `~/.ssh/known_hosts`. */
  knownHostsFile?: string;
  /** Default: SSH_AUTH_SOCK of this process, on Windows the agent's pipe. */
  agentSocket?: () => string | undefined;
  /** Milliseconds after which an unused connection is closed. Default 5 minutes. */
  idleAfterMs?: number;
}

export const createMachines = (options: MachinesOptions): HostMachines => {
  const local = createLocalMachine();
  const machines = new Map<string, Machine>();
  const streams = new StreamList();
  const hostOf: SshHostOf = (name) => {
    const entry = options.resolve(name);
    if (entry?.spec.kind !== 'ssh') throw unknownHost(name);
    return { spec: entry.spec, secret: entry.secret ?? (async () => undefined) };
  };
  const context = { keys: keySource(options), agentSocket: options.agentSocket ?? defaultAgent, gates: new Map() };
  const links = new Links(hostOf, context, options.idleAfterMs ?? IDLE_AFTER_MS);
  const isLocal = (name: string) => name === LOCAL_HOST_NAME;

  return {
    get(name) {
      if (isLocal(name)) return local;
      hostOf(name);
      const known = machines.get(name);
      if (known) return known;
      const machine = createSshMachine(name, links.to(name), (stream, to) => streams.add(name, stream, to));
      machines.set(name, machine);
      return machine;
    },
    onLinks: (listener) => links.onChanged(listener),
    links: () => links.states(),
    retry(name) {
      for (const link of links.of(name)) link.retry();
    },
    drop(name) {
      for (const link of links.of(name)) link.drop();
    },
    need: (name) => (isLocal(name) ? () => undefined : links.to(name).need()),
    forward: (name, address, port) =>
      isLocal(name)
        ? local.dial(address, port, '')
        : openStream(name, links.to(name), `${address}:${port}`, (connection) => connection.forward(address, port)),
    streams: () => streams.rows(),
    close: async () => links.close(),
  };
};

function keySource(options: MachinesOptions): KeySource {
  const file = options.knownHostsFile ?? join(homedir(), '.ssh', 'known_hosts');
  return {
    knownKey: options.trustedKey,
    knownHosts() {
      try {
        return parseKnownHosts(readFileSync(file, 'utf8'));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
        // An unreadable file does not count as empty: it may revoke the very key that is about to be accepted.
        throw new KneepointError(
          {
            code: 'host-refused',
            message: `${file} cannot be read: ${String(error)}.`,
            next: 'Correct its permissions.',
          },
          { cause: error },
        );
      }
    },
  };
}

export const defaultAgent = (): string | undefined =>
  process.env.SSH_AUTH_SOCK ?? (process.platform === 'win32' ? '\\\\.\\pipe\\openssh-ssh-agent' : undefined);

function unknownHost(name: string): KneepointError {
  return new KneepointError({
    code: 'not-found',
    host: name,
    message: `There is no host named ${name}.`,
    next: 'Add it on the Hosts page, or choose another host.',
  });
}
