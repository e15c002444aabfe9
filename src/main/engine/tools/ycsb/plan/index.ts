import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { wholeSeconds } from '../../option-problem.ts';
import type { Command, PlanInput, ToolPlan } from '../../tool.ts';
import { addsRecords, distributionOf, drivesTarget, loadsPart, mixOf, type YcsbOptions } from '../options/index.ts';
import { OPTION_PROPERTIES, propertyLine, propertyNames } from '../options/properties.ts';
import { connectionProperties, createTable, dropTable, serverKeyFiles } from './jdbc.ts';
import { LAUNCHER } from './launcher.ts';
import { COLLECTION_PROGRAM, createCollection, dropCollection, mongoProperties } from './mongodb.ts';

type Input = PlanInput<YcsbOptions>;
type Phase = 'load' | 'run';
type File = Command['files'][number];

/** The largest number of operations that YCSB can parse: effectively unlimited. */
const ENDLESS = 2_147_483_647;
/** Zipfian popularity covers the records that inserts may add. If they are too many, YCSB searches a long time for an existing one. */
const EXPECTED_OPS = 50_000;

/**
 * YCSB measures its time from the first operation. Before it, Java starts, the binding connects, and a zipfian distribution is summed up over all
 * records, which takes minutes for billions of them.
 */
const START_SECONDS = 3600;

function operationCount(input: Input): number {
  const { options } = input;
  // YCSB must also be able to parse twice the number of inserted records.
  const most = isPart(input) && addsRecords(options) ? Math.floor(ENDLESS / 2) : ENDLESS;
  if (options.operationcount !== undefined) return Math.min(most, options.operationcount);
  const searches = mixOf(options).insert > 0 && distributionOf(options) === 'zipfian';
  // None of several generators asks for future records, so none searches.
  return searches && !isPart(input) ? Math.min(ENDLESS, EXPECTED_OPS * wholeSeconds(input)) : most;
}

type Properties = Record<string, string | number | boolean>;

function recordProperties(options: YcsbOptions): Properties {
  return {
    recordcount: options.recordcount,
    table: options.table,
    fieldcount: options.fieldcount,
    fieldlength: options.fieldlength,
    fieldlengthdistribution: options.fieldlengthdistribution,
    insertorder: options.insertorder,
    core_workload_insertion_retry_limit: options['insertion-retry-limit'],
  };
}

function operationProperties(input: Input): Properties {
  const { options } = input;
  const distribution = distributionOf(options);
  const mix = Object.entries(mixOf(options)).map(([name, value]) => [`${name}proportion`, value]);
  return {
    operationcount: operationCount(input),
    ...Object.fromEntries(mix),
    requestdistribution: distribution,
    ...(distribution === 'hotspot' && {
      hotspotdatafraction: options.hotspotdatafraction,
      hotspotopnfraction: options.hotspotopnfraction,
    }),
    minscanlength: options.minscanlength,
    maxscanlength: options.maxscanlength,
    scanlengthdistribution: options.scanlengthdistribution,
    readallfields: options.readallfields,
    writeallfields: options.writeallfields,
  };
}

const isPart = ({ part }: Input): boolean => (part?.count ?? 1) > 1;
const isSeveral = ({ generators = 1 }: Input): boolean => generators > 1;
const insertsInParallel = (input: Input): boolean =>
  isSeveral(input) && input.options.phase === 'run' && addsRecords(input.options);

/** The keys that a load inserts, or that a run asks for while several generators insert. */
function keyRange(input: Input): Properties {
  const { insertstart, insertcount = 0 } = input.options;
  if (input.options.phase === 'load' || distributionOf(input.options) !== 'zipfian')
    return { insertstart, insertcount };
  // Zipfian popularity covers one more record, plus the expected inserts; the difference is the number of loaded records. It can be negative.
  const further = 1 + Math.trunc(operationCount(input) * mixOf(input.options).insert * 2);
  return { insertstart, insertcount: insertcount - further };
}

/** Prefix of the files to which HdrHistogram writes its counts. */
const LATENCIES = 'latencies-';

const logsLatencies = ({ options }: Input): boolean =>
  options['hdrhistogram.fileoutput'] && options.measurementtype.startsWith('hdrhistogram');

/** The work and the output of the command. Own lines come first, as the last of two equal names takes effect. */
function workloadFile(input: Input, command: Phase, measured: boolean): File {
  const { options } = input;
  const properties: Properties = {
    ...recordProperties(options),
    ...(command === 'run' ? operationProperties(input) : {}),
    ...(measured && (loadsPart(options) || (isPart(input) && insertsInParallel(input))) ? keyRange(input) : {}),
    threadcount: measured ? options.threads : options['load-threads'],
    ...(measured && options.target > 0 ? { target: options.target } : {}),
    ...(measured ? { maxexecutiontime: wholeSeconds(input) } : {}),
    'status.interval': 1,
    measurementtype: measured ? options.measurementtype : 'hdrhistogram',
    'measurement.interval': measured ? options['measurement.interval'] : 'op',
    'hdrhistogram.percentiles': options['hdrhistogram.percentiles'],
    'basicdb.verbose': false,
    'basicdb.simulatedelay': options['simulate-delay'],
  };
  const lines = Object.entries(properties).map(([name, value]) => propertyLine(name, value));
  const own = options.properties.trimEnd();
  const content = `${own === '' ? '' : `${own}\n`}${lines.join('\n')}\n`;
  return { name: 'workload.properties', content, mode: 0o600, secret: false };
}

const named = (name: string, value: string | undefined): string[] => (value ? [name, value] : []);

/** Launcher arguments for the location of YCSB and the start of Java. */
function programWords({ options }: Input): string[] {
  const ownWorkload = propertyNames(options.properties).includes('workload')
    ? /^\s*workload\s*[=:\s]\s*([\w.$]+)/m.exec(options.properties)?.[1]
    : undefined;
  return [
    ...['--directory', options.directory, '--binding', options.binding],
    ...named('--class', options.db),
    ...named('--workload', ownWorkload),
    ...(options.java === 'java' ? [] : ['--java', options.java]),
    ...named('--jvm', options['jvm-arguments']),
  ];
}

const launcherFile: File = { name: 'launch.sh', content: LAUNCHER, mode: 0o700, secret: false };
/** YCSB prints ∞ in UTF-8, and drivers print their messages in English. */
const ENVIRONMENT = { LC_ALL: 'C' };

/** Arguments with which the launcher finds ineffective properties in a file on the generator and, in a run, properties that bypass the experiment. */
const givenWords = ({ 'properties-file': given }: YcsbOptions, measured: boolean): string[] =>
  given === undefined
    ? []
    : [
        ...['--given', given, '--decided', '@workload.properties@'],
        ...(measured ? ['--names', OPTION_PROPERTIES.join(',')] : []),
      ];

function clientStep(input: Input, command: Phase, measured: boolean, making: Making): Command {
  const { options } = input;
  const connection = connectionFiles(options, input.connection);
  const logs = measured && logsLatencies(input);
  // Cells with different records need separate loads; the command distinguishes them.
  const records = measured
    ? []
    : Object.entries(recordProperties(options)).flatMap(([name, value]) => ['-p', `${name}=${value}`]);
  return {
    argv: [
      ...['sh', '@launch.sh@'],
      ...programWords(input),
      ...(measured && isPart(input) && insertsInParallel(input) ? ['--beside', 'others'] : []),
      ...givenWords(options, measured),
      ...(logs ? ['--latencies', `@${LATENCIES}@`] : []),
      ...tableWords(options, input.connection, making),
      ...['--', command === 'run' ? '-t' : '-load', '-s'],
      ...named('-P', options['properties-file']),
      ...['-P', '@workload.properties@'],
      ...(connection.length > 0 ? ['-P', '@connection.properties@'] : []),
      ...records,
    ],
    env: ENVIRONMENT,
    files: [
      launcherFile,
      workloadFile(input, command, measured),
      ...(logs ? [{ name: LATENCIES, content: '', mode: 0o600, secret: false }] : []),
      ...makingFiles(options, making),
      ...connection,
    ],
    // Creating and filling a table takes an unknown time, and starts Java for each. YCSB ends the measured run by time.
    plannedSeconds: measured && !making.drop && !making.create && !making.fill ? wholeSeconds(input) : 0,
    startSeconds: START_SECONDS,
  };
}

function tableStep(input: Input, making: Making): Command {
  const { options, connection } = input;
  return {
    argv: ['sh', '@launch.sh@', ...programWords(input), ...tableWords(options, connection, making), '--'],
    env: ENVIRONMENT,
    files: [launcherFile, ...makingFiles(options, making), ...connectionFiles(options, connection)],
    plannedSeconds: 0,
  };
}

function requireKeys(options: YcsbOptions): void {
  const { recordcount, insertstart, insertcount = 0 } = options;
  if (!loadsPart(options) || insertstart + insertcount <= recordcount) return;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `The load starts at record ${insertstart} and inserts ${insertcount}, which exceeds the total of ${recordcount} records.`,
    safe: 'Nothing was started.',
    next: 'Lower insertstart or insertcount, or raise recordcount.',
  });
}

/** Commands of a YCSB workload. Throws `experiment-invalid` if target, binding and shares do not match. */
export function planYcsb(input: Input): ToolPlan {
  const { options } = input;
  const command: Phase = options.phase === 'load' ? 'load' : 'run';
  requireKeys(options);
  if (drivesTarget(options) !== undefined) {
    const insertsRecords = addsRecords(options);
    // A collection is created with its first document; a table must exist.
    const create = drivesTarget(options) === 'jdbc';
    // None of several generators may drop the shared table: it is created before each trial.
    const making =
      insertsRecords && !loadsPart(options) && !isSeveral(input) ? { drop: true, create, fill: command === 'run' } : {};
    return {
      prepare:
        insertsRecords && !insertsInParallel(input)
          ? tableStep(input, { create: true })
          : clientStep(input, 'load', false, { create }),
      run: clientStep(input, command, true, making),
      cleanup: tableStep(input, { drop: true }),
    };
  }
  const run = clientStep(input, command, true, {});
  // BasicDB stores nothing, and a measured load needs no preparation.
  const keeps = options.binding !== 'basic' || options.db !== undefined;
  return keeps && command === 'run' ? { prepare: clientStep(input, 'load', false, {}), run } : { run };
}

/** Operations on the table before the command itself. `fill`: loads it, unmeasured. */
interface Making {
  drop?: boolean;
  create?: boolean;
  fill?: boolean;
}

const PROPERTIES = 'connection.properties';
const PROGRAM = 'Collection.java';

/** Address, user and password of the target, readable only by their owner. Empty for bindings with a different source. */
function connectionFiles(options: YcsbOptions, connection: ConnectionFacts): File[] {
  const family = drivesTarget(options);
  if (family === undefined) return [];
  const content = (family === 'jdbc' ? connectionProperties : mongoProperties)(options, connection);
  const keys = family === 'jdbc' ? serverKeyFiles(connection) : [];
  return [{ name: PROPERTIES, content, mode: 0o600, secret: true }, ...keys];
}

/** Files that the launcher needs to create or drop the table. */
function makingFiles(options: YcsbOptions, { drop, create }: Making): File[] {
  if (drivesTarget(options) !== 'mongodb' || !(drop || create)) return [];
  return [{ name: PROGRAM, content: COLLECTION_PROGRAM, mode: 0o600, secret: false }];
}

/** Launcher arguments for operations on the table and the CA to trust. */
function tableWords(options: YcsbOptions, connection: ConnectionFacts, making: Making): string[] {
  const family = drivesTarget(options);
  if (family === undefined) return [];
  const jdbc = family === 'jdbc';
  const { caFile, tls } = connection;
  return [
    // pgJDBC and MariaDB's driver read the file themselves.
    ...(!jdbc && tls === 'verify' && caFile ? ['--ca', caFile] : []),
    ...(making.drop || making.create
      ? ['--connection', `@${PROPERTIES}@`, ...(jdbc ? [] : ['--admin', `@${PROGRAM}@`])]
      : []),
    ...(making.drop ? ['--drop', jdbc ? dropTable(options) : dropCollection(options)] : []),
    ...(making.create ? ['--create', jdbc ? createTable(options, connection) : createCollection(options)] : []),
    ...(making.fill ? ['--fill', String(options['load-threads'])] : []),
  ];
}
