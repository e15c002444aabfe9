import { FIND_INTERFACE, networkInterface } from './network-interface.ts';
import { type HostSetting, type Printed, sameText } from './setting.ts';

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
    'Speed of a network link in Mb/s with full duplex, set by ethtool; auto = negotiated. The link goes down for some seconds.',
  of: networkInterface,
  check: (value) =>
    value === AUTO || (parts(value).speed !== undefined && parts(value).negotiation === undefined)
      ? undefined
      : 'takes Mb/s (1000, or 100 half), or auto.',
  variables({ value }) {
    const { speed = '', duplex = 'full' } = parts(value);
    return { speed, duplex };
  },
  find: `${FIND_INTERFACE}
command -v ethtool >/dev/null 2>&1 || lacks "The program ethtool was not found. Install the package ethtool."`,
  show: `
text=$(ethtool "$of") || exit 1
printf '%s\\n' "$text" | sed 's/^/line /'`,
  put: `
if [ -z "$speed" ]; then ethtool -s "$of" autoneg on || exit 1
else ethtool -s "$of" speed "$speed" duplex "$duplex" autoneg off || exit 1
fi
waited=0
until ethtool "$of" | grep -q "Speed: \${speed:-[0-9]}" || [ $waited -ge 20 ]; do sleep 1; waited=$((waited + 1)); done`,
  read: readLink,
  isSo(desired, found) {
    const there = parts(found);
    if (desired === AUTO) return there.negotiation === 'auto';
    const wanted = parts(desired);
    if (wanted.negotiation !== undefined) return sameText(desired, found);
    return wanted.speed !== undefined && wanted.speed === there.speed && (wanted.duplex ?? 'full') === there.duplex;
  },
  putBack({ value }, _now, of) {
    const { speed, duplex = 'full', negotiation } = parts(value);
    return { of, value: negotiation === 'auto' || speed === undefined ? AUTO : `${speed} ${duplex}` };
  },
  judge(_desired, { value }, of) {
    if (value === UNKNOWN)
      return [
        {
          code: 'speed-unknown',
          severity: 'block',
          message: `${of} tells no speed: its link is down, or it is virtual.`,
          next: 'Vary nic-rate instead, which limits any interface.',
        },
      ];
    return [
      {
        code: 'link-renegotiated',
        severity: 'note',
        message: `Each change takes the link of ${of} down for some seconds, and connections through it with it.`,
      },
    ];
  },
};

function readLink(printed: Printed): ReturnType<HostSetting['read']> {
  const lines = printed.get('line') ?? [];
  const told = (name: string): string | undefined =>
    lines.flatMap((line) => (line.trim().startsWith(`${name}: `) ? line.trim().slice(name.length + 2) : []))[0];
  if (!lines.some((line) => line.startsWith('Settings for '))) return undefined;
  const speed = /^(\d{1,7})Mb\/s$/.exec(told('Speed') ?? '')?.[1];
  if (speed === undefined) return { value: UNKNOWN };
  const duplex = told('Duplex') === 'Half' ? 'half' : 'full';
  const modes = lines.join(' ').match(/\b\d+base\S*\/(?:Full|Half)/g) ?? [];
  const takes = new Set(
    modes.map((mode) => `${Number.parseInt(mode, 10)} ${mode.endsWith('Full') ? 'full' : 'half'} fixed`),
  );
  return {
    value: `${speed} ${duplex} ${told('Auto-negotiation') === 'on' ? 'auto' : 'fixed'}`,
    ...(takes.size > 0 && { takes: [...takes, `${speed} ${duplex} auto`] }),
  };
}
