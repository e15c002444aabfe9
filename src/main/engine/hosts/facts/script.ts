import { shellQuote, shellWords } from '../../../../shared/util/shell-quote.ts';
import type { ToolProbe } from './parse.ts';

/**
 * A POSIX sh script that prints the facts of a host. Requires only shell built-ins, cat, sed and df; parts that a host cannot provide stay
 * empty. Parts are separated by `@@<nonce> <name>` lines, so no output of a tool can pose as one.
 */
export function factsScript(nonce: string, probes: readonly ToolProbe[]): string {
  const part = (name: string) => `echo; echo '@@${nonce} ${name}'`;
  return [
    'LC_ALL=C; export LC_ALL; exec 2>/dev/null',
    'limit=; command -v timeout >/dev/null && limit="timeout 5"',
    `${part('uname')}; uname -n; uname -s; uname -r; uname -m`,
    `${part('os')}; cat /etc/os-release || cat /usr/lib/os-release || sw_vers -productVersion`,
    `${part('cpu-model')}; sed -n 's/^model name[^:]*: *//p; s/^Model[^:]*: *//p; s/^cpu[^:a-z]*: *//p' /proc/cpuinfo | sed 1q; sysctl -n machdep.cpu.brand_string`,
    `${part('cpu-count')}; getconf _NPROCESSORS_ONLN || nproc || grep -c ^processor /proc/cpuinfo || sysctl -n hw.ncpu`,
    `${part('memory')}; sed -n 's/^MemTotal: *//p' /proc/meminfo; sysctl -n hw.memsize`,
    `${part('disks')}; ${DISKS}`,
    `${part('mounts')}; cat /proc/self/mountinfo`,
    // An unresponsive network file system would block df forever.
    `${part('df')}; $limit df -kPT || $limit df -kP`,
    `${part('networks')}; ${NETWORKS}`,
    `${part('virtualization')}; systemd-detect-virt || cat /sys/class/dmi/id/product_name || sed -n 's/^flags.* hypervisor .*/virtual machine/p' /proc/cpuinfo | sed 1q`,
    `${part('governor')}; cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor`,
    `${part('cpu-features')}; sed -n 's/^flags[^:]*: *//p; s/^Features[^:]*: *//p' /proc/cpuinfo | sed 1q`,
    `${part('boost')}; ${BOOST}`,
    `${part('huge-pages')}; cat /sys/kernel/mm/transparent_hugepage/enabled`,
    `${part('boot-id')}; cat /proc/sys/kernel/random/boot_id`,
    `${part('files')}; ulimit -n`,
    `${part('threads')}; ${THREADS}`,
    `${part('ports')}; cat /proc/sys/net/ipv4/ip_local_port_range || sysctl -n net.inet.ip.portrange.first net.inet.ip.portrange.last`,
    ...probes.map((probe, index) => `${part(`tool ${index}`)}; ${probeCommand(probe)}`),
    `${part('end')}`,
  ].join('\n');
}

const BOOST = `c=/sys/devices/system/cpu
[ ! -r $c/intel_pstate/no_turbo ] || echo "off $(cat $c/intel_pstate/no_turbo)"
[ ! -r $c/cpufreq/boost ] || echo "on $(cat $c/cpufreq/boost)"`;

/** Read by the shell itself: a fork for each file of each disk would be a hundred. */
const DISKS = `line() { line=; read -r line <"$1"; }
tell() { line "$2"; echo "$1 $line"; }
for d in /sys/block/*; do
  [ -r "$d/size" ] || continue
  echo "disk \${d##*/}"
  tell device "$d/dev"; tell sectors "$d/size"; tell rotational "$d/queue/rotational"; tell model "$d/device/model"
  tell scheduler "$d/queue/scheduler"; tell cache "$d/queue/write_cache"
  line "$d/device/firmware_rev"; [ -n "$line" ] || line "$d/device/rev"; echo "firmware $line"
  tell latency "$d/device/power/pm_qos_latency_tolerance_us"
  h=; for s in "$d"/device/scsi_disk/*; do h=\${s##*/}; done
  tell link "/sys/class/scsi_host/host\${h%%:*}/link_power_management_policy"
  b=$d/device/device
  if [ -r "$b/current_link_width" ]; then
    line "$b/current_link_width"; pcie=$line; line "$b/max_link_width"; pcie="$pcie $line"
    line "$b/current_link_speed"; pcie="$pcie $line"; line "$b/max_link_speed"; echo "pcie $pcie/$line"
  fi
  for p in "$d"/*/partition; do [ -r "$p" ] || continue; p=\${p%/partition}; tell "part \${p##*/}" "$p/dev"; done
  for s in "$d"/slaves/*; do [ -e "$s" ] && echo "slave \${s##*/}"; done
done`;

/** The account's own limit, which does not apply to root, and those of its control groups, which do. */
const THREADS = `echo "uid $(id -u)"
sed -n 's/^Max processes  *\\([0-9][0-9]*\\) .*/limit \\1/p' /proc/self/limits
n=0; for t in /proc/[0-9]*/task/[0-9]*; do [ -O "$t" ] && n=$((n + 1)); done; echo "used $n"
g=$(sed -n 's/^0:://p' /proc/self/cgroup)
while :; do
  [ -r "/sys/fs/cgroup$g/pids.max" ] && echo "pids $(cat "/sys/fs/cgroup$g/pids.max") $(cat "/sys/fs/cgroup$g/pids.current")"
  [ -n "$g" ] || break
  g=\${g%/*}
done`;

const NETWORKS = `for n in /sys/class/net/*; do echo "interface \${n##*/}"; tell speed "$n/speed"; done
ip -o address`;

/** Path, then both outputs, truncated: a tool that hangs or prints too much must not affect the other facts. */
function probeCommand(probe: ToolProbe): string {
  const [program = '', ...args] = probe.argv;
  const extra = probe.extra === undefined ? '' : ` { ${probe.extra}; } | head -c 4000;`;
  return `path=$(command -v ${shellQuote(program)}) && { echo "$path"; $limit ${shellWords([program, ...args])} </dev/null 2>&1 | head -c 4000;${extra} }`;
}

/**
 * Prints the host's time immediately, and again for each input line: seconds, with nanoseconds if `date` supports them, followed by the
 * seconds since boot if there is /proc.
 */
export const CLOCK_SCRIPT = `LC_ALL=C; export LC_ALL
tell() {
  uptime=
  { read -r uptime rest </proc/uptime; } 2>/dev/null
  date "+%s.%N $uptime"
}
tell
while read -r asked; do tell; done`;
