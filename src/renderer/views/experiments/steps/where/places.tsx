import { type Host, type HostFacts, type LinkState, LOCAL_HOST_NAME } from '../../../../../shared/model/host.ts';
import { countOfAddresses, type Target, type TargetKindInfo } from '../../../../../shared/model/target.ts';
import { formatBytes, formatCount } from '../../../../../shared/util/format.ts';
import { readFields } from '../../../../forms/index.ts';
import { Status, type Tone } from '../../../../ui/index.ts';

/** Whether a tool that drives these kinds can run without a selected target. */
export const mayRunWithout = (drives: readonly string[] | undefined, kinds: readonly TargetKindInfo[]): boolean =>
  !drives?.length || kinds.some(({ kind, withoutTarget }) => withoutTarget && drives.includes(kind));

export function addressWords(target: Target, kind: TargetKindInfo | undefined): { address: string } {
  const address = targetAddress(target, kind);
  if (address) {
    const more = countOfAddresses(target.spec) - 1;
    const one = address.port ? `${address.host}:${address.port}` : address.host;
    return { address: more > 0 ? `${one} and ${more} more` : one };
  }
  return { address: targetPath(target) ?? '' };
}

export function generatorLines(facts: HostFacts | undefined): string[] {
  if (!facts) return [];
  return [
    facts.os,
    [formatCount(facts.cpuCount, 'CPU'), facts.memoryBytes !== undefined && formatBytes(facts.memoryBytes)]
      .filter(Boolean)
      .join(' · '),
  ];
}

const TONES: Readonly<Record<LinkState['state'], Tone>> = { up: 'ok', connecting: 'busy', down: 'bad', idle: 'idle' };
const LINK_WORDS: Readonly<Record<LinkState['state'], string>> = {
  up: 'connected',
  connecting: 'connecting',
  down: 'unreachable',
  idle: 'not connected',
};

export function hostItem(host: Host, links: readonly LinkState[]) {
  const link = links.find((entry) => entry.host === host.spec.name);
  const local = host.spec.kind === 'local';
  return {
    name: host.spec.name,
    title: host.spec.name,
    words: host.spec.kind === 'ssh' ? `${host.spec.user}@${host.spec.address}` : 'No SSH needed: good for a first try.',
    aside: local ? undefined : (
      <Status tone={link ? TONES[link.state] : 'idle'}>{LINK_WORDS[link?.state ?? 'idle']}</Status>
    ),
  };
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** Host of a URL, up to its port, its path or its next member. */
const HOST_OF_URL = /^[a-z+]+:\/\/(\[[^\]]+\]|[^/:,?]+)/;

/** Address of a target's server, as seen from the generator; undefined for kinds without one. Missing parts are defaults of its kind. */
export function targetAddress(
  target: Target,
  kind: TargetKindInfo | undefined,
): { host: string; port?: string } | undefined {
  if (kind?.via !== 'connection') return undefined;
  const presets = Object.fromEntries(readFields(kind.schema).map((field) => [field.name, field.default]));
  const config = { ...presets, ...target.spec.config };
  const socket = text(config.socket);
  if (socket !== undefined) return { host: socket };
  const host = text(config.address) ?? HOST_OF_URL.exec(text(config.url) ?? '')?.[1];
  const port = text(config.port);
  return host === undefined ? undefined : { host, ...(port !== undefined && { port }) };
}

/** A file or folder target is on the generator itself. */
const targetPath = (target: Target): string | undefined =>
  text(target.spec.config.path) ?? text(target.spec.config.directory);

export const hostAddress = (host: Host | undefined): string =>
  host === undefined ? '' : host.spec.kind === 'local' ? '127.0.0.1' : host.spec.address;

const LOOPBACK = /^(localhost|127\.|::1$|\[::1\]|\/)/;

/**
 * Whether generator and target share a machine, as far as addresses show: then they also share its CPU and memory. A loopback address is
 * always the generator's own.
 */
export function sharesMachine(
  generator: Host | undefined,
  target: Target | undefined,
  kind: TargetKindInfo | undefined,
): boolean {
  if (!target) return true;
  const address = targetAddress(target, kind);
  if (!address) return true;
  if (LOOPBACK.test(address.host)) return true;
  return generator !== undefined && generator.spec.name !== LOCAL_HOST_NAME && hostAddress(generator) === address.host;
}
