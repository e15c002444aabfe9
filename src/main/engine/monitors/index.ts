export { commandMonitor } from './command/index.ts';
export { type HostMonitorOptions, hostMonitor } from './host/index.ts';
export { HOST_RULES } from './host/rules/index.ts';
export type { MonitorParser, MonitorProgram, MonitorRow } from './monitor.ts';
