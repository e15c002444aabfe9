import { shellQuote } from '../../../../shared/util/shell-quote.ts';

/**
 * A POSIX sh script that tells what a path lies on; it writes nothing. Parts are separated by `@@<nonce> <name>` lines, so that no
 * name on the disk can pose as one; what a userland cannot answer stays empty.
 */
export function storageScript(nonce: string, path: string): string {
  const part = (name: string): string => `echo; echo '@@${nonce} ${name}'`;
  return [
    'LC_ALL=C; export LC_ALL; exec 2>/dev/null',
    `path=${shellQuote(path)}; limit=; command -v timeout >/dev/null && limit="timeout 10"`,
    'real=$(readlink -f -- "$path") || real=$path',
    `${part('kind')}; if [ -b "$path" ]; then echo device; elif [ -d "$path" ]; then echo directory; elif [ -e "$path" ]; then echo other; else echo missing; fi`,
    `${part('real')}; echo "$real"`,
    `${part('writable')}; [ -w "$path" ] && echo yes || echo no`,
    // A dead network file system would hang df forever.
    `${part('df')}; [ -d "$path" ] && { $limit df -kPT -- "$path" || $limit df -kP -- "$path"; }`,
    `${part('inodes')}; [ -d "$path" ] && $limit df -iP -- "$path"`,
    `${part('mounts')}; cat /proc/self/mountinfo`,
    // The block device below: the path itself, or what the file system is mounted from.
    `source=$real; [ -d "$path" ] && source=$($limit df -kP -- "$path" | sed -n '2s/ .*//p')`,
    `name=; case $source in /dev/*) source=$(readlink -f -- "$source"); name=\${source##*/} ;; esac`,
    'block=; [ -n "$name" ] && [ -r "/sys/class/block/$name/dev" ] && block=/sys/class/block/$name',
    'disk=$block; [ -n "$block" ] && [ -r "$block/partition" ] && disk=$(readlink -f -- "$block/..")',
    `${part('block')}; [ -n "$block" ] && { echo "$name"; cat "$block/size"; echo "\${disk##*/}"; cat "$block/stat"; }`,
    `${part('model')}; [ -n "$disk" ] && cat "$disk/device/model"`,
    `${part('below')}; [ -n "$disk" ] && ls "$disk/slaves"`,
    `${part('queue')}; [ -n "$disk" ] && for file in "$disk"/queue/*; do [ -f "$file" ] && [ -r "$file" ] && { mode=r; case $(ls -l "$file") in ??w*) mode=w ;; esac; echo "$mode \${file##*/} $(sed 1q "$file")"; }; done`,
    part('end'),
  ].join('\n');
}
