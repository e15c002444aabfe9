import { type Contract, type Definition, isDefinition } from './define.ts';

/** Largest input of a call that declares no other limit. */
export const LARGEST_REQUEST = 256 * 1024;
/** Maximum number of open calls and streams of one connection; a page has a few dozen. */
export const MOST_OPEN = 1000;
/** Deeper than any valid input. Also ends the walk through a structure that contains itself. */
const DEEPEST = 100;
/** Maximum bytes of a UTF-16 code unit in UTF-8. */
const WIDEST_LETTER = 3;
/** Room for the envelope of an input. */
const ENVELOPE = 64 * 1024;

export const largestOf = (definition: Definition): number => definition.largest ?? LARGEST_REQUEST;

/** Bytes of the largest frame that a caller of this contract can legitimately send. */
export function largestFrame(contract: Contract): number {
  const largest = (node: Contract): number =>
    Math.max(
      LARGEST_REQUEST,
      ...Object.values(node).map((entry) => (isDefinition(entry) ? largestOf(entry) : largest(entry))),
    );
  return WIDEST_LETTER * largest(contract) + ENVELOPE;
}

/**
 * Size of an input, independent of its transport: characters of its texts and names, bytes of its arrays, and eight for every value. Stops
 * at `limit`, or at excessive nesting, and returns infinity.
 */
export function sizeOf(input: unknown, limit: number): number {
  const open: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  let size = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    size += 8;
    if (typeof value === 'string') size += value.length;
    else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) size += value.byteLength;
    else if (typeof value === 'object' && value !== null) {
      if (depth >= DEEPEST) return Number.POSITIVE_INFINITY;
      for (const [name, entry] of membersOf(value)) {
        size += name.length;
        open.push({ value: entry, depth: depth + 1 });
        if (size + 8 * open.length > limit) return Number.POSITIVE_INFINITY;
      }
    }
    if (size > limit) return Number.POSITIVE_INFINITY;
  }
  return size;
}

function* membersOf(value: object): Generator<readonly [name: string, value: unknown]> {
  if (Array.isArray(value)) for (const entry of value) yield ['', entry];
  else if (value instanceof Map) for (const pair of value) yield ['', pair];
  else if (value instanceof Set) for (const entry of value) yield ['', entry];
  else for (const name of Object.keys(value)) yield [name, (value as Record<string, unknown>)[name]];
}
