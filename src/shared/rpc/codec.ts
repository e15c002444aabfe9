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
const align = (bytes: number): number => (bytes + 7) & ~7;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function kindOf(value: unknown): Kind | undefined {
  for (const kind of Object.keys(KINDS) as Kind[]) if (value instanceof KINDS[kind]) return kind;
  return undefined;
}

export function encode(message: unknown): string | Uint8Array<ArrayBuffer> {
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
    if (isObject(value) && !(value instanceof Place) && ('$bytes' in value || '$plain' in value)) {
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

export function decode(frame: string | ArrayBuffer | Uint8Array): unknown {
  if (typeof frame === 'string') return JSON.parse(frame, (_key, value) => revive(value, undefined, 0));
  // A copy when the bytes sit inside a larger buffer: typed arrays need their own 8-aligned start.
  const bytes =
    frame instanceof ArrayBuffer
      ? new Uint8Array(frame)
      : new Uint8Array(frame.buffer.slice(frame.byteOffset, frame.byteOffset + frame.byteLength) as ArrayBuffer);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const base = align(HEADER + length);
  const json = new TextDecoder().decode(bytes.subarray(HEADER, HEADER + length));
  return JSON.parse(json, (_key, value) => revive(value, bytes.buffer, base));
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

function revive(value: unknown, buffer: ArrayBuffer | undefined, base: number): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value.$plain)) return Object.fromEntries(value.$plain as [string, unknown][]);
  if (buffer && Array.isArray(value.$bytes)) {
    const [kind, offset, length] = value.$bytes as [Kind, number, number];
    return new KINDS[kind](buffer, base + offset, length);
  }
  return value;
}
