import type { ReactNode } from 'react';

export type Pair = readonly [name: string, value: ReactNode];

/** Names and values, aligned. Pairs without a value are left out. */
export function KeyValueList({ pairs }: { pairs: readonly Pair[] }) {
  return (
    <dl className="kp-pairs">
      {pairs
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={`${name}-value`}>{value}</dd>])}
    </dl>
  );
}
