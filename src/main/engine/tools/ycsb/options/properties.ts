/** Properties that have a separate option, with its name. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ...[
    ...['readproportion', 'updateproportion', 'insertproportion', 'scanproportion', 'readmodifywriteproportion'],
    ...['requestdistribution', 'hotspotdatafraction', 'hotspotopnfraction'],
    ...['minscanlength', 'maxscanlength', 'scanlengthdistribution', 'recordcount', 'operationcount'],
    ...[
      'insertstart',
      'insertcount',
      'fieldcount',
      'fieldlength',
      'fieldlengthdistribution',
      'insertorder',
      'readallfields',
      'writeallfields',
    ],
    ...['table', 'target', 'measurementtype', 'measurement.interval', 'hdrhistogram.percentiles', 'db'],
  ].map((name): [string, string] => [name, name]),
  ['threadcount', 'threads'],
  ['basicdb.simulatedelay', 'simulate-delay'],
  ['core_workload_insertion_retry_limit', 'insertion-retry-limit'],
  ['db.driver', 'jdbc-driver'],
]);
/** Properties of the load. How a binding connects to its database may be defined in a file on the generator. */
export const OPTION_PROPERTIES: readonly string[] = [...OPTIONS.keys()].filter(
  (name) => !/^(db|basicdb|table)\b/.test(name),
);
/** Properties that determine the output and the run time: the parser and the plan depend on them. */
const KEPT: ReadonlySet<string> = new Set([
  ...['exporter', 'exportfile', 'status', 'status.interval', 'label', 'dotransactions', 'maxexecutiontime'],
  ...['hdrhistogram.fileoutput', 'hdrhistogram.output.path', 'measurement.raw.output_file'],
  ...['db.url', 'db.user', 'mongodb.url', 'mongodb.database', 'basicdb.verbose'],
]);
const SECRET = /passw|secret|credential|accesskey|token/i;

/** Resolves escapes, which could hide a name from checks. */
const unescaped = (name: string): string =>
  name.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, character: string | undefined) =>
    code === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Parses `name=value`, `name: value` or `name value`. Omits comments and blank lines, and joins continued lines. */
export function propertyNames(text: string): string[] {
  return text
    .replace(/\\\r?\n\s*/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !/^[#!]/.test(line))
    .map((line) => unescaped(/^(?:\\.|[^\\=:\s])*/.exec(line)?.[0] ?? ''));
}

/** Why own properties are refused. Undefined if they are valid. */
export function ownPropertiesProblem(text: string): string | undefined {
  for (const name of propertyNames(text)) {
    const option = OPTIONS.get(name);
    if (option) return `“${name}” has its own option: remove the line and set the option “${option}”.`;
    if (KEPT.has(name)) return `“${name}” is set by Kneepoint, which relies on it: remove the line.`;
    if (SECRET.test(name) || /\/\/[^/\s]*:[^/\s]*@/.test(text))
      return `“${name}” looks like a secret, and these lines are stored with the experiment: put it into a file on the generator and name that with the option “properties-file”.`;
    if (!/^[\w.+-]+$/.test(name)) return `“${name}” is not a property name.`;
  }
  return undefined;
}

const escaped = (character: string): string =>
  character === '\\' || character === ' '
    ? `\\${character}`
    : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One line of a Java properties file. The format is Latin-1 and line-based, so all other characters are escaped. */
export const propertyLine = (name: string, value: string | number | boolean): string =>
  `${name}=${String(value).replace(/[^\x20-\x7e]|^ |\\/g, escaped)}`;
