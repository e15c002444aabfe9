import type { TargetSpec } from '../../../shared/model/target.ts';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** Where it is, as the load generator sees it: address with port, socket, file or folder. */
export function placeOf({ config }: TargetSpec): string | undefined {
  const socket = text(config.socket);
  if (socket !== undefined) return socket;
  const address = text(config.address);
  if (address !== undefined) return [address, text(config.port)].filter(Boolean).join(':');
  return text(config.url) ?? text(config.path) ?? text(config.directory);
}
