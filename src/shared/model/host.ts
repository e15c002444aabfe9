import { z } from 'zod';
import { Problem } from './problem.ts';

const MOST_OF_NAME = 80;

/** Name, also the identity in documents: short, printable, safe in a shell and in file names. */
export const ObjectName = z
  .string()
  .trim()
  .min(1)
  .max(MOST_OF_NAME)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._@()+-]*$/u,
    'Use letters, digits, spaces and . _ @ ( ) + -, starting with a letter or digit.',
  );

/** Name of a copy of a host or target, within the longest name: “db1 (copy)”. */
export const copyName = (name: string): string => `${name.slice(0, MOST_OF_NAME - ' (copy)'.length)} (copy)`;

const Address = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .regex(/^[A-Za-z0-9:._%[\]-]+$/, 'Enter a host name or an IP address.')
  .refine((text) => !text.startsWith('-'), 'An address cannot start with a dash.');
const User = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_.][A-Za-z0-9_.@\\$-]*$/, 'Enter a user name.');
const Port = z.number().int().min(1).max(65535);

const HostAuth = z.discriminatedUnion('method', [
  z.object({ method: z.literal('agent') }),
  /** `keyFile` is a path on this computer; any passphrase is stored as a secret. */
  z.object({ method: z.literal('key'), keyFile: z.string().min(1) }),
  z.object({ method: z.literal('password') }),
]);

export const LOCAL_HOST_NAME = 'this computer';

/** A machine reached by SSH, or this computer. `jumps` are names of other hosts, the one nearest to this computer first. */
export const HostSpec = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('local'), name: z.literal(LOCAL_HOST_NAME) }),
  z.object({
    kind: z.literal('ssh'),
    name: ObjectName.refine((name) => name !== LOCAL_HOST_NAME, 'This name is reserved for this computer.'),
    address: Address,
    port: Port.default(22),
    user: User,
    auth: HostAuth,
    jumps: z.array(z.string()).default([]),
  }),
]);
export type HostSpec = z.infer<typeof HostSpec>;
export type SshHostSpec = Extract<HostSpec, { kind: 'ssh' }>;

/** A host of an SSH configuration as it would be saved. */
export const SshConfigEntry = z.object({
  name: z.string(),
  /** Absent: it cannot be imported; `problem` gives the reason. */
  spec: HostSpec.options[1].optional(),
  problem: z.string().optional(),
  /** Parts that are not imported, a sentence each. */
  notes: z.array(z.string()),
});
export type SshConfigEntry = z.infer<typeof SshConfigEntry>;

export const Host = z.object({
  id: z.number(),
  spec: HostSpec,
  /** Whether a password or key passphrase is stored for it. */
  hasSecret: z.boolean(),
  /** Epoch milliseconds. */
  createdAt: z.number(),
});
export type Host = z.infer<typeof Host>;

/** State of the SSH connection to a host. `idle`: not needed now. */
export const LinkState = z.object({
  host: z.string(),
  state: z.enum(['idle', 'connecting', 'up', 'down']),
  /** Start of this state, epoch milliseconds. */
  since: z.number(),
  /** Round trip of the last probe, milliseconds. */
  roundTripMs: z.number().optional(),
  /** Why it is down, and when the next attempt starts. */
  message: z.string().optional(),
  /** Input that is needed before a connection is possible, and its host: this one, or one on the way to it. */
  refused: z.object({ host: z.string(), what: z.enum(['key', 'login']) }).optional(),
  channels: z.number().optional(),
});
export type LinkState = z.infer<typeof LinkState>;

export const ToolPresence = z.object({
  tool: z.string(),
  found: z.boolean(),
  version: z.string().optional(),
  path: z.string().optional(),
  /** Why it cannot be used, or how to install it. */
  message: z.string().optional(),
});
export type ToolPresence = z.infer<typeof ToolPresence>;

const Disk = z.object({
  name: z.string(),
  sizeBytes: z.number(),
  rotational: z.boolean().optional(),
  model: z.string().optional(),
  scheduler: z.string().optional(),
  /** Write cache mode of the kernel: “write back” has to be flushed, “write through” does not. */
  writeCache: z.string().optional(),
  firmware: z.string().optional(),
  /** Whether it may save power between I/Os, in words: by its own states for NVMe, by its link for SATA. */
  powerSaving: z.string().optional(),
  /** Link of its PCIe slot in words: lane speed and number of lanes, and what the device could use. */
  link: z.string().optional(),
  mounts: z.array(z.string()),
});

/** Facts reported by a host; sizes in bytes. Absent: not reported. */
/** Durable 4 KiB writes per second in a folder, one after the other: the median of three rounds, with the slowest and fastest of them. */
export const SyncTest = z.object({
  path: z.string(),
  mount: z.string().optional(),
  fileSystem: z.string().optional(),
  perSecond: z.number(),
  low: z.number(),
  high: z.number(),
  /** Epoch milliseconds. */
  testedAt: z.number(),
});
export type SyncTest = z.infer<typeof SyncTest>;

export const HostFacts = z.object({
  hostname: z.string(),
  os: z.string(),
  kernel: z.string(),
  architecture: z.string(),
  cpuModel: z.string().optional(),
  cpuCount: z.number(),
  memoryBytes: z.number().optional(),
  disks: z.array(Disk),
  networks: z.array(z.object({ name: z.string(), addresses: z.array(z.string()), speedMbps: z.number().optional() })),
  filesystems: z.array(z.object({ mount: z.string(), type: z.string(), sizeBytes: z.number(), freeBytes: z.number() })),
  virtualization: z.string().optional(),
  cpuGovernor: z.string().optional(),
  /** Instructions of its CPU that servers and tools use if available, by their kernel names: aes, avx2, sha_ni. */
  cpuFeatures: z.array(z.string()).optional(),
  /** Whether its CPUs may run above their base frequency. */
  cpuBoost: z.boolean().optional(),
  /** Transparent huge pages: always, madvise or never. */
  hugePages: z.string().optional(),
  /** This computer's clock minus the host's, milliseconds, ± half of `clockRoundTripMs`. */
  clockOffsetMs: z.number().optional(),
  /** The smallest of several round trips over the open connection, milliseconds; absent in facts of earlier versions. */
  clockRoundTripMs: z.number().optional(),
  bootId: z.string().optional(),
  openFilesLimit: z.number().optional(),
  /** Processes and threads: the tightest limit on those of the account, and the number in use. */
  threadsLimit: z.object({ most: z.number(), used: z.number(), from: z.enum(['ulimit -u', 'pids.max']) }).optional(),
  /** Local ports for outgoing connections, both ends included. */
  localPorts: z.object({ first: z.number(), last: z.number() }).optional(),
  tools: z.array(ToolPresence),
  /** The last one of each folder; absent: none. */
  syncs: z.array(SyncTest).optional(),
  /** Epoch milliseconds. */
  readAt: z.number(),
});
export type HostFacts = z.infer<typeof HostFacts>;

/** A host key shown at first contact or after a change. Fingerprints as OpenSSH prints them: `SHA256:…`. */
export const HostKey = z.object({
  host: z.string(),
  address: z.string(),
  port: z.number(),
  algorithm: z.string(),
  fingerprint: z.string(),
});
export type HostKey = z.infer<typeof HostKey>;

/** Subfolders of a folder on a host. */
export const HostFolder = z.object({
  /** Absolute, with links resolved. */
  path: z.string(),
  /** By the account that Kneepoint logs in with. */
  writable: z.boolean(),
  /** Names, in order. */
  folders: z.array(z.string()),
  /** More exist than are listed. */
  more: z.literal(true).optional(),
  /** Absent: it holds no storage, or `df` does not know it. */
  fileSystem: z
    .object({ mount: z.string(), type: z.string(), sizeBytes: z.number(), freeBytes: z.number() })
    .optional(),
});
export type HostFolder = z.infer<typeof HostFolder>;

export const HostTest = z.discriminatedUnion('result', [
  /** `roundTripMs`: the smallest of several over the open connection. */
  z.object({ result: z.literal('ok'), facts: HostFacts, roundTripMs: z.number() }),
  z.object({ result: z.literal('key-unknown'), key: HostKey }),
  z.object({ result: z.literal('key-changed'), key: HostKey, known: HostKey }),
  z.object({ result: z.literal('failed'), problem: Problem }),
]);
export type HostTest = z.infer<typeof HostTest>;

/** A named local forward added by the user: 127.0.0.1:`localPort` here → `address`:`port` as seen from the host. 0 = any free port. */
export const TunnelSpec = z.object({
  name: ObjectName,
  host: z.string(),
  localPort: z.number().int().min(0).max(65535).default(0),
  address: Address.default('127.0.0.1'),
  port: Port,
  autoStart: z.boolean().default(false),
});
export type TunnelSpec = z.infer<typeof TunnelSpec>;

/** A forward in use: a user's tunnel or one of the app's own streams (`id` 0, no local port). */
export const Tunnel = z.object({
  id: z.number(),
  kind: z.enum(['tunnel', 'stream']),
  name: z.string(),
  host: z.string(),
  address: z.string(),
  port: z.number(),
  autoStart: z.boolean().optional(),
  /** Configured port (0 = any) and port in use. */
  wantedPort: z.number().optional(),
  localPort: z.number().optional(),
  state: z.enum(['stopped', 'starting', 'open', 'waiting']),
  message: z.string().optional(),
  connections: z.number(),
  bytesIn: z.number(),
  bytesOut: z.number(),
});
export type Tunnel = z.infer<typeof Tunnel>;

/** Leftover of Kneepoint on a host: the password file of a job whose supervisor was killed. */
export const LeftBehind = z.object({
  host: z.string(),
  what: z.string(),
  /** Epoch milliseconds; absent: unknown. */
  since: z.number().optional(),
  /** Why it could not be removed at the last contact. */
  message: z.string().optional(),
  /** When it will be removed, a sentence. */
  next: z.string(),
});
export type LeftBehind = z.infer<typeof LeftBehind>;
