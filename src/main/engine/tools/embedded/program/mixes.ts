import type { Distribution } from './keys.ts';

export const KINDS = ['read', 'update', 'insert', 'scan', 'rmw'] as const;
export type Kind = (typeof KINDS)[number];

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
