import type { TargetKind } from '../../../../shared/model/target.ts';
import { formatBytes, formatNumber } from '../../../../shared/util/format.ts';
import { type DataNeed, defineTool, type NeededPath } from '../tool.ts';
import { recordAccesses } from './options/accesses.ts';
import { addsRecords, drivesTarget, mixOf, YcsbOptions } from './options/index.ts';
import { INSTALLATION_SCRIPT, probedVersion } from './options/program.ts';
import { YcsbParser } from './parse/index.ts';
import { planYcsb } from './plan/index.ts';
import { divideYcsb } from './plan/mongodb.ts';

/** Minimum number of Java's own threads (compilers, collectors and so on), in addition to those of the program. */
const JVM_THREADS = 30;

export const ycsbTool = defineTool(
  {
    id: 'ycsb',
    title: 'YCSB',
    options: YcsbOptions,
    metrics: { primary: () => 'ops', failures: ['operations_failed_total'] },
    parser: (phase, options, events) => new YcsbParser(phase, options, events),
  },
  {
    summary:
      'Reads, updates, inserts and scans of records by key, on databases of many kinds, with Java on the generator.',
    drives: ['mysql', 'postgres', 'mongodb', 'host'],
    // The option directory names the location of YCSB itself; only Java must be on the PATH.
    probe: {
      argv: ['java', '-version'],
      extra: INSTALLATION_SCRIPT,
      version: probedVersion,
      oldest: '1.7',
      install:
        'YCSB needs a Java runtime: apt-get install default-jre-headless (Debian, Ubuntu), dnf install java-headless (Fedora). Unpack YCSB itself into the folder named by the option “directory”.',
    },
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
      // Each operation is committed separately. The PostgreSQL driver prepares a statement on the server from its fifth execution.
      statements: (options, kind) =>
        drivesTarget(options) === 'jdbc'
          ? { transactions: false, readsInTransactions: false, prepared: kind === 'postgres' }
          : undefined,
      divide: divideYcsb,
    },
  },
);

/** Bytes of key, lengths and headers of a row, in addition to its fields. */
const ROW_OVERHEAD = 60;
const FIELD_OVERHEAD = 2;
/** Name, type, length and subtype of a binary field in BSON. */
const NAME_OVERHEAD = 11;

/** Hashed keys leave the pages of a clustered index two thirds full; a heap and ordered keys fill them. */
const filling = (options: YcsbOptions, kind: TargetKind): number =>
  kind === 'mysql' && options.insertorder === 'hashed' ? 1.45 : 1.12;

/**
 * The table or collection in a saved target. A run that adds records always starts with a new table: a single generator creates it itself, so no
 * records are required before; for several it is created before each trial.
 */
function dataNeed(options: YcsbOptions, kind: TargetKind, generators = 1): DataNeed | undefined {
  const family = drivesTarget(options);
  if (family === undefined) return undefined;
  // Each document repeats the names of its fields.
  const name = family === 'mongodb' ? NAME_OVERHEAD : 0;
  const row = options.fieldcount * (options.fieldlength + FIELD_OVERHEAD + name) + ROW_OVERHEAD;
  const bytes = Math.round(options.recordcount * row * filling(options, kind));
  const shape = `${options.fieldcount} fields of ${formatNumber(options.fieldlength)} bytes`;
  const words = `${formatNumber(options.recordcount)} records of ${shape}, about ${formatBytes(bytes)}`;
  const layout = { bytes, shape: `${shape}, ${options.fieldlengthdistribution} lengths, ${options.insertorder} keys` };
  const several = generators > 1;
  if (addsRecords(options) && several && options.phase === 'run')
    return {
      ...layout,
      title: `${words}, new for each trial`,
      shape: `${layout.shape}, new for each trial`,
      tables: [{ name: options.table, rows: options.recordcount }],
      written: true,
      eachTrial: true,
    };
  if (addsRecords(options))
    return {
      ...layout,
      // It is initially empty: key lengths and key order are up to each trial, so one such table is suitable for all.
      shape,
      title: `A table that each trial fills with ${words}`,
      tables: [{ name: options.table, rows: 0 }],
      written: true,
      ...(several && { eachTrial: true }),
    };
  const { update, readmodifywrite } = mixOf(options);
  return {
    ...layout,
    title: words,
    tables: [{ name: options.table, rows: options.recordcount }],
    written: update + readmodifywrite > 0,
  };
}

/** The core of an installation, its binding, and other named files: everything that the launcher looks for. */
function pathsOf(options: YcsbOptions): NeededPath[] {
  const { directory, binding, db, java } = options;
  const inside = directory.replace(/(?<=.)\/+$/, '');
  const family = binding.replace(/-.*/, '');
  const file = options['properties-file'];
  return [
    { what: 'Java', option: 'java', kind: 'program', anyOf: [java] },
    {
      what: 'YCSB',
      option: 'directory',
      kind: 'file',
      anyOf: [`${inside}/lib/core-*.jar`, `${inside}/core/lib/core-*.jar`, `${inside}/lib/ycsb-*.jar`],
      next: `Unpack YCSB into ${directory}.`,
    },
    // Basic is part of the core, and a user's class can be in any jar.
    ...(binding === 'basic' || db !== undefined
      ? []
      : ([
          {
            what: `Binding ${binding}`,
            option: 'directory',
            kind: 'file',
            anyOf: [`${inside}/${family}-binding/lib/*.jar`, `${inside}/lib/${family}-binding-*.jar`],
            next: `Choose a binding that is installed, or unpack a release of YCSB with ${binding}.`,
          },
        ] satisfies NeededPath[])),
    ...(file === undefined
      ? []
      : ([{ what: 'Properties file', option: 'properties-file', kind: 'file', anyOf: [file] }] satisfies NeededPath[])),
  ];
}
