import { COMMON } from './common.sh.ts';

/**
 * Starts a job, or attaches to it. Expects the variables `nonce job_id limit grace output_limit executable tool_path`, `shared` with the
 * digests of the shared files that it needs, and `write_files`: a function that writes all files of the job into the folder `$attempt`.
 *
 * Nothing is claimed here: each attempt prepares its own folder, and the supervisors that are started decide by one mkdir which of them is
 * the job. So a launch that is interrupted at any point can be repeated.
 */
export const LAUNCH = `${COMMON}
# Ends with the reply when the job has a supervisor.
attach() {
  [ -s identity ] || return 1
  read -r pid started boot since owner <identity
  how=attached
  [ "$owner" != "$nonce" ] || how=new
  rm -rf "attempt.$nonce".*
  reply launched $how $pid "$PWD"
  exit 0
}

# Ends with a reply that says why nothing was started. Removes only what this attempt made.
give_up() {
  attach
  [ -z "$attempt" ] || rm -rf "$attempt"
  [ -e claim ] || rm -f supervisor.log
  directory=$PWD
  cd .. && rmdir "$directory" 2>/dev/null
  reply "$1" "$2"
  exit 0
}

# Whether the tool can be started; a relative path is not looked at, as it belongs to the job's own files.
tool_found() (
  [ -z "$tool_path" ] || PATH=$tool_path
  case $executable in
    '') ;;
    /*) [ -f "$executable" ] && [ -x "$executable" ] ;;
    */*) ;;
    *) command -v "$executable" >/dev/null 2>&1 ;;
  esac
)

enter_new_directory() {
  new_base || exit 0
  why=$(mkdir "$base/$job_id" 2>&1)
  cd "$base/$job_id" 2>/dev/null && return 0
  # Not on to the next folder: two launches at once must not end up in two places.
  reply no-room "$why"
  exit 0
}

# take_shared DIGEST FILE: a link, so that it stays whole while the job needs it, whoever clears up.
take_shared() { ln "../../shared/$1" "$2" 2>/dev/null || cat "../../shared/$1" >"$2"; }

find_job "$job_id" && found=1 || found=
[ -z "$found" ] || attach
tool_found || { reply tool-missing "\${tool_path:-$PATH}"; exit 0; }
[ -n "$found" ] || enter_new_directory
attempt=
for digest in $shared; do
  [ -f "../../shared/$digest" ] || give_up shared-missing "$digest"
done
number=1
# A repeat has the same nonce: the folder of a try that was cut off may be there, and its supervisor may be about to start.
until why=$(mkdir "attempt.$nonce.$number" 2>&1); do
  [ $number -lt 9 ] || give_up no-room "$why"
  number=$((number + 1))
done
attempt=attempt.$nonce.$number
why=$(write_files 2>&1) || give_up no-room "$why"

# A session of its own: what ends our shell must not end the job.
case $0 in /*) shell=$0 ;; *) shell=/bin/sh ;; esac
if command -v setsid >/dev/null 2>&1; then session=setsid
elif command -v perl >/dev/null 2>&1; then session='perl -MPOSIX -e POSIX::setsid();exec(@ARGV)'
else session=; fi
$session "$shell" "$attempt/supervisor.sh" "$job_id" "$nonce" "$limit" "$grace" "$output_limit" "$shell" \\
  </dev/null >/dev/null 2>>supervisor.log &
supervisor=$!

waited=0; ended=
while [ ! -s identity ] && [ $waited -lt 100 ]; do
  if [ -z "$ended" ] && ! kill -0 $supervisor 2>/dev/null; then
    wait $supervisor
    ended=$?
    [ $ended != 97 ] || break
  fi
  nap
  waited=$((waited + napped))
done
attach
[ "$ended" != 97 ] || give_up no-room "$(tail -n 1 supervisor.log)"
give_up broken "$(tail -n 3 supervisor.log | tr '\\n' ' ')"
`;
