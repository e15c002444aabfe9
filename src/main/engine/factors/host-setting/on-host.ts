import { KneepointError } from '../../../../shared/model/problem.ts';
import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { ExecResult, Machine } from '../../hosts/machine.ts';
import { type Asked, type HostSetting, readPrinted } from './settings/setting.ts';

/** Exit code of a script whose setting does not exist on the host; its words are on standard error. */
const LACKING = 44;
const NO_SUDO = 45;
const LIMIT_MS = 60_000;
const SHOWN_LETTERS = 65_536;
const MESSAGE_LENGTH = 500;

// tee reports why the kernel refused a value; a shell's own printf does not.
const COMMON = `LC_ALL=C; export LC_ALL
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; export PATH
lacks() { printf '%s\\n' "$*" >&2; exit ${LACKING}; }
write() { printf '%s\\n' "$1" | tee "$2" >/dev/null; }
`;

/** How a host can be changed: as root, by sudo without a password, or not at all. */
export interface Access {
  readonly by: 'root' | 'sudo' | 'none';
  /** Whether the file of the setting can be written. Undefined if it has no file. */
  readonly writable?: boolean;
}

const ACCESS = `
if [ "$(id -u)" = 0 ]; then by=root; elif sudo -n true >/dev/null 2>&1; then by=sudo; else by=none; fi
writable=-
if [ -n "$file" ]; then
  writable=no
  if [ $by = sudo ]; then ! sudo -n test -w "$file" || writable=yes; else [ ! -w "$file" ] || writable=yes; fi
fi
echo "access $by $writable"
`;

const assigned = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${shellQuote(value)}\n`)
    .join('');

const scriptOf = (setting: HostSetting, asked: Asked, ...parts: string[]): string =>
  [COMMON, assigned({ of: asked.of, value: asked.value, ...setting.variables?.(asked) }), setting.find, ...parts].join(
    '\n',
  );

export interface Answer {
  readonly printed: string;
  /** Only if requested. */
  readonly access?: Access;
  /** Why the setting does not exist on the host; nothing was printed then. */
  readonly lacking?: string;
}

/** Reads a setting, with sudo if the account may not. Throws `change-not-possible` if it cannot be read, and what `Machine.exec` throws. */
export async function show(
  machine: Machine,
  setting: HostSetting,
  asked: Asked & { access?: boolean },
  signal: AbortSignal,
): Promise<Answer> {
  const parts = asked.access ? [ACCESS, setting.show] : [setting.show];
  const result = await run(machine, scriptOf(setting, asked, ...parts), signal);
  if (result.code === LACKING) return { printed: '', lacking: messageOf(result) };
  const printed = result.stdout.slice(0, SHOWN_LETTERS);
  if (result.code === 0) return { printed, ...(asked.access && { access: readAccess(printed) }) };
  throw new KneepointError({
    code: 'change-not-possible',
    host: machine.name,
    message: `${nameOf(setting, asked.of)} cannot be read on ${machine.name}: ${messageOf(result)}`,
    safe: 'Reading it changed nothing.',
    next: isPrivilege(result) ? PRIVILEGE : 'Check the host, then start again.',
  });
}

/** Another file that writing the setting may change. */
export interface AffectedFile {
  readonly path: string;
  readonly text: string;
}

/** Contents of the files that writing a setting may change. Empty if it has none. */
export async function affectedFiles(
  machine: Machine,
  setting: HostSetting,
  asked: Asked,
  signal: AbortSignal,
): Promise<readonly AffectedFile[]> {
  if (!setting.affected) return [];
  const { code, stdout } = await run(machine, scriptOf(setting, asked, setting.affected.script), signal);
  if (code !== 0) return [];
  const lines = new Map<string, string[]>();
  for (const line of readPrinted(stdout).get('beside') ?? []) {
    const end = line.indexOf(':');
    const path = line.slice(0, end);
    lines.set(path, [...(lines.get(path) ?? []), line.slice(end + 1)]);
  }
  return [...lines].map(([path, text]) => ({ path, text: text.join('\n') }));
}

function readAccess(printed: string): Access {
  const [, by, writable] = /^access (root|sudo|none) (yes|no|-)$/m.exec(printed) ?? [];
  return {
    by: by === 'root' || by === 'sudo' ? by : 'none',
    ...(writable !== undefined && writable !== '-' && { writable: writable === 'yes' }),
  };
}

/** Writes a value. Throws `change-refused`, `change-not-possible`, and what `Machine.exec` throws. */
export async function write(machine: Machine, setting: HostSetting, asked: Asked, signal: AbortSignal): Promise<void> {
  const result = await run(machine, scriptOf(setting, asked, setting.write), signal);
  if (result.code === 0) return;
  const missing = result.code === LACKING || isPrivilege(result);
  throw new KneepointError({
    code: missing ? 'change-not-possible' : 'change-refused',
    host: machine.name,
    message: `${machine.name} rejected ${asked.value} for ${nameOf(setting, asked.of)}: ${messageOf(result)}`,
    safe: 'The original value is in the journal.',
    next: isPrivilege(result) ? PRIVILEGE : 'Check that the host has this setting and accepts the value.',
  });
}

export const nameOf = ({ name }: HostSetting, of: string): string => (of === '' ? name : `${name} ${of}`);

export const PRIVILEGE = 'Log in to the host as root, or let the account use sudo without a password.';

/** Runs a script as the account; if that fails, with sudo. */
async function run(machine: Machine, script: string, signal: AbortSignal): Promise<ExecResult> {
  const options = { signal, timeoutMs: LIMIT_MS };
  const first = await machine.exec(script, options);
  if (first.code === 0 || first.code === LACKING) return first;
  const again = await machine.exec(
    `[ "$(id -u)" != 0 ] && sudo -n true >/dev/null 2>&1 || exit ${NO_SUDO}
exec sudo -n /bin/sh -c ${shellQuote(script)}`,
    options,
  );
  return again.code === NO_SUDO ? first : again;
}

/** Last part of a failed script's output. */
export function messageOf({ stdout, stderr, code, signal }: ExecResult): string {
  const text = [stderr.trim(), stdout.trim(), signal ? `ended by ${signal}` : `exit code ${code}`].find(Boolean) ?? '';
  const line = text.replace(/\p{Cc}+/gu, ' ').slice(-MESSAGE_LENGTH);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

const isPrivilege = ({ stderr }: ExecResult): boolean =>
  /permission denied|not permitted|read-only file system|must be root|superuser/i.test(stderr);
