import { COMMON } from './common.sh.ts';

/** `report_status` prints one line about the job in the current directory. */
const STATUS_FUNCTIONS = `${COMMON}
# file_sizes: sets 'sizes' with one listing of the three files. False when one of them is there and its size is not.
file_sizes() {
  sizes=$(ls -ln stdout stderr index 2>/dev/null | while read -r mode links owner group size rest; do
    case $rest in
      *' stdout') printf ' stdout=%s' "$size" ;;
      *' stderr') printf ' stderr=%s' "$size" ;;
      *' index') printf ' index=%s' "$size" ;;
    esac
  done)
  for name in stdout stderr index; do
    case $sizes in
      *" $name="*) ;;
      *) [ ! -e $name ] || return 1; sizes="$sizes $name=0" ;;
    esac
  done
}

find_state() {
  verdict=ended
  [ -s end ] && return
  verdict='lost tool=gone'
  [ -s identity ] || return
  read -r pid began recorded_boot since owner <identity
  read_boot
  if [ "$boot" != "$recorded_boot" ]; then verdict=rebooted; return; fi
  if alive "$pid" "$began"; then verdict=running; return; fi
  # The end may have been written between the first look and the death of its writer.
  if [ -s end ]; then verdict=ended; return; fi
  if [ -s tool ]; then
    read -r tool_pid tool_started tool_group <tool
    if tool_alive; then verdict='lost tool=alive'; fi
  elif [ -n "$(cookie_processes "$job_id")" ]; then verdict='lost tool=alive'
  fi
}

report_status() {
  find_state
  # After the state: of a job that ended, these are the final sizes.
  # Without them there is no answer, and the question is put again.
  file_sizes || return
  details=
  if [ "$verdict" = ended ]; then
    while read -r key value; do
      case $key in code|at|cause) details="$details $key=$value" ;; stdout|stderr|index) details="$details end_$key=$value" ;; esac
    done <end
  fi
  reply status "$job_id" $verdict$sizes$details
}
`;

/** Prints the state of one job. Expects `nonce job_id`. */
export const STATUS = `${STATUS_FUNCTIONS}
find_job "$job_id" || { reply gone; exit 0; }
report_status
`;

/**
 * Removes the secrets of a job whose supervisor could not, unless it is running, as the tool may read them again. Expects `nonce job_id`.
 */
export const REMOVE_SECRETS = `${STATUS_FUNCTIONS}
find_job "$job_id" || { reply removed; exit 0; }
find_state
case $verdict in
  running|*alive) reply running; exit 0 ;;
esac
rm -rf secret start.sh attempt.*
if [ -e secret ] || [ -e start.sh ]; then reply kept "$PWD"; else reply removed; fi
`;

/** Removes a job that cannot produce any more output. Expects `nonce job_id`. */
export const REMOVE = `${STATUS_FUNCTIONS}
find_job "$job_id" || { reply removed; exit 0; }
find_state
case $verdict in
  running|*alive) reply refused; exit 0 ;;
esac
directory=$PWD
cd / && rm -rf "$directory"
if [ -d "$directory" ]; then reply kept "$directory"; else reply removed; fi
`;
