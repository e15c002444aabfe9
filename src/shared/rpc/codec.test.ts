import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadFrame, decode, encode } from './codec.ts';

/** A binary frame with this head, followed by this many bytes. */
function frame(head: unknown, behind = 0, length?: number): Uint8Array {
  const json = new TextEncoder().encode(typeof head === 'string' ? head : JSON.stringify(head));
  const bytes = new Uint8Array(((4 + json.length + 7) & ~7) + behind);
  new DataView(bytes.buffer).setUint32(0, length ?? json.length, true);
  bytes.set(json, 4);
  return bytes;
}

const DAMAGED: Readonly<Record<string, string | Uint8Array>> = {
  'an empty text': '',
  'half an object': '{',
  'nested 200,000 deep': '['.repeat(200_000) + ']'.repeat(200_000),
  'nested 5,000 deep in an object': `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  'an escaped object that is none': '{"$plain":[1]}',
  'an escaped object that is none, its key written otherwise': String.raw`{"\u0024plain":[1]}`,
  'an escaped object without entries': '{"$plain":{}}',
  'no bytes': new Uint8Array(0),
  'one byte': Uint8Array.of(1),
  'a header longer than the frame': frame({}, 8, 4_000_000_000),
  'an array of four billion numbers': frame({ $bytes: ['f64', 0, 4_000_000_000] }, 8),
  'an array beyond the end': frame({ $bytes: ['f64', 8, 1] }, 8),
  'an array before the beginning': frame({ $bytes: ['f64', -8, 1] }, 8),
  'an array at a crooked place': frame({ $bytes: ['f64', 1, 1] }, 16),
  'an array of half a number': frame({ $bytes: ['f64', 0, 0.5] }, 8),
  'an array of an inherited kind': frame({ $bytes: ['constructor', 0, 1] }, 8),
  'an array without a place': frame({ $bytes: 1 }, 8),
  'a head that is no JSON': frame('{"a":'),
};

describe('a damaged frame', () => {
  it.each(Object.entries(DAMAGED))('is rejected: %s', (_, damaged) => {
    expect(() => decode(damaged)).toThrow(BadFrame);
  });

  it('of random bytes or text is decoded or rejected', () => {
    const tried = (input: string | Uint8Array): void => {
      try {
        decode(input);
      } catch (error) {
        if (!(error instanceof BadFrame)) throw error;
      }
    };
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.uint8Array()), tried), { numRuns: 2000 });
  });

  it('nested too deeply is rejected, whatever text precedes it', () => {
    const deep = '['.repeat(200) + ']'.repeat(200);
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', '[', ']') }));
    const isRefused = (before: string): void => {
      expect(() => decode(`[${JSON.stringify(before)},${deep}]`)).toThrow(BadFrame);
    };
    fc.assert(fc.property(text, isRefused), { numRuns: 1000 });
  });

  it('derived from a valid one is decoded or rejected', () => {
    const good = encode({
      k: 'result',
      id: 1,
      value: { v: Float64Array.of(1, 2), $plain: [], name: 'é' },
    }) as Uint8Array;
    const damage = fc.record({ at: fc.nat(good.length - 1), to: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), fc.nat(good.length), (damages, length) => {
        const copy = good.slice(0, length);
        for (const { at, to } of damages) if (at < length) copy[at] = to;
        try {
          decode(copy);
        } catch (error) {
          if (!(error instanceof BadFrame)) throw error;
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe('a valid frame', () => {
  it('round-trips any value', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
        fc.boolean(),
        fc.constant(null),
        fc.float64Array({ noNaN: true, noDefaultInfinity: true }),
        fc.uint8Array(),
        fc.array(tie('any')),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$bytes', '$plain', '__proto__')), tie('any')),
      ),
    })).any;
    const returns = (given: unknown): void => {
      expect(decode(encode(given))).toEqual(given);
    };
    fc.assert(fc.property(value, returns), { numRuns: 1000 });
  });

  it('does not parse brackets and quotes inside texts', () => {
    const value = { text: `${'['.repeat(5000)}"\\"${'{'.repeat(5000)}`, after: [1] };
    expect(decode(encode(value))).toEqual(value);
  });

  it('never changes the prototype of an object', () => {
    const read = decode('{"$plain":[["__proto__",{"admin":true}]]}') as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect('admin' in read).toBe(false);
  });
});
