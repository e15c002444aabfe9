import { COMMON } from './common.sh.ts';

/**
 * Sends a file of a job from a byte on, as it grows, until standard input ends. Expects `nonce job_id file offset`.
 * A reader that is gone closes our input; over a link that died without a word, sshd does so when its own packets are not answered.
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
