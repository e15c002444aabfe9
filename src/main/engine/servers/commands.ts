import type { ServerControl } from '../../../shared/model/target.ts';
import type { Controlled } from './context.ts';
import type { Control } from './control.ts';
import { notBack, refused } from './problems.ts';
import { runCommand } from './run-command.ts';

type Commands = Extract<ServerControl, { kind: 'commands' }>;

/** A status command cannot tell a killed server from one that was started again at once, so it is not waited for longer. */
const GONE_MS = 5_000;

/** Scripts of a person. What they print is all that is known of the server's log. */
export function commandsControl(at: Controlled, commands: Commands): Control {
  const { machine, limitMs } = at;
  let printed = '';
  /** Throws the problem that `failed` makes of what went wrong. */
  async function run(command: string, name: string, failed: typeof notBack, signal: AbortSignal): Promise<void> {
    const end = await runCommand(machine, command, limitMs, signal);
    printed = end?.output ?? '';
    if (!end)
      throw failed(at, `was not awaited longer: its ${name} command did not end within ${limitMs / 1000} s.`, '');
    if (end.code !== 0) throw failed(at, `has a ${name} command that ended with ${end.code}.`, end.output);
  }
  const isPresent = async (status: string, signal: AbortSignal): Promise<boolean> =>
    (await runCommand(machine, status, limitMs, signal))?.code === 0;
  const { start, stop, kill, restart, reload, status } = commands;
  return {
    kind: 'commands',
    // A start command may return before its status command finds the server.
    tellsEarlyEnd: false,
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
