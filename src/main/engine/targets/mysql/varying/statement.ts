import { settingMeasure } from '../../../../../shared/util/setting-value.ts';

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A value as SET GLOBAL takes it: numbers bare, sizes in bytes where the setting is a number, words quoted. */
function literal(value: string, present: string | undefined): string {
  const text = value.trim();
  if (NUMBER.test(text)) return text;
  const measure = settingMeasure(text);
  if (measure?.of === 'bytes' && NUMBER.test(present ?? '')) return String(Math.round(measure.amount));
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** As the server writes names of variables; those of components have a dot. */
const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?$/.test(name);

/** `present`: what the variable is now. */
export function setGlobal(name: string, value: string, present: string | undefined): string {
  if (!isVariableName(name)) throw new TypeError(`“${name}” is not a name of a variable.`);
  return `SET GLOBAL ${name} = ${literal(value, present)}`;
}

/** Some variables are no options, or options of another name: the server warns of these, and starts. */
export const memoryLines = (name: string, value: string): Readonly<Record<string, string>> => ({
  [`loose_${name}`]: value,
});

const SKIPPED = 'skip_log_bin';

/**
 * A value as the settings file takes it. The binary log is a variable that tells on or off, and an option that takes the name of its files:
 * “log_bin = OFF” would switch it on, with files of that name.
 */
export function fileLines(name: string, value: string): Readonly<Record<string, string | undefined>> {
  if (name !== 'log_bin') return { [name]: value };
  const isOff = ['off', '0', 'false', 'no'].includes(value.toLowerCase());
  const isOn = ['on', '1', 'true', 'yes'].includes(value.toLowerCase());
  return isOff ? { log_bin: undefined, [SKIPPED]: '1' } : { log_bin: isOn ? 'binlog' : value, [SKIPPED]: undefined };
}
