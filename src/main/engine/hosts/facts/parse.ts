import type { HostFacts, ToolPresence } from '../../../../shared/model/host.ts';
import { compareVersions } from '../../../../shared/util/versions.ts';
import { optional, parseDisks } from './disks.ts';

type Facts = Omit<HostFacts, 'clockOffsetMs' | 'clockRoundTripMs' | 'readAt'>;

/** Parses the output of the facts script. `tools` are those whose probes the script was made of, in the same order. */
export function parseFacts(text: string, nonce: string, tools: readonly ProbedTool[]): Facts {
  const parts = splitParts(text, nonce);
  const part = (name: string) => parts.get(name) ?? [];
  const first = (name: string) => part(name)[0];
  const [hostname = 'unknown', system = 'unknown', kernel = 'unknown', architecture = 'unknown'] = part('uname');
  const probed = tools.filter((tool) => tool.probe !== undefined);
  return {
    hostname,
    os: osName(part('os'), system),
    kernel,
    architecture,
    ...optional('cpuModel', first('cpu-model')),
    cpuCount: Math.max(1, Number.parseInt(first('cpu-count') ?? '1', 10) || 1),
    ...optional('memoryBytes', memoryBytes(first('memory'))),
    disks: parseDisks(part('disks'), part('mounts')),
    networks: parseNetworks(part('networks')),
    filesystems: parseFilesystems(part('df')),
    ...optional('virtualization', first('virtualization')),
    ...optional('cpuGovernor', first('governor')),
    ...optional('cpuFeatures', parseFeatures(first('cpu-features'))),
    ...optional('cpuBoost', parseBoost(first('boost'))),
    ...optional('hugePages', /\[(\w+)\]/.exec(first('huge-pages') ?? '')?.[1]),
    ...optional('bootId', first('boot-id')),
    ...optional('openFilesLimit', wholeNumber(first('files'))),
    ...optional('threadsLimit', parseThreads(part('threads'))),
    ...optional('localPorts', parsePorts(part('ports'))),
    tools: probed.flatMap(({ id, probe }, index) => (probe ? [toolPresence(id, probe, part(`tool ${index}`))] : [])),
  };
}

/** Whether the script finished: a truncated output would look like a host without disks. */
export const isWhole = (text: string, nonce: string): boolean => splitParts(text, nonce).has('end');

export function splitParts(text: string, nonce: string): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.split('\n')) {
    const mark = `@@${nonce} `;
    if (line.startsWith(mark)) {
      current = [];
      parts.set(line.slice(mark.length), current);
    } else if (line !== '') current.push(line.replace(/\r$/, ''));
  }
  return parts;
}

/** PRETTY_NAME of os-release(5), else name and version, else the output of `uname -s` with the version that macOS prints. */
function osName(lines: readonly string[], system: string): string {
  const field = (name: string) => {
    const line = lines.find((each) => each.startsWith(`${name}=`));
    return line?.slice(name.length + 1).replace(/^(["'])(.*)\1$/, '$2');
  };
  const named = field('PRETTY_NAME') ?? [field('NAME'), field('VERSION_ID')].filter(Boolean).join(' ');
  if (named) return named;
  const version = lines[0]?.match(/^[\d.]+$/)?.[0];
  return system === 'Darwin' && version ? `macOS ${version}` : system;
}

/** CPU features for encryption, checksums, comparisons and vectors, of x86 and ARM. */
const FEATURES = new Set('aes vaes pclmulqdq sha_ni sse4_2 avx2 avx512f pmull sha2 crc32 atomics asimd sve'.split(' '));

const parseFeatures = (line: string | undefined): string[] | undefined =>
  line?.split(/\s+/).filter((name) => FEATURES.has(name));

/** `off 1`: boost is off; `on 1`: it is on. */
function parseBoost(line: string | undefined): boolean | undefined {
  const [, means, value] = /^(on|off) ([01])$/.exec(line ?? '') ?? [];
  return means === undefined ? undefined : (means === 'on') === (value === '1');
}

/** `16384 kB` of /proc/meminfo, or plain bytes of sysctl. */
function memoryBytes(text: string | undefined): number | undefined {
  const size = wholeNumber(text?.replace(/ *kB$/, ''));
  return size === undefined ? undefined : size * (text?.endsWith('kB') ? 1024 : 1);
}

/** Interfaces with their addresses, without the loopback. Virtual ones report -1 or no speed. */
function parseNetworks(lines: readonly string[]): Facts['networks'] {
  const networks = new Map<string, { name: string; addresses: string[]; speedMbps?: number }>();
  let current = '';
  for (const line of lines) {
    const [, name] = /^interface (.+)$/.exec(line) ?? [];
    const [, speed] = /^speed (\d+)$/.exec(line) ?? [];
    const [, owner, address] = /^\d+: (\S+?)(?:@\S+)? +inet6? ([^ /]+)/.exec(line) ?? [];
    const network = networks.get(owner ?? current);
    if (name !== undefined) {
      current = name;
      networks.set(name, { name, addresses: [] });
    } else if (network && address !== undefined) network.addresses.push(address);
    else if (network && speed !== undefined && Number(speed) > 0) network.speedMbps = Number(speed);
  }
  networks.delete('lo');
  return [...networks.values()];
}

const NOT_STORAGE = new Set([
  'devtmpfs',
  'squashfs',
  'efivarfs',
  'cgroup',
  'cgroup2',
  'proc',
  'sysfs',
  'devfs',
  'autofs',
]);

/** Parses `df -kPT`, or `df -kP` if -T is not supported (the type is "unknown" then). Only the mount point may contain trailing blanks. */
export function parseFilesystems(lines: readonly string[]): Facts['filesystems'] {
  const typed = lines[0]?.includes(' Type ') ?? false;
  const pattern = typed
    ? /^(?<source>.*?) +(?<type>\S+) +(?<size>\d+) +\d+ +(?<free>\d+) +\d+% +(?<mount>\/.*)$/
    : /^(?<source>.*?) +(?<size>\d+) +\d+ +(?<free>\d+) +\d+% +(?<mount>\/.*)$/;
  const seen = new Set<string>();
  return lines.slice(1).flatMap((line) => {
    const { source = '', type = 'unknown', size, free, mount } = pattern.exec(line)?.groups ?? {};
    if (size === undefined || free === undefined || mount === undefined) return [];
    // BusyBox also lists bind mounts (the same device again) and mounts hidden by a later one at the same place.
    const key = source.startsWith('/dev/') ? source : mount;
    if (size === '0' || NOT_STORAGE.has(type) || seen.has(key)) return [];
    seen.add(key);
    return [{ mount, type, sizeBytes: Number(size) * 1024, freeBytes: Number(free) * 1024 }];
  });
}

/** Two numbers on one line (Linux) or on two (macOS). */
function parsePorts(lines: readonly string[]): Facts['localPorts'] {
  const [first, last] = lines.join(' ').trim().split(/\s+/).map(wholeNumber);
  return first === undefined || last === undefined || last < first ? undefined : { first, last };
}

/** The limit with the fewest threads left for the account. */
function parseThreads(lines: readonly string[]): Facts['threadsLimit'] {
  const field = (name: string): number | undefined =>
    wholeNumber(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1));
  const limits: NonNullable<Facts['threadsLimit']>[] = lines.flatMap((line) => {
    const [, most, used] = /^pids (\d+) (\d+)$/.exec(line) ?? [];
    return most === undefined ? [] : [{ most: Number(most), used: Number(used), from: 'pids.max' as const }];
  });
  const [most, used] = [field('limit'), field('used')];
  if (field('uid') !== 0 && most !== undefined && used !== undefined) limits.push({ most, used, from: 'ulimit -u' });
  return limits.sort((a, b) => a.most - a.used - (b.most - b.used))[0];
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;

/** How to detect a tool and its version on a host; the subset of a tool's definition that this room uses. */
export interface ToolProbe {
  argv: readonly string[];
  extra?: string;
  version(output: string): string | undefined;
  oldest: string;
  install: string;
}

/** A tool of Kneepoint; without a probe it is not searched for. */
export interface ProbedTool {
  id: string;
  probe?: ToolProbe;
}

/** Parses the probe's part of the facts script: the path in the first line, then the tool's output. */
export function toolPresence(id: string, probe: ToolProbe, lines: readonly string[]): ToolPresence {
  const [path, ...rest] = lines;
  if (!path) return { tool: id, found: false, message: `${probe.argv[0]} was not found. ${probe.install}` };
  const version = probe.version(rest.join('\n'));
  if (version === undefined) {
    return {
      tool: id,
      found: true,
      path,
      message: `${path} does not report its version; ${probe.oldest} or newer is needed.`,
    };
  }
  if (compareVersions(version, probe.oldest) < 0) {
    return {
      tool: id,
      found: true,
      version,
      path,
      message: `${path} is too old: it is ${version}, and ${probe.oldest} or newer is needed. ${probe.install}`,
    };
  }
  return { tool: id, found: true, version, path };
}
