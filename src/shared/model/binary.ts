import { z } from 'zod';

/** A column of numbers; transferred in binary form. */
export const Numbers = z.custom<Float64Array>((value) => value instanceof Float64Array, 'A Float64Array.');
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'A Uint8Array.');
