/** Lines that tell nothing: banners, notices of YCSB and its JDBC binding, the usage text, what BasicDB prints when verbose. */
const KNOWN: readonly RegExp[] = [
  /^\s*$/,
  /^Command line: /,
  /^Command line:$/,
  /^YCSB Client \d/,
  /^Loading workload\.\.\.$/,
  // Two seconds later, on a busy machine of small data too.
  /^ ?\(might take a few minutes for large data sets\)$/,
  /^Starting test\.$/,
  /^DBWrapper: report latency for each error is /,
  /^Maximum execution time specified as: \d+ secs$/,
  /^(Maximum time elapsed\. Requesting stop for the workload\.|Stop requested for workload\. Now Joining!)$/,
  /^(Still waiting for thread \S+ to complete\.|Could not wait until max specified time, TerminatorThread interrupted\.)/,
  // Loggers of drivers: what matters comes as an exception too.
  /^\[ ?(WARN|INFO|DEBUG)\] /,
  /^Raw data measurement: will output to /,
  /^mongo (client )?connection created with mongodb/,
  /^Exception while trying bulk insert with \d+$/,
  // The loggers of Java and Logback.
  /^[A-Z][a-z]{2} \d\d, \d{4} \d{1,2}:\d\d:\d\d [AP]M com\.mongodb\.\S+ \S+$/,
  /^(INFO|WARNING): /,
  /^\d\d:\d\d:\d\d[.,]\d{3} \[[^\]]+\] +(DEBUG|INFO|WARN) /,
  /^Adding shard node URL: /,
  /^Using shards: \d+, batchSize:-?\d+, fetchSize: -?\d+$/,
  /^Command {2}".*" successfully executed\.$/,
  /^Closing database connection\.$/,
  /^\*{5,}( properties \*{5,})?$/,
  /^"[^"]+"="/,
  /^(READ|UPDATE|INSERT|SCAN|DELETE) \S+ user\d+ /,
];
/** What YCSB prints before a complaint about its arguments. */
const USAGE: readonly RegExp[] = [
  /^Usage: java \S+ \[options\]$/,
  /^(Options|Required properties):$/,
  /^ {2,}(-[a-zA-Z]|workload:|also specified|"threadcount"|can also be|be specified|multiple properties|values in|"target"|as the)/,
  /^ {6,}\S/,
  /^To run the (transaction|load) phase from multiple servers, start a separate client on each(\.|; additionally,)$/,
  /^use the "insertcount" and "insertstart" properties/,
];
const LONGEST = 4000;

export const isKnownLine = (line: string): boolean =>
  (line.length <= LONGEST || line.startsWith('Command line: ')) &&
  [...KNOWN, ...USAGE].some((pattern) => pattern.test(line));
