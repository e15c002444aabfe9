/** The meaning of each fault and its remedy. The codes are stable. */
export const FAULTS = {
  'connection-refused': {
    message: 'pgbench could not connect to the database server: nothing is listening at that address and port.',
    next: 'Check that the server is running, address and port as seen from the generator, and firewalls in between.',
  },
  'unknown-host': {
    message: 'The generator cannot resolve the host name of the database server.',
    next: 'Use a name that the generator can resolve, or an IP address.',
  },
  'auth-failed': {
    message: 'The database server rejected the user name or password.',
    next: 'Check user and password of the target, and that pg_hba.conf allows this user from the generator’s address.',
  },
  'login-unknown': {
    message:
      'The client library of pgbench (libpq) does not support the authentication method of the server: SCRAM needs libpq 10 or later.',
    next: 'Use a newer pgbench, or the older password method for the user (password_encryption = md5).',
  },
  'tls-required': {
    message: 'The server requires TLS for this user, but the connection was not encrypted.',
    next: 'Set TLS of the target to required: cloud services and hostssl in pg_hba.conf accept nothing else. If that is refused too, pg_hba.conf has no rule for this user and address.',
  },
  'database-missing': {
    message: 'The database does not exist on the server.',
    next: 'Create it, or change the database name of the target.',
  },
  'too-many-connections': {
    message: 'The server refused connections beyond its limit. One refused client ends the whole run.',
    next: 'Raise max_connections (or the limit of the user or database) above the largest number of clients, or use fewer clients.',
  },
  'statement-on-other-connection': {
    message:
      'A prepared statement was missing, or existed already: a pooler between pgbench and the server gives each transaction another connection, without its prepared statements.',
    next: 'Use the protocol simple; or PgBouncer 1.21 or later with max_prepared_statements; or session pooling.',
  },
  'pool-exhausted': {
    message: 'The pooler found no free connection to the server for a client in time.',
    next: 'Give the pooler more connections (default_pool_size), or use fewer clients. With the protocol prepared, pgbench waits for one client while others keep their connections: use simple instead.',
  },
  'too-many-files': {
    message: 'The generator’s limit of open files is too low for this many clients.',
    next: 'Raise it on the generator (ulimit -n), or use fewer clients.',
  },
  'password-kept': {
    message: 'The server asked for the password in cleartext, and TLS was not required. The password was not sent.',
    next: 'Set TLS of the target to required or verify; have the server ask for scram-sha-256 instead (pg_hba.conf); or allow a cleartext password for this target.',
  },
  'tls-failed': {
    message: 'The encrypted connection to the database could not be set up.',
    next: 'The server must have ssl = on, and its certificate must match the CA file of the target. Or disable TLS in the target.',
  },
  'permission-denied': {
    message: 'The user lacks a privilege that the workload needs.',
    next: 'Grant the privilege named in the message. To create tables, the user must own the database or have CREATE on schema public.',
  },
  'read-only': {
    message: 'The server is read-only.',
    next: 'Use select-only, or point the target at the primary server.',
  },
  'table-missing': {
    message: 'A table that the workload uses does not exist.',
    next: 'Prepare the data (data: create), or create the tables of the custom script first.',
  },
  'duplicate-key': {
    message: 'A row with the same key already existed, and the client aborted.',
    next: 'Correct your script, or recreate the data.',
  },
  'serialization-failure': {
    message: 'A client aborted because of conflicting transactions.',
    next: 'Retry such transactions (max-tries), or use a lower isolation level.',
  },
  deadlock: {
    message: 'A client aborted because of a deadlock.',
    next: 'Retry such transactions (max-tries), or make the script take its locks in a fixed order.',
  },
  'lock-timeout': {
    message: 'The server cancelled a statement that ran too long or waited too long for a lock.',
    next: 'Raise statement_timeout or lock_timeout, or find the transaction that holds the lock.',
  },
  'query-canceled': {
    message: 'A statement was cancelled from outside.',
    next: 'The run was stopped, or the server is shutting down. Start again; prepared tables may be incomplete.',
  },
  'connection-lost': {
    message: 'The connection to the database server was lost during the run.',
    next: 'Check the server’s log for a restart, a crash or a killed connection at this time. Earlier output is stored.',
  },
  'disk-full': {
    message: 'The disk of the server or of the generator is full.',
    next: 'Free up space, or use a smaller scale.',
  },
  'sql-error': {
    message: 'A statement failed, and its client aborted.',
    next: 'Correct the statement: the message names the script and the command in it.',
  },
  'script-error': {
    message: 'pgbench cannot parse your script.',
    next: 'Correct the script at the line named in the message. Commands like \\set need a line of their own.',
  },
  'unknown-option': {
    message: 'pgbench rejected an unknown option.',
    next: 'The option may need a newer version: max-tries and failures-detailed need 15, partitions and server-side-generate 13.',
  },
  'bad-option-value': {
    message: 'pgbench rejected the value of an option.',
    next: 'Correct the value named in the message.',
  },
  'password-file-ignored': {
    message: 'The file that holds the password was ignored because others could read it.',
    next: 'The job folder on the generator was changed from outside; repeat the run.',
  },
  'tool-missing': {
    message: 'pgbench is not installed on the generator, or not on its PATH.',
    next: 'Install it (on Debian and Ubuntu: apt-get install postgresql-contrib).',
  },
  'tool-error': {
    message: 'pgbench aborted with an error.',
    next: 'See the preceding lines in the raw output.',
  },
} as const satisfies Record<string, { message: string; next: string }>;

export type FaultCode = keyof typeof FAULTS;
