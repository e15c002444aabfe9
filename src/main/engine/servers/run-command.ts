import { KneepointError } from '../../../shared/model/problem.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Machine } from '../hosts/machine.ts';
import { newNonce, noAnswer, parseReplies } from '../jobs/protocol.ts';

/** How a command of a person ended: its exit code, and the end of what it printed. */
export interface CommandEnd {
  readonly code: number;
  readonly output: string;
}

/** Beyond the command's own time: the shell around it. */
const SHELL_MS = 30_000;

/**
 * What a command prints goes into a file, not to us: one that leaves a server behind with its output open would never end for us.
 * It reads nothing, and runs once: it may not be one that can be repeated.
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

/** Runs a command of a person. Undefined: it did not end in time and was ended. Throws what `Machine.exec` throws. */
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
