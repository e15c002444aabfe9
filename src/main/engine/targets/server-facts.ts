import { readFileSync } from 'node:fs';
import { KneepointError } from '../../../shared/model/problem.ts';
import type {
  ConnectionFacts,
  ServerAddress,
  SettingNeeds,
  TargetDescription,
  TargetKind,
} from '../../../shared/model/target.ts';
import type { ServerSetting } from '../../../shared/model/target-details.ts';
import type { SettingDependency } from './target.ts';

/** Configuration of a server, as entered in its form. */
export interface ServerConfig {
  address: string;
  port: number;
  /** Additional addresses, comma-separated. */
  addresses?: string;
  socket: string;
  user: string;
  database: string;
  tls: 'disabled' | 'preferred' | 'required' | 'verify';
  caFile: string;
  allowCleartextPassword: boolean;
  /** The server's public key as PEM. Undefined for servers without one; empty: none is pinned. */
  serverKey?: string;
}

/** Connection facts for tools. Empty fields are omitted. */
export function serverFacts(kind: TargetKind, config: ServerConfig, secret: string | undefined): ConnectionFacts {
  const further = config.socket === '' ? (addressesIn(config.addresses ?? '', config.port) ?? []) : [];
  return {
    kind,
    host: config.address,
    port: config.port,
    ...(further.length > 0 && { addresses: [{ host: config.address, port: config.port }, ...further] }),
    ...(config.socket === '' ? {} : { socket: config.socket }),
    user: config.user,
    ...(secret === undefined ? {} : { password: secret }),
    database: config.database,
    tls: config.tls,
    ...(config.caFile === '' ? {} : { caFile: config.caFile }),
    ...(config.serverKey ? { serverKey: config.serverKey } : {}),
    ...(config.allowCleartextPassword ? { allowCleartextPassword: true } : {}),
  };
}

/** CA certificates to verify against. Undefined: those of the system. */
export function certificateAuthority(caFile: string): string | undefined {
  if (caFile === '') return undefined;
  try {
    return readFileSync(caFile, 'utf8');
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new KneepointError(
      {
        code: 'not-found',
        message: `The CA file ${caFile} cannot be read on this computer: ${words}.`,
        next: 'Correct the path, or leave it empty to use the CAs of the system.',
      },
      { cause: error },
    );
  }
}

const POWERS: Readonly<Record<string, number>> = { '': 0, k: 1, m: 2, g: 3, t: 4 };

/** Parses a size as servers print and accept it, in bytes: 134217728, 128M, 128MB. `unit`: bytes per unit of a number without a letter. */
export function sizeBytes(value: string | undefined, unit = 1): number | undefined {
  const [, count, letter = '', suffix = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(i?b)?$/i.exec(value?.trim() ?? '') ?? [];
  if (count === undefined) return undefined;
  return Number(count) * (letter + suffix === '' ? unit : 1024 ** (POWERS[letter.toLowerCase()] ?? 0));
}

/** A setting worth showing, and why it matters for a result. */
export interface Wanted {
  name: string;
  why: string;
  unit?: string;
  needs?: SettingNeeds;
}

export const tlsSetting = (value: string): TargetDescription['settings'][number] => ({
  name: 'tls',
  value,
  why: 'Encryption of the connection costs CPU time on both sides.',
});

/** Stored with each session, as part of the conditions of a result. */
export const passwordSetting = ({
  allowCleartextPassword,
}: Pick<ServerConfig, 'allowCleartextPassword'>): TargetDescription['settings'] =>
  allowCleartextPassword
    ? [
        {
          name: 'password',
          value: 'readable: allowed',
          why: 'This target allows cleartext passwords.',
        },
      ]
    : [];

/** The wanted settings that the server has, in the wanted order. */
export function settingsFrom(
  found: ReadonlyMap<string, string>,
  wanted: readonly Wanted[],
): TargetDescription['settings'] {
  return wanted.flatMap(({ name, ...about }) => {
    const value = found.get(name);
    return value === undefined ? [] : [{ name, value, ...about }];
  });
}

const OFF = new Set(['', '0', 'off', 'no', 'false', 'none']);

/** Settings that have an effect only if another one is not off. */
export const dependents = (setting: string, names: string): [string, SettingDependency][] =>
  names
    .split(' ')
    .map((name) => [
      name,
      { setting, wanted: 'something other than off', isMet: (value) => !OFF.has(value.trim().toLowerCase()) },
    ]);

/** Properties of a setting, apart from its value, that a server reports. Unreported ones are undefined. */
export type AboutSetting = {
  [Field in Exclude<keyof ServerSetting, 'name' | 'value'>]?: ServerSetting[Field] | undefined;
};

export function settingOf(name: string, value: string, about: AboutSetting): ServerSetting {
  const standard = about.default === undefined ? undefined : withoutSecrets(about.default);
  return {
    name,
    value: withoutSecrets(value),
    ...present({ ...about, default: undefined }),
    ...(standard === undefined ? {} : { default: standard }),
  };
}

/** Settings are stored with results and exported. Connection strings and commands among them may contain a password. */
const withoutSecrets = (value: string): string =>
  value
    .replaceAll(/(\b(?:passw(?:or)?d|passphrase|secret)\s*=\s*)('(?:[^']|'')*'|"[^"]*"|[^\s,;&]+)/gi, '$1[hidden]')
    .replaceAll(/(\w:\/\/[^\s:/@]*:)[^\s@]+@/g, '$1[hidden]@');

export const bySettingName = (a: ServerSetting, b: ServerSetting): number => a.name.localeCompare(b.name, 'en');

/** Rows of a table as text: values as the server sends them, tab-separated. */
export const rowTexts = (rows: readonly (readonly unknown[])[]): string[] =>
  rows.map((row) =>
    row.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value ?? ''))).join('\t'),
  );

/** Limits for listed tables and sessions, and characters of one statement. */
export const TABLES_LISTED = 200;
export const SESSIONS_LISTED = 500;
const STATEMENT_LIMIT = 300;

/** The beginning of a statement on one line. Undefined if there is none. */
export function statementOf(value: unknown): string | undefined {
  const line = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : '';
  if (line === '') return undefined;
  return withoutSecrets(line.length > STATEMENT_LIMIT ? `${line.slice(0, STATEMENT_LIMIT)}…` : line);
}

/** Drops values that are undefined, null or empty. */
export function present<Values extends Record<string, unknown>>(
  values: Values,
): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return Object.fromEntries(known) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}

/** Name and value rows as numbers. Non-numeric values are omitted. */
export function numbersFrom(rows: Iterable<readonly [string, unknown]>): Record<string, number> {
  const numbers: [string, number][] = [];
  for (const [name, value] of rows) {
    const number =
      typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
    if (Number.isFinite(number)) numbers.push([name, number]);
  }
  return Object.fromEntries(numbers);
}

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
