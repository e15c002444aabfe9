const DATA_NEXT = 'Prepare the data again (data: recreate), or choose a database without tables of these names.';

/** The meaning of each fault and its remedy. The codes are stable. */
export const FAULTS = {
  'connection-refused': {
    message: 'sysbench could not connect to the database server: nothing is listening at that address and port.',
    next: 'Check that the server is running, address and port as seen from the generator, and firewalls in between.',
  },
  'ports-exhausted': {
    message: 'The generator ran out of local ports for this address of the server (system error 99).',
    next: 'Widen net.ipv4.ip_local_port_range on the generator (by default, about 28,000 connections per address of the server), use fewer threads or more generators, or give the server more addresses.',
  },
  'open-files': {
    message: 'The generator reached its limit of open files; each connection uses one (system error 24).',
    next: 'Raise the limit for the user that logs in there (ulimit -n, LimitNOFILE) above the number of threads, or use fewer threads or more generators.',
  },
  'server-threads': {
    message: 'The database server could not start another thread or process for a connection (system error 11 or 12).',
    next: 'Raise the limits of its service (LimitNPROC and TasksMax in systemd, kernel.threads-max, vm.max_map_count, memory), or use fewer threads or a connection pool.',
  },
  'generator-threads': {
    message: 'The generator could not start the requested number of threads (system error 11 or 12).',
    next: 'Raise ulimit -u, kernel.threads-max and vm.max_map_count there, or divide the threads between more generators. sysbench 1.0 with an older LuaJIT starts about 4,000 threads; the Debian 12 build starts 25,000 or more.',
  },
  unreachable: {
    message:
      'The generator cannot reach the database server: no route, or no response in time (system error 110 or 113).',
    next: 'Check address, route and firewall between the two; with very many connections at once, also the server’s backlog (net.core.somaxconn, back_log).',
  },
  'unknown-host': {
    message: 'The generator cannot resolve the host name of the database server.',
    next: 'Use a name that the generator can resolve, or an IP address.',
  },
  'auth-failed': {
    message: 'The database server rejected the user name or password.',
    next: 'Check user and password of the target, and that this user may log in from the generator’s address.',
  },
  'login-unknown': {
    message:
      'The client library that sysbench was built with does not support the authentication method of the server (plugin, or SCRAM with a libpq before 10).',
    next: 'Use a sysbench built with a newer client library (MySQL 8, MariaDB Connector/C 3, libpq 10 or later); or use an older method for the user: mysql_native_password, or password_encryption = md5.',
  },
  'login-needs-tls': {
    message:
      'The server accepts the password of this user only over an encrypted connection (caching_sha2_password), and this one was not encrypted.',
    next: 'Set TLS of the target to required; or give the user mysql_native_password.',
  },
  'tls-required': {
    message: 'The server requires TLS for this user, but the connection was not encrypted.',
    next: 'Set TLS of the target to required: cloud services, hostssl in pg_hba.conf and require_secure_transport accept nothing else. If that is refused too, PostgreSQL’s pg_hba.conf has no rule for this user and address.',
  },
  'threads-not-started': {
    message: 'Not all threads had connected and prepared their statements within 30 s, and sysbench aborted.',
    next: 'Find what makes connecting slow: the server’s backlog (back_log, net.core.somaxconn, tcp_max_syn_backlog), or many prepared statements on many tables (use fewer tables, db-ps-mode=disable or a larger table_open_cache). sysbench 1.1 waits longer with thread-init-timeout; otherwise use fewer threads.',
  },
  'statement-on-other-connection': {
    message:
      'A prepared statement was missing, or existed already: a pooler between sysbench and the server gives each transaction another connection, without its prepared statements.',
    next: 'Set db-ps-mode to disable; or use PgBouncer 1.21 or later with max_prepared_statements; or session pooling.',
  },
  'database-access-denied': {
    message: 'The user has no permission to use this database, or it does not exist.',
    next: 'Create the database if it is missing, and grant the user all privileges on it.',
  },
  'database-missing': {
    message: 'The database does not exist on the server.',
    next: 'Create it, or change the database name of the target.',
  },
  'too-many-connections': {
    message: 'The server refused connections beyond its limit. One refused thread ends the whole run.',
    next: 'Raise max_connections (or the limit of the user) above the largest number of threads, or use fewer threads.',
  },
  'too-many-statements': {
    message: 'The server’s limit of prepared statements is reached.',
    next: 'Raise max_prepared_stmt_count, use fewer threads or tables, or set db-ps-mode to disable.',
  },
  'password-kept': {
    message: 'The server asked for the password in cleartext, and TLS was not required. The password was not sent.',
    next: 'Set TLS of the target to required or verify; have the server ask for scram-sha-256 instead (pg_hba.conf); or allow a cleartext password for this target.',
  },
  'tls-failed': {
    message: 'The encrypted connection to the database could not be set up.',
    next: 'MySQL: the folder named by mysql-ssl-directory must hold cacert.pem, client-cert.pem and client-key.pem, signed by a CA that the server trusts; 5.6 and many builds of 5.7 have TLS 1.0 and 1.1 only, which is refused today. PostgreSQL: the server must have ssl = on. Or disable TLS in the target.',
  },
  'permission-denied': {
    message: 'The server or the operating system denied an operation of the test.',
    next: 'Grant the privilege named in the message, or choose a writable folder.',
  },
  'read-only': {
    message: 'The server is read-only.',
    next: 'Use a read-only script, or point the target at the primary server.',
  },
  'table-missing': {
    message: 'A table that the script reads does not exist.',
    next: 'Prepare the data (data: create), with the same number of tables as the run.',
  },
  'table-exists': {
    message: 'prepare found a table of the same name.',
    next: `${DATA_NEXT} A custom script that does not divide its prepare creates each table once per thread: set prepare-threads to 1.`,
  },
  'schema-exists': {
    message:
      'prepare found a schema or tablespace of the same name that many_schemas did not create, and did not touch it.',
    next: 'Choose another prefix (schema-prefix). A later prepare continues from the partial data; cleanup removes it.',
  },
  'data-differs': {
    message: 'prepare found data of the same name that was created with other options, and did not touch it.',
    next: 'Choose the options that it was created with, named in the message, or prepare it again (data: recreate).',
  },
  'layout-missing': {
    message: 'The server does not support the table storage that an option requests.',
    next: 'Unset the option named in the message, or choose a server that supports it.',
  },
  'column-count-mismatch': {
    message:
      'The tables do not have the columns that the script expects: bulk_insert and oltp_* use the same table names.',
    next: DATA_NEXT,
  },
  'duplicate-key': {
    message: 'The run ended because a row with the same key already existed.',
    next: 'With skip-trx and several threads this is a known weakness of the script: use one thread or transactions. Otherwise recreate the data.',
  },
  deadlock: {
    message: 'The run ended because of a deadlock or a serialization failure that was not ignored.',
    next: 'Keep 1213 among mysql-ignore-errors, or spread the load over more tables.',
  },
  'lock-timeout': {
    message: 'The run ended because waiting for a lock took too long.',
    next: 'Keep 1205 among mysql-ignore-errors, or find the transaction that holds the lock.',
  },
  'record-changed': {
    message: 'The run ended because a record had changed since it was read.',
    next: 'Keep 1020 among mysql-ignore-errors.',
  },
  'connection-lost': {
    message: 'The connection to the database server was lost during the run.',
    next: 'Check the server’s log for a restart, a crash or a killed connection at this time. Earlier output is stored.',
  },
  'event-queue-full': {
    message: 'Events were queued faster than the threads could execute them, until the queue of sysbench was full.',
    next: 'Lower the rate, or use more threads.',
  },
  'forced-shutdown': {
    message: 'Events were still waiting after the planned end, and sysbench forced the run to end.',
    next: 'The server stalled near the end: check its log. The figures until then are stored.',
  },
  'disk-full': {
    message: 'The disk is full.',
    next: 'Clean up the partial data, then free up space or use a smaller size.',
  },
  'place-refused': {
    message: 'Kneepoint does not write there: it uses only its own plain files in its own folder.',
    next: 'Choose another folder. Kneepoint does not touch links, devices or system folders.',
  },
  'files-missing': {
    message: 'The test files are missing.',
    next: 'Prepare the data with the same folder and number of files.',
  },
  'files-too-small': {
    message: 'The test files are smaller than the options require.',
    next: 'Prepare the data again with the same total size and number of files as the run.',
  },
  'io-refused': {
    message: 'The file system refused the way the files are opened or accessed.',
    next: 'Omit direct from file-extra-flags, or use a block size that is a multiple of the sector size.',
  },
  'bad-driver': {
    message: 'This sysbench has no driver for the database.',
    next: 'Install a sysbench that was built with it (sysbench --help lists the drivers).',
  },
  'missing-option': {
    message: 'An option that this test requires is missing.',
    next: 'Set the option named in the message.',
  },
  'unknown-option': {
    message: 'sysbench rejected an unknown option.',
    next: 'The option may belong to another version (thread-init-timeout and reconnect need 1.1) or another script.',
  },
  'bad-option-value': {
    message: 'sysbench rejected the value of an option.',
    next: 'Correct the value named in the message. The key distribution zipfian needs sysbench 1.1, special exists in 1.0 only.',
  },
  'unknown-command': { message: 'sysbench rejected an unknown command.', next: 'Check the command line.' },
  'missing-command': {
    message: 'sysbench was started without prepare, run or cleanup.',
    next: 'Check the command line.',
  },
  'unknown-script': {
    message: 'sysbench cannot find the script.',
    next: 'Check that the scripts are installed next to sysbench (on Debian in /usr/share/sysbench).',
  },
  'script-error': {
    message: 'The Lua script has an error.',
    next: 'Correct the script at the line named in the message.',
  },
  'config-file-missing': {
    message: 'sysbench did not find the password file and continued without a password.',
    next: 'The job folder on the generator was changed from outside during the start; repeat the run.',
  },
  'tool-missing': {
    message: 'sysbench is not installed on the generator, or not on its PATH.',
    next: 'Install it (on Debian and Ubuntu: apt-get install sysbench).',
  },
  'tool-error': {
    message: 'sysbench aborted with an error.',
    next: 'See the preceding lines in the raw output.',
  },
} as const satisfies Record<string, { message: string; next: string }>;

export type FaultCode = keyof typeof FAULTS;
