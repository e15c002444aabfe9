import { outsideOf } from '../../../src/main/computer/index.ts';
import type { Outside } from '../../../src/main/engine/outside.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
/** A thousandth of what a guess costs otherwise. */
const CHEAP = { N: 2 ** 7, r: 8, p: 1 };

/** What an engine of the tests takes. Another program of ours opens only a vault with a real passphrase: `realVault`. */
export const quietOutside = (dataDir: string, realVault = false): Outside => ({
  ...outsideOf({ mode: 'test', dataDir, log: quiet }),
  ...(!realVault && { guessCost: CHEAP }),
});
