import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { JobFile } from '../../jobs/job.ts';
import type { ManagedPlan } from '../../targets/target.ts';
import { LIBRARIES } from './scripts.ts';

/** The job that becomes the server: writes its files into its folder, then runs what its plan says. */
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

/** The files of that job. `accounts`: whether account and database have to be made. */
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
