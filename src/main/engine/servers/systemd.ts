import type { ServerControl } from '../../../shared/model/target.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { type CommandEnd, runCommand } from './commands.ts';
import { notBack, notPossible, refused } from './problems.ts';
import type { Control, Controlled, IsGone } from './server.ts';

type Systemd = Extract<ServerControl, { kind: 'systemd' }>;

const SHOW_LIMIT_MS = 20_000;
const LOG_LINES = 40;
const OTHER_CONTROL = 'Choose another control for the server of this target: custom commands, or managed by Kneepoint.';
/** Messages of systemctl, polkit and sudo for an account without permission. */
const NO_PRIVILEGE =
  /Access denied|authentication required|a password is required|not in the sudoers|may not run sudo|not allowed to execute|Permission denied|sudo: not found/i;

const howEnded = (end: CommandEnd | undefined): string => (end ? `ended with ${end.code}` : 'did not end in time');

/** Control of a server by its systemd unit. */
export function systemdControl(at: Controlled, { unit, sudo }: Systemd): Control {
  const { machine, limitMs } = at;
  const named = shellQuote(unit);
  const as = sudo ? 'sudo -n ' : '';

  async function ask(
    verb: string,
    failed: (end: CommandEnd | undefined, signal: AbortSignal) => Promise<Error>,
    signal: AbortSignal,
    options = '',
  ): Promise<void> {
    const asked = `${as}systemctl --no-ask-password ${verb} ${options}-- ${named}`;
    const end = await runCommand(machine, asked, limitMs, signal);
    if (end?.code === 0) return;
    if (end && NO_PRIVILEGE.test(end.output)) {
      throw notPossible(
        at,
        `The account on ${machine.name} has no permission to ${verb} the unit ${unit}: ${end.output.trim().split('\n')[0] ?? ''}`,
        sudo
          ? 'Allow it in sudoers without a password (NOPASSWD).'
          : 'Let Kneepoint use sudo for this target, or allow the account by a rule of polkit.',
      );
    }
    throw await failed(end, signal);
  }
  const logEnd = async (signal: AbortSignal): Promise<string> => {
    const log = `${as}journalctl --no-pager -o cat -n ${LOG_LINES} -u ${named}`;
    const end = await runCommand(machine, log, SHOW_LIMIT_MS, signal);
    return end?.code === 0 ? end.output : '';
  };
  const notStarted = (verb: string) => async (end: CommandEnd | undefined, signal: AbortSignal) => {
    const how = end ? `ended with ${end.code}` : `did not end within ${limitMs / 1000} s`;
    return notBack(at, `did not come up: systemctl ${verb} ${how}.`, `${end?.output ?? ''}\n${await logEnd(signal)}`);
  };
  const notDone = (verb: string) => async (end: CommandEnd | undefined) =>
    refused(
      at,
      verb === 'kill'
        ? `could not be killed: systemctl kill ${howEnded(end)}.`
        : `did not ${verb}: systemctl ${howEnded(end)}.`,
      end?.output ?? '',
    );
  const mainProcess = async (signal: AbortSignal) => {
    const look = `systemctl show -p MainPID -p ActiveState -- ${named}`;
    const words = (await runCommand(machine, look, SHOW_LIMIT_MS, signal))?.output ?? '';
    return { pid: /^MainPID=(.*)$/m.exec(words)?.[1], active: /^ActiveState=(.*)$/m.exec(words)?.[1] };
  };

  async function kill(signal: AbortSignal): Promise<IsGone> {
    const killed = await mainProcess(signal);
    // --kill-who is the name of --kill-whom before version 252; later versions accept both.
    await ask('kill', notDone('kill'), signal, '--signal=KILL --kill-who=main ');
    return async (later) => {
      const now = await mainProcess(later);
      // While it is deactivating, its other processes are still being ended.
      return now.pid !== undefined && now.pid !== killed.pid && now.active !== 'deactivating';
    };
  }
  return {
    kind: 'systemd',
    reportsEarlyExit: true,
    present: (signal) => isActive(at, unit, signal),
    start: (signal) => ask('start', notStarted('start'), signal),
    stop: (signal) => ask('stop', notDone('stop'), signal),
    kill,
    restart: (signal) => ask('restart', notStarted('restart'), signal),
    reload: (signal) => ask('reload', notDone('reload'), signal),
    logEnd,
  };
}

/** Whether a unit is active, activating or deactivating. */
async function isActive(at: Controlled, unit: string, signal: AbortSignal): Promise<boolean> {
  const { machine, spec } = at;
  const shown = await runCommand(
    machine,
    `command -v systemctl >/dev/null || { echo absent; exit 0; }; systemctl show -p LoadState -p ActiveState -- ${shellQuote(unit)}`,
    SHOW_LIMIT_MS,
    signal,
  );
  const words = shown?.output.trim() ?? '';
  if (words === 'absent') {
    throw notPossible(
      at,
      `${machine.name} has no systemctl, so the unit ${unit} of target “${spec.name}” cannot be controlled there.`,
      OTHER_CONTROL,
    );
  }
  if (/not been booted with systemd|Failed to connect to bus/.test(words)) {
    throw notPossible(
      at,
      `systemd does not run on ${machine.name}, so the unit ${unit} of target “${spec.name}” cannot be controlled there.`,
      OTHER_CONTROL,
    );
  }
  const [, active] = /^ActiveState=(.*)$/m.exec(words) ?? [];
  if (active === undefined) throw refused(at, 'has an unknown state: systemctl gave no state of its unit.', words);
  if (/^LoadState=not-found$/m.test(words)) {
    throw notPossible(
      at,
      `systemd on ${machine.name} has no unit ${unit}.`,
      `Correct the unit of target “${spec.name}”: systemctl list-units lists the units.`,
    );
  }
  return active !== 'inactive' && active !== 'failed';
}
