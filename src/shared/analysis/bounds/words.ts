import { formatNumber, formatPercent } from '../../util/format.ts';

/** `in 97 % of the seconds`, `in all seconds`. */
export const inSeconds = (share: number): string =>
  share > 0.995 ? 'in all seconds' : `in ${formatPercent(share)} of the seconds`;

/** A figure that is a percentage already. */
export const percent = (value: number): string => `${formatNumber(value, value > 0 && value < 9.95 ? 1 : 0)} %`;

/** Three significant digits at most below 100, whole above. */
export const amount = (value: number): string =>
  formatNumber(value, Math.abs(value) >= 99.5 ? 0 : Math.abs(value) >= 9.95 ? 1 : 2);

/** Of sessions and clients, of which there are no parts. */
export const whole = (value: number): number => (value > 0 ? Math.max(1, Math.round(value)) : 0);

/** Of threads and I/Os: whole where they are many. */
export const headcount = (value: number): string =>
  formatNumber(value, value < 9.95 && !Number.isInteger(value) ? 1 : 0);

/** At its limit in at least this share of the seconds watched: named as what bounds the run. */
export const MOST = 0.6;
/** In this share: told beside it. */
export const NEAR = 0.2;
/** Percent of a CPU, a device's time or a link, from which on there is nothing left that helps: queues grow beyond all bounds before 100. */
export const FULL = 90;
/** Percent of one core that a single busy thread reaches: the rest are ticks that fall beside it. */
export const FULL_CORE = 95;
/** Of the sessions, those that have to wait for one thing before it explains the throughput. */
export const HALF = 0.5;
/**
 * Share of a limit above which another limit must apply: that of a burst or of a volume that was not bought; virtual links report any speed, and a
 * rate may be that of the other direction.
 */
export const MOST_OF_LIMIT = 1.1;

export const isAtLimit = (value: number, limit: number): boolean =>
  value >= (FULL / 100) * limit && value <= MOST_OF_LIMIT * limit;
