import { type Host, LOCAL_HOST_NAME } from '../../../../../shared/model/host.ts';
import type { Target, TargetKindInfo } from '../../../../../shared/model/target.ts';
import { readFields } from '../../../../forms/index.ts';

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
export const targetPath = (target: Target): string | undefined =>
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
