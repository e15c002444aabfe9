import { type HostSetting, type Printed, type SettingObject, sameText } from './setting.ts';

const networkInterface: SettingObject = {
  title: 'a network interface',
  example: 'eth1',
  pattern: /^[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,14}$/,
};

const FIND_INTERFACE = `
[ -d "/sys/class/net/$of" ] || lacks "There is no network interface $of on this host."
file=
`;

/** Handle that identifies Kneepoint's own queue. */
const HANDLE = '4b70';
const UNLIMITED = 'none';
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };
/** Bursts smaller than the largest packet would stop the traffic. */
const LEAST_BURST = 65_536;
/** tc prints four digits. */
const ROUNDED = 0.001;

/** Bits per second of “100mbit”. */
function rateOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?) ?([kmgt]?)bit$/i.exec(text.trim()) ?? [];
  const rate = count === undefined ? Number.NaN : Number(count) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return rate > 0 ? rate : undefined;
}

/** Burst in bytes: 10 ms at this rate, as kernel timers may be that far apart. */
const burstOf = (rate: number): number => Math.max(LEAST_BURST, Math.ceil(rate / 8 / 100));

const ROOT = /^qdisc (\S+) ([0-9a-f]+): (?:dev \S+ )?root\b/;

export const nicRate: HostSetting = {
  name: 'nic-rate',
  title: 'Network rate',
  description:
    'Outgoing rate limit of a network interface, as tc writes it (100mbit, 1gbit); none = no limit. Incoming traffic is not limited: limit it at the other end.',
  suggests: ['none', '1gbit', '100mbit'],
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
  write: `
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
  matches(desired, found) {
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
            message: `${of} already has a custom queue, which Kneepoint does not replace.`,
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

const AUTO = 'auto';
const UNKNOWN = 'unknown';

const parts = (value: string): { speed?: string; duplex?: string; negotiation?: string } => {
  const [, speed, duplex, negotiation] = /^(\d{1,7})(?: (full|half))?(?: (auto|fixed))?$/.exec(value.trim()) ?? [];
  return { ...(speed && { speed }), ...(duplex && { duplex }), ...(negotiation && { negotiation }) };
};

export const nicSpeed: HostSetting = {
  name: 'nic-speed',
  title: 'Network link speed',
  description:
    'Speed of a network link in Mbit/s with full duplex, set by ethtool; auto = negotiated. The link goes down for a few seconds.',
  suggests: ['auto', 1000, 100],
  of: networkInterface,
  check: (value) =>
    value === AUTO || (parts(value).speed !== undefined && parts(value).negotiation === undefined)
      ? undefined
      : 'takes Mbit/s (1000, or 100 half), or auto.',
  variables({ value }) {
    const { speed = '', duplex = 'full' } = parts(value);
    return { speed, duplex };
  },
  find: `${FIND_INTERFACE}
command -v ethtool >/dev/null 2>&1 || lacks "The program ethtool was not found. Install the package ethtool."`,
  show: `
text=$(ethtool "$of") || exit 1
printf '%s\\n' "$text" | sed 's/^/line /'`,
  write: `
if [ -z "$speed" ]; then ethtool -s "$of" autoneg on || exit 1
else ethtool -s "$of" speed "$speed" duplex "$duplex" autoneg off || exit 1
fi
waited=0
until ethtool "$of" | grep -q "Speed: \${speed:-[0-9]}" || [ $waited -ge 20 ]; do sleep 1; waited=$((waited + 1)); done`,
  read: readLink,
  matches(desired, found) {
    const there = parts(found);
    if (desired === AUTO) return there.negotiation === 'auto';
    const wanted = parts(desired);
    if (wanted.negotiation !== undefined) return sameText(desired, found);
    return wanted.speed !== undefined && wanted.speed === there.speed && (wanted.duplex ?? 'full') === there.duplex;
  },
  restoreTo({ value }, _now, of) {
    const { speed, duplex = 'full', negotiation } = parts(value);
    return { of, value: negotiation === 'auto' || speed === undefined ? AUTO : `${speed} ${duplex}` };
  },
  judge(_desired, { value }, of) {
    if (value === UNKNOWN)
      return [
        {
          code: 'speed-unknown',
          severity: 'block',
          message: `${of} reports no speed: its link is down, or it is virtual.`,
          next: 'Vary nic-rate instead, which limits any interface.',
        },
      ];
    return [
      {
        code: 'link-renegotiated',
        severity: 'note',
        message: `Each change takes the link of ${of} down for a few seconds and interrupts connections through it.`,
      },
    ];
  },
};

function readLink(printed: Printed): ReturnType<HostSetting['read']> {
  const lines = printed.get('line') ?? [];
  const field = (name: string): string | undefined =>
    lines.flatMap((line) => (line.trim().startsWith(`${name}: `) ? line.trim().slice(name.length + 2) : []))[0];
  if (!lines.some((line) => line.startsWith('Settings for '))) return undefined;
  const speed = /^(\d{1,7})Mb\/s$/.exec(field('Speed') ?? '')?.[1];
  if (speed === undefined) return { value: UNKNOWN };
  const duplex = field('Duplex') === 'Half' ? 'half' : 'full';
  const modes = lines.join(' ').match(/\b\d+base\S*\/(?:Full|Half)/g) ?? [];
  const takes = new Set(
    modes.map((mode) => `${Number.parseInt(mode, 10)} ${mode.endsWith('Full') ? 'full' : 'half'} fixed`),
  );
  return {
    value: `${speed} ${duplex} ${field('Auto-negotiation') === 'on' ? 'auto' : 'fixed'}`,
    ...(takes.size > 0 && { takes: [...takes, `${speed} ${duplex} auto`] }),
  };
}
