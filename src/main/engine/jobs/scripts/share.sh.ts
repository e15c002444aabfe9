import { COMMON } from './common.sh.ts';

/**
 * Keeps a file that jobs share beside the folder of the jobs, under the digest of its content. Expects `nonce digest bytes`, and
 * `write_shared`. It gets its name when it is whole; of those that nobody sent again the oldest go, as jobs hold links of their own.
 */
export const SHARE = `${COMMON}
new_base || exit 0
folder=\${base%/jobs}/shared
part=$folder/part.$digest.$nonce
why=$(mkdir -p "$folder" 2>&1 && write_shared "$part" 2>&1) || { rm -f "$part"; reply no-room "$why"; exit 0; }
size_of "$part"
[ "$size" = "$bytes" ] || { rm -f "$part"; reply no-room "only $size of $bytes bytes arrived"; exit 0; }
why=$(chmod 0400 "$part" 2>&1 && mv -f "$part" "$folder/$digest" 2>&1) || { rm -f "$part"; reply no-room "$why"; exit 0; }
ls -t "$folder" | tail -n +9 | while read -r old; do rm -f "$folder/$old"; done
reply shared
`;
