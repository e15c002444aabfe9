import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { JobFile } from '../../jobs/job.ts';
import { COMMON } from '../../jobs/scripts/common.sh.ts';
import type { ManagedPlan } from '../../targets/target.ts';

/** Its settings besides those of the target. May exist before anything else. */
export const SETTINGS = 'settings.conf';

/** Sets `folder`, from `asked` or from the account's state folder. Expects `asked slug`. */
export const FOLDER = `
folder=$asked
if [ -z "$folder" ]; then
  folder=\${XDG_STATE_HOME:-$HOME/.local/state}/kneepoint/servers/$slug
fi
`;

/** Programs of an unpacked archive bring their own libraries, which the loader does not find. Expects `program`. */
const LIBRARIES = `
if ! "$program" --version >/dev/null 2>&1; then
  base=\${program%/*}; base=\${base%/bin}
  LD_LIBRARY_PATH=$base/lib:$base/lib/private\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}; export LD_LIBRARY_PATH
fi
`;

const DESCRIBE_FOLDER = `
if [ -s "$folder/server" ]; then
  while read -r key value; do
    case $key in id|product|target) reply "$key" "$value" ;; esac
  done <"$folder/server"
  generation=; [ ! -s "$folder/generation" ] || read -r generation <"$folder/generation"
  reply generation "\${generation:-0}"
  # Accounts are gone with the data that they were made in.
  key=; [ ! -d "$folder/data" ] || [ ! -s "$folder/accounts" ] || read -r key <"$folder/accounts"
  reply accounts "$key"
elif [ -e "$folder" ]; then
  if [ ! -d "$folder" ] || [ ! -r "$folder" ] || [ -n "$(ls -A "$folder" 2>/dev/null | grep -vx ${SETTINGS})" ]; then reply foreign; fi
fi
`;

/** Reads the folder's content. Changes nothing. Expects `nonce asked slug`. */
export const LOOK = `${COMMON}
${FOLDER}
reply folder "$folder"
${DESCRIBE_FOLDER}
reply looked
`;

/** Finds the program, its version, and whether its port is free. Expects `nonce name folders port_hex`. */
export const FIND = `${COMMON}
reply user "$(id -u)"
program=
case $name in
  /*) [ -f "$name" ] && [ -x "$name" ] && program=$name ;;
  */*) ;;
  *)
    program=$(command -v "$name" 2>/dev/null)
    case $program in /*) ;; *) program= ;; esac
    IFS='
'
    for folder in $folders; do
      [ -n "$program" ] && break
      for file in $folder/"$name"; do [ -f "$file" ] && [ -x "$file" ] && program=$file; done
    done
    unset IFS
    ;;
esac
if [ -n "$program" ]; then
  reply program "$program"
  ${LIBRARIES}
  reply version "$("$program" --version 2>&1 | head -n 1)"
fi
if [ -n "$port_hex" ] && cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q "^ *[0-9]*: [0-9A-F]*:$port_hex [0-9A-F]*:0000 0A "; then reply taken; fi
reply found
`;

/**
 * Creates the folder and records its owner: the first one wins. As root, gives it to the first existing account of `accounts`. Expects
 * `nonce folder id product target accounts`.
 */
export const CLAIM = `${COMMON}
why=$(mkdir -p "$folder" 2>&1) || { reply no-folder "$why"; exit 0; }
if [ ! -s "$folder/server" ]; then
  new=$folder/server.$nonce
  why=$( { printf 'Data of a server that Kneepoint starts.\\nid %s\\nproduct %s\\ntarget %s\\n' "$id" "$product" "$target" >"$new"; } 2>&1) ||
    { rm -f "$new" 2>/dev/null; reply no-folder "$why"; exit 0; }
  # A link is made once, and whole. Where there are none, the later of two writers says the same but for the id.
  ln "$new" "$folder/server" 2>/dev/null || [ -s "$folder/server" ] || cat "$new" >"$folder/server"
  rm -f "$new"
fi
if [ "$(id -u)" = 0 ] && [ -n "$accounts" ]; then
  account=
  for name in $accounts; do
    [ -n "$account" ] || ! id "$name" >/dev/null 2>&1 || account=$name
  done
  [ -n "$account" ] || { reply no-account "$accounts"; exit 0; }
  command -v setpriv >/dev/null 2>&1 || { reply no-setpriv "$account"; exit 0; }
  why=$(chown "$account" "$folder" 2>&1) || { reply no-folder "$why"; exit 0; }
  if ! setpriv --reuid="$account" --regid="$(id -g "$account")" --init-groups -- test -w "$folder" 2>/dev/null; then
    reply not-reachable "$account"; exit 0
  fi
  reply account "$account"
fi
${DESCRIBE_FOLDER}
reply claimed
`;

/** Stores the number of the current start. A later number stays. Expects `nonce folder generation`. */
export const ADVANCE = `${COMMON}
now=0; [ ! -s "$folder/generation" ] || read -r now <"$folder/generation"
if [ "$now" -lt "$generation" ]; then
  echo "$generation" >"$folder/generation.$nonce" && mv "$folder/generation.$nonce" "$folder/generation" || exit 1
fi
reply advanced
`;

/** Removes the statements that created the accounts, because they have the password. Expects `nonce folder directory key`. */
export const SETTLED = `${COMMON}
rm -f "$directory/secret/accounts.sql"
[ -z "$key" ] || { echo "$key" >"$folder/accounts.$nonce" && mv "$folder/accounts.$nonce" "$folder/accounts"; }
reply settled
`;

/** Removes what is in the folder only while the server runs. Expects `nonce folder`. */
export const REMOVE_SECRET = `${COMMON}
rm -rf "$folder/secret"
reply forgotten
`;

/** Sends a signal to the server. Expects `nonce job_id signal_name`. */
export const SIGNAL = `${COMMON}
find_job "$job_id" || { reply gone; exit 0; }
tool_pid=0 tool_started=0 tool_group=0
[ ! -s tool ] || read -r tool_pid tool_started tool_group <tool
if tool_alive; then signal_tool "$signal_name"; reply sent; else reply gone; fi
`;

/** Prints the end of the server's output. Expects `nonce job_id`. */
export const LOG_END = `${COMMON}
find_job "$job_id" || { reply log; exit 0; }
reply log
tail -c 4000 stdout
tail -c 8000 stderr
`;

/** Script of the job that becomes the server: writes its files into its folder, then runs the commands of its plan. */
export function runScript(plan: ManagedPlan, where: { folder: string; program: string; account: string }): string {
  const put = (from: string, name: string, to: string): string =>
    `put "$${from}"/${shellQuote(name)} ${shellQuote(to)}`;
  return [
    `folder=${shellQuote(where.folder)} program=${shellQuote(where.program)} account=${shellQuote(where.account)}`,
    `files=$PWD; secret=\${PWD%/files}/secret
umask 077
as=
[ -z "$account" ] || as="setpriv --reuid=$account --regid=$(id -g "$account") --init-groups --"
own() { [ -z "$account" ] || chown "$account" "$@"; }
put() { cat "$1" >"$2.new" && own "$2.new" && mv "$2.new" "$2" || { echo "$folder/$2 cannot be written." >&2; exit 1; }; }
cd "$folder" || exit 1
rm -rf secret`,
    ...plan.files.map(({ name }) => put('files', name, name)),
    ...(plan.secret
      ? ['mkdir secret && own secret || exit 1', put('secret', plan.secret.name, `secret/${plan.secret.name}`)]
      : []),
    LIBRARIES,
    plan.script,
    '',
  ].join('\n');
}

/** Files of that job. `accounts`: whether account and database have to be created. */
export function runFiles(plan: ManagedPlan, script: string, accounts: boolean): JobFile[] {
  const secrets = [
    ...(plan.secret ? [plan.secret] : []),
    ...(accounts && plan.accounts !== undefined ? [{ name: 'accounts.sql', content: plan.accounts }] : []),
  ];
  return [
    { name: 'run.sh', content: script, mode: 0o600, secret: false },
    ...plan.files.map((file) => ({ ...file, mode: 0o600, secret: false })),
    ...secrets.map((file) => ({ ...file, mode: 0o600, secret: true })),
  ];
}
