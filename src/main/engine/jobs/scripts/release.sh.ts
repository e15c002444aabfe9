import { COMMON } from './common.sh.ts';

/**
 * What a start script does before it becomes a tool that waits: it looks for the file `go`, which names a moment of this host's clock
 * in nanoseconds, sleeps until then, and notes in `began` when it continued. Expects `patience` in seconds. Exit 124: nobody let it go.
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

/** Names the moment at which a waiting tool starts; the first one counts. Expects `nonce job_id moment`. */
export const RELEASE = `${COMMON}
find_job "$job_id" || { reply gone; exit 0; }
[ -s go ] || { echo "$moment" >go.new && mv go.new go; }
read -r moment <go || { reply no-room; exit 0; }
reply released "$moment"
`;

/** When a tool that waited began, if it did. Expects `nonce job_id`. */
export const BEGAN = `${COMMON}
find_job "$job_id" || { reply gone; exit 0; }
[ -s began ] || { reply waiting; exit 0; }
read -r moment <began
reply began "$moment"
`;
