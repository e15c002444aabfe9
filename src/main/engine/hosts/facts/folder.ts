import { randomBytes } from 'node:crypto';
import type { HostFolder } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { Machine } from '../machine.ts';
import { parseFilesystems } from './parse.ts';

/** More folders are not listed; their path can be typed. */
const MOST = 1000;

/**
 * A POSIX sh script that lists the subfolders of a folder; it writes nothing. Parts are separated by lines with the nonce, so no name on
 * the disk can pose as one. Names with a line break are not listed.
 */
function folderScript(nonce: string, path: string): string {
  const part = (name: string): string => `echo; echo '@@${nonce} ${name}'`;
  const word = path === '' ? `"\${HOME:-/}"` : shellQuote(path);
  return [
    'LC_ALL=C; export LC_ALL; exec 2>/dev/null; unset CDPATH',
    `path=${word}; limit=; command -v timeout >/dev/null && limit="timeout 10"`,
    `${part('kind')}; if [ ! -e "$path" ]; then echo missing; elif [ ! -d "$path" ]; then echo other; elif cd -- "$path"; then echo folder; else echo denied; fi`,
    `${part('real')}; pwd -P`,
    `${part('writable')}; [ -w . ] && echo yes || echo no`,
    `${part('readable')}; [ -r . ] && echo yes || echo no`,
    `${part('df')}; $limit df -kPT . || $limit df -kP .`,
    `${part('folders')}; count=0; line=$(printf '\\nx'); line=\${line%x}; for name in */ .[!.]*/; do [ -d "$name" ] || continue; case $name in *"$line"*) continue ;; esac; count=$((count + 1)); [ $count -gt ${MOST + 1} ] && break; printf '%s\\n' "\${name%/}"; done`,
    part('end'),
  ].join('\n');
}

const isHidden = (name: string): boolean => name.startsWith('.');
/** Hidden ones last. */
const byName = (one: string, other: string): number =>
  Number(isHidden(one)) - Number(isHidden(other)) || one.localeCompare(other, 'en');

/**
 * Lists the subfolders of a host's folder; an empty path is the account's home. Throws `not-found` or `host-refused`, with host and path.
 */
export async function readFolder(machine: Machine, path: string, signal?: AbortSignal): Promise<HostFolder> {
  const nonce = randomBytes(8).toString('hex');
  const { stdout } = await machine.exec(folderScript(nonce, path), signal && { signal });
  const parts = new Map(
    stdout
      .split(`\n@@${nonce} `)
      .slice(1)
      .map((text) => {
        const [name = '', ...lines] = text.split('\n');
        return [name, lines.filter((line) => line !== '')] as const;
      }),
  );
  const first = (name: string): string => parts.get(name)?.[0] ?? '';
  const host = machine.name;
  const where = path === '' ? 'The home folder of the account' : path;
  const refuse = (code: 'not-found' | 'host-refused', message: string, next: string): never => {
    throw new KneepointError({ code, host, message, next });
  };
  if (!parts.has('end'))
    refuse('host-refused', `${host} did not finish listing ${where}.`, 'Test the host, then try again.');
  const kind = first('kind');
  if (kind === 'missing')
    refuse('not-found', `${where} does not exist on ${host}.`, 'Correct the path, or open another folder.');
  if (kind === 'other') refuse('not-found', `${where} on ${host} is not a folder.`, 'Name a folder.');
  if (kind !== 'folder' || first('readable') !== 'yes')
    refuse(
      'host-refused',
      `The account on ${host} has no permission to list ${where}.`,
      'Open another folder, or type the path.',
    );
  const [fileSystem] = parseFilesystems(parts.get('df') ?? []);
  const names = parts.get('folders') ?? [];
  return {
    path: first('real'),
    writable: first('writable') === 'yes',
    folders: names.slice(0, MOST).sort(byName),
    ...(names.length > MOST && { more: true as const }),
    ...(fileSystem && { fileSystem }),
  };
}
