import { outsideOf } from '../../../src/main/computer/index.ts';
import type { Outside } from '../../../src/main/engine/outside.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
/** A thousandth of the usual cost of a guess. */
const CHEAP = { N: 2 ** 7, r: 8, p: 1 };

/** Parameters of an engine in tests. Another program of ours opens only a vault with a real passphrase: `realVault`. */
export const quietOutside = (dataDir: string, realVault = false): Outside => ({
  ...outsideOf({ mode: 'test', dataDir, log: quiet }),
  ...(!realVault && { guessCost: CHEAP }),
});
