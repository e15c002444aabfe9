import { createHash } from 'node:crypto';
import type { LiftableFinding } from '../../../../shared/model/finding.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { At, How } from '../change.ts';
import { messageOf } from './on-host.ts';
import type { Thing } from './thing.ts';

const LIMIT_MS = 120_000;
const VALUE_LETTERS = 4096;

/**
 * Level applied by commands that have no command to read it: a note on the host, written before the command runs and again when it has
 * ended. Its name has the digest of the commands, and the host name because home folders may be shared. Lines: boot id, begun or done,
 * level.
 */
const NOTE = `
folder=\${XDG_STATE_HOME:-$HOME/.local/state}/kneepoint/applied
note=$folder/$key.$(uname -n)
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null) || boot=
`;

const keyOf = ({ apply = '', undo = '' }: How): string =>
  createHash('sha256')
    .update(JSON.stringify([apply, undo]))
    .digest('hex')
    .slice(0, 32);

/** Custom commands: one applies a level, one reads the current one, one undoes it. They run as the host's account. */
export const commandsThing: Thing = {
  matches(desired, found) {
    if (found === null) return false;
    const [wanted, there] = [desired.trim(), found.trim()];
    return wanted === there || (isNumber(wanted) && isNumber(there) && Number(wanted) === Number(there));
  },
  async read(at, how) {
    if (how.read === undefined) return { value: await noted(at, how) };
    const { stdout } = await runCommand(at, how.read, {}, 'read');
    const value = stdout.trim();
    if (value.length > VALUE_LETTERS) throw tooLong(at);
    return { value };
  },
  async examine(at, _desired, how) {
    const found = await commandsThing.read(at, how);
    return { found, cost: 'live', findings: findingsOf(how) };
  },
  async apply(at, desired, first, how) {
    if (how.apply === undefined) throw new TypeError('A command factor without a command to apply.');
    if (how.read === undefined) await note(at, how, desired, 'begun');
    await runCommand(at, how.apply, { level: desired, first: first.value ?? '' }, 'apply');
    if (how.read === undefined) await note(at, how, desired, 'done');
  },
  async restore(at, first, how) {
    if ((await commandsThing.read(at, how)).value === first.value) return;
    if (how.undo === undefined) throw cannotUndo(at);
    await runCommand(at, how.undo, { first: first.value ?? '' }, 'undo');
    if (how.read === undefined) await forget(at, keyOf(how));
  },
};

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

const findingsOf = ({ read, undo }: How): LiftableFinding[] => [
  ...(read === undefined
    ? [
        {
          code: 'cannot-verify',
          severity: 'warn' as const,
          message: 'The effect of the command cannot be verified: no command reads the value back.',
          next: 'Add “read”, a command that prints the current level.',
        },
      ]
    : []),
  ...(undo === undefined
    ? [
        {
          code: 'cannot-undo',
          severity: 'block' as const,
          liftedBy: 'setting' as const,
          message: 'Changes by the command cannot be undone: there is no undo command.',
          next: 'Add “undo”, a command that restores the original value, passed as $first.',
        },
      ]
    : []),
];

type Purpose = 'read' | 'apply' | 'undo';

async function runCommand(at: At, command: string, values: Readonly<Record<string, string>>, purpose: Purpose) {
  const machine = at.machine();
  const assigned = Object.entries(values).map(([name, value]) => `${name}=${shellQuote(value)}; export ${name}`);
  // A separate shell, so the exit code is that of the custom text, whatever it does to its own shell.
  const result = await machine.exec(`${assigned.join('\n')}\nexec /bin/sh -c ${shellQuote(command)}`, {
    signal: at.signal,
    timeoutMs: LIMIT_MS,
  });
  if (result.code === 0) return result;
  throw new KneepointError({
    code: 'change-refused',
    host: machine.name,
    message: `The command to ${purpose} a level failed on ${machine.name}: ${messageOf(result)}`,
    safe: 'The original value is in the journal.',
    next: `Run the command on ${machine.name} by hand, correct it, then start again.`,
  });
}

async function noted(at: At, how: How): Promise<string | null> {
  const { stdout, code } = await at.machine().exec(
    `key=${keyOf(how)}
${NOTE}
[ -f "$note" ] || exit 3
{
  IFS= read -r since; read -r how_far
  [ "$since" = "$boot" ] || how_far=before
  echo "$how_far"
  cat
} <"$note"`,
    { signal: at.signal },
  );
  if (code !== 0) return null;
  const [howFar, ...rest] = stdout.slice(0, VALUE_LETTERS).replace(/\n$/, '').split('\n');
  const level = rest.join('\n');
  // No longer the level, but not the original state either: it has to be undone.
  if (howFar === 'begun') return `${level} (the command did not finish)`;
  return howFar === 'done' ? level : `${level} (before the host was restarted)`;
}

async function note(at: At, how: How, level: string, howFar: 'begun' | 'done'): Promise<void> {
  const machine = at.machine();
  const result = await machine.exec(
    `key=${keyOf(how)} level=${shellQuote(level)}
${NOTE}
umask 077
mkdir -p "$folder" && printf '%s\\n' "$boot" ${howFar} "$level" >"$note.new" && mv "$note.new" "$note"`,
    { signal: at.signal },
  );
  if (result.code === 0) return;
  throw new KneepointError({
    code: 'change-not-possible',
    host: machine.name,
    message: `${machine.name} cannot record which level was applied: ${messageOf(result)}`,
    safe: howFar === 'begun' ? 'The level was not applied.' : 'The level was applied; its undo is in the journal.',
    next: 'Free some space in the home directory of the account, or add “read” to the factor.',
  });
}

const forget = async (at: At, key: string): Promise<void> => {
  await at.machine().exec(`key=${key}\n${NOTE}\nrm -f "$note"`, { signal: at.signal });
};

const tooLong = (at: At): KneepointError =>
  new KneepointError({
    code: 'change-not-possible',
    host: at.machine().name,
    message: `The command to read a level printed more than ${VALUE_LETTERS} characters on ${at.machine().name}.`,
    safe: 'Reading it changed nothing.',
    next: 'Make it print only the level.',
  });

const cannotUndo = (at: At): KneepointError =>
  new KneepointError({
    code: 'change-not-possible',
    host: at.machine().name,
    message: `Changes by a command on ${at.machine().name} cannot be undone: the factor has no undo command.`,
    safe: 'The host keeps its current settings.',
    next: 'Restore it by hand.',
  });
