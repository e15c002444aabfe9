import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { KIB, MIB } from './units.ts';

type ProcessRule = Omit<SeriesRule, 'lane'>;
const proc = (id: string, rule: Omit<ProcessRule, 'id'>): SeriesRule => ({
  id: `proc.*.${id}`,
  lane: 'processes',
  ...rule,
});

export const PROCESSES: readonly SeriesRule[] = [
  // Ticks are hundredths of a second on every architecture that servers have, so their growth by the second is a percentage.
  proc('cpu', {
    label: 'CPU of the process (100 % = one core)',
    unit: '%',
    digits: 1,
    main: true,
    reading: { kind: 'rate', of: ['proc.*.user_ticks', 'proc.*.system_ticks'] },
  }),
  proc('rss_mib', {
    label: 'Memory of the process',
    unit: 'MiB',
    digits: 0,
    reading: { kind: 'gauge', of: ['proc.*.rss_kib'], scale: KIB },
  }),
  proc('threads', {
    label: 'Threads of the process',
    unit: 'threads',
    digits: 0,
    reading: { kind: 'gauge', of: ['proc.*.threads'] },
  }),
  proc('read_mib_s', {
    label: 'Read from disk by the process',
    unit: 'MiB/s',
    digits: 2,
    reading: { kind: 'rate', of: ['proc.*.read_bytes'], scale: MIB },
  }),
  proc('write_mib_s', {
    label: 'Written to disk by the process',
    unit: 'MiB/s',
    digits: 2,
    reading: { kind: 'rate', of: ['proc.*.write_bytes'], scale: MIB },
  }),
  proc('context_switches', {
    label: 'Context switches of the process',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['proc.*.voluntary_switches', 'proc.*.forced_switches'] },
  }),
];
