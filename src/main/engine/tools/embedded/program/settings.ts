import { parseArgs } from 'node:util';
import type { Distribution } from './keys.ts';

export const KINDS = ['read', 'update', 'insert', 'scan', 'rmw'] as const;
type Kind = (typeof KINDS)[number];

export interface Mix {
  /** Share of each kind; the sum is 1. */
  shares: Readonly<Partial<Record<Kind, number>>>;
  distribution: Distribution;
}

/** The six core workloads of the Yahoo! Cloud Serving Benchmark (Cooper et al., 2010). */
export const MIXES = {
  A: { shares: { read: 0.5, update: 0.5 }, distribution: 'zipfian' },
  B: { shares: { read: 0.95, update: 0.05 }, distribution: 'zipfian' },
  C: { shares: { read: 1 }, distribution: 'zipfian' },
  D: { shares: { read: 0.95, insert: 0.05 }, distribution: 'latest' },
  E: { shares: { scan: 0.95, insert: 0.05 }, distribution: 'zipfian' },
  F: { shares: { read: 0.5, rmw: 0.5 }, distribution: 'zipfian' },
} as const satisfies Record<string, Mix>;
export type MixName = keyof typeof MIXES;
export const MIX_NAMES = Object.keys(MIXES) as MixName[];

/** Kinds of a mix, in the order of `KINDS`. */
export const kindsOf = (mix: MixName): Kind[] => KINDS.filter((kind) => kind in MIXES[mix].shares);

/** Returns an index into `KINDS` for a number in [0, 1). */
export function kindChooser(mix: Mix): (drawn: number) => number {
  const bounds: { index: number; upTo: number }[] = [];
  let sum = 0;
  KINDS.forEach((kind, index) => {
    const share = mix.shares[kind];
    if (share === undefined) return;
    sum += share;
    bounds.push({ index, upTo: sum });
  });
  const last = bounds.at(-1)?.index ?? 0;
  return (drawn) => bounds.find((bound) => drawn < bound.upTo)?.index ?? last;
}

export type Synchronous = 'OFF' | 'NORMAL' | 'FULL';

/** Settings of a run, from its command line. */
export interface Settings {
  mix: MixName;
  records: number;
  fieldCount: number;
  fieldLength: number;
  distribution: Distribution;
  synchronous: Synchronous;
  threads: number;
  /** Operations per second of all threads; 0 = unlimited. */
  rate: number;
  maxScanLength: number;
  /** Milliseconds. */
  busyTimeout: number;
  /** Seconds. */
  duration: number;
  seed: number;
  /** Folder in which a temporary folder for the database is created. */
  directory: string;
  /** A database file to use instead, which is kept. */
  file: string | undefined;
}

/** An invalid command line. */
export class SettingsError extends Error {}

const SYNCHRONOUS = ['OFF', 'NORMAL', 'FULL'] as const;
const DISTRIBUTIONS = ['zipfian', 'uniform', 'latest'] as const;

function oneOf<Value extends string>(name: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new SettingsError(`--${name} must be one of ${allowed.join(', ')}, not "${value}".`);
  return found;
}

function numberIn(name: string, value: string, least: number, most: number, whole = true): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= least && number <= most) || (whole && !Number.isInteger(number))) {
    throw new SettingsError(
      `--${name} must be a${whole ? ' whole' : ''} number from ${least} to ${most}, not "${value}".`,
    );
  }
  return number;
}

const text = (fallback: string) => ({ type: 'string' as const, default: fallback });
const OPTIONS = {
  mix: text('A'),
  records: text('10000'),
  'field-count': text('10'),
  'field-length': text('100'),
  distribution: text('default'),
  synchronous: text('FULL'),
  threads: text('1'),
  rate: text('0'),
  'max-scan-length': text('100'),
  'busy-timeout': text('5000'),
  duration: text('10'),
  seed: text('1'),
  directory: text(''),
  file: text(''),
};

function read(argv: readonly string[]): Record<keyof typeof OPTIONS, string> {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new SettingsError(error instanceof Error ? error.message : String(error));
  }
}

/** Throws SettingsError. */
export function settingsOf(argv: readonly string[], workingDirectory: string): Settings {
  const values = read(argv);
  const mix = oneOf('mix', values.mix, MIX_NAMES);
  return {
    mix,
    records: numberIn('records', values.records, 1, 50_000_000),
    fieldCount: numberIn('field-count', values['field-count'], 1, 100),
    fieldLength: numberIn('field-length', values['field-length'], 1, 100_000),
    distribution:
      values.distribution === 'default'
        ? MIXES[mix].distribution
        : oneOf('distribution', values.distribution, DISTRIBUTIONS),
    synchronous: oneOf('synchronous', values.synchronous, SYNCHRONOUS),
    threads: numberIn('threads', values.threads, 1, 64),
    rate: numberIn('rate', values.rate, 0, 10_000_000, false),
    maxScanLength: numberIn('max-scan-length', values['max-scan-length'], 1, 100_000),
    busyTimeout: numberIn('busy-timeout', values['busy-timeout'], 0, 3_600_000),
    duration: numberIn('duration', values.duration, 0.1, 10_000_000, false),
    seed: numberIn('seed', values.seed, 0, 4_294_967_295),
    directory: values.directory === '' ? workingDirectory : values.directory,
    file: values.file === '' ? undefined : values.file,
  };
}
