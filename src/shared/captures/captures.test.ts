import { describe, expect, it } from 'vitest';
import type { CounterDifference } from '../model/capture.ts';
import { readPatterns } from '../patterns/index.ts';
import {
  attachmentName,
  byChange,
  changeIn,
  compareCounters,
  countersIn,
  differenceOf,
  fileKind,
  fitting,
  isText,
  levelPairs,
  marksIn,
  profilesIn,
  tableText,
  zoneMinutes,
} from './index.ts';
import { timeIn } from './marks.ts';

describe('read-only statements', () => {
  it.each([
    'SELECT * FROM t',
    '  -- who is there\n  show full processlist;',
    '(SELECT 1) UNION (SELECT 2)',
    'WITH x AS (SELECT 1) SELECT * FROM x',
    'SELECT \'DROP TABLE t; DELETE\', "update", `insert` FROM t',
    'EXPLAIN ANALYZE SELECT 1',
    'ANALYZE FORMAT=JSON SELECT 1',
    'SELECT REPLACE(a, 1, 2) /* DELETE */ FROM t',
    'SHOW CREATE TABLE t',
    'SHOW GLOBAL STATUS',
    'TABLE pg_stat_activity',
  ])('include %s', (statement) => expect(changeIn(statement)).toBeUndefined());

  it.each([
    ['UPDATE t SET a = 1', 'begins with UPDATE'],
    ['SELECT 1; DROP TABLE t', 'is more than one statement'],
    ['WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x', 'has the word DELETE'],
    ["SELECT * FROM t INTO OUTFILE '/tmp/x'", 'has the word INTO OUTFILE'],
    ['SELECT * INTO copy FROM t', 'has the word INTO'],
    ['EXPLAIN ANALYZE UPDATE t SET a = 1', 'has the word UPDATE'],
    ['ANALYZE TABLE t', 'begins with ANALYZE'],
    ['ANALYZE', 'begins with ANALYZE'],
    ['SET profiling = 1', 'begins with SET'],
    ['/*!50000 DROP TABLE t */', 'does not begin with an SQL keyword'],
    ['', 'does not begin with an SQL keyword'],
  ])('exclude %s', (statement, why) => expect(changeIn(statement)).toBe(why));

  it('may follow one that sets something of its own connection', () => {
    expect(changeIn('SET profiling = 1', true)).toBeUndefined();
    expect(changeIn('SET @@GLOBAL.general_log = 1', true)).toBe('sets more than its own connection (@@GLOBAL)');
    expect(changeIn('SET PERSIST max_connections = 1', true)).toBe('sets more than its own connection (PERSIST)');
  });
});

describe('tables as text', () => {
  it('show one column as lines, one row as names and values, and more as columns', () => {
    expect(tableText({ columns: ['plan'], rows: [['Seq Scan'], ['  rows']] })).toBe('Seq Scan\n  rows');
    expect(tableText({ columns: ['Type', 'Name', 'Status'], rows: [['InnoDB', '', 'a\nb']] })).toBe(
      'Type: InnoDB\nStatus: \na\nb',
    );
    expect(
      tableText({
        columns: ['id', 'query'],
        rows: [
          [1, 'SELECT\n 1'],
          [22, null],
        ],
      }),
    ).toBe('id  query\n1   SELECT 1\n22  NULL');
    expect(tableText({ columns: ['id', 'query'], rows: [] })).toBe('id  query');
  });

  it('are cut after whole rows', () => {
    const table = { columns: ['a'], rows: [['one'], ['two'], ['three']] };
    expect(fitting(table, 1000)).toEqual({ table, left: 0 });
    expect(fitting(table, 45)).toEqual({ table: { columns: ['a'], rows: [['one'], ['two']] }, left: 1 });
    expect(fitting(table, 1)).toEqual({ table: { columns: ['a'], rows: [] }, left: 3 });
  });

  it('are parsed from lines that end with a number', () => {
    expect(countersIn('nr_free_pages 12\n     rx_bytes: 34\n  queue 1 : 5\nnothing\nTotal = 1.5').rows).toEqual([
      ['nr_free_pages', '12'],
      ['rx_bytes', '34'],
      ['queue 1', '5'],
      ['Total', '1.5'],
    ]);
  });
});

describe('the difference of two tables', () => {
  const columns = ['query', 'calls', 'ms'];

  it('matches rows by key, sums equal keys, and sorts by the first counter', () => {
    const found = differenceOf(
      {
        columns,
        rows: [
          ['a', 10, '1.5'],
          ['a', 5, '0.5'],
          ['gone', 1, '1'],
          ['same', 7, '7'],
        ],
      },
      {
        columns,
        rows: [
          ['a', 12, '2.5'],
          ['a', 6, '1'],
          ['new', 100, '3'],
          ['same', 7, '7'],
        ],
      },
      {},
    );
    expect(found).toEqual({
      ...{ keys: ['query'], counters: ['calls', 'ms'], unchanged: 1, gone: 1 },
      rows: [
        { key: ['new'], grew: [100, 3] },
        { key: ['a'], grew: [3, 1.5] },
      ],
      notes: ['1 row of the start are missing at the end.'],
    });
  });

  it('keeps every digit of counters beyond the precision of a number', () => {
    const one = { columns: ['name', 'value'], rows: [['time', '18446744073709551000']] };
    const other = { columns: ['name', 'value'], rows: [['time', '18446744073709551615']] };
    expect(differenceOf(one, other, {}).rows).toEqual([{ key: ['time'], grew: [615] }]);
  });

  it('has no growth for a counter that was reset, and notes it', () => {
    const found = differenceOf({ columns, rows: [['a', 10, 1]] }, { columns, rows: [['a', 3, 2]] }, {});
    expect(found.rows).toEqual([{ key: ['a'], grew: [null, 1] }]);
    expect(found.notes).toEqual(['Values of 1 row are smaller at the end: they are not pure counters, or were reset.']);
  });

  it('counts a column of values with some texts, such as SHOW GLOBAL STATUS', () => {
    const status = (questions: string, running: string) => ({
      columns: ['Variable_name', 'Value'],
      rows: [
        ['Com_select', '12'],
        ['Compression', 'OFF'],
        ['Questions', questions],
        ['Ssl_cipher', ''],
        ['Threads_running', running],
        ['Uptime', questions],
      ],
    });
    const found = differenceOf(status('100', '9'), status('160', '4'), {});
    expect(found).toEqual({
      ...{ keys: ['Variable_name'], counters: ['Value'], unchanged: 1, gone: 0 },
      rows: [
        { key: ['Questions'], grew: [60] },
        { key: ['Uptime'], grew: [60] },
        { key: ['Threads_running'], grew: [null] },
      ],
      notes: [
        'Values of 1 row are smaller at the end: they are not pure counters, or were reset.',
        '2 rows with text instead of a number not counted.',
      ],
    });
    expect(differenceOf(status('100', '9'), status('160', '4'), { key: ['variable_name'] })).toEqual(found);
    // A column is identified by its name if most of its values are texts.
    const few = (on: string, calls: number) => ({
      columns: ['VARIABLE_NAME', 'VARIABLE_VALUE'],
      rows: [
        ['a', on],
        ['b', on],
        ['calls', calls],
      ],
    });
    expect(differenceOf(few('OFF', 1), few('ON', 4), {}).rows).toEqual([{ key: ['calls'], grew: [3] }]);
  });

  it('leaves a text unknown in a row whose other counters are numbers', () => {
    const table = (calls: number, last: number | string) => ({
      columns: ['name', 'calls', 'last'],
      rows: [
        ['a', calls, last],
        ['b', calls, 5],
      ],
    });
    expect(differenceOf(table(1, 'never'), table(3, 'never'), {})).toMatchObject({
      counters: ['calls', 'last'],
      rows: [
        { key: ['a'], grew: [2, null] },
        { key: ['b'], grew: [2, 0] },
      ],
      notes: [],
    });
  });

  it('uses texts as keys, next to numbers', () => {
    const of = (calls: number) => ({
      columns: ['host', 'state', 'calls'],
      rows: [
        ['a', 'Query', calls],
        ['b', '17', calls],
        ['c', 'Sleep', calls],
      ],
    });
    expect(differenceOf(of(1), of(2), {})).toMatchObject({ keys: ['host', 'state'], counters: ['calls'] });
  });

  it('uses the named columns as key, numbers included', () => {
    const of = (calls: number) => ({ columns: ['ID', 'calls'], rows: [[7, calls]] });
    expect(differenceOf(of(1), of(4), { key: ['id'] })).toMatchObject({
      ...{ keys: ['ID'], counters: ['calls'], rows: [{ key: ['7'], grew: [3] }] },
    });
    // Without one, and with only numbers, it is the first column.
    expect(differenceOf(of(1), of(4), {})).toMatchObject({ keys: ['ID'], counters: ['calls'] });
    const empty = { columns: ['ID', 'calls'], rows: [] };
    expect(differenceOf(empty, of(4), { key: ['id'] }).rows).toEqual([{ key: ['7'], grew: [4] }]);
  });
});

describe('counters of two sides', () => {
  const run = (count: number | undefined, rows: Record<string, (number | null)[]>): CounterDifference => ({
    ...{
      runId: 1,
      name: 'statements',
      keys: ['query'],
      counters: ['calls', 'ms'],
      unchanged: 0,
      gone: 0,
      seconds: 10,
      notes: [],
    },
    rows: Object.entries(rows).map(([key, grew]) => ({ key: [key], grew })),
    ...(count !== undefined && { operations: { count, word: 'transaction' } }),
  });

  it('are divided by the operations of each run, and compared by their mean', () => {
    const found = compareCounters(
      [run(100, { a: [1000, 50], b: [100, 5] }), run(200, { a: [1000, 100] })],
      [run(50, { a: [500, 50], c: [50, null] })],
    );
    expect(found).toEqual({
      ...{
        name: 'statements',
        keys: ['query'],
        counters: ['calls', 'ms'],
        word: 'transaction',
        runs: { one: 2, other: 1 },
      },
      rows: [
        {
          key: ['a'],
          values: [
            { one: { mean: 7.5, low: 5, high: 10 }, other: { mean: 10 }, change: 10 / 7.5 - 1 },
            { one: { mean: 0.5, low: 0.5, high: 0.5 }, other: { mean: 1 }, change: 1 },
          ],
        },
        {
          key: ['c'],
          values: [
            { one: { mean: 0, low: 0, high: 0 }, other: { mean: 1 } },
            { one: { mean: 0, low: 0, high: 0 }, other: {} },
          ],
        },
        {
          key: ['b'],
          values: [
            { one: { mean: 0.5, low: 0, high: 1 }, other: { mean: 0 }, change: -1 },
            { one: { mean: 0.025, low: 0, high: 0.05 }, other: { mean: 0 }, change: -1 },
          ],
        },
      ],
    });
  });

  it('are no profile without counted operations', () => {
    expect(compareCounters([run(undefined, { a: [1, 1] })], [run(5, { a: [1, 1] })])).toMatchObject({
      rows: [],
      why: 'The tool counted no operations, so there are no figures per operation.',
    });
    expect(compareCounters([], [run(5, {})])).toBeUndefined();
  });
});

describe('profiles of two levels', () => {
  const evidence = (sort: string) =>
    [
      'Status                          Duration',
      'starting                        0.000060',
      'FULLTEXT initialization         0.25',
      `Creating sort index             ${sort}`,
      'starting                        0.000040',
    ].join('\n');
  const run = (id: number, sort: string) => ({ id, findings: [{ code: 'query-profile', evidence: evidence(sort) }] });

  it('contain the states of an execution with their times, summed by name', () => {
    const [profile] = profilesIn(run(1, '1.5'));
    expect(profile).toMatchObject({ runId: 1, keys: ['Status'], counters: ['Duration'], operations: { count: 1 } });
    expect(profile?.rows).toEqual([
      { key: ['starting'], grew: [0.0001] },
      { key: ['FULLTEXT initialization'], grew: [0.25] },
      { key: ['Creating sort index'], grew: [1.5] },
    ]);
    expect(profilesIn({ id: 1, findings: [{ code: 'query-plan', evidence: 'a  1' }] })).toEqual([]);
    const found = compareCounters(profilesIn(run(1, '1.5')), profilesIn(run(2, '3')));
    expect(found?.rows[0]).toEqual({
      key: ['Creating sort index'],
      values: [{ one: { mean: 1.5 }, other: { mean: 3 }, change: 1 }],
    });
  });

  it('compare cells that differ in one factor only', () => {
    const cell = (engine: string, query: string, ...ids: number[]) => ({
      levels: { engine, query },
      runs: ids.map((runId) => ({ runId })),
    });
    const cells = [cell('MyISAM', 'a', 1, 2), cell('MyISAM', 'b'), cell('InnoDB', 'a', 3), cell('InnoDB', 'b', 4)];
    expect(levelPairs(cells, 'engine', 'MyISAM')).toEqual([
      { level: 'InnoDB', others: 'query a', one: [1, 2], other: [3] },
    ]);
    expect(levelPairs(cells, 'engine', 'none')).toEqual([]);
    const valued = (value: number | undefined, engine: string, query: string, id: number) => ({
      ...cell(engine, query, id),
      value,
    });
    const measured = [
      ...[valued(8, 'MyISAM', 'a', 1), valued(9, 'InnoDB', 'a', 2), valued(2, 'MyISAM', 'b', 3)],
      ...[valued(1, 'InnoDB', 'b', 4), valued(1, 'MyISAM', 'c', 5), valued(undefined, 'InnoDB', 'c', 6)],
      ...[valued(1, 'MyISAM', 'd', 7), valued(3, 'InnoDB', 'd', 8)],
    ];
    const pairs = byChange(levelPairs(measured, 'engine', 'MyISAM'));
    expect(pairs.map(({ others }) => others)).toEqual(['query d', 'query b', 'query a', 'query c']);
  });
});

describe('timestamps of log lines', () => {
  it.each([
    ['2026-11-27T18:20:06.123456Z 0 [Note] ready', Date.UTC(2026, 10, 27, 18, 20, 6, 123.456)],
    ['2026-11-27 18:20:06.5 UTC [12] LOG:  started', Date.UTC(2026, 10, 27, 18, 20, 6, 500)],
    ['2026-11-27 18:20:06 +0530 x', Date.UTC(2026, 10, 27, 12, 50, 6)],
    ['2026-11-27 18:20:06-05:00 x', Date.UTC(2026, 10, 27, 23, 20, 6)],
    // Without a zone, the zone of the host applies.
    ['2026-11-27 18:20:06 0 [Note] ready', Date.UTC(2026, 10, 27, 16, 20, 6)],
    ['2026-11-27  9:20:06 0 [Note] /usr/sbin/mariadbd: ready for connections.', Date.UTC(2026, 10, 27, 7, 20, 6)],
    ['2026.11.27 18:20:06.250000 [ 1 ] {} <Information> Application: Ready', Date.UTC(2026, 10, 27, 16, 20, 6, 250)],
    ['2026/11/27 18:20:06 ready', Date.UTC(2026, 10, 27, 16, 20, 6)],
    ['ts=1537370909.305 ready', 1537370909305],
  ])('parse %s', (line, at) => expect(timeIn(line, 120)).toBeCloseTo(at, 0));

  it('are undefined if a line has none', () => {
    expect(timeIn('ready for connections 12345678901234', 0)).toBeUndefined();
    expect([zoneMinutes('+0230'), zoneMinutes('-0500'), zoneMinutes('CET')]).toEqual([150, -300, 0]);
  });

  it('show how long a Prometheus server killed in 2018 took to recover', () => {
    const log = [
      'level=info ts=2018-09-13T13:38:14.097400393Z caller=main.go:533 msg="Starting TSDB ..."',
      'level=info ts=2018-09-13T13:38:14.103075885Z caller=repair.go:39 msg="found healthy block"',
      'level=error ts=2018-09-13T14:05:18.208469169Z caller=wal.go:275 msg="WAL corruption detected; truncating"',
      'level=info ts=2018-09-13T14:05:19.471459777Z caller=main.go:543 msg="TSDB started"',
      'level=info ts=2018-09-13T14:05:19.499228186Z caller=main.go:502 msg="Server is ready to receive web requests."',
    ].join('\n');
    const marks = marksIn(log, readPatterns('msg="(?<mark>Starting TSDB|WAL corruption|Server is ready)'), 0);
    expect(marks.map(({ label }) => label)).toEqual(['Starting TSDB', 'WAL corruption', 'Server is ready']);
    // 27 min 5.4 s in all, nearly all of it reading the log.
    expect(marks.map(({ at }) => Math.round((at - (marks[0]?.at ?? 0)) / 100) / 10)).toEqual([0, 1624.1, 1625.4]);
  });

  it('label a mark with its line, without the time, if the pattern has no label', () => {
    const line = `2026-11-27 18:20:06 0 [Note] mariadbd: ready for connections. ${'x'.repeat(200)}`;
    const [mark] = marksIn(`other\n${line}`, readPatterns('ready'), 0);
    expect(mark?.label).toMatch(/^0 \[Note\] mariadbd: ready for connections\. x+…$/);
    expect(mark?.label).toHaveLength(120);
    expect(marksIn('2026-11-27  9:20:06 0 [Note] ready', readPatterns('ready'), 0)).toMatchObject([
      { label: '0 [Note] ready' },
    ]);
    expect(marksIn('ready without a time', readPatterns('ready'), 0)).toEqual([]);
    expect(marksIn(`${line}\n`.repeat(150), readPatterns('ready'), 0)).toHaveLength(100);
  });
});

describe('attachments', () => {
  const bytes = (...parts: (number | string)[]): Uint8Array =>
    Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)])));

  it.each([
    ['text', bytes('née le 1er\n')],
    ['gzip archive', bytes(0x1f, 0x8b, 8, 0)],
    ['ZIP archive', bytes('PK', 3, 4, 0)],
    ['PNG image', bytes(0x89, 'PNG', 0)],
    ['SQLite database', bytes('SQLite format 3', 0)],
    ['packet capture', bytes(0xd4, 0xc3, 0xb2, 0xa1, 0)],
    ['binary file', bytes(0xff, 0xfe, 0)],
    ['text', bytes()],
  ])('are recognized by their first bytes: %s', (words, content) => {
    expect(fileKind(content).words).toBe(words);
  });

  it('are text only if they are whole UTF-8 without zero bytes', () => {
    expect([bytes('é'), bytes(0xe9), bytes('a', 0), bytes('é').subarray(0, 1)].map(isText)).toEqual([
      ...[true, false, false, false],
    ]);
  });

  it('are named after their file, or after the capture with the ending of their type', () => {
    const gzip = bytes(0x1f, 0x8b, 0);
    expect(attachmentName({ name: 'x', file: '/var/tmp/my trace: 1.bin' }, gzip)).toBe('my-trace-1.bin');
    expect(attachmentName({ name: 'x', file: '/tmp/../.bashrc' }, bytes('a'))).toBe('bashrc');
    expect(attachmentName({ name: 'flame graph / load' }, gzip)).toBe('flame-graph-load.gz');
    expect(attachmentName({ name: '…' }, bytes('a'))).toBe('capture.txt');
  });
});
