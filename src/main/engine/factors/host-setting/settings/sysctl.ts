import type { HostSetting } from './setting.ts';

/** Two names of one limit: setting one makes the kernel set the other to 0. */
const PARTNERS: Readonly<Record<string, string>> = {
  'vm.dirty_bytes': 'vm.dirty_ratio',
  'vm.dirty_ratio': 'vm.dirty_bytes',
  'vm.dirty_background_bytes': 'vm.dirty_background_ratio',
  'vm.dirty_background_ratio': 'vm.dirty_background_bytes',
};

/** The kernel does not take these back before it is started again. */
const ONE_WAY: readonly string[] = [
  'kernel.kexec_load_disabled',
  'kernel.modules_disabled',
  'kernel.unprivileged_bpf_disabled',
];

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export const sysctl: HostSetting = {
  name: 'sysctl',
  title: 'Kernel parameter',
  description:
    'A parameter of /proc/sys by its dotted name, until the host is restarted. Several values stand with blanks between: "4096 131072 6291456".',
  of: {
    title: 'the name of a kernel parameter',
    example: 'vm.swappiness',
    pattern: /^[a-z0-9_-]+([./][A-Za-z0-9_:@-]+)+$/,
  },
  check: (value) => (/^[\x20-\x7e\t]{1,1000}$/.test(value) ? undefined : 'takes one line.'),
  variables: ({ of }) => ({ partner: PARTNERS[of] ?? '' }),
  // With a slash a name may hold dots of its own: net/ipv4/conf/eth0.100/rp_filter.
  find: `
path_of() { case $1 in */*) printf %s "$1" ;; *) printf %s "$1" | tr . / ;; esac; }
file=/proc/sys/$(path_of "$of")
[ -f "$file" ] || lacks "The kernel of this host has no parameter $of."`,
  show: `
text=$(cat "$file") || exit 1
printf '%s\\n' "$text" | sed 's/^/value /'
[ -z "$partner" ] || echo "partner $(cat "/proc/sys/$(path_of "$partner")")"`,
  put: 'write "$value" "$file"',
  read(printed) {
    const lines = printed.get('value')?.map((line) => words(line).join(' '));
    const partner = printed.get('partner')?.[0];
    return lines && { value: lines.join('\n').trim(), ...(partner !== undefined && { how: { partner } }) };
  },
  isSo(wished, found) {
    const [wanted, there] = [words(wished), words(found)];
    const same = (word: string, other = ''): boolean =>
      word === other || (/^-?\d+$/.test(word) && /^-?\d+$/.test(other) && BigInt(word) === BigInt(other));
    return wanted.length === there.length && wanted.every((word, at) => same(word, there[at]));
  },
  putBack(first, _now, of) {
    const partner = PARTNERS[of];
    const held = first.how?.partner;
    // 0 says that the other one counted; the kernel does not take 0 back for both of them.
    return partner !== undefined && held !== undefined && held !== '0' && first.value === '0'
      ? { of: partner, value: held }
      : { of, value: first.value };
  },
  judge: (_wished, _reading, of) =>
    ONE_WAY.includes(of)
      ? [
          {
            code: 'cannot-undo',
            severity: 'block',
            message: `The kernel does not take ${of} back before the host is started again.`,
            next: 'Leave it out, or allow the start without an undo.',
          },
        ]
      : [],
};
