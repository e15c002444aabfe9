/** The meaning of each fault and its remedy. The codes are stable. */
export const FAULTS = {
  'tool-missing': {
    message: 'YCSB’s classes were not found in the installation directory.',
    next: 'Set the option “directory” to the unpacked YCSB on the generator: the folder that holds lib, bin and the *-binding folders.',
  },
  'properties-decided': {
    message:
      'The properties file on the generator contradicts options of the experiment; YCSB would have used the options.',
    next: 'Set the options of the same names to these values (a custom workload class: in the option “properties”), and remove the lines from the file.',
  },
  'java-missing': {
    message: 'Java is not installed on the generator, or not on its PATH.',
    next: 'Install a Java runtime (on Debian and Ubuntu: apt-get install default-jre-headless), or set the option “java” to its path.',
  },
  'java-too-old': {
    message: 'This Java is older than YCSB or a driver requires.',
    next: 'Install a newer Java, or use an older driver; the option “java” selects one of several.',
  },
  'jvm-arguments': {
    message: 'Java rejected its arguments and did not start.',
    next: 'Correct the option “jvm-arguments”; the message names the wrong one.',
  },
  'out-of-memory': {
    message: 'Java ran out of memory.',
    next: 'Give it more with -Xmx in the option “jvm-arguments” (fewer threads or shorter records need less).',
  },
  'jdk-missing': {
    message: 'Java on the generator is not a JDK 11 or later, which is needed to create and drop collections.',
    next: 'Install one (on Debian and Ubuntu: apt-get install default-jdk-headless), or set the option “java” to its path. Runs that only read and update do not need it.',
  },
  'driver-missing': {
    message: 'The JDBC driver is missing: YCSB comes without any.',
    next: 'Put the driver’s jar into jdbc-binding/lib on the generator, and choose it with the option “jdbc-driver”.',
  },
  'binding-missing': {
    message: 'The class of the binding was not found in the installation.',
    next: 'The option “binding” must be a name of bin/bindings.properties whose folder is installed; the option “db” names another class.',
  },
  'connection-refused': {
    message: 'Nothing is listening at the address of the database.',
    next: 'Check that the server is running and listening on this address and port, as seen from the generator.',
  },
  'connection-failed': {
    message: 'No connection to the database server could be established.',
    next: 'Check that the server is running and listening on this address and port, as seen from the generator, and which TLS version it requires. MySQL 5.6 and many builds of 5.7 have TLS 1.0 and 1.1 only, which Java refuses: set the TLS mode of the target to “disabled”.',
  },
  'unknown-host': {
    message: 'The name of the database server cannot be resolved on the generator.',
    next: 'Use an address that the generator can resolve, or add the name to its name service.',
  },
  'connection-timed-out': {
    message: 'The database server did not respond in time.',
    next: 'Check the address and firewalls between generator and server.',
  },
  'auth-failed': {
    message: 'The server rejected the user name or password.',
    next: 'Correct them in the target, and check that this user may connect from the generator’s address.',
  },
  'tls-required': {
    message: 'The server requires TLS for this user, but the connection was not encrypted.',
    next: 'Set TLS of the target to required: cloud services, hostssl in pg_hba.conf and require_secure_transport accept nothing else. If that is refused too, PostgreSQL’s pg_hba.conf has no rule for this user and address.',
  },
  'login-unknown': {
    message: 'The database driver does not support the authentication method of the server.',
    next: 'Install a newer driver in YCSB.',
  },
  'open-files': {
    message: 'The generator reached its limit of open files; each connection uses one.',
    next: 'Raise the limit for the user that logs in there (ulimit -n, LimitNOFILE), or use fewer threads.',
  },
  'key-retrieval': {
    message:
      'Without TLS, the server requests the password encrypted with a key that it chooses. The password was not sent.',
    next: 'Turn TLS on, in the server and for the target; pin the server’s key in the target (Server key); or allow a cleartext password for this target.',
  },
  'password-kept': {
    message: 'The server asked for the password in cleartext, and TLS was not required. The password was not sent.',
    next: 'Set TLS of the target to required or verify; have the server ask for scram-sha-256 instead (pg_hba.conf); or allow a cleartext password for this target.',
  },
  'tls-failed': {
    message: 'No encrypted connection could be established.',
    next: 'Compare the TLS mode of the target with the TLS versions of the server (MySQL 5.6 and many builds of 5.7: TLS 1.0 and 1.1 only, which Java refuses), and the CA file on the generator with the CA that signed the certificate.',
  },
  'database-access-denied': {
    message: 'The user has no permission to use this database.',
    next: 'Grant the user access to the database named in the target.',
  },
  'database-missing': {
    message: 'The database does not exist.',
    next: 'Create it on the server, or correct its name in the target.',
  },
  'table-missing': {
    message: 'The table of the records does not exist.',
    next: 'Set data to create in the experiment, or correct the option “table”.',
  },
  'records-missing': {
    message: 'Requested records do not exist.',
    next: 'Load the data first (data: create), with the same recordcount and insertorder.',
  },
  'table-exists': {
    message: 'A table of this name already exists, and prepare does not overwrite it.',
    next: 'Set data to recreate to replace it, or choose another name with the option “table”.',
  },
  'duplicate-key': {
    message: 'Records with these keys already exist: YCSB always generates the same keys.',
    next: 'Load into an empty table: remove the data first (data: recreate), or use another table.',
  },
  'too-many-connections': {
    message: 'The server has reached its connection limit.',
    next: 'Use fewer threads, or raise the connection limit of the server.',
  },
  'disk-full': {
    message: 'A disk is full.',
    next: 'Free up space on the server or the generator, as named in the message.',
  },
  'connection-lost': {
    message:
      'The connection to the server was lost. YCSB does not reconnect: all later operations of its threads failed.',
    next: 'Check the server’s log for a restart, a crash or a killed connection at this time.',
  },
  deadlock: {
    message: 'Deadlock: transactions waited for each other, and the server aborted one of them.',
    next: 'YCSB counts these operations as failed; uniform keys or fewer threads conflict less often.',
  },
  'bad-option-value': {
    message: 'YCSB rejected the value of a property.',
    next: 'Correct the property that the message names.',
  },
  'workload-class-missing': {
    message: 'The class of the workload was not found in the installation.',
    next: 'Correct the property workload, or put the jar that holds the class into lib.',
  },
  'unknown-option': {
    message: 'YCSB rejected an unknown argument and did nothing.',
    next: 'Correct the argument that the message names.',
  },
  'missing-option': {
    message: 'A required argument is missing, and YCSB did nothing.',
    next: 'Specify at least a workload.',
  },
  'file-missing': {
    message: 'A file that YCSB should read is missing or unreadable.',
    next: 'Check the option “properties-file”: it is a path on the generator.',
  },
  'export-failed': {
    message: 'YCSB could not write its report.',
    next: 'hdrhistogram.fileoutput needs Java 8: later versions lack javax.xml.bind. Omit that property.',
  },
  'insert-errors': {
    message: 'An insert failed, and YCSB ended its thread: the load is incomplete.',
    next: 'Fix the cause named by the binding; insertion-retry-limit makes YCSB retry.',
  },
  'load-incomplete': {
    message: 'The load before the run failed: its output follows.',
    next: 'Fix the cause named by the binding in its messages.',
  },
  'binding-failed': {
    message: 'The binding could not start.',
    next: 'See the message of the binding in the raw output of both streams.',
  },
  'tool-error': {
    message: 'Java or a binding reported an error.',
    next: 'See the preceding lines in the raw output of both streams.',
  },
} as const satisfies Record<string, { message: string; next: string }>;

export type FaultCode = keyof typeof FAULTS;
