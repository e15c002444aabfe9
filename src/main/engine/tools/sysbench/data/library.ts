import type { TargetKind } from '../../../../../shared/model/target.ts';
import { formatBytes, formatCount } from '../../../../../shared/util/format.ts';
import type { DataNeed } from '../../tool.ts';
import { libraryNumber, libraryValue, type SysbenchOptions } from '../options/index.ts';
import type { LibraryScript } from '../scripts/index.ts';

type Tables = DataNeed['tables'];
type Maker = (options: SysbenchOptions, kind: TargetKind) => DataNeed;

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const isOn = (options: SysbenchOptions, name: string): boolean => libraryValue(options, name) === true;

/** The storage engine, if there is a choice. */
const engineOf = (options: SysbenchOptions, kind: TargetKind): string | undefined =>
  kind === 'mysql' ? options['mysql-storage-engine'].toLowerCase() : undefined;

/** The suffix of table names, as in `kneepoint.variant`: variants coexist. */
function variant(options: SysbenchOptions, kind: TargetKind, ...words: (string | false)[]): string {
  const engine = engineOf(options, kind);
  return [...words, engine !== 'innodb' && engine]
    .filter((word) => word)
    .map((word) => `_${word}`)
    .join('');
}

const shape = (options: SysbenchOptions, kind: TargetKind, ...words: string[]): string =>
  [...words, engineOf(options, kind)].filter((word) => word).join(', ') || 'as the server makes tables';

const sized = (words: string, bytes: number): { title: string; bytes: number } => ({
  title: `${words}, about ${formatBytes(bytes)}`,
  bytes,
});

/** Order lines for this number of orders: the counts from 5 to 15 lines occur equally often, as far as the number of orders allows. */
function orderLines(orders: number): number {
  const [least, counts] = [5, 11];
  const rest = orders % counts;
  const whole = (orders - rest) / counts;
  const beyondLeast = (whole * counts * (counts - 1) + rest * (rest - 1)) / 2;
  return least * orders + beyondLeast;
}

/** Every run adds orders, their lines and payments; the number of undelivered orders varies. */
const tpcc: Maker = (options, kind) => {
  const number = (name: string): number => libraryNumber(options, name);
  const [warehouses, districts, customers, items] = [
    number('warehouses'),
    number('districts'),
    number('customers'),
    number('items'),
  ];
  const keys = isOn(options, 'foreign-keys');
  const filled = libraryValue(options, 'unset-columns') === 'default';
  const behind = variant(options, kind, keys && 'keys', filled && 'default');
  const allDistricts = warehouses * districts;
  const ofSet = (set: number): Tables =>
    [
      { name: 'warehouse', rows: warehouses },
      { name: 'district', rows: allDistricts },
      { name: 'customer', rows: allDistricts * customers },
      { name: 'item', rows: items },
      { name: 'stock', rows: warehouses * items },
      { name: 'orders', rows: allDistricts * customers, runs: 'add' as const },
      { name: 'order_line', rows: allDistricts * orderLines(customers), runs: 'add' as const },
      { name: 'history', rows: allDistricts * customers, runs: 'add' as const },
      { name: 'new_order', rows: allDistricts * Math.floor(customers * 0.3), runs: 'change' as const },
    ].map((table) => ({ ...table, name: `kp_tpcc${behind}_${table.name}${set}` }));
  const [customer, stock, item] = kind === 'postgres' ? [2230, 365, 130] : [1800, 370, 110];
  const bytes = options.tables * (warehouses * (districts * customers * customer + items * stock) + items * item);
  return {
    ...sized(`${formatCount(options.tables, 'set')} of 9 tables with ${formatCount(warehouses, 'warehouse')}`, bytes),
    tables: range(options.tables).flatMap(ofSet),
    shape: shape(
      options,
      kind,
      keys ? 'foreign keys' : 'no foreign keys',
      filled ? 'a DEFAULT until delivery' : 'NULL until delivery',
      'rows as in TPC-C 5.11',
    ),
    written: true,
  };
};

const insertRows: Maker = (options) => ({
  title: `${formatCount(options.tables, 'table')} to fill; ${isOn(options, 'keep-rows') ? 'runs add to them' : 'each run drops and recreates them'}`,
  tables: range(options.tables).map((number) => ({
    name: `kp_insert${number}`,
    rows: 0,
    ...(isOn(options, 'keep-rows') && { runs: 'add' as const }),
  })),
  shape: 'recreated by each run',
  written: true,
});

const objectHistory: Maker = (options, kind) => {
  const objects = libraryNumber(options, 'objects');
  const records = libraryNumber(options, 'history-records');
  const keyed = isOn(options, 'history-key');
  const behind = variant(options, kind, keyed && 'key');
  const [object, record] = kind === 'postgres' ? [190, 160] : [230, 180];
  return {
    ...sized(
      `${formatCount(objects, 'object')} × ${formatCount(records, 'record')}`,
      objects * (object + record * records),
    ),
    tables: Object.entries({
      object: objects,
      section: Math.ceil(objects / 100),
      zone: Math.ceil(objects / 10_000),
      history: objects * records,
    }).map(([name, rows]) => ({ name: `kp_${name}${behind}`, rows })),
    shape: shape(options, kind, keyed ? 'history with a primary key' : 'history without a primary key'),
    written: libraryNumber(options, 'writes') > 0,
  };
};

const KIB = 1024;

/** Bytes of one schema of `many_schemas`, in files per table or in general tablespaces. */
function schemaBytes(options: SysbenchOptions, kind: TargetKind): number {
  const number = (name: string): number => libraryNumber(options, name);
  const tables = number('tables-per-schema');
  const together = number('tables-per-tablespace');
  const indexed = isOn(options, 'indexed-column');
  const rows = number('rows-per-table');
  if (kind === 'postgres') {
    const table = rows === 0 ? 8 * KIB : 24 * KIB + rows * 105;
    const index = rows === 0 ? 8 * KIB : 16 * KIB + rows * 35;
    return tables * (table + (indexed ? index : 0));
  }
  const compressed = libraryValue(options, 'row-format') === 'compressed' ? number('key-block-size') / 16 : 1;
  const table = (indexed ? 2 : 1) * 16 * KIB + rows * (indexed ? 110 : 90);
  if (together === 0) return tables * compressed * (48 * KIB + table);
  const content = compressed * Math.min(together, tables) * table;
  return Math.ceil(tables / together) * (content + (content > KIB * KIB ? 8 * KIB * KIB : 100 * KIB));
}

/** Deviations from the default storage of the tables of `many_schemas`. */
function layoutWords(options: SysbenchOptions, kind: TargetKind): string[] {
  const together = libraryNumber(options, 'tables-per-tablespace');
  const format = String(libraryValue(options, 'row-format'));
  const pages = format === 'compressed' ? ` in pages of ${libraryNumber(options, 'key-block-size')} kB` : '';
  return [
    ...(isOn(options, 'indexed-column') ? ['an indexed column'] : []),
    ...(kind === 'mysql' && together > 0 ? [`${together} tables in each tablespace`] : []),
    ...(kind === 'mysql' && format !== 'server' ? [`${format} rows${pages}`] : []),
    ...(kind === 'mysql' && isOn(options, 'page-compression') ? ['compressed pages'] : []),
  ];
}

/** Too many tables to count: the script writes a list of them when all exist. */
const manySchemas: Maker = (options, kind) => {
  const schemas = libraryNumber(options, 'schemas');
  const each = libraryNumber(options, 'tables-per-schema');
  const rows = libraryNumber(options, 'rows-per-table');
  return {
    ...sized(
      `${formatCount(schemas, 'schema')} × ${formatCount(each, 'table')} × ${formatCount(rows, 'row')}`,
      schemas * schemaBytes(options, kind),
    ),
    tables: [{ name: 'kp_schemas', rows: schemas }],
    shape: shape(
      options,
      kind,
      `${each} tables with ${rows} rows in each of ${libraryValue(options, 'schema-prefix')}N`,
      ...layoutWords(options, kind),
    ),
    written: false,
  };
};

const keyPopularity: Maker = (options, kind) => ({
  ...sized(
    `1 table × ${formatCount(options['table-size'], 'row')}`,
    options['table-size'] * (kind === 'postgres' ? 255 : 225),
  ),
  tables: [{ name: `kp_popularity${variant(options, kind)}`, rows: options['table-size'] }],
  shape: shape(options, kind),
  written: false,
});

const MAKERS: Readonly<Partial<Record<LibraryScript, Maker>>> = {
  tpcc,
  insert_rows: insertRows,
  object_history: objectHistory,
  many_schemas: manySchemas,
  key_popularity: keyPopularity,
};

/** Tables that prepare of a library script creates. Undefined for scripts on sysbench's own tables. */
export function libraryNeed(options: SysbenchOptions, kind: TargetKind): DataNeed | undefined {
  const need = MAKERS[options.script as LibraryScript]?.(options, kind);
  return need && { ...need, resumable: true };
}
