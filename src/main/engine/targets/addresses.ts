import type { ServerAddress } from '../../../shared/model/target.ts';

const HOST_NAME = /^[A-Za-z0-9_][A-Za-z0-9._%-]*$/;
const IPV6 = /^[A-Fa-f0-9]*:[A-Fa-f0-9:.%]+$/;

/** Parses comma-separated addresses; `port` is the default port. An IPv6 address with a port is in brackets. Undefined if any of them is invalid. */
export function addressesIn(text: string, port: number): readonly ServerAddress[] | undefined {
  const found = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): ServerAddress | undefined => {
      if (IPV6.test(part) && part.split(':').length > 2) return { host: part, port };
      const [, inBrackets, name, own] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(part) ?? [];
      const host = inBrackets ?? name ?? '';
      const isHost = inBrackets === undefined ? HOST_NAME.test(host) : IPV6.test(host);
      const at = own === undefined ? port : Number(own);
      return isHost && at >= 1 && at <= 65_535 ? { host, port: at } : undefined;
    });
  return found.includes(undefined) ? undefined : found.flatMap((address) => address ?? []);
}
