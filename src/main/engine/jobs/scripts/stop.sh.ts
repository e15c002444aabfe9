import { COMMON } from './common.sh.ts';

/** Ends a job and whatever it left behind. Expects `nonce job_id grace cause`. */
export const STOP = `${COMMON}
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
