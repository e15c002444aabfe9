import type { TargetSpec } from '../../../../../shared/model/target.ts';
import { readCpus } from '../../../../../shared/util/virtual-disk.ts';
import { type HostSetting, oneOf, oneWord, sameText } from './setting.ts';

const GOVERNORS = '/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor';

export const cpuGovernor: HostSetting = {
  name: 'cpu-governor',
  title: 'CPU frequency governor',
  description: 'Frequency governor of all CPUs: performance, powersave, schedutil.',
  suggests: ['performance', 'powersave', 'schedutil'],
  check: oneWord,
  find: `
set -- ${GOVERNORS}
file=$1
[ -f "$file" ] || lacks "The CPUs of this host have no frequency governor, as in most virtual machines."`,
  show: `
for each in ${GOVERNORS}; do
  cpu=\${each#/sys/devices/system/cpu/}
  read -r governor <"$each" || exit 1
  echo "value \${cpu%%/*}=$governor"
done
[ ! -r "\${file%/*}/scaling_available_governors" ] || echo "takes $(cat "\${file%/*}/scaling_available_governors")"`,
  write: `
failed=0
case $value in
  *=*) for pair in $value; do
    write "\${pair#*=}" "/sys/devices/system/cpu/\${pair%%=*}/cpufreq/scaling_governor" || failed=1
  done ;;
  *) for each in ${GOVERNORS}; do write "$value" "$each" || failed=1; done ;;
esac
exit $failed`,
  read(printed) {
    const each = printed.get('value') ?? [];
    if (each.length === 0 || !each.every((pair) => /^cpu\d+=[a-z_]{1,40}$/.test(pair))) return undefined;
    const governors = [...new Set(each.map((pair) => pair.slice(pair.indexOf('=') + 1)))];
    const takes = oneOf(printed, 'takes')?.split(/\s+/);
    // If they differ, the governor of each CPU is listed, and restored individually.
    const value = governors.length === 1 ? (governors[0] ?? '') : each.join(' ');
    return { value, ...(takes && { takes }) };
  },
  matches: sameText,
};

const ON_OFF = (value: string): string | undefined =>
  value === 'on' || value === 'off' ? undefined : 'must be “on” or “off”.';

export const cpuBoost: HostSetting = {
  name: 'cpu-boost',
  title: 'CPU boost',
  description: 'Whether CPUs may run above their base frequency (turbo): on or off.',
  suggests: ['on', 'off'],
  check: ON_OFF,
  find: `
turbo=/sys/devices/system/cpu/intel_pstate/no_turbo
file=/sys/devices/system/cpu/cpufreq/boost; on=1; off=0
if [ -f "$turbo" ]; then file=$turbo; on=0; off=1; fi
[ -f "$file" ] || lacks "The CPU boost of this host cannot be changed, as in most virtual machines."`,
  show: 'if [ "$(cat "$file")" = $on ]; then echo "value on"; else echo "value off"; fi',
  write: 'if [ "$value" = on ]; then write $on "$file"; else write $off "$file"; fi',
  read(printed) {
    const value = oneOf(printed, 'value');
    return value === 'on' || value === 'off' ? { value } : undefined;
  },
  matches: sameText,
};

export const cpuThreads: HostSetting = {
  name: 'smt',
  title: 'Simultaneous multithreading',
  description: 'Whether a core runs several threads (Hyper-Threading): on or off.',
  suggests: ['on', 'off'],
  check: ON_OFF,
  find: `
file=/sys/devices/system/cpu/smt/control
[ -f "$file" ] || lacks "The kernel of this host cannot change simultaneous multithreading."
case $(cat "$file") in
  on|off) ;;
  *) lacks "Simultaneous multithreading cannot be switched on this host: $(cat "$file")." ;;
esac`,
  show: 'echo "value $(cat "$file")"',
  write: 'write "$value" "$file"',
  read(printed) {
    const value = oneOf(printed, 'value');
    return value === 'on' || value === 'off' ? { value } : undefined;
  },
  matches: sameText,
};

const SEVERAL = ' ';

/** How to find the server's process: by PID file, unit, or the port it listens on. */
function whereabouts(of: string, target: TargetSpec | undefined): Readonly<Record<string, string>> {
  const none = { pid_file: '', unit: '', port: '' };
  if (of.startsWith('/')) return { ...none, pid_file: of };
  if (/^\d+$/.test(of)) return { ...none, port: of };
  if (of !== '') return { ...none, unit: of };
  const control = target?.server?.control;
  if (control?.kind === 'systemd') return { ...none, unit: control.unit };
  const port = Number(target?.config.port);
  return Number.isInteger(port) && port > 0 ? { ...none, port: String(port) } : none;
}

export const serverCpus: HostSetting = {
  name: 'server-cpus',
  title: 'CPUs of the server',
  description:
    'CPU affinity of the server process and its children, such as 0-3,8, set by taskset until the server restarts. Without “of”: the process of its unit, or the one listening on its port.',
  of: {
    title: 'a PID file, a systemd unit or a port',
    example: '/run/mysqld/mysqld.pid',
    pattern: /^(\/[^\p{Cc}]*|\d{1,5}|[A-Za-z0-9@][A-Za-z0-9_.@:-]*)$/u,
    optional: true,
  },
  ofServer: true,
  check: (value) => (readCpus(value) ? undefined : 'takes a list of CPUs such as 0-3,8.'),
  variables: ({ of, target }) => whereabouts(of, target),
  find: `
file=
command -v taskset >/dev/null 2>&1 || lacks "The program taskset was not found. Install the package util-linux."
listener() {
  hex=$(printf %04X "$1")
  sockets=$(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v end=":$hex" '$4 == "0A" && substr($2, length($2) - 4) == end { print $10 }')
  [ -n "$sockets" ] || return 0
  ls -l /proc/[0-9]*/fd 2>/dev/null | awk -v sockets="$sockets" '
    BEGIN { split(sockets, each); for (at in each) wanted["socket:[" each[at] "]"] = 1 }
    /^\\/proc\\/[0-9]+\\/fd:$/ { split($0, part, "/"); pid = part[3] }
    ($NF in wanted) && !(pid in told) { told[pid] = 1; print pid }'
}
# tree PID...: the processes and all that they started.
tree() {
  cat /proc/[0-9]*/status 2>/dev/null | awk -v roots="$*" '
    BEGIN { split(roots, each); for (at in each) wanted[each[at]] = 1 }
    /^Pid:/ { pid = $2 }
    /^PPid:/ { parent[pid] = $2 }
    END { for (pid in parent) { at = pid; for (up = 0; up < 64 && at in parent; up++) { if (at in wanted) { print pid; break }; at = parent[at] } } }'
}
if [ -n "$pid_file" ]; then
  [ -e "$pid_file" ] || lacks "There is no $pid_file: the server is not running, or writes another PID file."
  read -r server <"$pid_file" || [ -n "$server" ] || exit 1
elif [ -n "$unit" ]; then
  server=$(systemctl show -p MainPID "$unit" 2>/dev/null); server=\${server#MainPID=}
  [ "\${server:-0}" != 0 ] || lacks "The unit $unit has no process on this host."
elif [ -n "$port" ]; then
  server=$(listener "$port")
  if [ -z "$server" ]; then
    [ "$(id -u)" = 0 ] || { echo "Only root sees which process listens on port $port: Permission denied" >&2; exit 1; }
    lacks "No process of this host listens on port $port."
  fi
else lacks "The server process is unknown. Set its port, unit or PID file under “of”."
fi
case $server in *[!0-9[:space:]]*) lacks "“$server” is not a process ID." ;; esac
processes=$(tree $server)
[ -n "$processes" ] || lacks "The server process no longer exists."`,
  show: `
for process in $processes; do
  cat /proc/$process/task/[0-9]*/status 2>/dev/null
done | awk '/^Cpus_allowed_list:/ && !($2 in told) { told[$2] = 1; print "value " $2 }'`,
  // Twice, because a process may have been started meanwhile.
  write: `
pin() {
  failed=0
  for process in $processes; do
    taskset -acp "$value" "$process" >/dev/null || [ ! -d "/proc/$process" ] || failed=1
  done
}
pin
processes=$(tree $server)
pin
exit $failed`,
  read(printed) {
    const lists = (printed.get('value') ?? []).map((list) => list.trim());
    if (lists.length === 0 || !lists.every((list) => readCpus(list))) return undefined;
    return { value: lists.slice(0, 20).join(SEVERAL) };
  },
  matches(desired, found) {
    const [wanted, there] = [readCpus(desired), readCpus(found)];
    return (
      wanted !== undefined &&
      there !== undefined &&
      wanted.size === there.size &&
      [...wanted].every((cpu) => there.has(cpu))
    );
  },
  judge: (_desired, { value }) =>
    value.includes(SEVERAL)
      ? [
          {
            code: 'cannot-undo',
            severity: 'block',
            liftedBy: 'setting',
            message:
              'The threads of the server are already pinned to different CPUs, and Kneepoint can restore only one list for all.',
            evidence: value,
            next: 'Start the server without its own CPU pinning.',
          },
        ]
      : [],
};
