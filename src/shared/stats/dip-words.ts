import type { Finding } from '../model/finding.ts';
import type { Run } from '../model/session.ts';
import { formatCount, formatDuration, formatLevels, formatNumber } from '../util/format.ts';
import { type EventDip, LATEST_SECONDS } from './dip.ts';
import { percentile } from './spread.ts';

/** What fell: “Transactions (tps)”. `work`: of a rate, what was not done meanwhile: “transactions”; empty: it has no noun. */
export interface DipOf {
  readonly what: string;
  readonly work?: string;
}

/** What a rate with this label counts, as a noun within a sentence; empty: its label is none. */
export const nounOf = (label: string): string => (/^[A-Z][a-z-]+( [a-z]+)*$/.test(label) ? label.toLowerCase() : '');

/** How deep it fell after an event and when it was back, in one to three sentences. */
export function dipWords(dip: EventDip, { what, work }: DipOf): string {
  const { before, after, began, recovered, depth, lost, lowest, notKnown } = dip;
  const medians = `median ${formatNumber(before)} before, ${formatNumber(after)} after`;
  const unknown = notKnown === undefined ? '' : formatDuration(Math.ceil(notKnown));
  if (began === undefined)
    return unknown === ''
      ? `${what}: no dip within ${LATEST_SECONDS} s of it; ${medians}.`
      : `${what}: whether it dipped is not known, as nothing is known of ${unknown} of the ${LATEST_SECONDS} s after it; ${medians}.`;
  const when = began < 1 ? 'at once' : `after ${tenths(began)}`;
  const fell = `${what} fell ${when} from ${formatNumber(before)} to ${formatNumber(lowest)}, by ${Math.round(depth * 100)} %,`;
  const back =
    recovered === undefined
      ? 'and had not recovered by the end or the next event.'
      : `and was back after ${tenths(recovered)}.`;
  const fewer = Math.max(0, Math.round(lost));
  const missing = ` That is about ${formatNumber(fewer)}${work ? ` ${work}` : ''} fewer than at the rate before.`;
  const rest = unknown === '' ? '' : ` Nothing is known of ${unknown} of that time.`;
  return `${fell} ${back}${work === undefined ? '' : missing}${rest}`;
}

const tenths = (seconds: number): string => formatDuration(Math.round(seconds * 10) / 10);

/** How long it took after each event until the work of the server was back, a sentence for each cell; of several runs the median and the range. */
export function recoverySentences(runs: readonly Pick<Run, 'levels' | 'findings' | 'excluded'>[]): string[] {
  const told = new Map<string, { cell: string; event: string; all: NonNullable<Finding['recovery']>[] }>();
  for (const { levels, findings, excluded } of runs)
    for (const { recovery } of excluded ? [] : findings) {
      if (!recovery) continue;
      const event = `Second ${formatNumber(recovery.at)}: ${recovery.event}`;
      const cell = formatLevels(levels);
      const key = [cell, event].join('\n');
      told.set(key, { cell, event, all: [...(told.get(key)?.all ?? []), recovery] });
    }
  return [...told.values()].map(
    ({ cell, event, all }) => `${cell === '' ? '' : `${cell}: `}${recoveryWords(all)}. ${event}`,
  );
}

function recoveryWords(all: readonly { readonly seconds?: number | undefined }[]): string {
  const known = all.flatMap(({ seconds }) => seconds ?? []).sort((one, other) => one - other);
  const trials = formatCount(all.length, 'trial');
  if (known.length === 0) return `Not recovered by the end or the next event${all.length > 1 ? `, in ${trials}` : ''}`;
  const [least = 0, most = 0] = [known[0], known.at(-1)];
  const range = `median of ${formatCount(known.length, 'trial')}, ${tenths(least)} to ${tenths(most)}`;
  const parts = [
    ...(known.length > 1 ? [range] : []),
    ...(known.length < all.length ? [`not recovered in ${all.length - known.length} of ${trials}`] : []),
  ];
  return `Time to recover: ${tenths(percentile(known, 50))}${parts.length > 0 ? ` (${parts.join('; ')})` : ''}`;
}
