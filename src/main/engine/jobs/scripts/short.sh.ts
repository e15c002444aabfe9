import { COMMON } from './common.sh.ts';

/**
 * Part of the start script of a tool that waits: polls for the file `go`, which has a time on this host's clock in nanoseconds, sleeps
 * until then, and writes the actual time to `began`. Expects `patience` in seconds. Exit 124: it was not released.
 */
export const WAIT = `
clock() {
  clock=$(LC_ALL=C date +%s%N)
  # BusyBox and macOS know no %N.
  case $clock in *[!0-9]*) clock=$(LC_ALL=C date +%s)000000000 ;; esac
}
waited=0
until [ -s go ]; do
  [ $waited -lt $((patience * 10)) ] || { echo "kneepoint: not released within $patience s" >&2; exit 124; }
  if sleep 0.1 2>/dev/null; then waited=$((waited + 1)); else sleep 1; waited=$((waited + 10)); fi
done
read -r moment <go
clock
left=$(((moment - clock) / 1000000))
if [ $left -gt 0 ]; then
  sleep "$((left / 1000)).$(printf %03d $((left % 1000)))" 2>/dev/null || sleep $(((left + 500) / 1000))
fi
clock
echo "$clock" >began.new && mv began.new began
`;

/** Sets the time at which a waiting tool starts; the first one applies. Expects `nonce job_id moment`. */
export const RELEASE = `${COMMON}
find_job "$job_id" || { reply gone; exit 0; }
[ -s go ] || { echo "$moment" >go.new && mv go.new go; }
read -r moment <go || { reply no-room; exit 0; }
reply released "$moment"
`;

/** Actual start of a tool that waited, if it has started. Expects `nonce job_id`. */
export const BEGAN = `${COMMON}
find_job "$job_id" || { reply gone; exit 0; }
[ -s began ] || { reply waiting; exit 0; }
read -r moment <began
reply began "$moment"
`;

/**
 * Sends a file of a job from an offset on, as it grows, until standard input ends. Expects `nonce job_id file offset`. If the reader is
 * gone, standard input is closed; over a silently dead link, sshd closes it when its own packets are not answered.
 */
export const FOLLOW = `${COMMON}
find_job "$job_id" || { reply gone; exit 0; }
[ -f "$file" ] || { reply gone; exit 0; }
size_of "$file" || exit 1
[ "$size" -ge "$offset" ] || { reply short "$size"; exit 0; }
exec 5<&0
# KILL, as TERM could arrive between the fork and the start of tail and be forgotten.
trap 'kill -KILL $sender 2>/dev/null' TERM
reply open "$size"
tail -c "+$((offset + 1))" -f "$file" </dev/null 5<&- 2>/dev/null &
sender=$!
process_state $sender
began=$started
# The end of our input. Kills the sender itself, as this shell may have been killed; not another process that got the sender's number since.
{ cat <&5 >/dev/null; alive $sender "$began" && kill -KILL $sender; } 2>/dev/null &
reader=$!
wait $sender
kill -KILL $reader 2>/dev/null
`;

/** Sets the remaining time of a job. Expects `nonce job_id seconds`. */
export const LIMIT = `${COMMON}
find_job "$job_id" || { reply gone; exit 0; }
{ echo "$seconds" >"limit.$nonce"; } 2>/dev/null && mv "limit.$nonce" limit && { reply limited; exit 0; }
rm -f "limit.$nonce"
reply no-room
`;

/**
 * Ends a job and everything it left behind. Expects `nonce job_id grace cause`. Once begun, it is completed even if its caller or the link is gone.
 */
export const STOP = `${COMMON}
# What it starts inherits this, so a signal to its group ends none of it. It starts nothing that lasts.
trap '' HUP INT TERM
find_job "$job_id" || { reply stopped left=0; exit 0; }
if [ -s identity ]; then
  read -r pid began recorded_boot since owner <identity
  read_boot
  # What ran before a restart of the host is gone, and its numbers belong to others now.
  [ "$boot" = "$recorded_boot" ] || { rm -rf secret; reply stopped left=0; exit 0; }
  [ -s end ] || claim_cause "$cause"
  tool_pid=0 tool_started=0 tool_group=0
  [ ! -s tool ] || read -r tool_pid tool_started tool_group <tool
  end_tool "$grace"
  kill_rest "$job_id"
  # The supervisor writes the end; a tool that was just being started is ended by it as well.
  waited=0
  while [ ! -s end ] && [ $waited -lt 100 ] && alive "$pid" "$began"; do
    nap
    waited=$((waited + napped))
  done
fi
kill_rest "$job_id"
rm -rf secret attempt.*
reply stopped "left=$left"
`;

/**
 * Stores a shared file next to the folder of the jobs, under the digest of its content. Expects `nonce digest bytes`, and `write_shared`.
 * It gets its name when it is complete. The oldest files that were not sent again are removed; jobs hold their own links.
 */
export const SHARE = `${COMMON}
new_base || exit 0
folder=\${base%/jobs}/shared
part=$folder/part.$digest.$nonce
why=$(mkdir -p "$folder" 2>&1 && write_shared "$part" 2>&1) || { rm -f "$part"; reply no-room "$why"; exit 0; }
size_of "$part"
[ "$size" = "$bytes" ] || { rm -f "$part"; reply no-room "only $size of $bytes bytes arrived"; exit 0; }
why=$(chmod 0400 "$part" 2>&1 && mv -f "$part" "$folder/$digest" 2>&1) || { rm -f "$part"; reply no-room "$why"; exit 0; }
ls -t "$folder" | tail -n +9 | while read -r old; do rm -f "$folder/$old"; done
reply shared
`;
