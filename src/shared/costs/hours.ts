import type { Per } from './catalogue.ts';

/** 365 days of 24 hours, and a twelfth of that: what most price lists and calculators use. */
export const HOURS_PER_YEAR = 8_760;
export const HOURS_PER_MONTH = 730;

export const perMonthOf = (rate: number, per: Per | 'year'): number => {
  if (per === 'hour') return rate * HOURS_PER_MONTH;
  return per === 'year' ? rate / 12 : rate;
};
