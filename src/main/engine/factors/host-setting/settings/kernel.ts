import { type HostSetting, oneOf, oneWord, printFiles, readBracketed, sameText, wholeNumber } from './setting.ts';

/** The kernel does not change these back until it is rebooted. */
const ONE_WAY: readonly string[] = [
  'kernel.kexec_load_disabled',
  'kernel.modules_disabled',
  'kernel.unprivileged_bpf_disabled',
];

/** Name of a kernel parameter as users write it: with dots if none of its parts has one. */
const nameOfPath = (path: string): string => (path.includes('.') ? path : path.replaceAll('/', '.'));

const partsOf = (of: string): string[] => of.split(of.includes('/') ? '/' : '.');

/** A secret key; writing anything sets it to a new value. */
const SECRET = /(?:_key|_secret)$/;

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export const sysctl: HostSetting = {
  name: 'sysctl',
  title: 'Kernel parameter',
  description:
    'A parameter of /proc/sys by its dotted name, until the next reboot. Separate several values with spaces: "4096 131072 6291456".',
  of: {
    title: 'the name of a kernel parameter',
    example: 'vm.swappiness',
    pattern: /^[a-z0-9_-]+([./][A-Za-z0-9_:@-]+)+$/,
  },
  check: (value) => (/^[\x20-\x7e\t]{1,1000}$/.test(value) ? undefined : 'takes one line.'),
  variables({ of }) {
    const [first = '', second = ''] = partsOf(of);
    return { around: first === 'net' ? `net/${second}` : first };
  },
  // With slashes, a part of the name may have dots: net/ipv4/conf/eth0.100/rp_filter.
  find: `
path_of() { case $1 in */*) printf %s "$1" ;; *) printf %s "$1" | tr . / ;; esac; }
file=/proc/sys/$(path_of "$of")
[ -f "$file" ] || lacks "The kernel of this host has no parameter $of."`,
  show: `
text=$(cat "$file") || exit 1
printf '%s\\n' "$text" | sed 's/^/value /'`,
  write: 'write "$value" "$file"',
  read(printed) {
    const lines = printed.get('value')?.map((line) => words(line).join(' '));
    return lines && { value: lines.join('\n').trim() };
  },
  matches(desired, found) {
    const [wanted, there] = [words(desired), words(found)];
    const same = (word: string, other = ''): boolean =>
      word === other || (/^-?\d+$/.test(word) && /^-?\d+$/.test(other) && BigInt(word) === BigInt(other));
    return wanted.length === there.length && wanted.every((word, at) => same(word, there[at]));
  },
  affected: {
    script: printFiles('/proc/sys', '"$around"'),
    named(path, of) {
      if (path === partsOf(of).join('/') || SECRET.test(path)) return undefined;
      const name = nameOfPath(path);
      return {
        setting: 'sysctl',
        of: name,
        ...(ONE_WAY.includes(name) && { stuck: 'the kernel resets it only at a reboot' }),
      };
    },
  },
  judge: (_desired, _reading, of) =>
    ONE_WAY.includes(of)
      ? [
          {
            code: 'cannot-undo',
            severity: 'block',
            liftedBy: 'setting',
            message: `The kernel resets ${of} only at a reboot.`,
            next: 'Omit it, or allow a start without undo.',
          },
        ]
      : [],
};

const transparent = (
  file: string,
  setting: Pick<HostSetting, 'name' | 'title' | 'description' | 'suggests'>,
): HostSetting => ({
  ...setting,
  check: oneWord,
  find: `
file=/sys/kernel/mm/transparent_hugepage/${file}
[ -f "$file" ] || lacks "The kernel of this host has no transparent huge pages: there is no $file."`,
  show: 'echo "value $(cat "$file")"',
  write: 'write "$value" "$file"',
  read: (printed) => readBracketed(oneOf(printed, 'value')),
  matches: sameText,
  judge: () => [
    {
      code: 'memory-held',
      severity: 'note',
      message: 'A running server keeps its pages: the setting applies only to memory allocated later.',
      next: 'Also restart the server between levels.',
    },
  ],
});

export const transparentHugePages = transparent('enabled', {
  name: 'transparent-hugepages',
  title: 'Transparent huge pages',
  description: 'Whether the kernel backs memory with huge pages: always, madvise (where a program asks for it), never.',
  suggests: ['always', 'madvise', 'never'],
});

export const transparentHugePagesDefrag = transparent('defrag', {
  name: 'transparent-hugepages-defrag',
  title: 'Transparent huge pages: defragmentation',
  description: 'When the kernel defragments memory for huge pages: always, defer, defer+madvise, madvise, never.',
  suggests: ['always', 'defer', 'defer+madvise', 'madvise', 'never'],
});

export const hugePages: HostSetting = {
  name: 'huge-pages',
  title: 'Reserved huge pages',
  description:
    'Number of reserved huge pages of the default size. If memory is fragmented, the kernel reserves fewer, and the trial fails with both counts.',
  check: wholeNumber,
  find: `
file=/proc/sys/vm/nr_hugepages
[ -f "$file" ] || lacks "The kernel of this host has no huge pages."`,
  show: 'echo "value $(cat "$file")"',
  write: 'write "$value" "$file"',
  read(printed) {
    const value = oneOf(printed, 'value');
    return value !== undefined && /^\d+$/.test(value) ? { value } : undefined;
  },
  matches: (desired, found) => Number(desired) === Number(found),
};
