import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { scriptOf } from '../preflight/index.ts';
import { TOOLS } from '../tools/index.ts';
import { SessionBed } from './testing/session-bed.ts';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed(['one', 'two'], TOOLS);
  bed.addServer();
});
afterEach(() => bed.close());

const loads =
  (seconds: number) =>
  (job: FakeJob): void => {
    job.print(`kneepoint-step: began 100\nCreating table 'sbtest1'...\nInserting 1000 records into 'sbtest1'\n`);
    job.print(`\nkneepoint-step: ended ${100 + seconds} 0\n`);
    job.end(0);
  };
const removes = (job: FakeJob): void => {
  job.print(`kneepoint-step: began 100\nDropping table 'sbtest1'...\n\nkneepoint-step: ended 100.5 0\n`);
  job.end(0);
};
const fails = (job: FakeJob): void => job.end(1);

const LOAD = '{name: load, do: prepare, measured: true}';
const READS = '{name: reads, options: {script: oltp_point_select}}';
const textOf = (steps: readonly string[], { data = 'recreate', repeats = 1 } = {}): string => `kneepoint: 2
name: Loading
workload: {tool: sysbench, data: ${data}, options: {script: oltp_read_only, tables: 1, table-size: 1000, threads: 1}}
where: {generators: [one], target: db}
steps: [${steps.join(', ')}]
factors: []
measure: {warmup: 0, duration: 1, repeats: ${repeats}}
monitors: {sizes: false}
`;
const placesOf = (id: number): string[] => bed.runs(id).map(({ trial, step, state }) => `${trial}.${step} ${state}`);
const problemsOf = (...args: Parameters<typeof textOf>): string[] =>
  bed.check(textOf(...args)).problems.map(({ path, message }) => `${path}: ${message}`);

describe('data prepared within trials', () => {
  it('is created in each trial, not before, with its time as a figure', async () => {
    bed.script.push(loads(4), loads(5));
    const id = bed.sessions.start(textOf([LOAD], { repeats: 2 })).id;
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '1.0 done']);
    expect(bed.jobs.all).toHaveLength(2);
    expect(bed.runs(id).map(({ summary }) => summary)).toMatchObject([
      { took_s: 4, rows_inserted_total: 1000, rows_per_s: 250 },
      { took_s: 5, rows_per_s: 200 },
    ]);
    expect(bed.row(id).steps).toEqual([{ tool: 'step-prepare', metric: 'took_s' }]);
    // Its rows are not counted: that would read them into the caches of the next step.
    expect(bed.store.dataSets.tables.list()).toMatchObject([{ state: 'ready', madeBy: id, lookedAt: null }]);
  });

  it('is created on the server behind a proxy, while the other steps use the proxy', async () => {
    bed.addServer('proxy', { behind: 'db' });
    bed.targets.connection = async (name) => ({ kind: 'mysql', host: `${name}.example`, port: 3306 });
    bed.script.push(loads(4), fails);
    const text = textOf([LOAD, READS]).replace('target: db', 'target: proxy');
    const id = bed.sessions.start(text).id;
    await bed.sessions.settled(id);
    const hostsOf = bed.jobs.all.map(({ spec }) => spec.argv.find((argument) => argument.startsWith('--mysql-host=')));
    expect(hostsOf).toEqual(['--mysql-host=db.example', '--mysql-host=proxy.example']);
    const place = bed.store.targets.byName('db')?.id;
    expect(bed.store.dataSets.tables.list()).toMatchObject([{ placeId: place }]);
  });

  it('fails only the rest of its trial if it is not created', async () => {
    bed.script.push(fails, loads(4), fails);
    const id = bed.sessions.start(textOf([LOAD, READS], { repeats: 2 })).id;
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 failed', '0.1 skipped', '1.0 done', '1.1 failed']);
    expect(bed.runs(id)[1]?.message).toContain('Step “load” of the same trial failed, and this step depends on it.');
  });

  it('is recorded as incomplete until its step has ended, and followed to its end after a kill', async () => {
    const id = bed.sessions.start(textOf([LOAD])).id;
    const job = await bed.running(id, 0);
    expect(bed.store.dataSets.tables.list()).toMatchObject([{ state: 'making', madeBy: id }]);
    bed.crash();
    loads(7)(job);
    await bed.sessions.resume(id);
    await bed.sessions.settled(id);
    expect(bed.jobs.all).toHaveLength(1);
    expect(bed.runs(id)).toMatchObject([{ state: 'done', summary: { took_s: 7 } }]);
    expect(bed.store.dataSets.tables.list()).toMatchObject([{ state: 'ready' }]);
  });

  it('is removed by a clean-up', async () => {
    bed.script.push(loads(4), removes);
    const id = bed.sessions.start(textOf([LOAD, '{name: drop, do: cleanup, measured: true}'])).id;
    await bed.sessions.settled(id);
    expect(bed.runs(id).map(({ summary }) => summary.took_s)).toEqual([4, 0.5]);
    expect(bed.store.dataSets.tables.list()).toMatchObject([{ state: 'gone' }]);
  });
});

describe('a document whose trials prepare their data', () => {
  it('explicitly allows data to be removed', () => {
    expect(problemsOf([LOAD], { data: 'create' })).toEqual([
      'workload.data: Step “load” removes existing data in each trial. Set “data: recreate” to allow that.',
    ]);
  });

  it('has no load before the preparation, or with different data', () => {
    expect(problemsOf([READS, LOAD])).toEqual([
      'steps.0: Step “reads” needs data, but no earlier step prepares it. Move the step that prepares the data before this one.',
    ]);
    const larger = '{name: larger, options: {table-size: 2000}}';
    expect(problemsOf([LOAD, READS, larger])).toEqual([
      'steps.2: Step “larger” needs data that differs from what step “load” prepares. Use the same data size in both.',
    ]);
    expect(problemsOf([LOAD, READS, '{name: again, do: prepare, options: {table-size: 2000}}', larger])).toEqual([]);
  });

  it('needs no groups of trials for data of different sizes', () => {
    const text = textOf([LOAD, READS]);
    const sizes = '[{name: table-size, kind: option, levels: [1000, 2000]}]';
    const { problems, plan, dataCommands } = bed.check(text.replace('factors: []', `factors: ${sizes}`));
    expect(problems).toEqual([]);
    expect(plan?.cells.map(({ data }) => data)).toEqual([undefined, undefined]);
    expect(dataCommands).toEqual({ prepare: [], cleanup: [] });
  });

  it('becomes a clean-up and a preparation in each trial of its script', () => {
    const script = scriptOf(bed.runsContext(), textOf([LOAD, READS], { repeats: 2 }));
    const names = [...script.matchAll(/^run (trial\S+) .*?(\w+)(?: \|\| exit 1)?$/gm)].map(
      ([, name, word]) => `${name} ${word}`,
    );
    expect(names.filter((name) => name.includes('load'))).toEqual([
      ...[
        'trial-1-load-cleanup cleanup',
        'trial-1-load prepare',
        'trial-2-load-cleanup cleanup',
        'trial-2-load prepare',
      ],
    ]);
    expect(script).not.toContain('# Data');
  });

  it('has the pauses of its factors in its script', () => {
    const factors = '[{name: table-size, levels: [1000, 2000], pause: 1m}, {name: threads, levels: [1, 2]}]';
    const text = textOf([LOAD, READS])
      .replace('factors: []', `factors: ${factors}`)
      .replace('measure: {', 'measure: {pause: 15, ');
    const script = scriptOf(bed.runsContext(), text);
    expect(script.match(/^sleep .*$/gm)).toEqual(['sleep 15', 'sleep 60', 'sleep 15']);
  });

  it('is checked like a load even if none follows', async () => {
    const facts = bed.readFacts;
    const tools = [{ tool: 'sysbench', found: true, version: '1.0.20' }];
    bed.readFacts = async (machine, signal) => ({ ...(await facts(machine, signal)), tools });
    const lines = await bed.preflightOf(textOf([LOAD]));
    expect(lines.filter(({ state }) => state === 'block' || state === 'skipped')).toEqual([]);
    expect(lines.flatMap(({ finding }) => finding?.code ?? [])).toContain('data-replaced');
  });

  it('lists data replaced by the start, with the maximum time', async () => {
    const lines = await bed.preflightOf(textOf([LOAD, READS], { repeats: 3 }));
    expect(lines.flatMap(({ finding }) => finding?.code ?? [])).toContain('data-replaced');
    const { plan } = bed.check(textOf([LOAD, READS], { repeats: 3 }));
    // At least two seconds for each preparation, and a second for each load.
    expect(plan?.estimate).toMatchObject({ load: 9, preparing: 'none' });
  });
});
