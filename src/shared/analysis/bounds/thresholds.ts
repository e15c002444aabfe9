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
