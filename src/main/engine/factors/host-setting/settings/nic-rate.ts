import { FIND_INTERFACE, networkInterface } from './network-interface.ts';
import { type HostSetting, type Printed, sameText } from './setting.ts';

/** Number by which a queue of ours is told from those of others. */
const HANDLE = '4b70';
const UNLIMITED = 'none';
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };
/** Smaller bursts than the largest packet would stop the traffic. */
const LEAST_BURST = 65_536;
/** tc writes four figures. */
const ROUNDED = 0.001;

/** Bits per second of “100mbit”. */
function rateOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?) ?([kmgt]?)bit$/i.exec(text.trim()) ?? [];
  const rate = count === undefined ? Number.NaN : Number(count) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return rate > 0 ? rate : undefined;
}

/** What may go out at once: 10 ms of the rate, as timers of the kernel may be that far apart. */
const burstOf = (rate: number): number => Math.max(LEAST_BURST, Math.ceil(rate / 8 / 100));

const ROOT = /^qdisc (\S+) ([0-9a-f]+): (?:dev \S+ )?root\b/;

export const nicRate: HostSetting = {
  name: 'nic-rate',
  title: 'Network rate',
  description:
    'The most that a network interface sends, as tc writes it (100mbit, 1gbit); none = no limit. What it receives is not limited: set it at the other end.',
  of: networkInterface,
  check: (value) =>
    value === UNLIMITED || rateOf(value) !== undefined ? undefined : 'takes a rate such as 100mbit or 1gbit, or none.',
  variables({ value }) {
    const rate = rateOf(value);
    return rate === undefined
      ? { rate: '', burst: '' }
      : { rate: `${Math.round(rate)}bit`, burst: String(burstOf(rate)) };
  },
  find: `${FIND_INTERFACE}
command -v tc >/dev/null 2>&1 || lacks "The program tc was not found. Install iproute2 (Debian, Ubuntu) or iproute-tc (RHEL)."`,
  show: `
text=$(tc qdisc show dev "$of") || exit 1
printf '%s\\n' "$text" | sed 's/^/queue /'`,
  put: `
root=$(tc qdisc show dev "$of" | grep '^qdisc [^ ]* [0-9a-f]*: root') || root=
case $root in
  ''|'qdisc '*' 0: root'*) ours= ;;
  'qdisc tbf ${HANDLE}: root'*) ours=1 ;;
  *) echo "$root" >&2; exit 1 ;;
esac
if [ -n "$rate" ]; then tc qdisc replace dev "$of" root handle ${HANDLE}: tbf rate "$rate" burst "$burst" latency 50ms
elif [ -n "$ours" ]; then tc qdisc del dev "$of" root
fi`,
  read: readQueues,
  isSo(desired, found) {
    const [wanted, there] = [rateOf(desired), rateOf(found)];
    if (wanted === undefined || there === undefined) return sameText(desired, found);
    return Math.abs(wanted - there) <= wanted * ROUNDED;
  },
  judge: (_desired, { seen }, of) =>
    seen?.others === undefined
      ? []
      : [
          {
            code: 'shaped-already',
            severity: 'block',
            message: `${of} has a queue that somebody set up, and Kneepoint does not replace it.`,
            evidence: seen.others,
            next: `Remove it with tc qdisc del dev ${of} root, or limit another interface.`,
          },
        ],
};

function readQueues(printed: Printed): ReturnType<HostSetting['read']> {
  const root = (printed.get('queue') ?? []).find((line) => ROOT.test(line));
  const [, kind = '', handle = '0'] = ROOT.exec(root ?? '') ?? [];
  // The kernel's own queues have no number.
  if (root === undefined || handle === '0') return { value: UNLIMITED };
  if (kind !== 'tbf' || handle !== HANDLE) return { value: `${kind} ${handle}:`, seen: { others: root.slice(0, 200) } };
  const [, rate] = /\brate (\S+)/.exec(root) ?? [];
  return rate !== undefined && rateOf(rate) !== undefined ? { value: rate.toLowerCase() } : undefined;
}
