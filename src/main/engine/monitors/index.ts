export { type HostMonitorOptions, hostMonitor } from './host/index.ts';
export { HOST_RULES } from './host/rules.ts';
export type { MonitorParser, MonitorProgram, MonitorRow } from './monitor.ts';
