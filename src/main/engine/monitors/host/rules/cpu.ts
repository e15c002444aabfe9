import type { SeriesRule } from '../../../../../shared/model/monitored.ts';

const MODES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];
const BUSY = ['user', 'nice', 'system', 'irq', 'softirq', 'steal'];
const each = (prefix: string, names: readonly string[]): string[] => names.map((name) => `${prefix}.${name}`);

/** Parts of the time of a CPU, with their names for all cores and for one, and the kernel's modes in each. */
const PARTS = [
  ['user', 'User', 'Core user', ['user', 'nice']],
  ['system', 'System', 'Core system', ['system']],
  ['irq', 'Interrupts', 'Core interrupts', ['irq', 'softirq']],
  ['iowait', 'I/O wait', 'Core I/O wait', ['iowait']],
  ['steal', 'Steal', 'Core steal', ['steal']],
] as const;

const cpu = (id: string, label: string, modes: readonly string[]): SeriesRule => ({
  id,
  label,
  unit: '%',
  lane: 'cpu',
  digits: 1,
  stack: 'cpu',
  limit: { value: 100, words: 'all cores busy' },
  reading: { kind: 'share', of: each('cpu', modes), whole: each('cpu', MODES) },
});

const core = (part: string, label: string, modes: readonly string[]): SeriesRule => ({
  id: `core.*.${part}`,
  label,
  unit: '%',
  lane: 'cpu',
  digits: 1,
  limit: { value: 100, words: 'core busy' },
  reading: { kind: 'share', of: each('core.*', modes), whole: each('core.*', MODES) },
});

export const CPU: readonly SeriesRule[] = [
  {
    id: 'cpu.busy',
    label: 'CPU busy',
    unit: '%',
    lane: 'cpu',
    digits: 1,
    main: true,
    limit: { value: 100, words: 'all cores busy' },
    reading: { kind: 'share', of: each('cpu', BUSY), whole: each('cpu', MODES) },
  },
  ...PARTS.map(([part, label, , modes]) => cpu(`cpu.${part}`, label, modes)),
  {
    id: 'cpu.nice',
    label: 'CPU time of niced processes (in user)',
    unit: '%',
    lane: 'cpu',
    digits: 1,
    limit: { value: 100, words: 'all cores busy' },
    reading: { kind: 'share', of: ['cpu.nice'], whole: each('cpu', MODES) },
  },
  {
    id: 'cpu.busiest_core',
    label: 'Busiest core',
    unit: '%',
    lane: 'cpu',
    digits: 1,
    limit: { value: 100, words: 'core busy' },
    reading: { kind: 'highest', of: each('core.*', BUSY), whole: each('core.*', MODES) },
  },
  core('busy', 'Core busy', BUSY),
  ...PARTS.map(([part, , label, modes]) => core(part, label, modes)),
  {
    id: 'freq.mean_mhz',
    label: 'Clock speed, mean of cores',
    unit: 'MHz',
    lane: 'cpu',
    digits: 0,
    reading: { kind: 'gauge', of: ['freq.mean_khz'], scale: 1 / 1000 },
  },
  {
    id: 'freq.min_mhz',
    label: 'Clock speed, slowest core',
    unit: 'MHz',
    lane: 'cpu',
    digits: 0,
    reading: { kind: 'gauge', of: ['freq.min_khz'], scale: 1 / 1000 },
  },
  {
    id: 'temperature.max_celsius',
    label: 'Hottest processor',
    unit: '°C',
    lane: 'cpu',
    digits: 0,
    reading: { kind: 'gauge', of: ['temperature.max_millidegrees'], scale: 1 / 1000 },
  },
];

export const QUEUE: readonly SeriesRule[] = [
  {
    id: 'sys.running',
    label: 'Runnable threads',
    unit: 'threads',
    lane: 'run-queue',
    digits: 0,
    main: true,
    limit: { of: 'cpu.count', words: 'cores' },
    reading: { kind: 'gauge', of: ['sys.running'] },
  },
  {
    id: 'sys.blocked',
    label: 'Threads blocked on I/O',
    unit: 'threads',
    lane: 'run-queue',
    digits: 0,
    main: true,
    reading: { kind: 'gauge', of: ['sys.blocked'] },
  },
  {
    id: 'sys.context_switches',
    label: 'Context switches',
    unit: '/s',
    lane: 'run-queue',
    digits: 0,
    reading: { kind: 'rate', of: ['sys.context_switches'] },
  },
  {
    id: 'sys.interrupts',
    label: 'Interrupts',
    unit: '/s',
    lane: 'run-queue',
    digits: 0,
    reading: { kind: 'rate', of: ['sys.interrupts'] },
  },
  {
    id: 'sys.forks',
    label: 'New processes and threads',
    unit: '/s',
    lane: 'run-queue',
    digits: 0,
    reading: { kind: 'rate', of: ['sys.forks'] },
  },
  {
    id: 'load.1',
    label: 'Load average, 1 min',
    unit: '',
    lane: 'run-queue',
    digits: 2,
    reading: { kind: 'gauge', of: ['load.1'] },
  },
];
