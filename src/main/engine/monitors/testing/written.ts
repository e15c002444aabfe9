import { hostMonitor } from '../host/index.ts';
import type { MonitorRow } from '../monitor.ts';

/** All that the collector of a host has written whole, read at once. */
export function rowsWritten(output: string): MonitorRow[] {
  const parser = hostMonitor({ processes: [] }).parser();
  return output.split('\n').flatMap((line) => parser.line(line) ?? []);
}
