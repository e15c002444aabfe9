import { formatBytes, formatCount } from '../../../../../shared/util/format.ts';
import { invalidOptions } from '../../option-problem.ts';
import { type DataNeed, type FileNeed, MOST_FILES } from '../../tool.ts';
import type { SysbenchOptions } from '../options/index.ts';
import { type Formula, formulaValue } from '../scripts/formula.ts';
import { OWN_SCRIPT } from '../scripts/index.ts';
import { hyphened } from '../scripts/library.ts';
import { ownTables, ownValues } from '../scripts/own.ts';

const MOST_TABLES = 10_000;

/** Throws `experiment-invalid` for a name without a value, and for an invalid number of rows or tables. */
function amount(formula: Formula, least: number, values: ReadonlyMap<string, string>, what: string): number {
  const found = formulaValue(formula, (name) => {
    const text = values.get(hyphened(name));
    const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isNaN(value)) return value;
    throw invalidOptions(
      `The option “script-tables” refers to “${name}”, ${text === undefined ? 'but the script has no option of that name with a known value' : `which is “${text}”, not a number`}.`,
      'Set it in the option “script-options”, or write the number itself.',
    );
  });
  if (Number.isSafeInteger(found) && found >= least) return found;
  throw invalidOptions(
    `The option “script-tables” sets ${what} to ${found}.`,
    `It must be a whole number of ${least} or more: floor and ceil round.`,
  );
}

/** Tables declared for the prepare of an own script. Undefined if none are declared. Throws `experiment-invalid` for an invalid declaration. */
export function ownNeed(options: SysbenchOptions): DataNeed | undefined {
  if (options.script !== OWN_SCRIPT || !options['script-prepare']) return undefined;
  const lines = ownTables(options['script-tables']) ?? [];
  if (lines.length === 0) return undefined;
  const values = ownValues(options['script-options'], options['script-text'].trim() || undefined);
  const tables = lines.flatMap(({ begin, count, end, adds, rows }) => {
    const name = `${begin}${end}`;
    const each = { rows: amount(rows, 0, values, `the rows of ${name}`), ...(adds && { runs: 'add' as const }) };
    if (count === undefined) return [{ name, ...each }];
    const number = amount(count, 1, values, `the number of tables ${name}`);
    if (number > MOST_TABLES)
      throw invalidOptions(
        `The option “script-tables” lists ${number} tables ${name}, but at most ${MOST_TABLES} can be counted.`,
        'List only one of these tables: one that is created after all others.',
      );
    return Array.from({ length: number }, (_, index) => ({ name: `${begin}${index + 1}${end}`, ...each }));
  });
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  return {
    title: `${formatCount(tables.length, 'table')} of a custom script, ${formatCount(total, 'row')}`,
    tables,
    shape: 'as an own script makes them',
    written: true,
  };
}

const POWERS: Readonly<Record<string, number>> = { K: 1, M: 2, G: 3, T: 4 };

function bytesOf(size: string): number | undefined {
  const [, number, unit = ''] = /^(\d+)([KMGT]?)$/i.exec(size) ?? [];
  return number === undefined ? undefined : Number(number) * 1024 ** (POWERS[unit.toUpperCase()] ?? 0);
}

/** Folder of the test files inside the user's folder. Cells with different sizes use different files, so that they do not interfere. */
export const filesFolder = (base: string, options: SysbenchOptions): string =>
  `${base.replace(/\/+$/, '')}/kneepoint-fileio/${options['file-num']}-files-${options['file-total-size']}`;

/** The test files of fileio. sysbench rounds each file up to whole blocks. */
export function fileNeed(options: SysbenchOptions, path: string | undefined): FileNeed | undefined {
  const base = options.directory ?? path;
  const total = bytesOf(String(options['file-total-size']));
  const count = options['file-num'];
  if (options.script !== 'fileio' || !base?.startsWith('/') || total === undefined || count > MOST_FILES)
    return undefined;
  const bytes = Math.floor(total / count);
  return {
    title: `${formatCount(count, 'file')} of sysbench fileio, ${formatBytes(total)}`,
    base,
    directory: filesFolder(base, options),
    files: Array.from({ length: count }, (_, index) => ({ name: `test_file.${index}`, bytes })),
    written: options['file-test-mode'] !== 'seqrd' && options['file-test-mode'] !== 'rndrd',
    ...(options['file-test-mode'] === 'seqwr' && { selfMade: true }),
  };
}
