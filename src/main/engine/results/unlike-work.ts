import { optionOf } from '../../../shared/model/factor.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import { formatBytes } from '../../../shared/util/format.ts';
import { named } from '../../../shared/util/named.ts';
import type { ComparedSession } from './pair-cells.ts';
import { differing, warning } from './warnings.ts';

/** Data that are larger by less than this share cost the same. */
const SAME_SIZE = 0.1;

/** Options in force that differ, without those that either session varies. */
export function differentOptions(
  a: ComparedSession,
  b: ComparedSession,
): { title: string; values: readonly [string, string] }[] {
  const varied = new Set([a, b].flatMap(({ detail }) => detail.experiment.factors.map(optionOf)));
  const [left, right] = [a, b].map(({ workload }) => workload?.options ?? new Map()) as [Options, Options];
  return [...left].flatMap(([name, { title, value }]) => {
    const values = varied.has(name) ? undefined : differing(value, right.get(name)?.value);
    return values ? [{ title, values }] : [];
  });
}
type Options = NonNullable<ComparedSession['workload']>['options'];

/** Longer values, as scripts and statements are, would hide the sentence that they stand in. */
const LONGEST_VALUE = 40;

const shortValues = (values: readonly string[]): string =>
  values.some((value) => value.length > LONGEST_VALUE || value.includes('\n')) ? '' : ` (${values.join(' and ')})`;

/** Options and distributions of the two workloads that differ. */
export function differentWorkloads(a: ComparedSession, b: ComparedSession): Finding[] {
  if (a.detail.session.tool !== b.detail.session.tool) return [];
  const accesses = differing(a.workload?.accesses, b.workload?.accesses);
  const options = differentOptions(a, b).map(({ title, values }) => `${title}${shortValues(values)}`);
  return [
    ...(options.length > 0
      ? [
          warning(
            'different-workloads',
            `The workload differs in ${named(options)}.`,
            'The two sides do different work. Compare them only to see the effect of this difference.',
          ),
        ]
      : []),
    ...(accesses
      ? [
          warning(
            'different-distributions',
            `Accesses are distributed differently: ${accesses.join(', and ')}.`,
            'How many of them meet a cache depends on it. Use the same distribution for both.',
          ),
        ]
      : []),
  ];
}

/** Of the largest of its targets; undefined where one does not tell. */
function bytesOf(detail: ComparedSession['detail']): number | undefined {
  const sizes = targetsOf(detail).map(({ description }) => description?.dataBytes);
  const known = sizes.flatMap((size) => size ?? []);
  return known.length === 0 || known.length < sizes.length ? undefined : Math.max(...known);
}

/** Data that are others, or of another size. */
export function differentData(a: ComparedSession, b: ComparedSession): Finding[] {
  const data = differing(a.workload?.data, b.workload?.data);
  const [one = 0, other = 0] = [a, b].map(({ detail }) => bytesOf(detail));
  const [less, more] = [Math.min(one, other), Math.max(one, other)];
  const sizes =
    less > 0 && more > less * (1 + SAME_SIZE)
      ? `${formatBytes(one)} and ${formatBytes(other)} in the database`
      : undefined;
  if (!data && !sizes) return [];
  return [
    warning(
      'different-data',
      `The data differ: ${data ? data.join(', and ') : sizes}.`,
      'What fits into memory on one side may not on the other. Compare with the same data.',
    ),
  ];
}
