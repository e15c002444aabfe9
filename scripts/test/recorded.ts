import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { integrity } from './integrity.ts';

const ENTRIES_SHOWN = 3;

/**
 * An assertion about data: stored or restored data against its expected value. `about` names the data. For lists, a failure shows the first entries
 * that differ: only the first lines of a difference are repeated at the end of a test run.
 */
export function expectSame(about: string, found: unknown, wanted: unknown): void {
  integrity(about, () => {
    if (Array.isArray(found) && Array.isArray(wanted)) {
      const from = [...found, undefined].findIndex((entry, index) => !isDeepStrictEqual(entry, wanted[index]));
      const shown = (list: readonly unknown[]): unknown => list.slice(from, from + ENTRIES_SHOWN);
      if (from > 0)
        expect(shown(found), `entry ${from + 1} of ${found.length} and ${wanted.length}`).toEqual(shown(wanted));
    }
    expect(found).toEqual(wanted);
  });
}

const BYTES_BEFORE = 80;
const BYTES_SHOWN = 240;

/** Compares byte for byte with the tool's output. A failure shows both from a little before the first difference. */
export function expectSameBytes(stored: Uint8Array, written: Uint8Array): void {
  const differs = written.findIndex((byte, index) => byte !== stored[index]);
  const from = Math.max(0, (differs === -1 ? written.length : differs) - BYTES_BEFORE);
  const shown = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(from, from + BYTES_SHOWN)).toString('latin1');
  integrity(`stored output against what the tool wrote, from byte ${from} on`, () =>
    expect(shown(stored)).toBe(shown(written)),
  );
}

/** A second of the tool's own clock and a value. */
type Second = readonly [t: number, value: number];

/** Every second that the tool wrote, exactly once and with its value, and no others. */
export function expectSameSeconds(
  series: { readonly t: ArrayLike<number>; readonly v: ArrayLike<number> } | undefined,
  written: readonly Second[],
): void {
  const stored = Array.from(series?.t ?? [], (t, index): Second => [t, series?.v[index] ?? Number.NaN]);
  expectSame('stored seconds against those that the tool wrote', stored, written);
}

/** sysbench's output for each second, read independently of the engine. `metric`: sysbench's name. */
export const secondsPrinted = (output: string, metric: string): Second[] =>
  [...output.matchAll(new RegExp(`^\\[ (\\d+)s \\] .*?\\b${metric}: ([\\d.]+)`, 'gm'))].map(([, t, value]) => [
    Number(t),
    Number(value),
  ]);
