import type { EndingWords } from '../../ending.ts';
import { faultFinding } from './index.ts';

export const ENDING: EndingWords = {
  name: 'fio',
  crashNext: 'fio crashes at its end when one of its jobs was killed: check the host’s log (dmesg).',
  missing: faultFinding('tool-missing'),
};
