import { COMMON } from './common.sh.ts';

/**
 * Supervises one job on its host, without any connection. Started in the job directory as `sh attempt.NONCE.NUMBER/supervisor.sh ID NONCE
 * LIMIT_SECONDS GRACE_SECONDS OUTPUT_LIMIT_BYTES SHELL`.
 *
 * Exit 97: no disk space for the files needed before the start; nothing was claimed. Exit 0 without a claim: another supervisor has the
 * job.
 */
export const SUPERVISOR = `${COMMON}
job_id=$1 nonce=$2 limit=$3 grace=$4 output_limit=$5 shell=$6
attempt=\${0%/*}

# --- Before the claim: everything that needs room on the disk -------------------------------------------------------------------

process_state $$
read_boot
echo "$$ $started $boot $(date +%s) $nonce" >"$attempt/identity" || exit 97
for name in cause.none room stdout stderr index; do
  true >"$attempt/$name" || exit 97
done
# Given back before the end is written, so that a job on a full disk can still tell how it ended. Not zeros: a file system that
# compresses would keep no room for them.
dd if=/dev/urandom of="$attempt/ballast" bs=1024 count=64 2>/dev/null || exit 97

# Not a whole second: a tool that prints once a second is met at other parts of its second each time, which tells when it prints.
pause_seconds=1.09
sleep 0.01 2>/dev/null || pause_seconds=1

# --- The claim: mkdir succeeds for one process only -----------------------------------------------------------------------------

mkdir claim 2>/dev/null || exit 0
# One fork for all. The identity comes last: with it the job is there.
set --
for name in files secret start.sh cause.none room stdout stderr index ballast supervisor.sh; do
  set -- "$@" "$attempt/$name"
done
mv "$@" . && mv "$attempt/identity" identity || exit 98
rmdir "$attempt" 2>/dev/null

# --- Signals --------------------------------------------------------------------------------------------------------------------

# Handlers, not 'ignore': what we start would inherit an ignored signal (an ignored PIPE hangs pipelines for ever).
interrupted=
trap 'interrupted=1' HUP INT QUIT PIPE
trap 'interrupted=1; claim_cause TERM; signal_tool TERM' TERM
tool_pid=0 tool_started=0 tool_group=0

# --- The tool, in a session and group of its own where that can be had ----------------------------------------------------------

exec 3>>stdout 4>>stderr
# A shell makes what it starts with '&' ignore INT and QUIT and cannot undo that; GNU env and perl can.
clean=
env --default-signal true >/dev/null 2>&1 && clean='env --default-signal'
perl='use POSIX; POSIX::setsid(); $SIG{$_} = "DEFAULT" for qw(INT QUIT PIPE HUP); exec @ARGV; exit 127'
if command -v setsid >/dev/null 2>&1; then
  KNEEPOINT_JOB=$job_id setsid $clean "$shell" ./start.sh </dev/null >&3 2>&4 3>&- 4>&- &
  tool_group=1
elif command -v perl >/dev/null 2>&1; then
  KNEEPOINT_JOB=$job_id perl -e "$perl" "$shell" ./start.sh </dev/null >&3 2>&4 3>&- 4>&- &
  tool_group=1
else
  KNEEPOINT_JOB=$job_id $clean "$shell" ./start.sh </dev/null >&3 2>&4 3>&- 4>&- &
fi
tool_pid=$!
process_state $tool_pid
tool_started=$started
echo "$tool_pid $tool_started $tool_group" >tool.new && mv tool.new tool
# Asked to end while it was being started.
[ -e cause.none ] || signal_tool TERM

# --- About once a second, beside the data path: the time index, and the limits --------------------------------------------------

# Sets 'hundredths' since 1970 by the host's clock, where date knows parts of a second ('exact'), else whole seconds of them.
read_date() {
  hundredths=$(date +%s%N)
  hundredths=\${hundredths%%[!0-9]*}
  exact=
  case $hundredths in
    ???????????????????) hundredths=\${hundredths%???????}; exact=1 ;;
    *) hundredths=\${hundredths}00 ;;
  esac
}

# Sets 'uptime' (seconds since boot, never steps), 'second' and 'ticks', its hundredths; empty without /proc.
read_uptime() {
  uptime=
  { read -r uptime rest </proc/uptime; } 2>/dev/null
  second=\${uptime%%.*}
  case $uptime in
    *.[0-9][0-9]) ticks=$((second * 100 + 1\${uptime##*.} - 100)) ;;
    *) ticks=$((\${second:-0} * 100)) ;;
  esac
}

# Sets 'epoch' (host clock) and 'uptime'. One fork in 30 s: in between the uptime carries the clock on. It is read before and after the
# fork, which may take long on a busy host, and the middle of the two counts.
read_clock() {
  read_uptime
  if [ -z "$uptime" ] || [ $((second - clock_second)) -ge 30 ]; then
    before=$ticks
    read_date
    read_uptime
    clock_second=\${second:-0}
    clock_ticks=$(((before + ticks) / 2))
    # Of a clock that tells whole seconds, whole seconds of the uptime carry it on.
    [ -n "$exact" ] || clock_ticks=$((clock_second * 100))
    clock_hundredths=$hundredths
  fi
  now=$((clock_hundredths + ticks - clock_ticks))
  epoch=\${now%??}
  [ -z "$exact" ] || epoch=$epoch.\${now#"$epoch"}
  [ -n "$uptime" ] || { uptime=$epoch; second=\${epoch%%.*}; }
}

# written_to FD FILE: sets 'size'. All writers share one open file, so its position is the size, read without a fork.
written_to() {
  size=
  if [ -r "/proc/$$/fdinfo/$1" ]; then
    while read -r key value; do
      [ "$key" = pos: ] && size=$value
    done <"/proc/$$/fdinfo/$1"
  fi
  [ -n "$size" ] || size_of "$2"
}

# Whether a block can still be written; 4096 bytes, as an index line may fit into what is left of the last block.
room_left() {
  { printf '%4096s' '' >room; } 2>/dev/null && { true >room; } 2>/dev/null
}

# write_index STDOUT_BYTES STDERR_BYTES ['last']
write_index() {
  read_clock
  { echo "$epoch $uptime $1 $2\${3:+ $3}" >>index; } 2>/dev/null
}

supervising() {
  if [ -d /proc/$$ ]; then [ -e /proc/$$/fdinfo/3 ]; else kill -0 $$ 2>/dev/null; fi
}

# Whether the time is over. A new limit, in seconds from now on, replaces the one so far.
limit_over() {
  if [ -s limit ]; then
    read -r more <limit && limit=$((second - began + more))
    rm -f limit
  fi
  [ $((second - began)) -ge "$limit" ]
}

watch_tool() {
  pause=
  trap ':' HUP INT QUIT PIPE
  trap '[ -z "$pause" ] || kill $pause 2>/dev/null; exit 0' TERM
  clock_second=-100; beat=0
  read_clock
  began=$second
  while supervising; do
    written_to 3 stdout; out=$size
    written_to 4 stderr; err=$size; total=$((out + err))
    reason=
    if [ ! -e identity ]; then
      # Our directory was deleted: nobody can read this job any more, and nobody could stop it.
      reason=deleted
    elif ! write_index "$out" "$err" || { [ $((beat % 4)) = 3 ] && ! room_left; }; then reason=disk-full
    elif limit_over; then reason=limit
    elif [ "$total" -gt "$output_limit" ]; then reason=output-limit
    fi
    if [ -n "$reason" ]; then
      claim_cause "$reason"
      end_tool "$grace"
    fi
    beat=$((beat + 1))
    # In the background, so that nothing of us is left when the job ends in the middle of it.
    sleep $pause_seconds &
    pause=$!
    wait $pause
    pause=
  done
}
watch_tool 3>&- 4>&- &
watcher=$!

# --- Until the tool ends --------------------------------------------------------------------------------------------------------

# A signal with a handler makes wait return early with its own number. Wait again then; 127 means that the first answer was the
# tool's, as it was fetched already.
code=
while :; do
  interrupted=
  wait $tool_pid
  answer=$?
  if [ -z "$code" ] || [ $answer != 127 ]; then code=$answer; fi
  [ -n "$interrupted" ] || break
done

# --- The ending -----------------------------------------------------------------------------------------------------------------

exec 3>&- 4>&-
# Again and again: a signal that meets a shell just forked, before it has handlers of its own, is lost.
while kill $watcher 2>/dev/null; do nap; done
wait $watcher
# With the secrets of launches that were cut off, if any.
rm -rf secret start.sh attempt.*
[ -e cause.none ] || { signal_tool KILL; kill_rest "$job_id"; }
room_left || claim_cause disk-full
clock_second=-100
size_of stdout && { out=$size; size_of stderr; } && write_index "$out" "$size" last
rm -f ballast room

# Published by a rename and only when it is whole, so that a reader sees all of it or nothing.
publish_end() {
  size_of stdout || return 1; out=$size
  size_of stderr || return 1; err=$size
  size_of index || return 1; lines=$size
  cause=
  for mark in cause.*; do cause=\${mark#cause.}; done
  {
    echo "code $code"
    echo "at $(date +%s)"
    echo "stdout $out"
    echo "stderr $err"
    echo "index $lines"
    [ "$cause" = none ] || echo "cause $cause"
    echo whole
  } >end.new 2>/dev/null
  [ "$(tail -n 1 end.new 2>/dev/null)" = whole ] && mv end.new end
}
tries=0
until publish_end || [ ! -e identity ] || [ $tries -ge 60 ]; do
  sleep 2
  tries=$((tries + 1))
done
`;
