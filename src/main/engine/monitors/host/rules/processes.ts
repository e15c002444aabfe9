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
    limit: { of: 'proc.*.quota_cores', scale: 100, words: 'quota of its control group' },
    reading: { kind: 'rate', of: ['proc.*.user_ticks', 'proc.*.system_ticks'] },
  }),
  proc('busiest_thread', {
    label: 'CPU of its busiest thread (100 % = one core)',
    unit: '%',
    digits: 1,
    reading: { kind: 'gauge', of: ['proc.*.busiest_thread'] },
  }),
  proc('throttled', {
    label: 'Periods in which a control group throttled the process',
    unit: '%',
    digits: 1,
    reading: { kind: 'share', of: ['proc.*.throttled_periods'], whole: ['proc.*.periods'] },
  }),
  proc('major_faults', {
    label: 'Major page faults of the process',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['proc.*.major_faults'] },
  }),
  proc('stopped', {
    label: 'Processes that were stopped (state T)',
    unit: 'processes',
    digits: 0,
    reading: { kind: 'gauge', of: ['proc.*.stopped'] },
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
