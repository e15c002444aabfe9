import type { EndingWords } from '../../ending.ts';
import { faultFinding } from './index.ts';

export const ENDING: EndingWords = {
  name: 'pgbench',
  crashNext:
    'Likely: not every client could connect, and pgbench 15 crashes when it gives up then. Check the server’s log for refused connections.',
  missing: faultFinding('tool-missing'),
};
