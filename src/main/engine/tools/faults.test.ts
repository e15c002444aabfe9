import { expect, it } from 'vitest';
import {
  type EndingWords,
  endedBySignal,
  exitFinding,
  failedExit,
  noProgress,
  secondRanges,
  secondsMissing,
} from './faults.ts';
import { parseText, toolById } from './index.ts';

/** Messages of tools, with the required text of the finding, and wrong advice. */
const FAULTS: readonly (readonly [tool: string, line: string, said: RegExp, wrong?: RegExp])[] = [
  ...['Operation not permitted', 'Permission denied', 'Function not implemented'].map(
    (error) =>
      [
        'fio',
        `fio: pid=21, err=1/file:engines/io_uring.c:1041, func=io_queue_init, error=${error}`,
        /io_uring.*libaio.*seccomp/s,
        /folder that the account|block size/,
      ] as const,
  ),
  [
    'fio',
    'fio: pid=21, err=11/file:engines/libaio.c:400, func=io_queue_init, error=Resource temporarily unavailable',
    /aio-max-nr/,
    /io_uring_disabled/,
  ],
  ['fio', 'ioengine io_uring_cmd only works with nvme ns generic char devices (/dev/ngXnY)', /\/dev\/ng0n1/],
  ['fio', 'fio: failed to connect to gen2:8765', /fio --server/],
  ['fio', 'fio: connect: Connection timed out', /fio --server/],
  [
    'sysbench',
    "FATAL: error 2059: Authentication plugin 'caching_sha2_password' cannot be loaded: no such file",
    /client library.*newer/s,
    /rejected the user name/,
  ],
  [
    'sysbench',
    'FATAL: error 1251: Client does not support authentication protocol requested by server; consider upgrading MySQL client',
    /client library/,
    /rejected the user name/,
  ],
  [
    'sysbench',
    "FATAL: error 2061: Authentication plugin 'caching_sha2_password' reported error: Authentication requires secure connection.",
    /only over an encrypted connection/,
    /rejected the user name/,
  ],
  ['sysbench', "FATAL: error 1045: Access denied for user 'a'@'b' (using password: YES)", /rejected the user name/],
  [
    'sysbench',
    'FATAL: Connection to database failed: SCRAM authentication requires libpq version 10 or above',
    /libpq/,
  ],
  ['sysbench', 'FATAL: error 3159: Connections using insecure transport are prohibited', /requires TLS/],
  [
    'sysbench',
    'FATAL: Connection to database failed: FATAL:  no pg_hba.conf entry for host "192.0.2.9", user "a", database "b", SSL off',
    /requires TLS/,
    /rejected the user name/,
  ],
  [
    'sysbench',
    'FATAL: Connection to database failed: FATAL:  no pg_hba.conf entry for host "192.0.2.9", user "a", database "b", SSL on',
    /rejected the user name/,
    /requires TLS/,
  ],
  ['sysbench', 'FATAL: Worker threads failed to initialize within 30 seconds!', /30 s.*backlog/s],
  [
    'sysbench',
    'FATAL: PQexecPrepared() failed: 7 ERROR:  prepared statement "sbstmt-1" already exists',
    /pooler.*db-ps-mode/s,
  ],
  [
    'sysbench',
    'FATAL: error 1243: Unknown prepared statement handler (5) given to mysqld_stmt_execute',
    /pooler.*db-ps-mode/s,
  ],
  [
    'sysbench',
    "FATAL: error 2005: Unknown MySQL server host 'db1' (-11)",
    /open files/,
    /cannot resolve the host name/,
  ],
  ['sysbench', "FATAL: error 2005: Unknown MySQL server host 'db1' (-2)", /cannot resolve the host name/, /open files/],
  [
    'pgbench',
    'pgbench: error: could not translate host name "db1" to address: System error',
    /open files/,
    /cannot resolve the host name/,
  ],
  [
    'pgbench',
    'pgbench: error: could not translate host name "db1" to address: Name or service not known',
    /cannot resolve the host name/,
  ],
  [
    'pgbench',
    'pgbench: error: connection to server at "db1", port 5432 failed: FATAL:  no pg_hba.conf entry for host "192.0.2.9", user "a", database "b", no encryption',
    /requires TLS/,
    /rejected the user name/,
  ],
  ['pgbench', 'pgbench: error: SCRAM authentication requires libpq version 10 or above', /libpq/],
  [
    'ycsb',
    'org.postgresql.util.PSQLException: FATAL: no pg_hba.conf entry for host "192.0.2.9", user "a", database "b", no encryption',
    /requires TLS/,
    /rejected the user name/,
  ],
  ['ycsb', 'org.postgresql.util.PSQLException: The authentication type 10 is not supported.', /authentication method/],
  ['ycsb', 'java.net.SocketException: Too many open files', /limit of open files/, /connection was lost/i],
];

it.each(FAULTS.map((fault) => ({ fault, name: `${fault[0]}: ${fault[1]}` })))(
  'is reported with its reason and a remedy: $name',
  ({ fault }) => {
    const [id, line, message, wrong] = fault;
    const tool = toolById(id);
    if (!tool) throw new Error(`no tool ${id}`);
    const { findings } = parseText(tool, `${line}\n`);
    const words = findings.map(({ message, next }) => `${message} ${next ?? ''}`).join('\n');
    expect(words).toMatch(message);
    if (wrong) expect(words).not.toMatch(wrong);
    expect(findings.some(({ severity }) => severity === 'error')).toBe(true);
  },
);

const words: EndingWords = {
  name: 'load',
  crashNext: 'Look at the core.',
  missing: { code: 'tool-missing', severity: 'error', message: 'There is no load.' },
  killedNext: { SIGKILL: 'Give it more memory.' },
};

it.each([
  [{ code: 0 }, false, undefined],
  [undefined, false, undefined],
  [{ unknown: 'host restarted' }, false, undefined],
  [{ code: 3 }, true, 'load ended with exit code 3 and no message that explains it.'],
  [{ code: 127 }, true, 'There is no load.'],
  [{ code: 139 }, true, 'load crashed (SIGSEGV). Earlier output is stored.'],
  [{ signal: 'ABRT' }, true, 'load crashed (SIGABRT). Earlier output is stored.'],
  [{ code: 143 }, true, 'load was terminated from outside (SIGTERM) before its report. Earlier output is stored.'],
  [{ code: 140 }, true, 'load was terminated from outside (signal 12) before its report. Earlier output is stored.'],
  [{ code: 255 }, true, 'load ended with exit code 255 and no message that explains it.'],
])('explains the status %j', (exit, failed, message) => {
  expect(failedExit(exit)).toBe(failed);
  if (message !== undefined) expect(exitFinding(exit, words).message).toBe(message);
});

it('prefers the advice of the program to the general one', () => {
  expect(endedBySignal({ code: 137 })).toBe(true);
  expect(exitFinding({ signal: 'SIGKILL' }, words).next).toBe('Give it more memory.');
  expect(exitFinding({ signal: 'SIGHUP' }, words).next).toMatch(/terminal/);
  expect(exitFinding({ signal: 'SIGSEGV' }, words).next).toBe('Look at the core.');
});

it.each([
  [[], 1, ''],
  [[3], 1, '3'],
  [[6, 7, 8, 14], 1, '6–8, 14'],
  [[1.0, 2.01, 4], 1, '1–2.01, 4'],
  [[10, 20, 40], 10, '10–20, 40'],
  [[5, 5, 6], 1, '5–6'],
  [[9, 2], 1, '9, 2'],
])('formats the seconds %j, %d apart, as %j', (seconds, step, text) => {
  expect(secondRanges(seconds, step)).toBe(text);
});

it('uses the singular for one interval', () => {
  expect(noProgress('event', 'the server', [4]).message).toMatch(
    /^No event completed in 1 interval \(second 4\): the server /,
  );
  expect(secondsMissing('load', [4, 5]).message).toBe('load printed no line for 2 intervals (second 4–5).');
  const many = Array.from({ length: 40 }, (_, index) => index * 3);
  expect(secondRanges(many)).toMatch(/^0, 3, .*, 33 and more$/);
});
