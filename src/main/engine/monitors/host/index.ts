import type { MonitorProgram } from '../monitor.ts';
import { HostParser } from './parse.ts';
import { HOST_RULES } from './rules/index.ts';
import { PACE } from './scripts/pace.sh.ts';
import { READ } from './scripts/read.awk.ts';

export interface HostMonitorOptions {
  /** Names of programs to follow in addition to the busiest of the host: `mysqld`. */
  processes: readonly string[];
  /** Among several with such a name, only those that listen on one of these ports count, as far as that is visible. */
  ports?: readonly number[];
  /** Names of programs that are followed only in Kneepoint's jobs: `sysbench`. */
  ofJobs?: readonly string[];
  /** Ports that the tool connects to. */
  serverPorts?: readonly number[];
}

/** Reads CPU, memory, disks, network and processes of a Linux host each second. Exits with 69 if there is no /proc or no awk. */
export const hostMonitor = ({
  processes,
  ports = [],
  ofJobs = [],
  serverPorts = [],
}: HostMonitorOptions): MonitorProgram => ({
  job: {
    argv: [
      'sh',
      '@pace.sh@',
      '@read.awk@',
      '/proc',
      '/sys',
      ...processes.map((name) => (ports.length > 0 ? `at:${ports.join(',')}:${name}` : name)),
      ...ofJobs.map((name) => `job:${name}`),
      ...(ofJobs.length > 0 && serverPorts.length > 0 ? [`server:${serverPorts.join(',')}`] : []),
      ...(ports.length > 0 ? [`clients:${ports.join(',')}`] : []),
    ],
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
