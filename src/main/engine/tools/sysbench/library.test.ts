import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConnectionFacts, TargetKind } from '../../../../shared/model/target.ts';
import type { OptionWords } from '../../../../shared/model/tool.ts';
import { dataNeed } from './data/index.ts';
import { sysbenchTool } from './index.ts';
import { applies, SysbenchOptions } from './options/index.ts';
import { LIBRARY_SCRIPTS, type LibraryScript } from './scripts/index.ts';
import { hyphened, LIBRARY } from './scripts/library.ts';
import { readLua } from './scripts/lua-script.ts';
import { readOutput } from './testing/recordings.ts';

const FOLDER = join(import.meta.dirname, '../../../../../workloads/sysbench');
const mysql: ConnectionFacts = { kind: 'mysql', host: 'db', user: 'u', password: 'p', database: 'd' };

function planned(options: Record<string, unknown>, connection: ConnectionFacts = mysql) {
  const input = { connection, warmup: 1, duration: 9, seed: 0, nodePath: 'node', assetsDir: '/a' };
  return sysbenchTool.plan({ ...input, options: SysbenchOptions.parse(options) });
}
const need = (options: Record<string, unknown>, kind: TargetKind = 'mysql') =>
  dataNeed(SysbenchOptions.parse(options), kind);
const rowsOf = (options: Record<string, unknown>, kind?: TargetKind) =>
  Object.fromEntries(need(options, kind)?.tables.map(({ name, rows }) => [name, rows]) ?? []);

it('the library includes every file in its folder, and the files that its scripts share', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(
    [...LIBRARY_SCRIPTS.map((script) => `${script}.lua`), 'kneepoint.lua', 'kneepoint_data.lua'].sort(),
  );
});

describe.each(LIBRARY_SCRIPTS)('%s', (script: LibraryScript) => {
  const { files, options } = LIBRARY[script];
  const shape: Record<string, { meta(): unknown }> = SysbenchOptions.shape;

  it('describes its model, its data size and its use', () => {
    const head = /^(?:--.*\n)+/.exec(files[0]?.content ?? '')?.[0] ?? '';
    expect(head).toMatch(/^-- \S.*\.\n/m);
    expect(head).toContain('-- Models: ');
    expect(head).toMatch(/-- Data.*: /);
    expect(head).toMatch(/ x .* bytes| x .* MB| bytes on InnoDB/);
    expect(head).toMatch(/-- Used for (E|D)\d\d/);
  });

  it('declares all of its options before its first function', () => {
    expect(readLua(files[0]?.content ?? '')).toMatchObject({ options });
  });

  it('has its options in the form, with its own defaults', () => {
    const parsed: Record<string, unknown> = SysbenchOptions.parse({ script });
    for (const declared of options) {
      const name = hyphened(declared.name);
      expect(parsed[name], name).toEqual(declared.default);
      const when = (shape[name]?.meta() as OptionWords | undefined)?.when;
      expect(when, name).toBeDefined();
      if (when?.option === 'script') expect(when.in, name).toContain(script);
    }
  });

  it('is copied to the generator with its modules and gets all its options', () => {
    const { prepare, run, cleanup } = planned({ script });
    for (const step of [prepare, run, cleanup]) {
      expect(step?.argv).toContain(`@${script}.lua@`);
      expect(step?.files.slice(-3)).toEqual(files.map((file) => ({ ...file, mode: 0o600, secret: false })));
      const parsed = SysbenchOptions.parse({ script });
      for (const declared of options.filter(({ default: preset }) => typeof preset === 'number'))
        if (applies(hyphened(declared.name), parsed))
          expect(step?.argv).toContain(`--${hyphened(declared.name)}=${declared.default}`);
    }
    expect(sysbenchTool.metrics.primary(SysbenchOptions.parse({ script }))).toBe('tps');
  });

  it('describes its data for either server', () => {
    for (const kind of ['mysql', 'postgres'] as const) {
      const data = need({ script }, kind);
      expect(data?.title).toMatch(/\d/);
      expect(data?.tables.length).toBeGreaterThan(0);
      expect(data?.shape).toMatch(/\S/);
    }
  });
});

describe('data of the library', () => {
  it('of tpcc is counted in all of its tables, whatever runs change', () => {
    const set = (number: number) => [
      { name: `kp_tpcc_warehouse${number}`, rows: 3 },
      { name: `kp_tpcc_district${number}`, rows: 30 },
      { name: `kp_tpcc_customer${number}`, rows: 900 },
      { name: `kp_tpcc_item${number}`, rows: 200 },
      { name: `kp_tpcc_stock${number}`, rows: 600 },
      { name: `kp_tpcc_orders${number}`, rows: 900, runs: 'add' },
      // Of 30 orders, two each have 5 to 15 lines (220 in total), and the other eight have 5 to 12.
      { name: `kp_tpcc_order_line${number}`, rows: 30 * (2 * 110 + 68), runs: 'add' },
      { name: `kp_tpcc_history${number}`, rows: 900, runs: 'add' },
      { name: `kp_tpcc_new_order${number}`, rows: 270, runs: 'change' },
    ];
    const { tables, resumable } = need({ script: 'tpcc', tables: 2, warehouses: 3, customers: 30, items: 200 }) ?? {};
    expect({ tables, resumable }).toEqual({ tables: [...set(1), ...set(2)], resumable: true });
    // Data sets created before its rows followed the specification have a different shape.
    expect(need({ script: 'tpcc' })?.shape).toBe('no foreign keys, NULL until delivery, rows as in TPC-C 5.11, innodb');
  });
  it('is in separate tables for each variant, so that variants can be compared', () => {
    const first = (options: Record<string, unknown>, kind: TargetKind = 'mysql') =>
      need(options, kind)?.tables[0]?.name;
    const tpcc = { script: 'tpcc' };
    expect(first({ ...tpcc, 'foreign-keys': true })).toBe('kp_tpcc_keys_warehouse1');
    expect(first({ ...tpcc, 'unset-columns': 'default' })).toBe('kp_tpcc_default_warehouse1');
    expect(first({ ...tpcc, 'mysql-storage-engine': 'RocksDB' })).toBe('kp_tpcc_rocksdb_warehouse1');
    expect(first({ ...tpcc, 'mysql-storage-engine': 'RocksDB' }, 'postgres')).toBe('kp_tpcc_warehouse1');
    expect(first({ script: 'object_history', 'history-key': true })).toBe('kp_object_key');
  });
  it('of lookups is that of the sysbench scripts', () => {
    const options = { tables: 3, 'table-size': 500 };
    expect(rowsOf({ script: 'lookups', ...options })).toEqual(rowsOf({ script: 'oltp_read_only', ...options }));
    expect(planned({ script: 'lookups', ...options }).prepare?.argv).toContain('--threads=3');
  });
  it('of many_schemas is a list that is filled when all of them exist', () => {
    expect(rowsOf({ script: 'many_schemas', schemas: 12 })).toEqual({ kp_schemas: 12 });
    const shared = { script: 'many_schemas', 'rows-per-table': 0, 'tables-per-tablespace': 10 };
    expect(need(shared)?.bytes).toBe(10 * (10 * 16_384 + 102_400));
    expect(need({ ...shared, 'row-format': 'compressed', 'indexed-column': true })?.shape).toContain(
      'an indexed column, 10 tables in each tablespace, compressed rows in pages of 8 kB, innodb',
    );
    expect(planned({ script: 'many_schemas', 'prepare-threads': 40 }).prepare?.argv).toContain('--threads=40');
  });
});

describe('a run that ends by work', () => {
  const events = (options: Record<string, unknown>) =>
    planned(options).run.argv.find((word) => word.startsWith('--events='));
  it('has as many rows as all writers together, in complete inserts', () => {
    expect(events({ script: 'insert_rows', threads: 5 })).toBe('--events=0');
    expect(events({ script: 'insert_rows', threads: 5, 'rows-per-writer': 1000 })).toBe('--events=5000');
    expect(events({ script: 'insert_rows', threads: 5, 'rows-per-writer': 1000, 'rows-per-insert': 300 })).toBe(
      '--events=17',
    );
    expect(planned({ script: 'insert_rows' }).run.argv.join(' ')).toContain('for step in cleanup prepare');
    const apart = { script: 'insert_rows', threads: 2, readers: 3, 'rows-per-writer': 1000, 'keep-rows': true };
    const { argv } = planned(apart).run;
    expect(argv).toEqual(expect.arrayContaining(['--threads=5', '--readers=3', '--events=0', '--keep-rows=on', 'run']));
    expect(argv.join(' ')).not.toContain('for step');
    expect(sysbenchTool.metrics.primary(SysbenchOptions.parse(apart))).toBe('ops_scan');
    expect(() => planned({ ...apart, indexes: 0 })).toThrow(/there is none/);
  });
  it('has the requested number of lookups', () => {
    expect(events({ script: 'key_popularity', lookups: 1_000_000 })).toBe('--events=1000000');
  });
});

describe('a custom script', () => {
  const text = `require("oltp_common")
sysbench.cmdline.options.db_count = {"Schemas", 4}
sysbench.cmdline.options.word = {"A word", "a b"}
function event() con:query("SELECT 1") end`;

  it('is copied as text, with its declared defaults', () => {
    const { prepare, run, cleanup } = planned({ script: 'own', 'script-text': text, 'script-options': 'table_size=7' });
    expect([prepare, cleanup]).toEqual([undefined, undefined]);
    expect(run.files.at(-1)).toEqual({ name: 'script.lua', content: text, mode: 0o600, secret: false });
    expect(run.argv).toEqual(expect.arrayContaining(['@script.lua@', '--table-size=7', '--db-count=4', '--word=a b']));
  });
  it('may be a file on the generator, and create its own data', () => {
    const options = {
      script: 'own',
      'script-file': '/opt/x.lua',
      'script-options': 'a=1\nb="two words"',
      'script-prepare': true,
    };
    const { prepare, run, cleanup } = planned(options);
    for (const step of [prepare, run, cleanup])
      expect(step?.argv).toEqual(expect.arrayContaining(['/opt/x.lua', '--a=1', '--b=two words']));
    expect(need(options)).toBeUndefined();
    // Required modules are found in its folder.
    for (const step of [prepare, run, cleanup]) expect(step?.env.LUA_PATH).toBe('/opt/?.lua;/opt/?/init.lua;;');
    expect(planned({ ...options, 'script-file': '/opt/a;b/x.lua' }).run.env).not.toHaveProperty('LUA_PATH');
  });
  it('is counted in the tables that it declares', () => {
    const script = `sysbench.cmdline.options = { tables = {"Tables", 2}, rows = {"Rows", 10}, mode = {"Mode", "x"} }`;
    const own = { script: 'own', 'script-text': script, 'script-options': 'rows=25', 'script-prepare': true };
    const needFor = (tables: string) => need({ ...own, 'script-tables': tables });
    expect(needFor('kp_all = tables * (rows + 5) - 1\n\n kp_part{tables}_x = ceil(rows / 2)\nkp_log >= 0')).toEqual({
      title: '4 tables of a custom script, 85 rows',
      tables: [
        { name: 'kp_all', rows: 59 },
        { name: 'kp_part1_x', rows: 13 },
        { name: 'kp_part2_x', rows: 13 },
        { name: 'kp_log', rows: 0, runs: 'add' },
      ],
      shape: 'as an own script makes them',
      written: true,
    });
    expect(needFor('')).toBeUndefined();
    expect(need({ ...own, 'script-tables': 'kp_x = 1', 'script-prepare': false })).toBeUndefined();
    const refused = (tables: string) => () => planned({ ...own, 'script-tables': tables });
    expect(refused('kp_x = size')).toThrow('refers to “size”, but the script has no option of that name');
    expect(refused('kp_x = mode')).toThrow('“mode”, which is “x”, not a number');
    expect(refused('kp_x = rows / 2')).toThrow('The option “script-tables” sets the rows of kp_x to 12.5.');
    expect(refused('kp_x = rows / 0')).toThrow('The option “script-tables” sets the rows of kp_x to Infinity.');
    expect(refused('kp_x{rows * 1000} = 1')).toThrow('lists 25000 tables kp_x');
    const file = { script: 'own', 'script-file': '/opt/x.lua', 'script-prepare': true, 'script-options': 'rows=7' };
    expect(rowsOf({ ...file, 'script-tables': 'kp_x = rows' })).toEqual({ kp_x: 7 });
  });
  it.each([
    'kp_x',
    'kp_x = ',
    'kp_x = 1 +',
    'kp x = 1',
    'kp_x = (1',
    'kp_x{} = 1',
    'kp_x = 1; 2',
    '= 3',
    'kp_x = -1',
    'kp_x = floor 2',
  ])('refuses tables declared as “%s”', (tables) => {
    const read = SysbenchOptions.safeParse({ script: 'own', 'script-tables': tables });
    expect(read.error?.issues[0]?.message).toMatch(/^Write NAME = FORMULA/);
  });
  it('refuses unknown options and lists the declared ones', () => {
    expect(() => planned({ script: 'own', 'script-text': text, 'script-options': 'dbcount=4' })).toThrow(
      'The script has no option “dbcount”: it declares db-count=4, word=a b.',
    );
    expect(() => planned({ script: 'own', 'script-text': 'function event() end', 'script-options': 'x=1' })).toThrow(
      'it declares none',
    );
  });
  it('from before sysbench 1.0 reads its options from globals', () => {
    const legacy = `-- select_custom
      function set_vars()
        oltp_db_count = tonumber(oltp_db_count) or 1
        prefix = prefix or "sbtest_"
      end
      function event() db_query("SELECT id FROM " .. prefix .. sb_rand(1, oltp_db_count) .. ".t" .. sb_rand(1, oltp_tables_count)) end`;
    const argv = (options: string, text = legacy) =>
      planned({ script: 'own', 'script-text': text, 'script-options': options }).run.argv;
    expect(argv('oltp_tables_count=100')).toEqual(
      expect.arrayContaining(['--oltp-tables-count=100', '--oltp-db-count=1', '--prefix=sbtest_']),
    );
    expect(() => argv('oltp_table_count=100')).toThrow('it declares oltp-db-count=1, prefix=sbtest_.');
    expect(argv('other=1', `dofile("/opt/common.lua")\n${legacy}`)).toContain('--other=1');
    expect(() => argv('other=1', `sysbench.cmdline.options = {}\n${legacy}`)).toThrow('it declares none');
  });
  it('that cannot be parsed is passed to sysbench unchanged, with a finding', () => {
    const unread = 'größe = 1\nfunction event() end';
    const options = { script: 'own', 'script-text': unread, 'script-options': 'rows=5' };
    const { run } = planned(options);
    expect(run.files.map(({ content }) => content)).toContain(unread);
    expect(run.argv.filter((word) => word.startsWith('--rows'))).toEqual(['--rows=5']);
    const needFor = (phase: 'run' | 'prepare', more = {}) =>
      readOutput('', '', { phase, options: { ...options, ...more } }).findings.filter(
        ({ code }) => code === 'script-unread',
      );
    expect(needFor('run')).toMatchObject([
      { severity: 'note', message: expect.stringContaining('the script (line 1: ') },
    ]);
    expect(needFor('prepare')).toEqual([]);
    expect(needFor('run', { 'script-text': 'function event() end' })).toEqual([]);
    expect(needFor('run', { script: 'oltp_read_only' })).toEqual([]);
  });
  it('is required, and only once', () => {
    expect(() => planned({ script: 'own' })).toThrow('There is no script to run.');
    expect(() => planned({ script: 'own', 'script-text': text, 'script-file': '/x.lua' })).toThrow(
      'Both a script text and a script file are set',
    );
  });
  it.each([
    ['threads=4', 'option of sysbench itself'],
    ['mysql-password=x', 'option of sysbench itself'],
    ['api_token=x', 'looks like a secret'],
    ['a b', 'Write name=value'],
    ['a="b', 'Write name=value'],
  ])('refuses %s', (options, message) => {
    const read = SysbenchOptions.safeParse({ script: 'own', 'script-options': options });
    expect(read.error?.issues[0]?.message).toContain(message);
  });
});
