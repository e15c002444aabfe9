import { KneepointError } from '../../../../../shared/model/problem.ts';
import { wholeSeconds } from '../../option-problem.ts';
import type { Command, PlanInput, ToolPlan } from '../../tool.ts';
import { addsRecords, distributionOf, drivesTarget, loadsPart, mixOf, type YcsbOptions } from '../options/index.ts';
import { OPTION_PROPERTIES, propertyLine, propertyNames } from '../options/properties.ts';
import { connectionFiles, type Making, makingFiles, tableWords } from './connection.ts';
import { LAUNCHER } from './launcher.ts';

type Input = PlanInput<YcsbOptions>;
type Phase = 'load' | 'run';
type File = Command['files'][number];

/** Largest number of operations that YCSB can read: it then never ends before its time. */
const ENDLESS = 2_147_483_647;
/** Zipfian popularity is spread over the records that inserts may add; too many of them, and YCSB searches long for one that exists. */
const EXPECTED_OPS = 50_000;

/**
 * YCSB counts its time from the first operation on. Until then Java starts, the binding connects, and a zipfian popularity is summed up
 * over all records, which takes minutes for thousands of millions of them.
 */
const START_SECONDS = 3600;

function operationCount(input: Input): number {
  const { options } = input;
  // Twice the records that it would insert must be a number that YCSB can read, too.
  const most = isPart(input) && addsRecords(options) ? Math.floor(ENDLESS / 2) : ENDLESS;
  if (options.operationcount !== undefined) return Math.min(most, options.operationcount);
  const searches = mixOf(options).insert > 0 && distributionOf(options) === 'zipfian';
  // Of several generators none asks for records that are yet to come, so none searches.
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
const addsBesideOthers = (input: Input): boolean =>
  isSeveral(input) && input.options.phase === 'run' && addsRecords(input.options);

/** Which keys a load inserts; which ones a run asks for while several insert. */
function keyRange(input: Input): Properties {
  const { insertstart, insertcount = 0 } = input.options;
  if (input.options.phase === 'load' || distributionOf(input.options) !== 'zipfian')
    return { insertstart, insertcount };
  // Zipfian popularity reaches one further, and over the records that it expects: what is left is what was loaded. It can be below zero.
  const further = 1 + Math.trunc(operationCount(input) * mixOf(input.options).insert * 2);
  return { insertstart, insertcount: insertcount - further };
}

/** Begins the names of the files that HdrHistogram writes its counts to. */
const LATENCIES = 'latencies-';

const logsLatencies = ({ options }: Input): boolean =>
  options['hdrhistogram.fileoutput'] && options.measurementtype.startsWith('hdrhistogram');

/** What the step does and prints. Own lines come first, as the last of two equal names counts. */
function workloadFile(input: Input, command: Phase, measured: boolean): File {
  const { options } = input;
  const properties: Properties = {
    ...recordProperties(options),
    ...(command === 'run' ? operationProperties(input) : {}),
    ...(measured && (loadsPart(options) || (isPart(input) && addsBesideOthers(input))) ? keyRange(input) : {}),
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

/** Words for the launcher: which YCSB, how to start Java. */
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
/** YCSB prints ∞ in UTF-8, and drivers their messages in English. */
const ENVIRONMENT = { LC_ALL: 'C' };

/** Words by which the launcher finds what a file on the generator sets in vain, or, in a run, beside the experiment. */
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
  // Cells with other records need a load of their own, and are told apart by their command.
  const records = measured
    ? []
    : Object.entries(recordProperties(options)).flatMap(([name, value]) => ['-p', `${name}=${value}`]);
  return {
    argv: [
      ...['sh', '@launch.sh@'],
      ...programWords(input),
      ...(measured && isPart(input) && addsBesideOthers(input) ? ['--beside', 'others'] : []),
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
    // Making and filling a table first takes as long as it takes, with a Java to be started for each; YCSB ends its own work by the time.
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
    message: `The load is to begin at record ${insertstart} and insert ${insertcount}, which is more than the ${recordcount} records that there are.`,
    safe: 'Nothing was started.',
    next: 'Lower insertstart or insertcount, or raise recordcount.',
  });
}

/** Steps of a YCSB workload. Throws `experiment-invalid` when target, binding and shares do not fit together. */
export function planYcsb(input: Input): ToolPlan {
  const { options } = input;
  const command: Phase = options.phase === 'load' ? 'load' : 'run';
  requireKeys(options);
  if (drivesTarget(options) !== undefined) {
    const anew = addsRecords(options);
    // A collection is made by its first document; a table must be there.
    const create = drivesTarget(options) === 'jdbc';
    // None of several may drop the table that the others are in: theirs is made before each trial.
    const making =
      anew && !loadsPart(options) && !isSeveral(input) ? { drop: true, create, fill: command === 'run' } : {};
    return {
      prepare:
        anew && !addsBesideOthers(input)
          ? tableStep(input, { create: true })
          : clientStep(input, 'load', false, { create }),
      run: clientStep(input, command, true, making),
      cleanup: tableStep(input, { drop: true }),
    };
  }
  const run = clientStep(input, command, true, {});
  // BasicDB keeps nothing, and a measured load is its own preparation.
  const keeps = options.binding !== 'basic' || options.db !== undefined;
  return keeps && command === 'run' ? { prepare: clientStep(input, 'load', false, {}), run } : { run };
}
