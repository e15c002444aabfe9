import type { AccessShares } from '../../../shared/model/accesses.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import { accessShares } from '../tools/accesses.ts';
import type { Tool } from '../tools/tool.ts';
import type { Step } from './effects.ts';

/** Below this share of the rows for half of the accesses, the size of a table hardly matters any more. */
const FEW_ROWS = 0.01;

/** Each kind of accesses that a step makes, once, in the order of the cells. */
export function accessesOf(steps: readonly Step[], tool: Tool): AccessShares[] {
  const kinds = new Map<string, AccessShares>();
  if (!tool.accesses) return [];
  for (const { options } of steps)
    for (const accesses of tool.accesses(options))
      if (!kinds.has(accesses.words)) kinds.set(accesses.words, accessShares(accesses));
  return [...kinds.values()];
}

export const accessFindings = (kinds: readonly AccessShares[]): Finding[] =>
  kinds.flatMap(({ words, of, shares }) => {
    const half = shares.find(({ accesses }) => accesses === 0.5);
    if (!half || half.rows >= FEW_ROWS) return [];
    return [
      {
        code: 'few-rows-met',
        severity: 'warn',
        message: `Half of the accesses go to ${formatNumber(half.rows * 100, 2)} % of the ${of} (${words}). These few ${of} decide the result, and the size of the ${of === 'blocks' ? 'files' : 'table'} may hardly matter.`,
        next: 'Choose a uniform distribution where the size of data and memory should count, and compare only with the same one.',
      },
    ];
  });
