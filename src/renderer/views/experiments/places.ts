import type { Host } from '../../../shared/model/host.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import type { Target } from '../../../shared/model/target.ts';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const USUAL_PORTS: Readonly<Record<string, string>> = { mysql: '3306', postgres: '5432' };

/** Where a target's server listens, as seen from the generator; undefined for kinds without one. */
export function targetAddress(target: Target): { host: string; port?: string } | undefined {
  const { kind, config } = target.spec;
  const usual = USUAL_PORTS[kind];
  if (usual === undefined) return undefined;
  const socket = text(config.socket);
  if (socket !== undefined) return { host: socket };
  return { host: text(config.address) ?? '127.0.0.1', port: text(config.port) ?? usual };
}

/** A file or folder target lies on the generator itself. */
export const targetPath = (target: Target): string | undefined =>
  text(target.spec.config.path) ?? text(target.spec.config.directory);

export const hostAddress = (host: Host | undefined): string =>
  host === undefined ? '' : host.spec.kind === 'local' ? '127.0.0.1' : host.spec.address;

const LOOPBACK = /^(localhost|127\.|::1$|\[::1\]|\/)/;

/**
 * Whether generator and target share a machine, as far as addresses tell: then they also share its CPU and memory.
 * A loopback address is always the generator's own.
 */
export function sharesMachine(generator: Host | undefined, target: Target | undefined): boolean {
  if (!target) return true;
  const address = targetAddress(target);
  if (!address) return true;
  if (LOOPBACK.test(address.host)) return true;
  return generator !== undefined && generator.spec.name !== LOCAL_HOST_NAME && hostAddress(generator) === address.host;
}
