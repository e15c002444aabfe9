import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { ask, type Reply, unexpectedAnswer } from '../jobs/protocol.ts';
import type { SettingsFormat } from '../targets/target.ts';
import { notPossible } from './problems.ts';
import type { Controlled, SettingsFile } from './server.ts';

/** First line of every file that Kneepoint writes. A file without it is not Kneepoint's. */
const MARK = '# Written by Kneepoint for the time of a session. Changes made here are lost.';
const SIZE_LIMIT = 256 * 1024;

const LOOK = `
check_file() {
  [ -e "$path" ] || [ -L "$path" ] || return 0
  if [ -L "$path" ] || [ ! -f "$path" ]; then reply foreign no-file; exit 0; fi
  [ -r "$path" ] || { reply not-writable "$path"; exit 0; }
  IFS= read -r first <"$path"
  [ "$first" = "$mark" ] || { reply foreign file; exit 0; }
}
reply() { printf '@@%s %s\\n' "$nonce" "$*"; }
check_file
`;

/** Lines are sent one by one, in octal if they are not plain text, so their content is never parsed as a reply. */
const READ = `${LOOK}
[ -e "$path" ] || { reply read; exit 0; }
head -c ${SIZE_LIMIT} "$path" | while IFS= read -r line; do reply line "$line"; done
reply read
`;

/** The new file is written next to the old one, with a name that no server includes, and replaces it atomically. */
const WRITE = `${LOOK}
umask 022
folder=\${path%/*}; folder=\${folder:-/}
[ -z "$make" ] || [ -z "$text" ] || (umask 077; mkdir -p "$folder") 2>/dev/null
[ -d "$folder" ] || [ -z "$text" ] || { reply no-folder "$folder"; exit 0; }
if [ -z "$text" ]; then
  [ -e "$path" ] || { reply written; exit 0; }
  why=$(rm -f "$path" 2>&1) || { reply not-writable "$why"; exit 0; }
  reply written; exit 0
fi
new=$folder/.kneepoint-$nonce.tmp
why=$({ printf %s "$text" >"$new" && chmod 0644 "$new" && mv -f "$new" "$path"; } 2>&1) || {
  rm -f "$new" 2>/dev/null; reply not-writable "$why"; exit 0
}
reply written
`;

interface Where {
  readonly path: string;
  /** Uses sudo where the account may not write. */
  readonly sudo?: boolean;
  /** Script that sets `path` on the host if it is not known here, in a folder that may have to be created; with its variables. */
  readonly find?: { readonly script: string; readonly values: Record<string, string> };
}

/** The settings file of a server, in the given format. */
export function createSettingsFile(
  at: Controlled,
  { path, sudo = false, find }: Where,
  format: SettingsFormat,
): SettingsFile {
  const { machine, spec } = at;
  async function run(part: string, values: Record<string, string>): Promise<Reply[]> {
    const script = `${find?.script ?? ''}\n${part}`;
    const all = { path, mark: MARK, make: find ? '1' : '', ...find?.values, ...values };
    const replies = await ask(machine, script, all);
    if (!sudo || replies.at(-1)?.word !== 'not-writable') return replies;
    return ask(machine, throughSudo(script, all), {});
  }
  function fail(answer: Reply | undefined): Error {
    const problem = (message: string, next: string) => notPossible(at, message, next);
    switch (answer?.word) {
      case 'foreign':
        return problem(
          `${path} on ${machine.name} was not written by Kneepoint, so it is not changed.`,
          `Choose another settings file for target “${spec.name}”, used only by Kneepoint.`,
        );
      case 'no-folder':
        return problem(
          `${machine.name} has no folder ${answer.rest} for the settings file of target “${spec.name}”.`,
          'Create it, and make the server include the files in it, or correct the path.',
        );
      case 'not-writable':
        return problem(
          `${path} on ${machine.name} cannot be written: ${answer.rest || 'permission denied'}.`,
          'Let the account write there, or let Kneepoint use sudo for this target.',
        );
      case 'no-sudo':
        return problem(
          `${path} on ${machine.name} cannot be written, even with sudo: ${answer.rest}.`,
          'Let the account write there, or allow /bin/sh in sudoers without a password (NOPASSWD).',
        );
      default:
        return unexpectedAnswer(machine.name, answer);
    }
  }
  return {
    path,
    async read() {
      const replies = await run(READ, {});
      const last = replies.at(-1);
      if (last?.word !== 'read') throw fail(last);
      return format.read(replies.flatMap(({ word, rest }) => (word === 'line' ? [rest] : [])).join('\n'));
    },
    async write(settings) {
      const empty = Object.keys(settings).length === 0;
      const text = empty ? '' : `${MARK}\n${format.write(settings)}`;
      const last = (await run(WRITE, { text })).at(-1);
      if (last?.word !== 'written') throw fail(last);
    },
  };
}

/** Runs the same script as root, also passed on standard input. */
function throughSudo(script: string, values: Record<string, string>): string {
  const set = Object.entries(values).map(([name, value]) => `${name}=${shellQuote(value)}`);
  return `inner=${shellQuote(`${set.join('\n')}\n${script}`)}
why=$(sudo -n true 2>&1) || { printf '@@%s no-sudo %s\\n' "$nonce" "$(echo "$why" | head -n 1)"; exit 0; }
printf 'nonce=%s\\n%s\\n' "$nonce" "$inner" | sudo -n /bin/sh -s`;
}
