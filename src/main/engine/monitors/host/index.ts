import type { MonitorProgram } from '../monitor.ts';
import { HostParser } from './parse.ts';
import { HOST_RULES } from './rules/index.ts';
import { PACE } from './scripts/pace.sh.ts';
import { READ } from './scripts/read.awk.ts';

interface HostMonitorOptions {
  /** Names of programs to follow besides the busiest of the host: `sysbench`, `mysqld`. */
  processes: readonly string[];
}

/** Reads CPU, memory, disks, network and processes of a Linux host each second. Exits with 69 where there is no /proc or no awk. */
export const hostMonitor = ({ processes }: HostMonitorOptions): MonitorProgram => ({
  job: {
    argv: ['sh', '@pace.sh@', '@read.awk@', '/proc', '/sys', ...processes],
    env: {},
    files: [
      { name: 'pace.sh', content: PACE, mode: 0o600, secret: false },
      { name: 'read.awk', content: READ, mode: 0o600, secret: false },
    ],
  },
  parser: () => new HostParser(),
  rules: HOST_RULES,
  keepsOutput: false,
});
