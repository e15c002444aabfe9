import { formatBytes, formatNumber } from '../../../shared/util/format.ts';

/** Data of a cell against the server's own cache for it, bytes. */
export interface DataInMemory {
  readonly data: number;
  readonly cache: number;
}

const times = (value: number): string => (value < 0.005 ? 'less than 0.01' : formatNumber(value, value < 10 ? 2 : 0));

/** “data 24 GiB, 3.00 × the server’s cache”, over all cells; undefined where it is not known of any. */
export function memoryWords(cells: readonly DataInMemory[]): string | undefined {
  const known = cells.filter(({ data, cache }) => data > 0 && cache > 0);
  if (known.length === 0) return undefined;
  const ratios = known.map(({ data, cache }) => data / cache);
  const sizes = known.map(({ data }) => data);
  const range = (values: readonly number[], words: (value: number) => string): string => {
    const [least, most] = [words(Math.min(...values)), words(Math.max(...values))];
    return least === most ? least : `${least} to ${most}`;
  };
  return `data ${range(sizes, formatBytes)}, ${range(ratios, times)} × the server’s cache`;
}
