import { type HostSetting, oneOf, oneWord, readBracketed, sameText, wholeNumber } from './setting.ts';

const transparent = (file: string, setting: Pick<HostSetting, 'name' | 'title' | 'description'>): HostSetting => ({
  ...setting,
  check: oneWord,
  find: `
file=/sys/kernel/mm/transparent_hugepage/${file}
[ -f "$file" ] || lacks "The kernel of this host has no transparent huge pages: there is no $file."`,
  show: 'echo "value $(cat "$file")"',
  put: 'write "$value" "$file"',
  read: (printed) => readBracketed(oneOf(printed, 'value')),
  isSo: sameText,
  judge: () => [
    {
      code: 'memory-held',
      severity: 'note',
      message:
        'A server that runs keeps the pages that it holds: the setting counts for memory that it asks for later.',
      next: 'Restart the server between the levels as well.',
    },
  ],
});

export const transparentHugePages = transparent('enabled', {
  name: 'transparent-hugepages',
  title: 'Transparent huge pages',
  description:
    'Whether the kernel gives memory in huge pages by itself: always, madvise (where a program asks), never.',
});

export const transparentHugePagesDefrag = transparent('defrag', {
  name: 'transparent-hugepages-defrag',
  title: 'Transparent huge pages: defragmentation',
  description: 'When the kernel makes room for huge pages: always, defer, defer+madvise, madvise, never.',
});

export const hugePages: HostSetting = {
  name: 'huge-pages',
  title: 'Reserved huge pages',
  description:
    'How many huge pages of the default size are reserved. Where memory is fragmented, the kernel reserves fewer, and the trial fails with both counts.',
  check: wholeNumber,
  find: `
file=/proc/sys/vm/nr_hugepages
[ -f "$file" ] || lacks "The kernel of this host has no huge pages."`,
  show: 'echo "value $(cat "$file")"',
  put: 'write "$value" "$file"',
  read(printed) {
    const value = oneOf(printed, 'value');
    return value !== undefined && /^\d+$/.test(value) ? { value } : undefined;
  },
  isSo: (desired, found) => Number(desired) === Number(found),
};
