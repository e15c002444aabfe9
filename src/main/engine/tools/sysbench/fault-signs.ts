import type { FaultCode } from './fault-words.ts';

/** Error numbers of the MySQL family: 1000 to 1999 and 3000 up from the server, 2000 to 2999 from the client library. */
export const ERROR_NUMBERS: Readonly<Record<number, FaultCode>> = {
  1020: 'record-changed',
  1021: 'disk-full',
  1040: 'too-many-connections',
  1044: 'database-access-denied',
  1045: 'auth-failed',
  1049: 'database-missing',
  1050: 'table-exists',
  1053: 'connection-lost',
  1062: 'duplicate-key',
  1114: 'disk-full',
  1129: 'connection-refused',
  1130: 'auth-failed',
  1135: 'server-threads',
  1136: 'column-count-mismatch',
  1142: 'permission-denied',
  1146: 'table-missing',
  1158: 'connection-lost',
  1159: 'connection-lost',
  1160: 'connection-lost',
  1161: 'connection-lost',
  1203: 'too-many-connections',
  1205: 'lock-timeout',
  1213: 'deadlock',
  1226: 'too-many-connections',
  1227: 'permission-denied',
  1251: 'auth-failed',
  1290: 'read-only',
  1461: 'too-many-statements',
  1698: 'auth-failed',
  1836: 'read-only',
  1927: 'connection-lost',
  2002: 'connection-refused',
  2003: 'connection-refused',
  2005: 'unknown-host',
  2006: 'connection-lost',
  2013: 'connection-lost',
  2026: 'tls-failed',
  2055: 'connection-lost',
  2059: 'auth-failed',
  2061: 'auth-failed',
  3118: 'auth-failed',
  3159: 'tls-failed',
  4031: 'connection-lost',
};

/**
 * Numbers of the operating system behind the number of the client library, which alone would say only that there is no connection.
 * Source of the texts: connections by the ten thousand, where the generator's own limits come first.
 */
export const SYSTEM_ERRORS: readonly (readonly [RegExp, FaultCode])[] = [
  [/\berror:? 2003\b.*\(99\)|Cannot assign requested address/i, 'ports-exhausted'],
  [/\berror:? 200[1-4]\b.*\(24\)|Too many open files|errno = 24\b/i, 'open-files'],
  [/\berror:? 2003\b.*\((110|113)\)/i, 'unreachable'],
  [/Can't create a new thread \(errno (11|12)\)|could not fork new process/i, 'server-threads'],
  [/pthread_create\(\).* errno = (11|12)\b/i, 'generator-threads'],
];

/** SQL states of PostgreSQL, whole or by their class of two characters. */
export const SQL_STATES: Readonly<Record<string, FaultCode>> = {
  '08': 'connection-lost',
  '23505': 'duplicate-key',
  '25006': 'read-only',
  '28': 'auth-failed',
  '3D000': 'database-missing',
  '40001': 'deadlock',
  '40P01': 'deadlock',
  '42501': 'permission-denied',
  '42P01': 'table-missing',
  '42P07': 'table-exists',
  '53100': 'disk-full',
  '53300': 'too-many-connections',
  '57P': 'connection-lost',
  '57': 'connection-lost',
};

/** Words, for what has no number. The first that fits counts. */
export const TEXTS: readonly (readonly [RegExp, FaultCode])[] = [
  [/^kneepoint: refused: /, 'place-refused'],
  [/event queue is full/i, 'event-queue-full'],
  [/forcing shutdown/i, 'forced-shutdown'],
  [/errno = 28\b|no space left on device/i, 'disk-full'],
  [/Cannot open file '.*' errno = 2\b|: cd: (can't cd to|.*: No such file)/i, 'files-missing'],
  [/Size of file '.*' is .*, but at least/i, 'files-too-small'],
  [/errno = (1|13|30)\b|permission denied for/i, 'permission-denied'],
  [/errno = \d+ \(Invalid argument\)/i, 'io-refused'],
  [
    /password authentication failed|no password supplied|no pg_hba\.conf entry|role ".*" does not exist|Access denied for user/i,
    'auth-failed',
  ],
  [/database ".*" does not exist|Unknown database/i, 'database-missing'],
  [/too many (clients|connections)|remaining connection slots/i, 'too-many-connections'],
  [/could not translate host name|Unknown server host/i, 'unknown-host'],
  [
    /server does not support SSL|SSL error|TLS\/SSL error|certificate verify failed|root certificate file/i,
    'tls-failed',
  ],
  [
    /Connection refused|Can't connect to|No route to host|Network is unreachable|timeout expired|Connection timed out/i,
    'connection-refused',
  ],
  [/relation ".*" does not exist|Table '.*' doesn't exist/i, 'table-missing'],
  [/schema '.*' already exists and was not made/, 'schema-exists'],
  [/relation ".*" already exists|Table '.*' already exists/i, 'table-exists'],
  [/deadlock/i, 'deadlock'],
  [/duplicate (key|entry)/i, 'duplicate-key'],
  [
    /Lost connection|server closed the connection|server has gone away|terminating connection|shutdown in progress|starting up|shutting down/i,
    'connection-lost',
  ],
  [/read-only transaction|--read-only option/i, 'read-only'],
  [/invalid database driver name/i, 'bad-driver'],
  [/Missing required argument|no database driver specified/i, 'missing-option'],
  [/Cannot find benchmark/i, 'unknown-script'],
  [/Command is required/i, 'missing-command'],
  [/invalid option: /i, 'unknown-option'],
  [/Unknown command: /i, 'unknown-command'],
  [/Invalid (value|random numbers distribution|IO operations mode|.*mode|.*: )/i, 'bad-option-value'],
  [/command not found|sysbench: not found|sysbench['’]?: No such file/i, 'tool-missing'],
  [/\.conf: No such file or directory/, 'config-file-missing'],
  [/FATAL: \S+\.lua:\d+: /, 'script-error'],
  [
    /function failed: .*\.lua:\d+: (?!connection creation failed|SQL (?:API )?error|failed to initialize)/,
    'script-error',
  ],
];
