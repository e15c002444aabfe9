import { defineTool } from '../tool.ts';
import { dataNeed } from './data.ts';
import { recordAccesses } from './options/accesses.ts';
import { drivesTarget, YcsbOptions } from './options/index.ts';
import { INSTALLATION_SCRIPT, probedVersion } from './options/installation.ts';
import { pathsOf } from './options/paths.ts';
import { YcsbParser } from './parse/index.ts';
import { divideYcsb } from './plan/divide.ts';
import { planYcsb } from './plan/index.ts';

/** Compilers, collectors and the like that Java has beside the threads of a program, at least. */
const JVM_THREADS = 30;

export const ycsbTool = defineTool({
  id: 'ycsb',
  title: 'YCSB',
  summary:
    'Reads, updates, inserts and scans of records by key, on databases of many kinds, with Java on the generator.',
  options: YcsbOptions,
  drives: ['mysql', 'postgres', 'mongodb', 'host'],
  // YCSB itself is where the option directory says: what must be on the path is its Java.
  probe: {
    argv: ['java', '-version'],
    besides: INSTALLATION_SCRIPT,
    version: probedVersion,
    oldest: '1.7',
    install:
      'YCSB needs a Java runtime: apt-get install default-jre-headless (Debian, Ubuntu), dnf install java-headless (Fedora). Unpack YCSB itself into the folder that the option directory names.',
  },
  metrics: { primary: () => 'ops', failures: ['operations_failed_total'] },
  needs(options) {
    const family = drivesTarget(options);
    return family === undefined ? ['host'] : family === 'jdbc' ? ['mysql', 'postgres'] : ['mongodb'];
  },
  paths: pathsOf,
  data: dataNeed,
  endsAfter: ({ phase, insertcount, recordcount, operationcount }) =>
    phase === 'load' ? (insertcount ?? recordcount) : operationcount,
  accesses: recordAccesses,
  plan: planYcsb,
  load: {
    workers: { unit: ['thread', 'threads'], count: (options) => options.threads },
    threads: (options) => options.threads + JVM_THREADS,
    connections: (options) => (drivesTarget(options) === undefined ? 0 : options.threads),
    rate: ({ target }) => target || undefined,
    // Each operation is committed by itself. The driver of PostgreSQL prepares a statement on the server from its fifth execution on.
    statements: (options, kind) =>
      drivesTarget(options) === 'jdbc'
        ? { transactions: false, readsInTransactions: false, prepared: kind === 'postgres' }
        : undefined,
    divide: divideYcsb,
  },
  parser: (phase, options, events) => new YcsbParser(phase, options, events),
});
