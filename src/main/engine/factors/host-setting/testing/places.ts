import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { TargetSpec } from '../../../../../shared/model/target.ts';
import { shellQuote } from '../../../../../shared/util/shell-quote.ts';
import { createLocalMachine } from '../../../hosts/local.ts';
import type { Machine } from '../../../hosts/machine.ts';
import type { At, DesiredSetting, Found, How } from '../../change.ts';
import { hostSettingChanger } from '../changer.ts';

/** A machine, or the server of a target on it, in the form that a changer receives. */
export const atOf = (machine: Machine, target?: TargetSpec): At => ({
  place: { kind: target ? 'server' : 'host', name: target?.name ?? machine.name },
  machine: () => machine,
  server() {
    throw new KneepointError({ code: 'bad-request', message: 'No server here.' });
  },
  target() {
    if (target) return target;
    throw new KneepointError({ code: 'bad-request', message: 'No target here.' });
  },
  connected: () => Promise.reject(new Error('Nothing to connect to.')),
  signal: AbortSignal.timeout(100_000),
});

export const desiredSetting = (setting: string, of: string, value: string, more: How = {}): DesiredSetting => ({
  changer: 'host-setting',
  place: { kind: 'host', name: 'h' },
  what: `${setting} ${of}`.trim(),
  value,
  how: { setting, ...(of !== '' && { of }), ...more },
});

export const readOne = async (at: At, desired: DesiredSetting): Promise<Found> =>
  (await hostSettingChanger.read(at, [desired]))[0] ?? { value: null };

export const findingsFor = async (at: At, desired: DesiredSetting): Promise<string[]> =>
  (await hostSettingChanger.examine(at, [desired])).flatMap(({ findings }) =>
    findings.map(({ code, severity }) => `${severity} ${code}`),
  );

/** This computer, with each script passed to a command: another account, namespace or shell. */
export function machineThrough(words: readonly string[]): Machine {
  const here = createLocalMachine();
  const through = words.map(shellQuote).join(' ');
  return { ...here, name: 'h', exec: (script, options) => here.exec(`exec ${through} ${shellQuote(script)}`, options) };
}

/** A place with its own mounts, made by a script, and optionally its own network. */
export interface OwnMounts {
  readonly machine: Machine;
  /** The same place as another account. */
  as(uid: number, path?: string): Machine;
  close(): Promise<void>;
}

export async function openOwnMounts(setUp: string, spaces: readonly string[] = ['-m']): Promise<OwnMounts> {
  const holder: ChildProcess = spawn('unshare', [...spaces, '/bin/sh', '-c', `${setUp}\necho ready; exec cat`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!holder.stdout) throw new Error('The namespace says nothing.');
  const [first] = await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')]);
  if (!String(first).startsWith('ready')) throw new Error(`The namespace was not made: ${String(first)}`);
  const enter = ['nsenter', '-t', String(holder.pid), ...spaces];
  return {
    machine: machineThrough([...enter, '/bin/sh', '-c']),
    as: (uid, path = '') =>
      machineThrough([
        ...enter,
        ...['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'],
        ...['env', `PATH=${path}${process.env.PATH}`, '/bin/sh', '-c'],
      ]),
    async close() {
      const exit = once(holder, 'exit');
      holder.stdin?.end();
      await exit;
    },
  };
}

export const isAvailable = (...programs: string[]): boolean => {
  try {
    for (const program of programs) execFileSync('/bin/sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
};
