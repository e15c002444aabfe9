import { describe, expect, it } from 'vitest';
import { readOutput } from '../testing/recordings.ts';

/** Published error texts of runs with up to 100,000 connections, and the fault behind each number. */
const LINES: readonly (readonly [string, string, RegExp])[] = [
  ["FATAL: error 2003: Can't connect to MySQL server on '10.0.0.2' (99)", 'ports-exhausted', /ip_local_port_range/],
  ["FATAL: error 2004: Can't create TCP/IP socket (24)", 'open-files', /ulimit -n/],
  ["FATAL: error 2003: Can't connect to MySQL server on '10.0.0.2' (110)", 'unreachable', /firewall/],
  ["FATAL: error 2003: Can't connect to MySQL server on '10.0.0.2' (111)", 'connection-refused', /server is running/],
  [
    "FATAL: error 1135: Can't create a new thread (errno 11); if you are not out of available memory, you can consult the manual for a possible OS-dependent bug",
    'server-threads',
    /TasksMax/,
  ],
  [
    'FATAL: pthread_create() for thread #32352 failed. errno = 12 (Cannot allocate memory)',
    'generator-threads',
    /more generators/,
  ],
];

describe('a number of the operating system', () => {
  it.each(LINES)('%s is explained', (line, code, next) => {
    const read = readOutput(`${line}\n`, '', { phase: 'run', exit: { code: 1 } });
    expect(read.ok).toBe(false);
    expect(read.reason).toMatchObject({ code, evidence: line });
    expect(read.reason?.next).toMatch(next);
  });
});
