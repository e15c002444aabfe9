/** The content of an interval line. A figure is undefined if the line does not have it, NaN if it is not a plausible number. */
export interface Figures {
  metrics: Record<string, number | undefined>;
  /** `percentile` as in the label; 0 = disabled. */
  latencies: readonly { percentile: number; ms: number | undefined }[];
  /** Above zero if anything was completed in this interval. */
  progress: number | undefined;
}

export interface Shape {
  /** Sticky; its groups are passed to `read` in order. */
  pattern: RegExp;
  read(groups: (string | undefined)[]): Figures;
}

export const INTEGER = '(\\d{1,9})';
/** Always with the decimals of the format, so that a truncated number is not read as a complete one. */
export const DECIMAL = ' *(-?(?:\\d+\\.\\d{2,3}|nan|inf)|N/A)';

/** Allowed text after the last figure of a line: a byte damaged in transit must not shorten the figure. */
export const END = '(?=\\s|$|\\[)';

/** Counters that were reset between two readings wrap around, with figures near 2^64: not a value. */
const IMPLAUSIBLE = 1e15;

/** The completed work in an interval of SQL. Statements count if there are no transactions, as in scripts that do not use them. */
export const ended = (...rates: (number | undefined)[]): number | undefined => {
  const known = rates.filter((rate): rate is number => rate !== undefined && !Number.isNaN(rate));
  return known.length === 0 ? undefined : Math.max(...known);
};

/** A number as printed. NaN if implausible; undefined if missing. */
export function decimal(text: string | undefined): number | undefined {
  // go-sysbench prints N/A for values that its driver does not count.
  if (text === undefined || text === 'N/A') return undefined;
  const value = Number(text);
  return Math.abs(value) < IMPLAUSIBLE ? value : Number.NaN;
}
