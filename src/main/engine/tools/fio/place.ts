import { KneepointError } from '../../../../shared/model/problem.ts';
import { SAFE_PATH } from './values.ts';

/** All test files begin with this, and so does the folder that holds nothing else. */
export const PREFIX = 'kneepoint-fio';
/** Proof that the folder was made by us: without it nothing inside is touched. */
const MARK = 'made-by-kneepoint';

/** Enters the folder that a person named, `$1`. Symbolic links are followed before it is judged. */
const ENTER_NAMED = `
refuse() { echo "kneepoint: refused: $1" >&2; exit 1; }
folder=$1; shift
cd -P -- "$folder" || exit
case $PWD/ in /dev/*|/proc/*|/sys/*) refuse "$folder is not a place for files" ;; esac
[ -L ${PREFIX} ] && refuse "$PWD/${PREFIX} is a link"
`;
/** Only a folder with our mark is ours; a link or a device among its files would lead the writes elsewhere. */
const ENTER_OWN = `
[ -d ${PREFIX} ] && [ -f ${PREFIX}/${MARK} ] && [ ! -L ${PREFIX}/${MARK} ] ||
  refuse "$PWD/${PREFIX} was not made by Kneepoint"
cd -P -- ${PREFIX} || exit
for file in ${PREFIX}.*; do
  [ ! -L "$file" ] && { [ ! -e "$file" ] || [ -f "$file" ]; } || refuse "$PWD/$file is not a plain file"
done
`;

/** Script that makes the folder if there is none, enters it and runs what follows. */
export const ENTER_NEW = `${ENTER_NAMED}
[ -e ${PREFIX} ] || { mkdir -- ${PREFIX} && : >${PREFIX}/${MARK}; } || exit
${ENTER_OWN}
exec "$@"
`.replaceAll(/\n+/g, '\n');

/** Script that takes away the test files that are named, or all of them, and the folder with its mark if nothing else is in it. No folder is fine. */
export const REMOVE = `${ENTER_NAMED}
[ -e ${PREFIX} ] || exit 0
${ENTER_OWN}
[ $# -gt 0 ] || set -- ${PREFIX}.*
rm -f -- "$@" || exit
for left in * .[!.]*; do
  [ "$left" = ${MARK} ] || [ ! -e "$left" ] || { echo "kneepoint: $PWD holds other files and stays" >&2; exit 0; }
done
rm -f -- ${MARK} && cd .. && rmdir -- ${PREFIX}
`.replaceAll(/\n+/g, '\n');

/** Script that runs what follows if `$1` is a block device: fio would make a file in its place. */
export const ON_DEVICE = `device=$1; shift
[ -b "$device" ] || { echo "kneepoint: refused: $device is not a block device" >&2; exit 1; }
exec "$@"
`;

/** The folder that was named: in the options, or as the target's path. Throws `experiment-invalid` when there is none that may be used. */
export function folderOf(named: string | undefined): string {
  if (named !== undefined && SAFE_PATH.test(named)) return named.length > 1 ? named.replace(/\/+$/, '') : named;
  throw new KneepointError({
    code: 'experiment-invalid',
    message:
      named === undefined
        ? 'fio needs a folder on the host for its test files, and none is named.'
        : `“${named}” is no folder that fio may be sent to: it must be an absolute path, not of a device.`,
    safe: 'Nothing was started and no file was written.',
    next: 'Set the option directory to an absolute path on the disk that is to be measured.',
  });
}
