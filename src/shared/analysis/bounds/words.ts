import { formatNumber, formatPercent } from '../../util/format.ts';

/** `in 97 % of the seconds`, `in every second`. */
export const inSeconds = (share: number): string =>
  share > 0.995 ? 'in every second' : `in ${formatPercent(share)} of the seconds`;

/** Formats a figure that is already a percentage. */
export const percent = (value: number): string => `${formatNumber(value, value > 0 && value < 9.95 ? 1 : 0)} %`;

/** At most three significant digits below 100, whole numbers above. */
export const amount = (value: number): string =>
  formatNumber(value, Math.abs(value) >= 99.5 ? 0 : Math.abs(value) >= 9.95 ? 1 : 2);

/** For sessions and clients, which have no fractions. */
export const whole = (value: number): number => (value > 0 ? Math.max(1, Math.round(value)) : 0);

/** For threads and I/Os: whole numbers if there are many. */
export const headcount = (value: number): string =>
  formatNumber(value, value < 9.95 && !Number.isInteger(value) ? 1 : 0);

/** At its limit in at least this share of the watched seconds: named as the bottleneck of the run. */
export const MOST = 0.6;
/** In at least this share: named in addition. */
export const NEAR = 0.2;
/** Percentage of a CPU, a device's time or a link at which it counts as saturated: queues grow without bound before 100. */
export const FULL = 90;
/** Percentage of one core that a single busy thread reaches: the rest are ticks that miss it. */
export const FULL_CORE = 95;
/** Share of the sessions that have to wait for one thing before it explains the throughput. */
export const HALF = 0.5;
/**
 * Share of a limit above which another limit must apply: that of a burst or of a volume other than the purchased one; virtual links report
 * any speed, and a rate may be that of the other direction.
 */
export const MOST_OF_LIMIT = 1.1;

export const isAtLimit = (value: number, limit: number): boolean =>
  value >= (FULL / 100) * limit && value <= MOST_OF_LIMIT * limit;
