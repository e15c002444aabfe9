import { z } from 'zod';
import {
  Host,
  HostFacts,
  HostFolder,
  HostKey,
  HostSpec,
  HostTest,
  LeftBehind,
  SshConfigEntry,
  SyncTest,
  Tunnel,
  TunnelSpec,
} from '../model/host.ts';
import { call, stream } from '../rpc/define.ts';

/** Another configuration than the person's own `~/.ssh/config`: by its full path, or with its text under a name. */
const ConfigFile = z.object({
  file: z.string().max(4096).optional(),
  text: z.string().max(1_000_000).optional(),
});

export const hosts = {
  /** This computer first, then by name. */
  list: call(z.object({}), z.array(Host)),
  /** `id` absent: new. `secret`: password or key passphrase; undefined keeps what is stored, null forgets it. */
  save: call(
    z.object({
      id: z.number().optional(),
      spec: HostSpec,
      secret: z.string().nullable().optional(),
      giveUp: z.string().optional(),
    }),
    Host,
  ),
  /**
   * `conflict` while a session needs it. As `save` to another machine: also while something there has not been put back, unless `giveUp` is the
   * name of the host (`GiveUp`).
   */
  remove: call(z.object({ id: z.number(), giveUp: z.string().optional() }), z.object({})),
  /** Connects, reads facts and tools, keeps them. Never accepts a key by itself. */
  test: call(z.object({ id: z.number() }), HostTest),
  /** Test of a host as typed, before it is saved. */
  testSpec: call(z.object({ spec: HostSpec, secret: z.string().nullable().optional() }), HostTest),
  /** A person has compared this fingerprint: remember it for its address and port. Refuses a changed key. */
  trustKey: call(z.object({ key: HostKey }), z.object({})),
  /** Forget the remembered key of an address, after a person has read both fingerprints. */
  forgetKey: call(z.object({ address: z.string(), port: z.number() }), z.object({})),
  /** Hosts of the SSH configuration, wherever it includes them; `saved`: a host of this name is there already. Runs nothing of it. */
  sshConfig: call(
    ConfigFile,
    z.object({
      file: z.string(),
      files: z.array(z.string()),
      entries: z.array(SshConfigEntry.extend({ saved: z.boolean() })),
      /** What was left out of the files, a sentence each. */
      notes: z.array(z.string()),
    }),
  ),
  /** Saves hosts of it by their names, and the jump hosts that they need. Hosts that are saved already stay as they are. */
  importSshConfig: call(
    ConfigFile.extend({ names: z.array(z.string()).max(1000) }),
    z.object({ added: z.array(Host), skipped: z.array(z.object({ name: z.string(), why: z.string() })) }),
  ),
  /** Folders in a folder of a host, through its connection. `path` empty: the home of the account. */
  folder: call(
    z.object({
      host: z.string(),
      path: z
        .string()
        .max(4096)
        .regex(/^(\/.*)?$/),
    }),
    HostFolder,
  ),
  /**
   * Tests for some seconds how many writes a folder makes durable each second, and keeps it with the facts of the host. Throws `conflict` while a session
   * uses the host: it would disturb what is measured.
   */
  testSyncs: call(z.object({ id: z.number(), path: z.string().min(1).max(4096).regex(/^\//) }), SyncTest),
  /** Last facts read, if any. */
  facts: call(z.object({ id: z.number() }), z.object({ facts: HostFacts.optional() })),
  /** What Kneepoint has put on hosts and could not remove yet, newest first. */
  leftBehind: call(z.object({}), z.array(LeftBehind)),
  watchTunnels: stream(z.object({ host: z.string().optional() }), z.array(Tunnel)),
  saveTunnel: call(z.object({ id: z.number().optional(), spec: TunnelSpec }), Tunnel),
  removeTunnel: call(z.object({ id: z.number() }), z.object({})),
  startTunnel: call(z.object({ id: z.number() }), Tunnel),
  stopTunnel: call(z.object({ id: z.number() }), Tunnel),
};
