/** What an interval line says. A figure is undefined when the line does not have it, NaN when it is no plausible number. */
export interface Figures {
  metrics: Record<string, number | undefined>;
  /** `percentile` as in the label; 0 = switched off. */
  latencies: readonly { percentile: number; ms: number | undefined }[];
  /** Anything above zero: something was done in this interval. */
  progress: number | undefined;
}

export interface Shape {
  /** Sticky; its groups go to `read` in order. */
  pattern: RegExp;
  read(groups: (string | undefined)[]): Figures;
}

export const INTEGER = '(\\d{1,9})';
/** Always with the decimals of the format, so that a number cut short is not taken for a whole one. */
export const DECIMAL = ' *(-?(?:\\d+\\.\\d{2,3}|nan|inf)|N/A)';

/** What may follow the last figure of a line: a byte damaged in transit must not shorten it. */
export const END = '(?=\\s|$|\\[)';

/** Counters that were reset between two readings wrap around and print figures near 2^64: no value. */
const IMPLAUSIBLE = 1e15;

/** What ended in an interval of SQL: statements count where no transaction did, as with scripts that run them outside of any. */
export const ended = (...rates: (number | undefined)[]): number | undefined => {
  const known = rates.filter((rate): rate is number => rate !== undefined && !Number.isNaN(rate));
  return known.length === 0 ? undefined : Math.max(...known);
};

/** A number as printed; NaN when it says nothing; undefined when it is not there. */
export function decimal(text: string | undefined): number | undefined {
  // go-sysbench prints N/A for what its driver does not count.
  if (text === undefined || text === 'N/A') return undefined;
  const value = Number(text);
  return Math.abs(value) < IMPLAUSIBLE ? value : Number.NaN;
}
