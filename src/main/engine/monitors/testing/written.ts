import { hostMonitor } from '../host/index.ts';
import type { MonitorParser, MonitorRow } from '../monitor.ts';
import { serverReader } from '../server/index.ts';

const rowsOf = (parser: MonitorParser, output: string): MonitorRow[] =>
  output.split('\n').flatMap((line) => parser.line(line) ?? []);

/** Rows that the collector of a host has written completely, read at once. */
export const rowsWritten = (output: string): MonitorRow[] => rowsOf(hostMonitor({ processes: [] }).parser(), output);

/** The same for the client of a server, whose lines `read` parses. */
export const answersWritten = (
  output: string,
  read: (line: string) => MonitorRow['metrics'] | undefined,
): MonitorRow[] => rowsOf(serverReader(() => read).parser(), output);
