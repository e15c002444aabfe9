import type { EndingWords } from '../../ending.ts';
import { faultFinding } from './index.ts';

export const ENDING: EndingWords = {
  name: 'YCSB',
  crashNext: 'It is Java that crashed: look for a file hs_err_pid*.log in the job’s folder.',
  missing: faultFinding('java-missing'),
  killedNext: {
    SIGKILL: 'If nobody did that, the kernel may have run out of memory: check the host’s log (dmesg), and lower -Xmx.',
  },
};
