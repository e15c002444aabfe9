import type { Finding } from '../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import { faultFinding } from './faults.ts';

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

export const failedExit = (exit: ExitStatus | undefined): boolean =>
  signalOf(exit) !== undefined || (exit?.code !== undefined && exit.code !== 0);

const KILLED_NEXT: Readonly<Record<string, string>> = {
  SIGKILL: 'If nobody did that, the kernel may have run out of memory: look into the host’s log (dmesg).',
  SIGHUP: 'The terminal or connection it belonged to was closed.',
  SIGPIPE: 'The reader of its output ended first.',
};

/** What an exit status alone tells. */
export function exitFinding(exit: ExitStatus | undefined): Finding {
  const signal = signalOf(exit);
  if (signal && CRASHES.has(signal))
    return {
      code: 'tool-crashed',
      severity: 'error',
      message: `pgbench crashed (${signal}) without a message. What it printed before is kept.`,
      next: 'Likely: not every client could connect, and pgbench 15 crashes when it gives up then. Look into the server’s log for refused connections.',
    };
  if (signal)
    return {
      code: 'killed-by-signal',
      severity: 'error',
      message: `pgbench was ended from outside (${signal}) and prints no report then. What it printed before is kept.`,
      next: KILLED_NEXT[signal] ?? 'If nobody stopped it, look into the host’s log for who did.',
    };
  if (exit?.code === 127) return faultFinding('tool-missing');
  return {
    code: 'exit-code',
    severity: 'error',
    message: `pgbench ended with exit code ${exit?.code} and no message that explains it.`,
    next: 'The raw output of both streams shows what it printed last.',
  };
}
