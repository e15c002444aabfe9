import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { KIB, MIB } from './units.ts';

/** Most hosts have pages of 4 KiB, some ARM hosts of 16 or 64; earlier versions did not store which. */
const PAGE = { of: 'sys.page_bytes', value: 4096 };
const swap = (counter: string): SeriesRule['reading'] => ({ kind: 'rate', of: [counter], scale: MIB, times: PAGE });

const memory = (id: string, label: string, of: string, less?: string): SeriesRule => ({
  id,
  label,
  unit: 'MiB',
  lane: 'memory',
  digits: 0,
  reading: { kind: 'gauge', of: [of], ...(less && { less: [less] }), scale: KIB },
});

export const MEMORY: readonly SeriesRule[] = [
  {
    ...memory('mem.used_mib', 'Memory used', 'mem.total_kib', 'mem.available_kib'),
    main: true,
    limit: { of: 'mem.total_kib', scale: KIB, words: 'installed memory' },
  },
  { ...memory('mem.cached_mib', 'Page cache', 'mem.cached_kib'), main: true },
  memory('mem.dirty_mib', 'Dirty pages', 'mem.dirty_kib'),
  memory('mem.writeback_mib', 'Pages under writeback', 'mem.writeback_kib'),
  memory('mem.anon_huge_mib', 'Transparent huge pages', 'mem.anon_huge_kib'),
  {
    id: 'mem.huge_used',
    label: 'Huge pages in use',
    unit: 'pages',
    lane: 'memory',
    digits: 0,
    limit: { of: 'mem.huge_total', words: 'reserved huge pages' },
    reading: { kind: 'gauge', of: ['mem.huge_total'], less: ['mem.huge_free'] },
  },
  {
    ...memory('mem.swap_used_mib', 'Swap used', 'mem.swap_total_kib', 'mem.swap_free_kib'),
    limit: { of: 'mem.swap_total_kib', scale: KIB, words: 'swap space' },
  },
  {
    id: 'vm.swap_in_mib_s',
    label: 'Swapped in',
    unit: 'MiB/s',
    lane: 'memory',
    digits: 2,
    reading: swap('vm.swap_in_pages'),
  },
  {
    id: 'vm.swap_out_mib_s',
    label: 'Swapped out',
    unit: 'MiB/s',
    lane: 'memory',
    digits: 2,
    reading: swap('vm.swap_out_pages'),
  },
  {
    id: 'vm.major_faults',
    label: 'Major page faults',
    unit: '/s',
    lane: 'memory',
    digits: 0,
    reading: { kind: 'rate', of: ['vm.major_faults'] },
  },
  {
    id: 'vm.refaults',
    label: 'Page cache refaults',
    unit: '/s',
    lane: 'memory',
    digits: 0,
    reading: { kind: 'rate', of: ['vm.refaults'] },
  },
];

/** Microseconds of stall in a second, as a percentage of the time. */
const pressure = (id: string, label: string): SeriesRule => ({
  id: `pressure.${id}`,
  label,
  unit: '%',
  lane: 'pressure',
  digits: 1,
  limit: { value: 100, words: 'all of the time' },
  reading: { kind: 'rate', of: [`pressure.${id}_us`], scale: 1e-4 },
});

export const PRESSURE: readonly SeriesRule[] = [
  { ...pressure('cpu.some', 'CPU pressure (some)'), main: true },
  { ...pressure('io.some', 'I/O pressure (some)'), main: true },
  pressure('io.full', 'I/O pressure (full)'),
  { ...pressure('memory.some', 'Memory pressure (some)'), main: true },
  pressure('memory.full', 'Memory pressure (full)'),
];
