/**
 * Frames for byte transports (WebSocket, and the in-memory pair, so that tests serialise too).
 * Plain JSON text; when the message holds typed arrays one binary frame:
 * u32 length of JSON | JSON with `{"$bytes":[kind, offset, length]}` in their place | padding to 8 | the arrays, each 8-aligned.
 * A user's own object with a `$bytes` key is wrapped in `{"$plain": …}`.
 */
const KINDS = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  u8: Uint8Array,
} as const;
type Kind = keyof typeof KINDS;
type TypedArray = InstanceType<(typeof KINDS)[Kind]>;

const HEADER = 4;
/** No call or result of Kneepoint comes near it. */
const DEEPEST = 100;
/** The only other way to write the first character of the key that marks values to be revived. */
const ESCAPED_DOLLAR = String.raw`\u0024`;
const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];
const align = (bytes: number): number => (bytes + 7) & ~7;
const hasParts = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function kindOf(value: unknown): Kind | undefined {
  for (const kind of Object.keys(KINDS) as Kind[]) if (value instanceof KINDS[kind]) return kind;
  return undefined;
}

/** It contains nothing to replace or escape: then JSON.stringify alone is five times as fast. */
function isPlainJson(value: unknown): boolean {
  if (!hasParts(value)) return true;
  if (ArrayBuffer.isView(value)) return false;
  // Primitive values are skipped here: a call for each takes twice as long.
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) if (hasParts(each) && !isPlainJson(each)) return false;
    return true;
  }
  for (const key in value) {
    if (key === '$bytes' || key === '$plain') return false;
    const each = value[key];
    if (hasParts(each) && !isPlainJson(each)) return false;
  }
  return true;
}

export function encode(message: unknown): string | Uint8Array<ArrayBuffer> {
  if (isPlainJson(message)) return JSON.stringify(message);
  const arrays: TypedArray[] = [];
  let size = 0;
  const json = JSON.stringify(message, (_key, value: unknown) => {
    const kind = kindOf(value);
    if (kind) {
      const array = value as TypedArray;
      arrays.push(array);
      const place = [kind, size, array.length];
      size += align(array.byteLength);
      return new Place(place);
    }
    if (hasParts(value) && !(value instanceof Place) && ('$bytes' in value || '$plain' in value)) {
      return new Plain(Object.entries(value));
    }
    return value;
  });
  if (arrays.length === 0) return json;
  const head = new TextEncoder().encode(json);
  const base = align(HEADER + head.length);
  const frame = new Uint8Array(base + size);
  new DataView(frame.buffer).setUint32(0, head.length, true);
  frame.set(head, HEADER);
  let offset = base;
  for (const array of arrays) {
    frame.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
    offset += align(array.byteLength);
  }
  return frame;
}

/** An invalid frame: truncated, damaged, or crafted to exhaust its reader. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame';
}

/** Throws only `BadFrame`, for anything that `encode` did not create. */
export function decode(frame: string | ArrayBuffer | Uint8Array): unknown {
  if (typeof frame === 'string') {
    const message = parse(frame);
    return frame.includes('$') || frame.includes(ESCAPED_DOLLAR) ? revive(message, undefined, 0) : message;
  }
  // Copies bytes that are part of a larger buffer: typed arrays need their own 8-aligned start.
  const buffer =
    frame instanceof ArrayBuffer
      ? frame
      : (frame.buffer.slice(frame.byteOffset, frame.byteOffset + frame.byteLength) as ArrayBuffer);
  if (buffer.byteLength < HEADER) throw new BadFrame('The frame has no header.');
  const length = new DataView(buffer).getUint32(0, true);
  if (length > buffer.byteLength - HEADER) throw new BadFrame('The frame is shorter than its header declares.');
  const json = new TextDecoder().decode(new Uint8Array(buffer, HEADER, length));
  return revive(parse(json), buffer, align(HEADER + length));
}

/** Checks the depth first: values nested millions deep take far more memory than their text. */
function parse(json: string): unknown {
  if (isNestedBeyond(json, DEEPEST)) throw new BadFrame(`The frame is nested more than ${DEEPEST} deep.`);
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new BadFrame('The frame is not JSON.', { cause: error });
  }
}

function isNestedBeyond(json: string, deepest: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(json, at);
    else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
      if (++depth > deepest) return true;
    } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** Position of the closing quote of a string, or the end if it has none. Four times as fast as checking each character. */
function endOfText(json: string, begin: number): number {
  for (let at = json.indexOf('"', begin + 1); at > 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}

class Place {
  readonly $bytes: unknown[];
  constructor(place: unknown[]) {
    this.$bytes = place;
  }
}
class Plain {
  readonly $plain: [string, unknown][];
  constructor(entries: [string, unknown][]) {
    this.$plain = entries;
  }
}

/** Restores typed arrays and escaped objects in their places; the earlier check of the depth bounds the recursion. */
function revive(value: unknown, buffer: ArrayBuffer | undefined, base: number): unknown {
  if (!hasParts(value)) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = revive(value[index], buffer, base);
    return value;
  }
  for (const key of Object.keys(value)) setOwn(value, key, revive(value[key], buffer, base));
  if ('$plain' in value) return plain(value.$plain);
  if (buffer && '$bytes' in value) return arrayAt(value.$bytes, buffer, base);
  return value;
}

function plain(entries: unknown): Record<string, unknown> {
  if (!Array.isArray(entries)) throw new BadFrame('An escaped object has no list of entries.');
  const object: Record<string, unknown> = {};
  for (const entry of entries) {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string') throw new BadFrame('An escaped object is damaged.');
    setOwn(object, entry[0], entry[1]);
  }
  return object;
}

function arrayAt(place: unknown, buffer: ArrayBuffer, base: number): TypedArray {
  const [kind, offset, length] = Array.isArray(place) ? (place as unknown[]) : [];
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) throw new BadFrame('A typed array has no known kind.');
  const Kind = KINDS[kind as Kind];
  if (!isCount(offset) || !isCount(length) || offset % 8 !== 0)
    throw new BadFrame('A typed array has no place in the frame.');
  if (base + offset + length * Kind.BYTES_PER_ELEMENT > buffer.byteLength)
    throw new BadFrame('A typed array reaches beyond its frame.');
  return new Kind(buffer, base + offset, length);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** `__proto__` becomes a property like any other. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
