import type { TargetSpec } from '../../../shared/model/target.ts';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** Where it is, as the load generator sees it: address with port, socket, file or folder. `defaults` stand in for what was not given. */
export function placeOf({ config: given }: TargetSpec, defaults: TargetSpec['config'] = {}): string | undefined {
  const config = { ...defaults, ...given };
  const socket = text(config.socket);
  if (socket !== undefined) return socket;
  const address = text(config.address);
  if (address !== undefined) return [address, text(config.port)].filter(Boolean).join(':');
  return text(config.url) ?? text(config.path) ?? text(config.directory);
}
