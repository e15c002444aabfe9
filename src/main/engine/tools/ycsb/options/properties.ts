/** Properties that have an option of their own, by that option's name. */
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
/** Those of the load: how a binding reaches its database is what a file on the generator is for. */
export const OPTION_PROPERTIES: readonly string[] = [...OPTIONS.keys()].filter(
  (name) => !/^(db|basicdb|table)\b/.test(name),
);
/** Properties that decide what is printed where, and how long it takes: the parser and the plan rely on them. */
const KEPT: ReadonlySet<string> = new Set([
  ...['exporter', 'exportfile', 'status', 'status.interval', 'label', 'dotransactions', 'maxexecutiontime'],
  ...['hdrhistogram.fileoutput', 'hdrhistogram.output.path', 'measurement.raw.output_file'],
  ...['db.url', 'db.user', 'mongodb.url', 'mongodb.database', 'basicdb.verbose'],
]);
const SECRET = /passw|secret|credential|accesskey|token/i;

/** Escapes could hide a name from those that look for it. */
const unescaped = (name: string): string =>
  name.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, character: string | undefined) =>
    code === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** `name=value`, `name: value` or `name value`; comments and blank lines left out. Continued lines are joined. */
export function propertyNames(text: string): string[] {
  return text
    .replace(/\\\r?\n\s*/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !/^[#!]/.test(line))
    .map((line) => unescaped(/^(?:\\.|[^\\=:\s])*/.exec(line)?.[0] ?? ''));
}

/** Why a text of own properties cannot be taken as it is; undefined if it can. */
export function ownPropertiesProblem(text: string): string | undefined {
  for (const name of propertyNames(text)) {
    const option = OPTIONS.get(name);
    if (option) return `“${name}” has an option of its own: remove the line and set the option ${option}.`;
    if (KEPT.has(name)) return `“${name}” is set by Kneepoint, which relies on it: remove the line.`;
    if (SECRET.test(name) || /\/\/[^/\s]*:[^/\s]*@/.test(text))
      return `“${name}” looks like a secret, and these lines are stored with the experiment: put it into a file on the generator and name that with the option properties-file.`;
    if (!/^[\w.+-]+$/.test(name)) return `“${name}” is not a property name.`;
  }
  return undefined;
}

const escaped = (character: string): string =>
  character === '\\' || character === ' '
    ? `\\${character}`
    : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One line of a Java properties file: it is Latin-1 and ends at a newline, so everything else is escaped. */
export const propertyLine = (name: string, value: string | number | boolean): string =>
  `${name}=${String(value).replace(/[^\x20-\x7e]|^ |\\/g, escaped)}`;
