import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { Phase, PlanInput } from '../../tool.ts';
import { filesFolder } from '../data/own.ts';
import type { SysbenchOptions } from '../options/index.ts';
import { wantsMysqlTls } from './connection.ts';

type Input = PlanInput<SysbenchOptions>;

/** A link or a device among the test files would redirect writes elsewhere. */
const ONLY_FILES =
  'for file in test_file.*; do [ ! -L "$file" ] && { [ ! -e "$file" ] || [ -f "$file" ]; } || { echo "kneepoint: refused: $PWD/$file is not a plain file" >&2; exit 1; }; done; case $PWD/ in /dev/shm/*) ;; /dev/*|/proc/*|/sys/*) echo "kneepoint: refused: $PWD is not a place for files" >&2; exit 1 ;; esac';
/** Creates and enters the folder for the test files; `$1` is its path. */
const ENTER_NEW = `mkdir -p -- "$1" && cd -P -- "$1" && shift && { ${ONLY_FILES}; } && exec "$@"`;
const ENTER_FILES = `cd -P -- "$1" && shift && { ${ONLY_FILES}; } && exec "$@"`;
const ENTER = 'cd -- "$1" && shift && exec "$@"';
/** A missing folder is not an error. Removes the folder and its parent if they are empty afterwards. */
const ENTER_AND_REMOVE =
  'folder=$1 && shift && { [ -d "$folder" ] || exit 0; } && cd -- "$folder" && "$@" && cd / && { rmdir -- "$folder" "$(dirname -- "$folder")" 2>/dev/null || :; }';

const inFolder = (script: string, folder: string): string[] => ['sh', '-c', script, 'sh', folder];

function folderOf(input: Input): string {
  const folder = input.options.directory ?? (input.connection.kind === 'host' ? input.connection.path : undefined);
  if (folder?.startsWith('/')) return filesFolder(folder, input.options);
  throw new KneepointError({
    code: 'experiment-invalid',
    message: 'The sysbench script fileio needs a folder on the host for its test files, and none is named.',
    safe: 'Nothing was started and no file was written.',
    next: 'Set the option directory to an absolute path on the disk to measure.',
  });
}

/** Arguments before sysbench that make it run in its folder: that of its test files or its TLS certificates. Empty if any folder will do. */
export function place(input: Input, command: Phase): string[] {
  const { options, connection } = input;
  if (options.script === 'fileio')
    return inFolder(
      command === 'cleanup'
        ? ENTER_AND_REMOVE
        : command === 'prepare' || options['file-test-mode'] === 'seqwr'
          ? ENTER_NEW
          : ENTER_FILES,
      folderOf(input),
    );
  const tlsFolder = options['mysql-ssl-directory'];
  return connection.kind === 'mysql' && tlsFolder && wantsMysqlTls(options, connection)
    ? inFolder(ENTER, tlsFolder)
    : [];
}
