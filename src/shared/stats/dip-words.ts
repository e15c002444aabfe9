import { formatDuration, formatNumber } from '../util/format.ts';
import type { EventDip } from './dip.ts';

/** What fell: “transactions (tps)”. `isWork`: a rate of which what was not done can be counted. */
export interface DipOf {
  readonly what: string;
  readonly isWork: boolean;
}

/** How deep it fell after an event and when it was back, in one to two sentences. */
export function dipWords(dip: EventDip, { what, isWork }: DipOf): string {
  const { before, after, began, recovered, depth, lost, lowest } = dip;
  if (began === undefined)
    return `${what} did not dip: ${formatNumber(before)} before it, ${formatNumber(after)} after it.`;
  const when = began < 1 ? 'at once' : `after ${tenths(began)}`;
  const fell = `${what} fell ${when} from ${formatNumber(before)} to ${formatNumber(lowest)}, by ${Math.round(depth * 100)} %,`;
  const back = recovered === undefined ? 'and was not back.' : `and was back after ${tenths(recovered)}.`;
  const missing = ` Compared with the rate before, ${formatNumber(Math.max(0, Math.round(lost)))} are missing.`;
  return `${fell} ${back}${isWork ? missing : ''}`;
}

const tenths = (seconds: number): string => formatDuration(Math.round(seconds * 10) / 10);
