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
