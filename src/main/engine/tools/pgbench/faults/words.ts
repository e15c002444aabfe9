/** The meaning of each fault and its remedy. The codes are stable. */
export const FAULTS = {
  'connection-refused': {
    message: 'pgbench could not connect to the database server: nothing answers at that address and port.',
    next: 'Check that the server runs, that address and port are right as seen from the generator, and that no firewall is between.',
  },
  'unknown-host': {
    message: 'The generator does not know the host name of the database server.',
    next: 'Use a name that the generator can look up, or an IP address.',
  },
  'auth-failed': {
    message: 'The database server refused the user name or password.',
    next: 'Check user and password of the target, and that pg_hba.conf lets this user in from the generator’s address.',
  },
  'login-unknown': {
    message:
      'The client library of pgbench (libpq) does not know the way in which the server asks for the password: SCRAM needs libpq 10 or later.',
    next: 'Use a newer pgbench, or give the user a password of the older way (password_encryption = md5).',
  },
  'tls-required': {
    message: 'The server does not let this user in without TLS, and the connection was not encrypted.',
    next: 'Set TLS of the target to required: cloud services and hostssl in pg_hba.conf take nothing else. If that is refused too, pg_hba.conf has no rule for this user and address at all.',
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
      'A prepared statement was not there, or was there twice: a pooler between pgbench and the server hands each transaction another connection, and does not take prepared statements along.',
    next: 'Use the protocol simple; or PgBouncer 1.21 or later with max_prepared_statements; or session pooling.',
  },
  'pool-exhausted': {
    message: 'The pooler found no free connection to the server for a client in time.',
    next: 'Give the pooler more connections (default_pool_size), or use fewer clients. With the protocol prepared pgbench waits for one client while others keep their connections: use simple there.',
  },
  'too-many-files': {
    message: 'The generator’s limit of open files is too low for this many clients.',
    next: 'Raise it on the generator (ulimit -n), or use fewer clients.',
  },
  'password-kept': {
    message: 'The server asked for the password in clear text, and TLS was not required. The password was not sent.',
    next: 'Set TLS of the target to required or verify; have the server ask for scram-sha-256 instead (pg_hba.conf); or allow a cleartext password for this target.',
  },
  'tls-failed': {
    message: 'The encrypted connection to the database could not be set up.',
    next: 'The server must have ssl = on, and its certificate must fit the CA file of the target. Or let the target go without TLS.',
  },
  'permission-denied': {
    message: 'The user is not allowed to do what the workload needs.',
    next: 'Grant the user the right named in the message. To make tables it must own the database or have CREATE on schema public.',
  },
  'read-only': {
    message: 'The server is read-only.',
    next: 'Use select-only, or point the target at the primary server.',
  },
  'table-missing': {
    message: 'A table that the workload uses does not exist.',
    next: 'Prepare the data (data: create), or create the tables of your own script first.',
  },
  'duplicate-key': {
    message: 'A row with the same key was already there, and the client that met it gave up.',
    next: 'Correct the own script, or recreate the data.',
  },
  'serialization-failure': {
    message: 'A client gave up because transactions conflicted with each other.',
    next: 'Let such transactions be tried again (max-tries), or use a lower isolation level.',
  },
  deadlock: {
    message: 'A client gave up because of a deadlock.',
    next: 'Let such transactions be tried again (max-tries), or let the script take its locks in a fixed order.',
  },
  'lock-timeout': {
    message: 'A statement was ended by the server because it took too long, or waited too long for a lock.',
    next: 'Raise statement_timeout or lock_timeout, or look for a transaction that holds its locks.',
  },
  'query-canceled': {
    message: 'A statement was cancelled from outside.',
    next: 'It was stopped, or the server is shutting down. Start again; prepared tables may be incomplete.',
  },
  'connection-lost': {
    message: 'The connection to the database server was lost in the middle of the run.',
    next: 'Check the server’s log for a restart, a crash or a killed connection at this time. Everything printed before is kept.',
  },
  'disk-full': {
    message: 'The disk of the server or of the generator is full.',
    next: 'Free space, or use a smaller scale.',
  },
  'sql-error': {
    message: 'A statement failed, and the client that ran it gave up.',
    next: 'Correct the statement: the message names the script and the command in it.',
  },
  'script-error': {
    message: 'pgbench cannot read the own script.',
    next: 'Correct the script at the line named in the message. Commands like \\set must be on lines of their own.',
  },
  'unknown-option': {
    message: 'pgbench does not know an option.',
    next: 'The option may need a newer version: max-tries and failures-detailed need 15, partitions and server-side-generate 13.',
  },
  'bad-option-value': {
    message: 'pgbench refused the value of an option.',
    next: 'Correct the value named in the message.',
  },
  'password-file-ignored': {
    message: 'The file that holds the password was ignored because others could read it.',
    next: 'The job’s folder on the generator was changed from outside; start it again.',
  },
  'tool-missing': {
    message: 'pgbench is not installed on the generator, or not on its PATH.',
    next: 'Install it (on Debian and Ubuntu: apt-get install postgresql-contrib).',
  },
  'tool-error': {
    message: 'pgbench reported an error and gave up.',
    next: 'The message is pgbench’s own; the raw output shows what came before it.',
  },
} as const satisfies Record<string, { message: string; next: string }>;

export type FaultCode = keyof typeof FAULTS;
