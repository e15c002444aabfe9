import { z } from 'zod';
import type { ReadyCapture } from '../../../../shared/model/capture.ts';
import { defineTarget } from '../target.ts';
import { pathField } from '../wording.ts';

/** Text and counters of a Linux host worth capturing in any run. */
const HOST_CAPTURES: readonly ReadyCapture[] = [
  {
    description: 'Counters of memory management from start to end: reclaim, compaction, huge pages, swap.',
    capture: { name: 'kernel memory counters', command: 'cat /proc/vmstat', as: 'difference' },
  },
  {
    description:
      'Counters of each network adapter and its driver from start to end, including cloud allowances. Needs ethtool.',
    capture: {
      name: 'network adapter counters',
      command: `for nic in /sys/class/net/*; do name=\${nic##*/}; ethtool -S "$name" 2>/dev/null | sed -n "s/^ *\\([^:]*\\): *\\([0-9]*\\)$/$name \\1 \\2/p"; done`,
      as: 'difference',
    },
  },
  {
    description: 'The latest kernel messages: out of memory, device errors, throttling.',
    capture: { name: 'kernel messages', command: 'dmesg 2>&1 | tail -n 300', at: ['stall', 'end'] },
  },
  {
    description: 'Memory allocator loaded by each database server on the host.',
    capture: {
      name: 'memory allocator',
      command: `for pid in $(pidof mysqld mariadbd postgres mongod clickhouse-server); do
  printf '%s ' "$(cat /proc/$pid/comm)"
  grep -o '[^/]*\\(jemalloc\\|tcmalloc\\|mimalloc\\)[^/]*$' /proc/$pid/maps | sort -u | tr '\\n' ' ' | grep . || echo 'C library'
done | sort -u`,
      at: ['start'],
    },
  },
];

/** A host itself: processor, memory, and a folder for storage benchmarks. It has nothing to connect to. */
export const hostTarget = defineTarget({
  kind: 'host',
  title: 'Host',
  family: 'host',
  example: { name: 'second disk of the generator', config: { directory: '/srv/bench' } },
  withoutTarget: 'generator',
  config: z.strictObject({
    directory: pathField('Folder', 'Folder on the generator for test files. Empty: the folder of the run.').default(''),
  }),
  captures: HOST_CAPTURES,
  takesSecret: false,
  facts: ({ directory }) => ({ kind: 'host', ...(directory === '' ? {} : { path: directory }) }),
});
