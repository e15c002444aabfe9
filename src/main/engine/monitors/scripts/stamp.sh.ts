/**
 * Beginning of the monitors' scripts: sets `awk` to the command of an awk that prints and reads lines without delay, `base` to the hundredths of a
 * second by which the host's clock is ahead of its uptime, and `fraction` to 1 if `sleep` accepts fractions of a second. Expects `proc`, the root of
 * procfs. The clock is read once: carried on by the uptime it never steps. Exit 69: the host lacks a requirement.
 */
export const CLOCK = `
[ -r "$proc/uptime" ] || {
  echo "kneepoint: $proc/uptime cannot be read: only Linux hosts can be watched" >&2
  exit 69
}
# --- The awk to use: mawk takes a third of the time of the others ----------------------------------------------------------------

for awk in mawk awk gawk 'busybox awk' none; do
  $awk 'BEGIN { exit 0 }' </dev/null >/dev/null 2>&1 && break
done
[ "$awk" != none ] || { echo 'kneepoint: awk is not installed on this host' >&2; exit 69; }
# Without this mawk waits until it has 4 KB of input.
case $($awk -W version </dev/null 2>&1) in mawk*) awk="$awk -W interactive" ;; esac

# --- The host's clock against its uptime, once -----------------------------------------------------------------------------------

# Sets 'up': hundredths of a second since the host's start.
read_uptime() {
  read -r up rest <"$proc/uptime"
  up=\${up%.*}\${up#*.}
}
# bash and BusyBox know the clock by themselves, in microseconds. Elsewhere a variable of this name is empty, or stands still.
told=$EPOCHREALTIME own_clock=
fraction=
sleep 0.01 2>/dev/null && fraction=1
[ "$told" = "$EPOCHREALTIME" ] || own_clock=1
best=
for try in 1 2 3 4 5; do
  read_uptime; before=$up
  if [ -n "$own_clock" ]; then epoch=$EPOCHREALTIME; epoch=\${epoch%.*}\${epoch#*.}000
  else epoch=$(date +%s%N); fi
  case $epoch in *[!0-9]*) epoch= ;; esac
  [ \${#epoch} -ge 19 ] || {
    # BusyBox and others know no %N: the moment at which the second changes.
    epoch=$(date +%s); first=$epoch
    while [ "$epoch" = "$first" ]; do
      [ -z "$fraction" ] || sleep 0.02
      read_uptime; before=$up
      epoch=$(date +%s)
    done
    epoch=\${epoch}000000000
  }
  read_uptime
  # Of several tries the quickest: on a busy host one may take long.
  if [ -z "$best" ] || [ $((up - before)) -lt "$best" ]; then
    best=$((up - before))
    base=$((\${epoch%???????} - (before + up) / 2))
  fi
  [ $best -gt 2 ] || break
done
`;

/**
 * Runs a script and writes the time before each line that it prints, on either output: `sh stamp.sh STAMP PROC SCRIPT`. The exit code is that of the
 * script. With \`stdbuf\`, the script prints complete lines at once: a line that waits in a buffer comes late.
 */
export const STAMP = `
LC_ALL=C; export LC_ALL
stamp=$1 proc=$2 script=$3
${CLOCK}
lines=
stdbuf -oL -eL true >/dev/null 2>&1 && lines='stdbuf -oL -eL'
exec 4>&1
# The exit code goes past the pipe.
code=$({ { $lines sh "$script" 2>&1 </dev/null 3>&- 4>&-; echo $? >&3; } | $awk -f "$stamp" "$proc" "$base" "$stamp" "/proc/$$/stat" >&4 3>&-; } 3>&1)
exit "\${code:-141}"
`;

/**
 * Writes the time before each line. Lines that arrive together belong to one interval: before the first line of the next, and at the end, a line with
 * a dot ends them. Ends, and with it the script at its next line, when this file is gone, as the job was removed then, and when the shell that was
 * started is gone, as its output is no longer read.
 */
export const STAMP_LINES = `
BEGIN {
  proc = ARGV[1]
  base = ARGV[2] / 100
  # How far apart lines of one interval may be, seconds.
  together = 0.25
  # Our arguments are no files to read.
  ARGC = 1
  while ((getline text) > 0) {
    if ((getline line < (proc "/uptime")) <= 0) exit
    close(proc "/uptime")
    split(line, parts, " ")
    uptime = parts[1] + 0
    if (uptime - looked >= 10) {
      if ((getline line < ARGV[3]) <= 0) exit
      close(ARGV[3])
      if ((getline line < ARGV[4]) <= 0) exit
      close(ARGV[4])
      looked = uptime
    }
    if (seen && uptime - last >= together) print "."
    seen = 1
    last = uptime
    printf "%.2f ", base + uptime
    print text
    fflush()
  }
  if (seen) print "."
}
`;
