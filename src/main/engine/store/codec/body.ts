import { addPlanes, differences, type Planes, powerOfTen, scaledIntegers, toPlanes } from './integers.ts';

/*
 * Body of a column without absent values:
 *   INTEGERS          decimals u8, width u8, base f64, planes
 *   INTEGERS | DELTA  decimals u8, width u8, base f64, first f64, planes of the differences
 *   neither           the doubles' own bytes in eight planes, lowest byte first
 */
const DELTA = 1;
const INTEGERS = 2;

export interface Body {
  flags: number;
  bytes: Uint8Array;
}

/** The values or their differences as integers, whichever takes fewer bytes each; both when that cannot tell. None when not all are decimals. */
export function integerBodies(values: Float64Array): Body[] {
  const scaled = values.length > 0 ? scaledIntegers(values) : undefined;
  if (scaled === undefined) return [];
  const plain = toPlanes(scaled.values);
  const steps = toPlanes(differences(scaled.values));
  const bodies: Body[] = [];
  if (plain.width <= steps.width) bodies.push({ flags: INTEGERS, bytes: integerBody(scaled.decimals, plain) });
  if (steps.width <= plain.width) {
    bodies.push({ flags: INTEGERS | DELTA, bytes: integerBody(scaled.decimals, steps, scaled.values[0]) });
  }
  return bodies;
}

/** Holds any doubles. */
export const doublesBody = (values: Float64Array): Body => ({ flags: 0, bytes: doublePlanes(values) });

/** Fills `values`. */
export function decodeBody(values: Float64Array, flags: number, bytes: Uint8Array): void {
  if (!(flags & INTEGERS)) {
    fromDoublePlanes(values, bytes);
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const power = powerOfTen(view.getUint8(0));
  const width = view.getUint8(1);
  const base = view.getFloat64(2, true);
  if (!(flags & DELTA)) {
    addPlanes(values, { base, width, bytes: bytes.subarray(10) });
    for (let index = 0; index < values.length; index += 1) values[index] = (values[index] as number) / power;
    return;
  }
  // A step is where the value that it leads to will be.
  addPlanes(values.subarray(1), { base, width, bytes: bytes.subarray(18) });
  let integer = view.getFloat64(10, true);
  values[0] = integer / power;
  for (let index = 1; index < values.length; index += 1) {
    integer += values[index] as number;
    values[index] = integer / power;
  }
}

function integerBody(decimals: number, planes: Planes, first?: number): Uint8Array {
  const head = first === undefined ? 10 : 18;
  const bytes = new Uint8Array(head + planes.bytes.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, decimals);
  view.setUint8(1, planes.width);
  view.setFloat64(2, planes.base, true);
  if (first !== undefined) view.setFloat64(10, first, true);
  bytes.set(planes.bytes, head);
  return bytes;
}

function doublePlanes(values: Float64Array): Uint8Array {
  const count = values.length;
  const view = new DataView(new ArrayBuffer(8));
  const bytes = new Uint8Array(8 * count);
  for (let index = 0; index < count; index += 1) {
    view.setFloat64(0, values[index] ?? 0, true);
    for (let plane = 0; plane < 8; plane += 1) bytes[plane * count + index] = view.getUint8(plane);
  }
  return bytes;
}

function fromDoublePlanes(values: Float64Array, bytes: Uint8Array): void {
  const view = new DataView(new ArrayBuffer(8));
  const count = values.length;
  for (let index = 0; index < count; index += 1) {
    for (let plane = 0; plane < 8; plane += 1) view.setUint8(plane, bytes[plane * count + index] ?? 0);
    values[index] = view.getFloat64(0, true);
  }
}
