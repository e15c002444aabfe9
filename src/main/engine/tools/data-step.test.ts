import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../shared/model/finding.ts';
import { dataTool } from './data-step/index.ts';
import { pgbenchTool } from './pgbench/index.ts';
import { sysbenchTool } from './sysbench/index.ts';
import type { ParsedSample, Tool } from './tool.ts';
import { ycsbTool } from './ycsb/index.ts';

const toolOf = (id: string): Tool | undefined => [sysbenchTool, pgbenchTool, ycsbTool].find((tool) => tool.id === id);
const prepare = dataTool('prepare', toolOf);
const cleanup = dataTool('cleanup', toolOf);
const optionsOf = (tool: Tool, options: object, seconds = 0) => ({
  ...{ tool: tool.id, options: tool.options.parse(options) },
  'at-most': seconds,
});
const SYSBENCH = optionsOf(sysbenchTool, { script: 'oltp_read_only', tables: 2, 'table-size': 1000 });
const input = {
  ...{ warmup: 0, duration: 0, seed: 1, nodePath: 'node', assetsDir: '/app' },
  connection: { kind: 'mysql', host: 'db', user: 'me', password: 'geheim' } as const,
};

/** Reads these lines of standard output, with this exit code. */
function read(tool: typeof prepare, lines: readonly string[], code: number, options = SYSBENCH) {
  const [samples, findings, unparsed]: [ParsedSample[], Finding[], string[]] = [[], [], []];
  const parser = tool.parser('run', options, {
    sample: (sample) => samples.push(sample),
    finding: (finding) => findings.push(finding),
    unparsed: (line) => unparsed.push(line),
  });
  for (const line of lines) parser.line(line, 'stdout');
  return { ...parser.end({ code }), samples, findings, unparsed };
}

const DROPPED = ["Dropping table 'sbtest1'...", "Dropping table 'sbtest2'..."];
const LOADED = [
  'kneepoint-step: began 100.25',
  "Creating table 'sbtest1'...",
  "Inserting 1000 records into 'sbtest1'",
  "Creating table 'sbtest2'...",
  "Inserting 1000 records into 'sbtest2'",
];

describe('the commands of a data step', () => {
  it('remove the data first and time its creation', () => {
    const { prepare: made, cleanup: removed } = sysbenchTool.plan({
      ...input,
      options: sysbenchTool.options.parse(SYSBENCH.options),
    });
    const { run } = prepare.plan({ ...input, options: SYSBENCH });
    const at = run.argv.indexOf('kneepoint-step');
    expect(run.argv.slice(at + 1)).toEqual([
      String(made?.argv.length),
      ...(made?.argv ?? []),
      ...(removed?.argv ?? []),
    ]);
    expect(run.env).toEqual(made?.env);
    // The password, once.
    expect(run.files).toEqual(made?.files);
    expect(run.shown?.split('\n').map((line) => line.split(' ').at(-1))).toEqual(['cleanup', 'prepare']);
    expect(run.shown).not.toContain('geheim');
  });

  it('have a unique name for each file', () => {
    const options = optionsOf(ycsbTool, { directory: '/opt/ycsb', binding: 'mongodb' });
    const connection = { kind: 'mongodb', host: 'db' } as const;
    const { run } = prepare.plan({ ...input, connection, options });
    const names = run.files.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [, name] of run.argv.join(' ').matchAll(/@([\w.-]+)@/g)) expect(names).toContain(name);
  });

  it('end at their time limit', () => {
    const { run } = cleanup.plan({ ...input, options: { ...SYSBENCH, 'at-most': 60 } });
    expect(run.argv.slice(0, 4)).toEqual(['timeout', '-k', '10', '60']);
    expect(run.plannedSeconds).toBe(60);
    expect(read(cleanup, ['kneepoint-step: began 1'], 124, { ...SYSBENCH, 'at-most': 60 })).toMatchObject({
      ...{ ok: false, reason: { code: 'time-over' } },
    });
  });

  it('refuse a workload without data', () => {
    const options = optionsOf(sysbenchTool, { script: 'cpu' });
    expect(() => prepare.plan({ ...input, connection: { kind: 'host' }, options })).toThrow(/has no data to prepare/);
  });
});

describe('output of a data step', () => {
  it('has the duration of the preparation as its figure, with rows per second', () => {
    const { ok, summary, unparsed } = read(prepare, [...DROPPED, ...LOADED, '', 'kneepoint-step: ended 104.25 0'], 0);
    expect({ ok, unparsed }).toEqual({ ok: true, unparsed: [] });
    expect(summary).toEqual({ took_s: 4, rows_inserted_total: 2000, tables_created_total: 2, rows_per_s: 500 });
  });

  it('has the rows of each second if the tool prints progress', () => {
    const progress = (rows: number, seconds: number): string =>
      `${rows} of 900000 tuples (${Math.round(rows / 9000)}%) done (elapsed ${seconds.toFixed(2)} s, remaining 0.10 s)`;
    const { ok, summary, samples } = read(
      prepare,
      [
        ...[
          'dropping old tables...',
          'kneepoint-step: began 10',
          'creating tables...',
          'generating data (client-side)...',
        ],
        ...[progress(100_000, 0.5), progress(300_000, 1.5), progress(400_000, 1.75), progress(900_000, 4.0)],
        ...['vacuuming...', 'creating primary keys...', 'done in 4.50 s (client-side generate 4.00 s).'],
        ...['', 'kneepoint-step: ended 14.5 0'],
      ],
      0,
      optionsOf(pgbenchTool, { scale: 9 }),
    );
    expect({ ok, samples }).toEqual({
      ok: true,
      samples: [
        { t: 1, metrics: { rows_per_s: 200_000 } },
        { t: 4, metrics: { rows_per_s: 240_000 } },
      ],
    });
    expect(summary).toMatchObject({ took_s: 4.5, rows_inserted_total: 900_000, rows_per_s: 200_000 });
  });

  it('fails with the error of the tool', () => {
    const fatal = "FATAL: mysql_drv_query() returned error 1114 (The table 'sbtest2' is full) for query 'INSERT'";
    const { ok, summary, reason } = read(prepare, [...LOADED, fatal, '', 'kneepoint-step: ended 102.25 1'], 1);
    expect({ ok, took: summary.took_s }).toEqual({ ok: false, took: 2 });
    expect(reason?.message).toMatch(/disk|full/i);
  });

  it('fails with the error that prevented removing the data', () => {
    const fatal = "FATAL: unable to connect to MySQL server on host 'db', port 3306, aborting...";
    const { ok, summary, reason } = read(prepare, [fatal], 1);
    expect({ ok, summary }).toEqual({ ok: false, summary: {} });
    expect(reason?.code).not.toBe('output-truncated');
  });

  it('is not a result without its end', () => {
    expect(read(prepare, LOADED, 0)).toMatchObject({ ok: false, reason: { code: 'output-truncated' } });
  });
});
