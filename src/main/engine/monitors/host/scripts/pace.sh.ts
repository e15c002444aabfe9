import { CLOCK } from '../../scripts/stamp.sh.ts';

/**
 * Starts the reader (`read.awk.ts`) and triggers its looks: `sh pace.sh READER PROC SYS NAME...`, with the roots of procfs and sysfs and the names of
 * the processes to follow. POSIX sh: dash, bash, BusyBox ash. Needed on the host: awk (mawk, gawk, BusyBox or the original one), date, sleep; getconf
 * is used if available, and perl by shells that cannot wait by themselves.
 *
 * It looks at each full second of the host's clock, so several hosts look at the same moment. Each wait is calculated from the uptime, so delays do
 * not add up. A missed second is omitted.
 *
 * A shell lists folders without a fork, which awk cannot: it passes the numbers of processes and the names of devices to the reader. bash and BusyBox
 * also wait without a fork, which saves 0.8 ms of CPU a second, more than everything else takes on a small host. For other shells one perl waits, at
 * 0.15 ms a second; without it they start sleep each time.
 *
 * It ends when the script itself is gone (its job was removed), when the shell that was started is gone, and when the reader is gone. Exit 69:
 * nothing to read here.
 */
export const PACE = `
LC_ALL=C; export LC_ALL
if [ -z "$KNEEPOINT_PACE" ] && command -v bash >/dev/null 2>&1; then
  KNEEPOINT_PACE=bash; export KNEEPOINT_PACE
  unset BASH_ENV
  exec bash "$0" "$@"
fi
reader=$1 proc=$2 sys=$3
shift 3
${CLOCK}
number() { case $1 in ''|*[!0-9]*) echo "$2" ;; *) echo "$1" ;; esac; }
hz=$(number "$(getconf CLK_TCK 2>/dev/null)" 100)
page=$(number "$(getconf PAGESIZE 2>/dev/null)" 4096)

# --- Once a second ---------------------------------------------------------------------------------------------------------------

# A pipe that nothing is ever written to: bash and BusyBox can wait for it with a limit. Whether this shell can is tried in another one, as it
# may end of it, and by the time that it takes, as the exit codes differ; one that does not understand it may take that long on a busy host.
quiet=
waits='{ exec 3<> <(:) && read -r -t 0.05 rest <&3; }; echo understood'
read_uptime; before=$up
understood=$( (eval "$waits") 2>/dev/null)
read_uptime
if [ -n "$fraction" ] && [ -n "$understood" ] && [ $((up - before)) -ge 4 ]; then eval '{ exec 3<> <(:); } 2>/dev/null' && quiet=1; fi

# Prints its number, then a line at each full second of the host's clock. It ends when nobody reads on.
ticks='$| = 1; my ($file, $base) = @ARGV; print "$$\\n";
  for (;;) {
    open(my $uptime, "<", $file) or exit; my ($now) = split " ", <$uptime>; close $uptime;
    my $left = 100 - ($now * 100 + $base) % 100;
    select undef, undef, undef, ($left < 51 ? $left + 100 : $left) / 100;
    print "\\n" or exit;
  }'
perl=
[ -n "$quiet" ] || { unset PERL5OPT PERL5LIB; perl -e 'exit 0' </dev/null >/dev/null 2>&1 && perl=1; }
tick() { [ -z "$perl" ] || exec perl -e "$ticks" "$proc/uptime" "$base"; }

pause() {
  if [ -n "$quiet" ]; then read -r -t "$1" rest <&3
  elif [ -n "$fraction" ]; then sleep "$1"
  else sleep 1; fi
}

# list LETTER WORD...: in lines that are short enough for the smallest buffer of an awk. Word by word a thousand of them take bash 5 ms.
list() {
  letter=$1
  shift
  echo "$letter("
  while [ $# -gt 20 ]; do
    echo "$letter $1 $2 $3 $4 $5 $6 $7 $8 $9 \${10} \${11} \${12} \${13} \${14} \${15} \${16} \${17} \${18} \${19} \${20}"
    shift 20
  done
  echo "$letter $*"
  echo "$letter)"
}

# Megabits a second of each link. Reading is refused where it is not known, and some awks complain of that.
speeds() {
  words=
  for link in "$sys"/class/net/*; do
    speed=
    { read -r speed <"$link/speed"; } 2>/dev/null
    case $speed in ''|*[!0-9]*) ;; *) words="$words \${link##*/} $speed" ;; esac
  done
  list s $words
}

# Links whose traffic another one counts as well. Of two that lie on each other that is the upper one: bonds, bridges, VLANs. Where the upper one
# is a device itself, it counts what goes through the lower ones too: a virtual network card beside the part of the real one that it uses.
twins() {
  words=
  for lower in "$sys"/class/net/*/lower_*; do
    upper=\${lower%/lower_*}
    if [ ! -e "$lower" ]; then :
    elif [ -e "$upper/device" ]; then words="$words \${lower##*/lower_}"
    else words="$words \${upper##*/}"; fi
  done
  list a $words
}

pace() {
  { read -r own rest </proc/self/stat; } 2>/dev/null
  # Should perl have ended, sleep is started from then on.
  [ -z "$perl" ] || read -r pausing || perl=
  [ -n "$perl" ] || { [ -n "$quiet" ] && pausing= || pausing=forks; }
  echo "= $base $hz $page \${own:--} $pausing"
  cd "$proc" || exit 69
  list t "$sys"/class/thermal/thermal_zone[0-9]* "$sys"/class/hwmon/hwmon[0-9]*
  beat=0 scan=0 before=0
  while [ -e "$reader" ] && [ -e "/proc/$$" ]; do
    [ $((beat % 60)) -ne 0 ] || { speeds; twins; }
    if [ $beat -ge $scan ]; then
      list b "$sys"/block/*
      set -- [0-9]*
      list p "$@"
      # Looking at every process takes about 10 us each: at most a thousand in 20 seconds.
      scan=$((beat + 10 + $# / 100 * 2))
    fi
    echo . || exit 0
    beat=$((beat + 1))
    if [ -n "$perl" ]; then read -r rest && continue; perl=; fi
    read_uptime
    # It came back at once: this pipe cannot be waited for. The reader leaves out a look that follows another at once.
    [ $((up - before)) -ge 10 ] || quiet=
    before=$up
    now=$(((up + base) % 100))
    left=$((100 - now))
    # Never two looks within half a second.
    [ $left -ge 50 ] || left=$((left + 100))
    case $left in
      1??) pause "1.\${left#1}" ;;
      *) pause "0.$left" ;;
    esac
  done
}

tick | pace | $awk -f "$reader" "$proc" "$sys" "$@"
`;
