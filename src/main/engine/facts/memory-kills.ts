import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Machine } from '../hosts/machine.ts';
import { untilReachable, type Waiting } from '../runs/index.ts';

/**
 * Processes that a kernel has killed for lack of memory: on the host since its start, and in each control group that a server is in since that
 * was made, by the file that counts them.
 */
export type Kills = ReadonlyMap<string, number>;

const HOST = '/proc/vmstat';

/** The kernel keeps so many letters of a name. */
const NAME_LETTERS = 15;
export const kernelName = (program: string): string => program.slice(0, NAME_LETTERS);

/**
 * A group that is gone has taken its count along; version 2 adds it to the groups above, so the one above is read, too. What the account
 * does not see, and groups of a host that its container does not show, stay out.
 */
const script = (
  programs: readonly string[],
  known: readonly string[],
): string => `LC_ALL=C; export LC_ALL; exec 2>/dev/null
names=${shellQuote(` ${programs.map(kernelName).join(' ')} `)}; top=/sys/fs/cgroup
v2=$top; [ -e "$v2/cgroup.controllers" ] || v2=$top/unified
{ echo ${HOST}; ${known.map((file) => `echo ${shellQuote(file)}; `).join('')}
for p in /proc/[0-9]*; do
  c=; read -r c <"$p/comm" || continue
  case "$names" in *" $c "*) ;; *) continue ;; esac
  g=$(sed -n 's/^0:://p' "$p/cgroup"); echo "$v2$g/memory.events"; echo "$v2\${g%/*}/memory.events"
  g=$(sed -n 's/^[0-9]*:\\([^:]*,\\)*memory\\(,[^:]*\\)*://p' "$p/cgroup"); [ -z "$g" ] || echo "$top/memory$g/memory.oom_control"
done; } | sort -u | while read -r f; do n=$(sed -n 's/^oom_kill //p' "$f"); [ -z "$n" ] || echo "$n $f"; done`;

/** `known`: what was read before, whose groups are read again, although nothing may be in them any more. Undefined: nothing is counted. */
export async function readKills(
  machine: Machine,
  { programs, known }: { programs: readonly string[]; known: Kills | undefined },
  waiting: Waiting,
): Promise<Kills | undefined> {
  const files = [...(known?.keys() ?? [])].filter((file) => file !== HOST);
  const { stdout } = await untilReachable(machine, waiting, () =>
    machine.exec(script(programs, files), { signal: waiting.signal }),
  );
  const counts = stdout.split('\n').flatMap((line) => {
    const [, count, file] = /^(\d+) (\/.+)$/.exec(line) ?? [];
    return file === undefined ? [] : [[file, Number(count)] as const];
  });
  return counts.length > 0 ? new Map(counts) : undefined;
}

/** How many were killed between two readings. A group that counts fewer than before is a new one of the same name. */
export function killedBetween(before: Kills | undefined, after: Kills | undefined): number {
  const more = [...(before ?? [])].map(([file, count]) => {
    const now = after?.get(file) ?? count;
    return now < count ? now : now - count;
  });
  return Math.max(0, ...more);
}
