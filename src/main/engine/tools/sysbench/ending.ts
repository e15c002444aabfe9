import type { Finding } from '../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import type { SysbenchOptions } from './options.ts';
import { usesDatabase } from './scripts.ts';

/** Linux signal numbers that a benchmark dies of. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};
const CRASHES = new Set(['SIGILL', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV']);

/** The signal's name, from the status itself or from a shell's 128 + n. */
function signalOf(exit: ExitStatus | undefined): string | undefined {
  if (exit?.signal) return exit.signal.startsWith('SIG') ? exit.signal : `SIG${exit.signal}`;
  const code = exit?.code ?? 0;
  return code > 128 ? (SIGNALS[code - 128] ?? (code < 128 + 65 ? `signal ${code - 128}` : undefined)) : undefined;
}

export const endedBySignal = (exit: ExitStatus | undefined): boolean => signalOf(exit) !== undefined;
export const failedExit = (exit: ExitStatus | undefined): boolean =>
  endedBySignal(exit) || (exit?.code !== undefined && exit.code !== 0);

const KILLED_NEXT: Readonly<Record<string, string>> = {
  SIGKILL: 'If nobody did that, the kernel may have run out of memory: look into the host’s log (dmesg).',
  SIGHUP: 'The terminal or connection it belonged to was closed.',
  SIGPIPE: 'The reader of its output ended first.',
};

/** sysbench prints nothing when it crashes, so the likely cause is told by what was going on. */
function crashCause(options: SysbenchOptions): string {
  if (!usesDatabase(options.script)) return 'Look into the host’s log (dmesg) for the crash.';
  const ignored = options['mysql-ignore-errors'].split(',');
  if (ignored.some((entry) => entry === 'all' || entry === '2013' || entry === '2006'))
    return 'Likely: a connection was lost while mysql-ignore-errors covers that, and the reconnect of sysbench with MariaDB’s client library crashes. Take 2006, 2013 and all out of mysql-ignore-errors.';
  return 'Likely: the connection to the database was lost (sysbench 1.0 crashes then with PostgreSQL, and with MySQL when it tries to reconnect). Look into the server’s log for a restart or a killed connection at this time.';
}

/** What an exit status alone tells. */
export function exitFinding(exit: ExitStatus | undefined, reading: { options: SysbenchOptions }): Finding {
  const signal = signalOf(exit);
  if (signal && CRASHES.has(signal))
    return {
      code: 'tool-crashed',
      severity: 'error',
      message: `sysbench crashed (${signal}) without a message. What it printed before is kept.`,
      next: crashCause(reading.options),
    };
  if (signal)
    return {
      code: 'killed-by-signal',
      severity: 'error',
      message: `sysbench was ended from outside (${signal}) and prints no report then. What it printed before is kept.`,
      next: KILLED_NEXT[signal] ?? 'If nobody stopped it, look into the host’s log for who did.',
    };
  if (exit?.code === 127)
    return {
      code: 'tool-missing',
      severity: 'error',
      message: 'sysbench is not installed on the generator, or not on its PATH.',
      next: 'Install it (on Debian and Ubuntu: apt-get install sysbench).',
    };
  return {
    code: 'exit-code',
    severity: 'error',
    message: `sysbench ended with exit code ${exit?.code} and no message that explains it.`,
    next: 'The raw output of both streams shows what it printed last.',
  };
}
