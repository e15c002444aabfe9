import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { CPU, QUEUE } from './cpu.ts';
import { DISKS } from './disks.ts';
import { MEMORY, PRESSURE } from './memory.ts';
import { NETWORK } from './network.ts';
import { PROCESSES } from './processes.ts';

/** Series of a host, from the counters of its collector: names as in docs/monitors.md. */
export const HOST_RULES: readonly SeriesRule[] = [
  ...CPU,
  ...QUEUE,
  ...MEMORY,
  ...PRESSURE,
  ...DISKS,
  ...NETWORK,
  ...PROCESSES,
  {
    id: 'collector.cpu',
    label: 'CPU used by the collector (100 % = one core)',
    unit: '%',
    lane: 'own',
    digits: 2,
    reading: { kind: 'rate', of: ['collector.cpu_ticks'] },
  },
];
