import { isDeepStrictEqual } from 'node:util';
import { decodeColumn, encodeColumn } from './column.ts';

/*
 * A value as JSON, followed by its columns of numbers.
 *
 *   u32          bytes of the JSON, little-endian
 *   JSON         a column in it is {"column": place, "count": values}
 *   per column   u32 bytes, and the column as in `column.ts`
 */
const SIZE_BYTES = 4;

interface Placed {
  column: number;
  count: number;
}

/** Undefined for values that JSON does not reproduce bit for bit: infinities, −0, undefined. NaN in a column is reproduced. */
export function encodeValue(value: unknown): Uint8Array | undefined {
  const columns: Uint8Array[] = [];
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (!(part instanceof Float64Array)) return part;
    const placed: Placed = { column: columns.length, count: part.length };
    columns.push(encodeColumn(part));
    return placed;
  });
  if (text === undefined) return undefined;
  const bytes = Buffer.concat([Buffer.from(text), ...columns].flatMap((part) => [sizeOf(part), part]));
  return isDeepStrictEqual(decodeValue(bytes), value) ? bytes : undefined;
}

export function decodeValue(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + SIZE_BYTES + view.getUint32(at, true);
    parts.push(bytes.subarray(at + SIZE_BYTES, end));
    at = end;
  }
  const [text = new Uint8Array(), ...columns] = parts;
  return JSON.parse(Buffer.from(text).toString(), (_, part: unknown) =>
    isPlaced(part) ? decodeColumn(columns[part.column] ?? new Uint8Array(), part.count) : part,
  );
}

const isPlaced = (part: unknown): part is Placed =>
  typeof part === 'object' && part !== null && 'column' in part && 'count' in part;

function sizeOf({ length }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(SIZE_BYTES);
  new DataView(bytes.buffer).setUint32(0, length, true);
  return bytes;
}
