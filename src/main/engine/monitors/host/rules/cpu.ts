import type { SeriesRule } from '../../../../../shared/model/monitored.ts';

const MODES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];
const BUSY = ['user', 'nice', 'system', 'irq', 'softirq', 'steal'];
const each = (prefix: string, names: readonly string[]): string[] => names.map((name) => `${prefix}.${name}`);

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
  cpu('cpu.user', 'User', ['user', 'nice']),
  cpu('cpu.system', 'System', ['system']),
  cpu('cpu.irq', 'Interrupts', ['irq', 'softirq']),
  cpu('cpu.iowait', 'I/O wait', ['iowait']),
  cpu('cpu.steal', 'Steal', ['steal']),
  {
    id: 'core.*.busy',
    label: 'Core busy',
    unit: '%',
    lane: 'cpu',
    digits: 1,
    limit: { value: 100, words: 'core busy' },
    reading: { kind: 'share', of: each('core.*', BUSY), whole: each('core.*', MODES) },
  },
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
