/**
 * Functions shared by the scripts of a job. POSIX sh, tested with dash, bash --posix and BusyBox ash. Required on the host: cat, chmod,
 * date, dd, grep, id, ls, mkdir, mv, rm, rmdir, sleep, tail, tr. Used if available: setsid or perl, env --default-signal, ln, ps, sysctl.
 *
 * Scripts are modules that export text, not .sh files: Node runs them without a build, and a bundler needs no rule for a file type.
 */
export const COMMON = `
LC_ALL=C; export LC_ALL
umask 077

# process_state PID: sets 'state', 'group' and 'started' (clock ticks since boot; a date where there is no /proc).
# A zombie is dead: its start is 0, as for a process that does not exist.
process_state() {
  state=; group=; started=0
  if [ -r /proc/self/stat ]; then
    { read -r stat_line </proc/$1/stat; } 2>/dev/null || return 0
    # The name in parentheses may itself hold blanks and parentheses: only what follows the last one has fixed places.
    set -- \${stat_line##*) }
    [ $# -ge 20 ] || return 0
    state=$1; group=$3; shift 19; started=$1
  else
    set -- $(ps -o stat= -o pgid= -o lstart= -p "$1" 2>/dev/null)
    [ $# -ge 3 ] || return 0
    state=$1; group=$2; shift 2
    started=$(IFS=_; echo "$*")
  fi
  case $state in Z*|X*) started=0 ;; esac
}

# alive PID STARTED: the very process that was recorded, not a later one that got its number.
alive() {
  process_state "$1"
  [ "$started" != 0 ] && [ "$started" = "$2" ]
}

# group_alive PGID: whether any process of the group runs; one that waits to be reaped does not.
group_alive() {
  kill -0 "-$1" 2>/dev/null || return 1
  if [ ! -r /proc/self/stat ]; then
    members=$(ps -A -o pgid= -o stat= 2>/dev/null) || return 0
    echo "$members" | grep -q "^ *$1  *[^ZX ]"
    return
  fi
  for entry in /proc/[0-9]*; do
    process_state "\${entry#/proc/}"
    [ "$group" = "$1" ] && [ "$started" != 0 ] && return 0
  done
  return 1
}

# Sets 'boot': changes with every start of the host.
read_boot() {
  boot=
  { read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
  [ -n "$boot" ] || boot=$(sysctl -n kern.bootsessionuuid 2>/dev/null) || boot=unknown
}

# cookie_processes ID: the job's processes wherever they went: they carry its id in the environment they were started with. All
# environments in one go first, as there mostly is none: two forks for each process of a busy host take a second of its processors.
# tail puts a line between files, cat would not.
cookie_processes() {
  { tail -c +1 /proc/[0-9]*/environ | tr '\\000' '\\n' | grep -q "^KNEEPOINT_JOB=$1\\$"; } 2>/dev/null || return 0
  for entry in /proc/[0-9]*/environ; do
    { tr '\\000' '\\n' <"$entry"; } 2>/dev/null | grep -q "^KNEEPOINT_JOB=$1\\$" || continue
    entry=\${entry#/proc/}; entry=\${entry%/environ}
    process_state "$entry"
    [ "$started" != 0 ] && echo "$entry"
  done
}

# kill_rest ID: KILL to every process of the job, again until no new one is found. Sets 'left' to the number that remain.
kill_rest() {
  left=0; rounds=0
  rest=$(cookie_processes "$1")
  while [ -n "$rest" ] && [ $rounds -lt 5 ]; do
    kill -KILL $rest 2>/dev/null
    nap
    rest=$(cookie_processes "$1")
    rounds=$((rounds + 1))
  done
  [ -z "$rest" ] || left=$(echo "$rest" | grep -c .)
}

# tool_owns_group: whether the tool got a group of its own and that number still means it. A number is not given out again while
# a group bears it; so a process of that number with another start time is a stranger.
tool_owns_group() {
  [ "$tool_group" = 1 ] || return 1
  process_state "$tool_pid"
  [ "$started" = 0 ] || [ "$started" = "$tool_started" ]
}

# signal_tool SIGNAL: to the tool's whole group where it has one, else to every process that carries the job's id.
# Reads tool_pid, tool_started, tool_group (1 = a group of its own), job_id.
signal_tool() {
  if tool_owns_group; then kill "-$1" "-$tool_pid" 2>/dev/null
  else
    others=$(cookie_processes "$job_id")
    alive "$tool_pid" "$tool_started" && others="$tool_pid $others"
    [ -z "$others" ] || kill "-$1" $others 2>/dev/null
  fi
  return 0
}

tool_alive() {
  if tool_owns_group; then group_alive "$tool_pid"
  else alive "$tool_pid" "$tool_started"; fi
}

# end_tool GRACE: TERM (INT is ignored by what a shell starts with '&'), CONT so that a stopped process gets it, then KILL.
end_tool() {
  signal_tool TERM
  signal_tool CONT
  waited=0
  while tool_alive; do
    if [ $waited -ge $(($1 * 10)) ]; then signal_tool KILL; break; fi
    if [ $waited -lt 10 ]; then nap; else sleep 1; napped=10; fi
    waited=$((waited + napped))
  done
}

# claim_cause CAUSE: why the tool was ended. The first one wins; a rename needs no space on a full disk.
claim_cause() {
  mv cause.none "cause.$1" 2>/dev/null
}

# size_of FILE: sets 'size' in bytes, 0 when it is not there. A listing: neither stat nor a read of the whole file is needed.
# False, with no size, when it could not be learnt: that must not be taken for an empty file.
size_of() {
  size=0
  [ -e "$1" ] || return 0
  set -- $(ls -ln "$1" 2>/dev/null)
  size=$5
  [ -n "$size" ]
}

# A short pause, its tenths of a second in 'napped'. Fractions are not POSIX.
nap() {
  if sleep 0.1 2>/dev/null; then napped=1
  else sleep 1; napped=10; fi
}

# job_bases: the folders that may hold jobs, best first, one on each line. Never /tmp: it is cleaned, and may be the host's memory.
job_bases() {
  user_id=$(id -u)
  bases="/var/lib/kneepoint-$user_id/jobs
/var/tmp/kneepoint-$user_id/jobs"
  [ -z "$HOME" ] || bases="$HOME/.local/state/kneepoint/jobs
$bases"
  [ -z "$XDG_STATE_HOME" ] || bases="$XDG_STATE_HOME/kneepoint/jobs
$bases"
}

# trusted FOLDER: a jobs folder and the one above it are ours alone, and no links that somebody could turn.
trusted() { owned "\${1%/jobs}" && owned "$1"; }

owned() {
  [ ! -L "$1" ] && [ -d "$1" ] || return 1
  set -- $(ls -ldn "$1" 2>/dev/null)
  [ "$3" = "$user_id" ] || return 1
  # Writable for the group or for others: a name in it could be planted.
  case $1 in ?????w*|????????w*) return 1 ;; esac
}

# new_base: sets 'base' to the first folder that takes jobs; tells of those that do not. False when there is none.
new_base() {
  job_bases
  old_ifs=$IFS
  IFS='
'
  set -- $bases
  IFS=$old_ifs
  for base; do
    why=$(mkdir -p "$base" 2>&1)
    if [ ! -d "$base" ]; then :
    elif [ ! -w "$base" ] || [ ! -x "$base" ]; then why='not writable'
    elif ! trusted "$base"; then why='not a folder of this user alone'
    else return 0; fi
    reply tried "$base: $why"
  done
  reply no-directory
  return 1
}

# find_job ID: enters its directory.
find_job() {
  job_bases
  old_ifs=$IFS
  IFS='
'
  set -- "$1" $bases
  IFS=$old_ifs
  wanted=$1
  shift
  for base; do
    if [ -d "$base/$wanted" ] && trusted "$base" && cd "$base/$wanted" 2>/dev/null; then return 0; fi
  done
  return 1
}

# Replies carry a number used once: whatever a login script prints besides is not taken for one.
reply() { printf '@@%s %s\\n' "$nonce" "$*"; }
`;
