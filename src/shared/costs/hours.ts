import type { Per } from './catalogue.ts';

/** 365 days of 24 hours, and a twelfth of that: what most price lists and calculators use. */
export const HOURS_PER_YEAR = 8_760;
export const HOURS_PER_MONTH = 730;

/** Money per month of a rate; `hours`: those in a month. */
export const perMonthOf = (rate: number, per: Per | 'year', hours: number): number => {
  if (per === 'hour') return rate * hours;
  return per === 'year' ? rate / 12 : rate;
};
