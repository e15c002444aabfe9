import { z } from 'zod';

/**
 * Keeps schemas from compiling themselves: the page's content policy forbids that and would report each attempt.
 * Has an effect only on schemas made afterwards, so it comes before everything that knows the contract.
 */
export const validateWithoutEval = (): void => {
  z.config({ jitless: true });
};
