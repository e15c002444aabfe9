import { readFileSync } from 'node:fs';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { TargetFacts } from '../../../shared/model/session-snapshot.ts';
import type { TargetDescription } from '../../../shared/model/target.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Machine } from '../hosts/machine.ts';
import { untilReachable, type Waiting } from '../runs/index.ts';

/** Environment variables that affect a program's performance. Others are not read, as they may hold secrets. */
const VARIABLES =
  'LD_PRELOAD|LD_LIBRARY_PATH|(JE_)?MALLOC_[A-Z_]*|GLIBC_TUNABLES|TCMALLOC_[A-Z_]*|NUMA[A-Z_]*|OMP_NUM_THREADS|OPENSSL_[A-Za-z0-9_]*|LANG|LC_ALL|TZ';

/**
 * POSIX sh that prints how a server's process was started and its limits. The process is found by the names of its program; of several, the
 * one that listens on the port. A process whose parent has the same name is a part of it. Anything the account may not see is left out.
 */
const processScript = (
  programs: readonly string[],
  port: number | undefined,
): string => `LC_ALL=C; export LC_ALL; exec 2>/dev/null
names=${shellQuote(` ${programs.join(' ')} `)}; port=$(printf %04X ${port ?? 0})
of() { sed -n "s/^$1:[[:space:]]*//p" "/proc/$2/status"; }
known() { case "$names" in *" $1 "*) return 0;; esac; return 1; }
found=; count=0
for p in /proc/[0-9]*; do
  c=; read -r c <"$p/comm" || continue
  known "$c" || continue
  up=; read -r up <"/proc/$(of PPid "\${p#/proc/}")/comm"
  known "$up" && continue
  found="$found \${p#/proc/}"; count=$((count + 1))
done
if [ "$count" -gt 1 ]; then
  inodes=$(cat /proc/net/tcp /proc/net/tcp6 | sed -n "s/^ *[0-9]*: [0-9A-F]*:$port [0-9A-F]*:0000 0A \\([^ ][^ ]*  *\\)\\{5\\}\\([0-9][0-9]*\\) .*/\\2/p")
  all=$found; found=
  for p in $all; do for i in $inodes; do
    ls -l "/proc/$p/fd" | grep -q "socket:\\[$i\\]" && found="$found $p"
  done; done
fi
set -- $found
[ $# -ge 1 ] && { [ "$count" = 1 ] || [ $# = 1 ] || [ "$1" = "$2" ]; } || exit 0
p=$1; parent=$(of PPid "$p")
up=; read -r up <"/proc/$parent/comm"; echo "parent $parent $up"
sed -n 's/^0::/group /p; s/^[0-9]*:name=systemd:/group /p' "/proc/$p/cgroup" | sed 1q
g=$(sed -n 's/^0:://p' "/proc/$p/cgroup")
for f in memory.max cpu.max io.max; do [ -r "/sys/fs/cgroup$g/$f" ] && echo "$f $(head -n 1 "/sys/fs/cgroup$g/$f")"; done
sed -n 's/^Max open files  *\\([^ ]*\\) .*/files \\1/p; s/^Max processes  *\\([^ ]*\\) .*/processes \\1/p; s/^Max locked memory  *\\([^ ]*\\) .*/locked \\1/p' "/proc/$p/limits"
echo "cpus $(of Cpus_allowed_list "$p")"; echo "nodes $(of Mems_allowed_list "$p")"
echo "nice $(sed 's/^.*) //' "/proc/$p/stat" | cut -d ' ' -f 17)"
policy=$(sed -n '1s/^[0-9a-f]* \\([^ ]*\\).*/\\1/p' "/proc/$p/numa_maps"); [ -z "$policy" ] || echo "policy $policy"
tr '\\0' '\\n' <"/proc/$p/environ" | grep -E '^(${VARIABLES})=' | sort | sed 's/^/env /'`;

/** Titles of the script's words, as users see them. */
const WORDS: Readonly<Record<string, string>> = {
  group: 'control group',
  'memory.max': 'memory limit of the control group',
  'cpu.max': 'CPU limit of the control group',
  'io.max': 'I/O limit of the control group',
  files: 'limit of open files',
  processes: 'limit of processes',
  locked: 'limit of locked memory',
  cpus: 'CPUs allowed',
  nodes: 'memory nodes allowed',
  nice: 'nice value',
  policy: 'NUMA policy',
};

/** Parses the script's output, by title. Undefined if no process was found, or several. */
function parseProcess(text: string): TargetFacts['process'] {
  const facts: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, key = '', value = ''] = /^(\S+) (.*\S)\s*$/.exec(line) ?? [];
    if (key === 'parent') facts['started by'] = parentWords(value);
    else if (key === 'env') facts[`environment ${value.split('=')[0]}`] = value.slice(value.indexOf('=') + 1);
    else if (WORDS[key] !== undefined && value !== '') facts[WORDS[key]] = value;
  }
  return facts['started by'] === undefined ? undefined : facts;
}

/** Process 1 is the parent of what systemd starts, and of orphaned processes. */
const parentWords = (value: string): string => {
  const [pid, ...name] = value.split(' ');
  return pid === '1' ? `${name.join(' ') || 'init'} (process 1)` : name.join(' ') || 'not reported';
};

/** Throws what the machine throws. */
export async function readProcess(
  machine: Machine,
  { programs, port }: { programs: readonly string[]; port: number | undefined },
  signal: AbortSignal,
): Promise<TargetFacts['process']> {
  if (programs.length === 0) return undefined;
  const { stdout } = await machine.exec(processScript(programs, port), { signal, timeoutMs: 15_000 });
  return parseProcess(stdout);
}

/**
 * POSIX sh that prints the limits of the HAProxy that listens on a port, from its command line and its configuration files: “most 2000” for
 * the whole process, “here 500” for the frontend with that port. Without them HAProxy derives its limit from that of open files.
 */
const haproxyScript = (port: number): string => `LC_ALL=C; export LC_ALL; exec 2>/dev/null
for p in /proc/[0-9]*; do
  c=; read -r c <"$p/comm" || continue
  [ "$c" = haproxy ] || continue
  dir=$(readlink "$p/cwd")
  tr '\\0' '\\n' <"$p/cmdline" | {
    before=; most=; all=
    while IFS= read -r word; do
      case $before in
        -n) most=$word ;;
        -f) case $word in /*) all="$all$word
" ;; *) all="$all$dir/$word
" ;; esac ;;
      esac
      before=$word
    done
    printf %s "$all" | while IFS= read -r file; do cat "$file"; echo; done | awk -v port=${port} -v most="$most" '
      { sub(/#.*/, "") }
      $1 ~ /^(global|defaults|listen|frontend|backend|userlist|peers|resolvers|program|cache|ring|mailers|http-errors|log-forward)$/ {
        kind = $1; own = kind == "listen" || kind == "frontend" ? usual : ""; isHere = 0
        if (kind == "defaults") usual = ""
      }
      $1 == "maxconn" {
        if (kind == "global") { if (most == "") most = $2 }
        else if (kind == "defaults") usual = $2
        else if (kind == "listen" || kind == "frontend") { own = $2; if (isHere) here = own }
      }
      $1 == "bind" || $1 == "listen" || $1 == "frontend" {
        for (part = 2; part <= NF; part++) {
          count = split($part, places, ",")
          for (place = 1; place <= count; place++) if (places[place] ~ (":" port "$")) { isHere = 1; found = 1; here = own }
        }
      }
      END { if (found) { if (most != "") print "most", most; if (here != "") print "here", here } }'
  }
done`;

/** Limits of a proxy, and its product. */
export type ProxyLimits = Pick<NonNullable<TargetDescription['middleware']>, 'product' | 'settings'>;

/** Maximum clients of the HAProxy that listens on a port of a machine. Undefined if there is none, or its configuration is not readable. */
export async function readProxyLimits(
  machine: Machine,
  port: number,
  signal: AbortSignal,
): Promise<ProxyLimits | undefined> {
  const { stdout } = await machine.exec(haproxyScript(port), { signal, timeoutMs: 15_000 });
  const found = [...stdout.matchAll(/^(?:most|here) (\d+)$/gm)].map(([, number]) => Number(number));
  if (found.length === 0) return undefined;
  const why = 'More clients than this wait until others have disconnected.';
  return { product: 'HAProxy', settings: [{ name: 'maxconn', value: String(Math.min(...found)), why }] };
}

/**
 * Number of processes killed by the kernel's OOM killer: on the host since boot, and in each control group of a server since the group was
 * created. Keys are the files with these counts.
 */
export type Kills = ReadonlyMap<string, number>;

const HOST = '/proc/vmstat';

/** Number of characters that the kernel stores of a process name. */
const NAME_LETTERS = 15;
export const kernelName = (program: string): string => program.slice(0, NAME_LETTERS);

/**
 * A removed group loses its count; version 2 also adds it to its ancestors, so the parent is read too. Groups that the account cannot see,
 * or that a container hides, are left out.
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

/** `known`: an earlier result, whose groups are read again even if they are empty now. Undefined if there are no counts. */
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

/** Processes killed between two readings. A group with a lower count than before is a new one with the same name. */
export function killedBetween(before: Kills | undefined, after: Kills | undefined): number {
  const more = [...(before ?? [])].map(([file, count]) => {
    const now = after?.get(file) ?? count;
    return now < count ? now : now - count;
  });
  return Math.max(0, ...more);
}

/** A program built for Kneepoint. Throws `tool-missing` if it was not built, or was removed. */
export function readProgram(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new KneepointError(
      {
        code: 'tool-missing',
        message: `A program file of Kneepoint cannot be read on this computer: ${error instanceof Error ? error.message : path}.`,
        safe: 'Nothing was started.',
        next: 'In a clone, run npm run build; otherwise reinstall Kneepoint.',
      },
      { cause: error },
    );
  }
}
