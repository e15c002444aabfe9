import { CLOCK } from './clock.sh.ts';

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
