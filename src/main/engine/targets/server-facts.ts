import { readFileSync } from 'node:fs';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ConnectionFacts, TargetDescription, TargetKind } from '../../../shared/model/target.ts';

/** Configuration of a server as its form gives it. */
export interface ServerConfig {
  address: string;
  port: number;
  socket: string;
  user: string;
  database: string;
  tls: 'disabled' | 'preferred' | 'required' | 'verify';
  caFile: string;
}

/** What tools need to connect; empty fields are left out. */
export function serverFacts(kind: TargetKind, config: ServerConfig, secret: string | undefined): ConnectionFacts {
  return {
    kind,
    host: config.address,
    port: config.port,
    ...(config.socket === '' ? {} : { socket: config.socket }),
    user: config.user,
    ...(secret === undefined ? {} : { password: secret }),
    database: config.database,
    tls: config.tls,
    ...(config.caFile === '' ? {} : { caFile: config.caFile }),
  };
}

/** The CA certificates to check against; undefined: those of the system. */
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
        next: 'Correct the path, or leave it empty to use the CAs that the system knows.',
      },
      { cause: error },
    );
  }
}

/** A setting worth showing: its name, and why it matters for a result. */
export interface Wanted {
  name: string;
  why: string;
  unit?: string;
}

/** Those of the wanted settings that the server has, in the wanted order. */
export function settingsFrom(
  found: ReadonlyMap<string, string>,
  wanted: readonly Wanted[],
): TargetDescription['settings'] {
  return wanted.flatMap(({ name, why, unit }) => {
    const value = found.get(name);
    return value === undefined ? [] : [{ name, value, why, ...(unit === undefined ? {} : { unit }) }];
  });
}

/** Rows of name and value as numbers; what is no number is left out. */
export function numbersFrom(rows: Iterable<readonly [string, unknown]>): Record<string, number> {
  const numbers: [string, number][] = [];
  for (const [name, value] of rows) {
    const number =
      typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
    if (Number.isFinite(number)) numbers.push([name, number]);
  }
  return Object.fromEntries(numbers);
}
