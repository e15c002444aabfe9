import { createHash } from 'node:crypto';
import type { Answer } from './driver.ts';

/** A whole number of the script language holds 53 bits. */
const MODULUS = 2 ** 48;
const BYTES = 6;

/**
 * 48 bits over every value of an answer, NULL told from an empty text, and where one value ends from where the next begins. `any`: the
 * same for the same rows in another order.
 */
export function checksumOf({ values }: Pick<Answer, 'values'>, order: 'any' | 'kept'): number {
  let sum = 0;
  for (const row of values) {
    const hash = createHash('sha256');
    if (order === 'kept') hash.update(String(sum));
    for (const value of row) {
      const bytes = value === null ? undefined : Buffer.from(value);
      hash.update(bytes ? `${bytes.length}:` : 'null:');
      if (bytes) hash.update(bytes);
    }
    const own = hash.digest().readUIntBE(0, BYTES);
    sum = order === 'kept' ? own : (sum + own) % MODULUS;
  }
  return sum;
}
