import { PREFIX } from '../options/place.ts';

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

/** Script that removes the test files that are named, or all of them, and the folder with its mark if nothing else is in it. No folder is fine. */
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
