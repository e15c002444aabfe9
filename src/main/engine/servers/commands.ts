import { KneepointError } from '../../../shared/model/problem.ts';
import type { ServerControl } from '../../../shared/model/target.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Machine } from '../hosts/machine.ts';
import { newNonce, noAnswer, parseReplies } from '../jobs/protocol.ts';
import { notBack, refused } from './problems.ts';
import type { Control, Controlled } from './server.ts';

type Commands = Extract<ServerControl, { kind: 'commands' }>;

/** Time to wait for the end of a killed server: a status command cannot distinguish it from one that was restarted immediately. */
const GONE_MS = 5_000;

/** Control by custom commands. Their output is the only log of the server. */
export function commandsControl(at: Controlled, commands: Commands): Control {
  const { machine, limitMs } = at;
  let printed = '';
  /** Throws the problem that `failed` makes of a failure. */
  async function run(command: string, name: string, failed: typeof notBack, signal: AbortSignal): Promise<void> {
    const end = await runCommand(machine, command, limitMs, signal);
    printed = end?.output ?? '';
    if (!end) throw failed(at, `timed out: its ${name} command did not end within ${limitMs / 1000} s.`, '');
    if (end.code !== 0)
      throw failed(at, `could not be controlled: its ${name} command ended with exit code ${end.code}.`, end.output);
  }
  const isPresent = async (status: string, signal: AbortSignal): Promise<boolean> =>
    (await runCommand(machine, status, limitMs, signal))?.code === 0;
  const { start, stop, kill, restart, reload, status } = commands;
  return {
    kind: 'commands',
    // A start command may return before its status command finds the server.
    reportsEarlyExit: false,
    async present(signal) {
      if (status === undefined) return undefined;
      return isPresent(status, signal);
    },
    start: (signal) => run(start, 'start', notBack, signal),
    stop: (signal) => run(stop, 'stop', refused, signal),
    ...(kill !== undefined && {
      async kill(signal) {
        await run(kill, 'kill', refused, signal);
        const end = performance.now() + GONE_MS;
        return async (later) => performance.now() > end || status === undefined || !(await isPresent(status, later));
      },
    }),
    ...(restart !== undefined && { restart: (signal) => run(restart, 'restart', notBack, signal) }),
    ...(reload !== undefined && { reload: (signal) => run(reload, 'reload', refused, signal) }),
    logEnd: () => Promise.resolve(printed),
  };
}

/** How a custom command ended: its exit code, and the end of its output. */
export interface CommandEnd {
  readonly code: number;
  readonly output: string;
}

/** Additional time for the shell around the command. */
const SHELL_MS = 30_000;

/**
 * A command's output goes to a file: if it left a server behind with its output open, the call would never end. It has no input, and runs
 * only once, because it may not be repeatable.
 */
const script = (nonce: string, command: string): string => `nonce=${nonce}
umask 077
out=\${TMPDIR:-/tmp}/kneepoint-$nonce
(set -C; true >"$out") || exit 1
( umask 022; eval ${shellQuote(command)} ) </dev/null >"$out" 2>&1
code=$?
printf '@@%s ended %s\\n' "$nonce" "$code"
tail -c 8000 "$out"
rm -f "$out"`;

/** Runs a custom command. Undefined if it timed out and was killed. Throws what `Machine.exec` throws. */
export async function runCommand(
  machine: Machine,
  command: string,
  limitMs: number,
  signal: AbortSignal,
): Promise<CommandEnd | undefined> {
  const nonce = newNonce();
  const limit = AbortSignal.timeout(limitMs);
  try {
    const result = await machine.exec(script(nonce, command), {
      signal: AbortSignal.any([signal, limit]),
      timeoutMs: limitMs + SHELL_MS,
    });
    const ended = parseReplies(nonce, result.stdout).at(-1);
    if (ended?.word !== 'ended') throw noAnswer(machine.name, result);
    const mark = `@@${nonce} ended ${ended.rest}\n`;
    return { code: Number(ended.rest), output: result.stdout.slice(result.stdout.indexOf(mark) + mark.length) };
  } catch (error) {
    if (limit.aborted && !signal.aborted && error instanceof KneepointError && error.code === 'cancelled')
      return undefined;
    throw error;
  }
}
