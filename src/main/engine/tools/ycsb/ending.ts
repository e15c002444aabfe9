import type { Finding } from '../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';

/** Linux signal numbers that a Java program ends by. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};
const NEXT: Readonly<Record<string, string>> = {
  SIGKILL:
    'If nobody did that, the kernel may have run out of memory: look into the host’s log (dmesg), and lower -Xmx.',
  SIGHUP: 'The terminal or connection it belonged to was closed.',
  SIGABRT: 'Java crashed: look for a file hs_err_pid*.log in the job’s folder.',
  SIGSEGV: 'Java crashed: look for a file hs_err_pid*.log in the job’s folder.',
};

/** The signal's name, from the status itself or from 128 + n, with which Java ends after one. */
function signalOf(exit: ExitStatus | undefined): string | undefined {
  if (exit?.signal) return exit.signal.startsWith('SIG') ? exit.signal : `SIG${exit.signal}`;
  const code = exit?.code ?? 0;
  return code > 128 ? (SIGNALS[code - 128] ?? (code < 128 + 65 ? `signal ${code - 128}` : undefined)) : undefined;
}

export const endedBySignal = (exit: ExitStatus | undefined): boolean => signalOf(exit) !== undefined;
export const failedExit = (exit: ExitStatus | undefined): boolean =>
  endedBySignal(exit) || (exit?.code !== undefined && exit.code !== 0);

/** What an exit status alone tells. */
export function exitFinding(exit: ExitStatus | undefined): Finding {
  const signal = signalOf(exit);
  if (signal)
    return {
      code: 'killed-by-signal',
      severity: 'error',
      message: `YCSB was ended from outside (${signal}) and prints no report then. What it printed before is kept.`,
      next: NEXT[signal] ?? 'If nobody stopped it, look into the host’s log for who did.',
    };
  if (exit?.code === 127)
    return {
      code: 'java-missing',
      severity: 'error',
      message: 'Java is not installed on the generator, or not on its PATH.',
      next: 'Install a Java runtime (on Debian and Ubuntu: apt-get install default-jre-headless), or set the option java to its path.',
    };
  return {
    code: 'exit-code',
    severity: 'error',
    message: `YCSB ended with exit code ${exit?.code} and no message that explains it.`,
    next: 'The raw output of both streams shows what it printed last.',
  };
}
