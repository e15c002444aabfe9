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

/** A configuration other than the user's own `~/.ssh/config`: by its full path, or as text under a name. */
const ConfigFile = z.object({
  file: z.string().max(4096).optional(),
  text: z.string().max(1_000_000).optional(),
});

export const hosts = {
  /** This computer first, then by name. */
  list: call(z.object({}), z.array(Host)),
  /** `id` absent: new. `secret`: password or key passphrase; undefined keeps the stored one, null removes it. */
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
   * Throws `conflict` while a session needs it. As with `save` to another machine: also while settings there have not been restored, unless
   * `giveUp` is the name of the host (`GiveUp`).
   */
  remove: call(z.object({ id: z.number(), giveUp: z.string().optional() }), z.object({})),
  /** Connects, reads facts and tools, and stores them. Never accepts a key by itself. */
  test: call(z.object({ id: z.number() }), HostTest),
  /** Tests a host as typed, before it is saved. */
  testSpec: call(z.object({ spec: HostSpec, secret: z.string().nullable().optional() }), HostTest),
  /** Remembers a fingerprint that the user has compared, for its address and port. Refuses a changed key. */
  trustKey: call(z.object({ key: HostKey }), z.object({})),
  /** Removes the remembered key of an address, after the user has read both fingerprints. */
  forgetKey: call(z.object({ address: z.string(), port: z.number() }), z.object({})),
  /** Hosts of the SSH configuration, included files too; `saved`: a host of this name exists. Executes nothing from it. */
  sshConfig: call(
    ConfigFile,
    z.object({
      file: z.string(),
      files: z.array(z.string()),
      entries: z.array(SshConfigEntry.extend({ saved: z.boolean() })),
      /** Parts of the files that were omitted, a sentence each. */
      notes: z.array(z.string()),
    }),
  ),
  /** Saves hosts from it by their names, with the jump hosts that they need. Already saved hosts are not changed. */
  importSshConfig: call(
    ConfigFile.extend({ names: z.array(z.string()).max(1000) }),
    z.object({ added: z.array(Host), skipped: z.array(z.object({ name: z.string(), why: z.string() })) }),
  ),
  /** Subfolders of a folder on a host, through its connection. An empty `path` is the home of the account. */
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
   * Measures for some seconds how many durable writes a folder completes each second, and stores the result with the facts of the host.
   * Throws `conflict` while a session uses the host: it would disturb the measurement.
   */
  testSyncs: call(z.object({ id: z.number(), path: z.string().min(1).max(4096).regex(/^\//) }), SyncTest),
  /** Facts from the last read, if any. */
  facts: call(z.object({ id: z.number() }), z.object({ facts: HostFacts.optional() })),
  /** Leftovers of Kneepoint on hosts that could not be removed yet, newest first. */
  leftBehind: call(z.object({}), z.array(LeftBehind)),
  watchTunnels: stream(z.object({ host: z.string().optional() }), z.array(Tunnel)),
  saveTunnel: call(z.object({ id: z.number().optional(), spec: TunnelSpec }), Tunnel),
  removeTunnel: call(z.object({ id: z.number() }), z.object({})),
  startTunnel: call(z.object({ id: z.number() }), Tunnel),
  stopTunnel: call(z.object({ id: z.number() }), Tunnel),
};
