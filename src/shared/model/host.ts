import { z } from 'zod';
import { Problem } from './problem.ts';

/** Name, and with it identity in documents: short, printable, no surprises in a shell or a file name. */
export const ObjectName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._@()+-]*$/u,
    'Use letters, digits, spaces and . _ @ ( ) + -, starting with a letter or digit.',
  );

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
  /** `keyFile` is a path on this computer; the passphrase, if any, is kept as a secret. */
  z.object({ method: z.literal('key'), keyFile: z.string().min(1) }),
  z.object({ method: z.literal('password') }),
]);

export const LOCAL_HOST_NAME = 'this computer';

/** A machine reached by SSH, or this computer. `jumps` are names of other hosts, the first one nearest to us. */
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
  /** Absent: it cannot be imported, and `problem` says why. */
  spec: HostSpec.options[1].optional(),
  problem: z.string().optional(),
  /** What of it is not imported, a sentence each. */
  notes: z.array(z.string()),
});
export type SshConfigEntry = z.infer<typeof SshConfigEntry>;

export const Host = z.object({
  id: z.number(),
  spec: HostSpec,
  /** Whether a password or key passphrase is kept for it. */
  hasSecret: z.boolean(),
  /** Epoch milliseconds. */
  createdAt: z.number(),
});
export type Host = z.infer<typeof Host>;

/** State of the SSH connection to a host. `idle`: nobody needs it now. */
export const LinkState = z.object({
  host: z.string(),
  state: z.enum(['idle', 'connecting', 'up', 'down']),
  /** Since when, epoch milliseconds. */
  since: z.number(),
  /** Round trip of the last probe, milliseconds. */
  roundTripMs: z.number().optional(),
  /** Why it is down, and when the next attempt starts. */
  message: z.string().optional(),
  /** What a person must look at before there can be a connection, and of which host: this one, or one on the way to it. */
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
  /** How the kernel takes its write cache: “write back” has to be flushed, “write through” not. */
  writeCache: z.string().optional(),
  firmware: z.string().optional(),
  /** Whether it may save power between I/Os, in words: of NVMe by its own states, of SATA by its link. */
  powerSaving: z.string().optional(),
  /** The link of its PCIe slot in words: speed of a lane and lanes, and what the device could have. */
  link: z.string().optional(),
  mounts: z.array(z.string()),
});

/** What a host says of itself; sizes in bytes. Absent = the host does not tell. */
/** Writes of 4 KiB that a folder makes durable each second, one after the other: the middle of three rounds, and the slowest and fastest of them. */
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
  /** Those instructions of its CPU that servers and tools use where they are there, by the names of the kernel: aes, avx2, sha_ni. */
  cpuFeatures: z.array(z.string()).optional(),
  /** Whether its CPUs may run above their base frequency. */
  cpuBoost: z.boolean().optional(),
  /** Transparent huge pages: always, madvise or never. */
  hugePages: z.string().optional(),
  /** Our clock minus the host's, milliseconds, plus or minus half of `clockRoundTripMs`. */
  clockOffsetMs: z.number().optional(),
  /** The smallest of several round trips over the open connection, milliseconds; absent in facts of earlier versions. */
  clockRoundTripMs: z.number().optional(),
  bootId: z.string().optional(),
  openFilesLimit: z.number().optional(),
  /** Processes and threads: the tightest limit on those of the account there, and how many it has. */
  threadsLimit: z.object({ most: z.number(), used: z.number(), from: z.enum(['ulimit -u', 'pids.max']) }).optional(),
  /** Local ports for connections to others, both included. */
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

/** Folders in a folder of a host. */
export const HostFolder = z.object({
  /** Without links, absolute. */
  path: z.string(),
  /** For the account that Kneepoint logs in with. */
  writable: z.boolean(),
  /** Names, in order. */
  folders: z.array(z.string()),
  /** There are more than are listed. */
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

/** A named local forward that a person adds: 127.0.0.1:`localPort` here → `address`:`port` as seen from the host. 0 = any free port. */
export const TunnelSpec = z.object({
  name: ObjectName,
  host: z.string(),
  localPort: z.number().int().min(0).max(65535).default(0),
  address: Address.default('127.0.0.1'),
  port: Port,
  autoStart: z.boolean().default(false),
});
export type TunnelSpec = z.infer<typeof TunnelSpec>;

/** A forward in use: a person's tunnel or one of the app's own streams (`id` 0, no local port). */
export const Tunnel = z.object({
  id: z.number(),
  kind: z.enum(['tunnel', 'stream']),
  name: z.string(),
  host: z.string(),
  address: z.string(),
  port: z.number(),
  autoStart: z.boolean().optional(),
  /** Port wanted (0 = any) and port in use now. */
  wantedPort: z.number().optional(),
  localPort: z.number().optional(),
  state: z.enum(['stopped', 'starting', 'open', 'waiting']),
  message: z.string().optional(),
  connections: z.number(),
  bytesIn: z.number(),
  bytesOut: z.number(),
});
export type Tunnel = z.infer<typeof Tunnel>;

/** Something of Kneepoint's that is still on a host: the password file of a job whose supervisor was killed. */
export const LeftBehind = z.object({
  host: z.string(),
  what: z.string(),
  /** Epoch milliseconds; absent: not known. */
  since: z.number().optional(),
  /** Why it could not be removed at the last contact. */
  message: z.string().optional(),
  /** When it will be removed, a sentence. */
  next: z.string(),
});
export type LeftBehind = z.infer<typeof LeftBehind>;
