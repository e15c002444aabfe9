import { z } from 'zod';

/**
 * Keeps schemas from compiling themselves: the page's content policy forbids that and would report each attempt. Only affects schemas
 * created afterwards, so it runs before any import of the contract.
 */
export const validateWithoutEval = (): void => {
  z.config({ jitless: true });
};
