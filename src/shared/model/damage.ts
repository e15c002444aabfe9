import { z } from 'zod';
import { formatNumber } from '../util/format.ts';

/** Stored samples that do not match their checksum or are unreadable. They are used in no calculation. */
export const SampleDamage = z.object({
  runId: z.number(),
  /** Counts from 0 in the order of the document. */
  generator: z.number(),
  /** Absent: the times of these samples, or all their metrics. */
  metric: z.string().optional(),
  /** First and last of the damaged samples, counted from 0. */
  first: z.number(),
  last: z.number(),
});
export type SampleDamage = z.infer<typeof SampleDamage>;

/** The same without the run or host that they belong to. */
export type LostSamples = Omit<SampleDamage, 'runId' | 'generator'>;

/** A generator of a run, or a watched host or server by its name. */
export type SampleOwner = Pick<SampleDamage, 'runId' | 'generator'> | { readonly source: string };

export function damageWords({ metric, first, last, ...of }: LostSamples & SampleOwner): string {
  const samples =
    first === last
      ? `sample ${formatNumber(first + 1)}`
      : `samples ${formatNumber(first + 1)} to ${formatNumber(last + 1)}`;
  const lost = `${metric ?? 'all metrics'}, ${samples}`;
  return 'source' in of
    ? `Stored samples of the monitored source “${of.source}” are damaged: ${lost}.`
    : `Stored samples of run ${of.runId} are damaged: ${lost} of generator ${of.generator + 1}.`;
}

/** Without duplicates: the times of a run are read with every metric. */
export function distinctDamage(damage: readonly SampleDamage[]): SampleDamage[] {
  const key = (entry: SampleDamage): string =>
    [entry.runId, entry.generator, entry.metric ?? '', entry.first, entry.last].join(' ');
  return [...new Map(damage.map((entry) => [key(entry), entry])).values()];
}
