import type { EndingWords } from '../../ending.ts';
import { faultFinding } from './index.ts';

export const ENDING: EndingWords = {
  name: 'fio',
  crashNext: 'fio crashes on its way out when one of its jobs was killed: look into the host’s log (dmesg).',
  missing: faultFinding('tool-missing'),
};
