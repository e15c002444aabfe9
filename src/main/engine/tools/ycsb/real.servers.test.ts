import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasJava, ycsbInstallation } from '../../../../../e2e/testbed/ycsb/index.ts';
import { integrity } from '../../../../../scripts/test/integrity.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import { percentileMetric } from '../../../../shared/metrics/index.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { eventsOf, mergeHistograms, percentileOf } from '../../../../shared/stats/index.ts';
import { byDay } from '../../../../shared/util/testing/depth.ts';
import { type Ended, perform } from '../testing/perform.ts';
import type { Command, Phase, ToolPlan } from '../tool.ts';
import { ycsbTool } from './index.ts';
import { YcsbOptions } from './options/index.ts';
import { SMALL_JAVA } from './testing/bench.ts';
import { readOutput } from './testing/recordings.ts';

// Each test starts several JVMs, which share two processors with those of other tests.
vi.setConfig({ testTimeout: 600_000 });

/** Findings about a busy machine (late lines) are allowed; unread lines are not. */
const FINE = { ok: true, unparsed: [] };

const HOST: ConnectionFacts = { kind: 'host' };

let folder = '';
let installation = '';

function planned(options: Record<string, unknown>, duration = 3, connection: ConnectionFacts = HOST): ToolPlan {
  const defaults = { directory: installation, recordcount: 1000, 'jvm-arguments': SMALL_JAVA };
  const parsed = YcsbOptions.parse({ ...defaults, ...options });
  const place = { nodePath: process.execPath, assetsDir: folder };
  return ycsbTool.plan({ options: parsed, connection, warmup: 0, duration, seed: 1, ...place });
}

const read = ({ stdout, stderr, exit }: Ended, options: Record<string, unknown> = {}, phase: Phase = 'run') =>
  readOutput(stdout, stderr, { phase, options, exit });

/** A run that ends after this many operations, however long they take. */
const counted = (operationcount: number, options: Record<string, unknown>) => ran({ ...options, operationcount }, 600);

async function ran(options: Record<string, unknown>, duration?: number) {
  const command: Command = planned(options, duration).run;
  // Concurrent runs must not share a folder.
  const ended = await perform(command, mkdtempSync(join(folder, 'run-')));
  return { ...read(ended, options), stderr: ended.stderr };
}

const present = hasJava();
// With CI=true nothing may be skipped: a missing Java fails the tests.
const MEASUREMENTS = ['histogram', 'timeseries', 'raw', 'hdrhistogram+histogram', 'hdrhistogram+raw'];

describe.skipIf(!present && process.env.CI !== 'true')('YCSB core 0.17.0 (skipped where there is no Java)', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-ycsb-'));
    installation = await ycsbInstallation();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('runs on a Java that reports its version', async () => {
    const { probe } = ycsbTool;
    const ended = await perform({ argv: probe?.argv ?? [], env: {}, files: [], plannedSeconds: 0 }, folder);
    expect(probe?.version(`${ended.stdout}${ended.stderr}`)).toMatch(/^Java \d+/);
  });

  it('runs each core workload as planned, and the series match its own report', async () => {
    const expected = { A: ['read', 'update'], D: ['read', 'insert'], E: ['scan', 'insert'], F: ['read', 'rmw'] };
    // In daily runs, each kind of operation once.
    const tried = byDay(Object.entries(expected), ([workload]) => workload === 'E' || workload === 'F');
    const runs = tried.map(async ([workload, kinds]) => {
      const options = { workload, threads: 2, 'simulate-delay': 2 };
      const { summary, samples, stderr, ...rest } = await counted(4000, options);
      expect(rest, workload).toMatchObject(FINE);
      expect(samples.length).toBeGreaterThan(0);
      for (const kind of kinds) {
        expect(summary[`${kind}_operations_total`], workload).toBeGreaterThan(0);
        // A twentieth of few operations can be none in a second with little processor time.
        expect(
          samples.some(({ metrics }) => (metrics[`ops_${kind}`] ?? 0) > 0),
          `${workload} ${kind}`,
        ).toBe(true);
      }
      // The speed in a second depends on the machine: each must equal the rate printed by YCSB.
      const printed = [...stderr.matchAll(/ (\d+) sec: \d+ operations; ([\d.]+) current ops\/sec;/g)];
      const seconds = printed.map(([, t, rate]) => ({ t: Number(t), ops: Number(rate) }));
      for (const { t, metrics } of samples)
        if (metrics.ops !== 0)
          integrity(`operations of a second of ${workload}`, () =>
            expect(seconds).toContainEqual({ t, ops: metrics.ops }),
          );
    });
    await Promise.all(runs);
  });

  it('counts latencies of every second, whose percentiles match its report', async () => {
    const options = { workload: 'A', threads: 2, 'simulate-delay': 2, 'measurement.interval': 'both' };
    const runs = await Promise.all([2000, 3000].map((count) => counted(count, options)));
    for (const { summary, latencies, stderr, ...rest } of runs) {
      expect(rest).toMatchObject(FINE);
      expect(Object.keys(latencies ?? {}).sort()).toEqual([
        'read_intended_latency',
        'read_latency',
        'update_intended_latency',
        'update_latency',
      ]);
      for (const kind of ['read', 'update', 'read_intended']) {
        const parts = latencies?.[`${kind}_latency`] ?? [];
        const all = mergeHistograms(parts.map(({ histogram }) => histogram));
        expectSame(`operations of ${kind} with a latency`, eventsOf(all), summary[`${kind}_operations_total`]);
        for (const percentile of [50, 95, 99, 99.9]) {
          // On a fast machine half of the updates take less than a microsecond, which YCSB reports as 0.
          const reported = summary[`${kind}_${percentileMetric(percentile)}`] ?? Number.NaN;
          const found = percentileOf(all, percentile) ?? Number.NaN;
          expect(Math.abs(found - reported), `${kind} ${percentile}`).toBeLessThanOrEqual(0.01 * reported);
        }
      }
      // Intervals equal those of the status lines: none is lost in between.
      const printed = [...stderr.matchAll(/ sec: .*?\[READ: Count=(\d+)/g)].map(([, count]) => Number(count));
      const counted = (latencies?.read_latency ?? []).map(({ histogram }) => eventsOf(histogram));
      const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
      expectSame('reads of all intervals', sum(counted), sum(printed));
    }
    // Percentiles of two runs equal those of the added counts, calculated in a different way.
    const parts = runs.flatMap(({ latencies }) => latencies?.read_latency ?? []);
    const each = parts.flatMap(({ histogram }) =>
      histogram.flatMap(({ ms, count }) => new Array<number>(count).fill(ms)),
    );
    each.sort((a, b) => a - b);
    for (const percentile of [50, 95, 99, 99.9])
      expect(percentileOf(mergeHistograms(parts.map(({ histogram }) => histogram)), percentile), `${percentile}`).toBe(
        each[Math.max(0, Math.round((each.length * percentile) / 100) - 1)],
      );
    expect(readdirSync(folder, { recursive: true }).filter((name) => /\.(hdr|class)$/.test(String(name)))).toEqual([]);
  });

  it('runs without them if they are turned off', async () => {
    const result = await counted(500, { 'hdrhistogram.fileoutput': false });
    expect(result).toMatchObject(FINE);
    expect(result.latencies).toBeUndefined();
  });

  it('keeps a target rate and measures from the intended start of an operation', async () => {
    const options = { workload: 'C', target: 200, 'measurement.interval': 'both', 'simulate-delay': 2 };
    const { ok, samples, summary } = await counted(600, options);
    expect(ok).toBe(true);
    // Without a target it would be up to 500; a busy machine may stay below it.
    expect(summary.ops).toBeLessThan(210);
    expect(summary.ops).toBeGreaterThan(0);
    const busy = samples.filter(({ metrics }) => (metrics.ops_read ?? 0) > 0);
    expect(busy.length).toBeGreaterThan(0);
    for (const { metrics } of busy) expect(metrics).toHaveProperty('read_intended_latency_p99_ms');
    expect(summary).toHaveProperty('read_intended_latency_p999_ms');
  });

  it.concurrent.each(byDay(MEASUREMENTS, (type) => type === 'hdrhistogram+raw'))(
    'can measure as %s',
    async (measurementtype) => {
      const options = { measurementtype, 'simulate-delay': 4 };
      const { samples, ...rest } = await counted(1000, options);
      expect(rest).toMatchObject(FINE);
      expect(samples.length).toBeGreaterThan(0);
      // YCSB counts operations before it reads their latencies: with few operations, a second can have one without a latency.
      const known = samples.flatMap(({ metrics }) => metrics.read_latency_avg_ms ?? []);
      expect(known.length).toBeGreaterThan(0);
      for (const latency of known) expect(latency).toBeGreaterThan(0);
    },
  );

  it('accepts a custom mix, further properties and JVM arguments', async () => {
    const options = {
      workload: 'own',
      readproportion: 0.2,
      updateproportion: 0.2,
      insertproportion: 0.2,
      scanproportion: 0.2,
      readmodifywriteproportion: 0.2,
      requestdistribution: 'hotspot',
      'jvm-arguments': '-Xms32m -Xmx128m',
      properties: '# from a file\nbasicdb.randomizedelay=false\nzeropadding = 12\n',
      'simulate-delay': 1,
    };
    const { summary, ...rest } = await counted(1500, options);
    expect(rest).toMatchObject(FINE);
    for (const kind of ['read', 'update', 'insert', 'scan', 'rmw'])
      expect(summary[`${kind}_operations_total`], kind).toBeGreaterThan(0);
  });

  it('loads before a run, and as a measured load', async () => {
    const { prepare } = planned({ db: 'site.ycsb.BasicDB', recordcount: 5000 });
    const loaded = read(await perform(prepare as Command, folder), { recordcount: 5000 }, 'prepare');
    expect(loaded).toMatchObject({ ok: true, unparsed: [], summary: { insert_return_ok_total: 5000 } });
    const measured = await ran({ phase: 'load', recordcount: 100_000_000, threads: 2, 'simulate-delay': 2 });
    expect(measured).toMatchObject(FINE);
    expect(measured.summary.total_time_s).toBeGreaterThanOrEqual(3);
    for (const { metrics } of measured.samples) expect(metrics.latency_p99_ms).toBe(metrics.insert_latency_p99_ms);
  });

  it('ends early when its operations are done, and reports that', async () => {
    const { ok, findings } = await ran({ operationcount: 500, 'simulate-delay': 1 }, 20);
    expect(ok).toBe(true);
    expect(findings.map(({ code }) => code)).toContain('ended-early');
  });

  it.each([
    ['tool-missing', { directory: '/nonexistent' }],
    ['binding-missing', { binding: 'nosuch' }],
    ['binding-missing', { db: 'site.ycsb.NoSuchDB' }],
    ['java-missing', { java: '/nonexistent/java' }],
    ['jvm-arguments', { 'jvm-arguments': '-Xmx1x' }],
    ['workload-class-missing', { properties: 'workload=site.ycsb.workloads.Nope' }],
    ['file-missing', { 'properties-file': '/nonexistent/file' }],
    ['bad-option-value', { properties: 'zeropadding=many' }],
  ])('that cannot run is reported as %s', async (code, options) => {
    const { reason, ok } = await ran(options, 1);
    expect(ok).toBe(false);
    expect(reason?.code).toBe(code);
    expect(reason?.evidence ?? reason?.next).toMatch(/\S/);
  });

  it('lists existing bindings if one is missing', async () => {
    const copy = join(folder, 'with bindings');
    cpSync(installation, copy, { recursive: true });
    mkdirSync(join(copy, 'mongodb-binding/lib'), { recursive: true });
    const { reason } = await ran({ directory: copy, binding: 'redis' }, 1);
    expect(reason?.evidence).toContain('present: basic, mongodb.');
    expect(await counted(500, { directory: copy, 'simulate-delay': 1 })).toMatchObject({ ok: true });
  });

  it('of old releases is recognized by its class names', async () => {
    const old = join(folder, 'old');
    mkdirSync(join(old, 'core/lib'), { recursive: true });
    mkdirSync(join(old, 'bin'));
    // Class names are plain text in a jar, which is sufficient to determine what would be started.
    writeFileSync(join(old, 'core/lib/core-0.1.4.jar'), 'PK com/yahoo/ycsb/Client.class');
    writeFileSync(join(old, 'bin/ycsb'), 'DATABASES = {\n    "mongodb"      : "com.yahoo.ycsb.db.MongoDbClient",\n}\n');
    const echo = join(folder, 'echo-java');
    copyFileSync('/bin/echo', echo);
    const mongodb: ConnectionFacts = { kind: 'mongodb', host: 'h', url: 'mongodb://h/', database: 'd' };
    const { run } = planned({ directory: old, java: echo, binding: 'mongodb' }, 1, mongodb);
    const { stdout } = await perform(run, folder);
    expect(stdout).toContain('com.yahoo.ycsb.Client -db com.yahoo.ycsb.db.MongoDbClient');
    expect(stdout).toContain('-p workload=com.yahoo.ycsb.workloads.CoreWorkload');
    // In a run, they only know records below recordcount: with several inserting generators, one would ask for missing records.
    const second = { index: 1, count: 2 };
    const whole = YcsbOptions.parse({ directory: old, java: echo, workload: 'E', threads: 2 });
    const divided = ycsbTool.plan({
      options: ycsbTool.load?.divide?.(whole, second) ?? whole,
      ...{ connection: HOST, warmup: 0, duration: 1, seed: 1, nodePath: process.execPath, assetsDir: folder },
      ...{ part: second, generators: second.count },
    });
    expect((await perform(divided.run, folder)).stderr).toContain(
      'YCSB 0.1.4 asks for records of a run by recordcount',
    );
  });

  it('refuses a properties file that contradicts the experiment, before anything runs', async () => {
    const given = join(folder, 'site.properties');
    const options = { 'properties-file': given, recordcount: 5000, operationcount: 2000, threads: 2 };
    const withFile = (text: string, more: Record<string, unknown> = {}) => {
      writeFileSync(given, text);
      return ran({ ...options, ...more }, 600);
    };
    const SITE = `# e-commerce session store
recordcount=5000
workload=site.ycsb.workloads.CoreWorkload
readproportion: 0.2
  updateproportion = 0.3\r
insertproportion=0.5
requestdistribution=hotspot
target=1000
`;
    const refused = await withFile(SITE);
    expect(refused).toMatchObject({ ok: false, reason: { code: 'properties-decided' }, samples: [] });
    expect(refused.reason?.evidence).toContain(
      'readproportion=0.2, updateproportion=0.3, insertproportion=0.5, requestdistribution=hotspot, target=1000.',
    );
    expect(refused.reason?.evidence).not.toContain('recordcount');
    // Equal values, and properties only for a binding, are accepted.
    const same = 'recordcount = 5000\nreadproportion=0.50\nupdateproportion=.5\nredis.host=db1\n';
    expect(await withFile(same, { workload: 'A' })).toMatchObject({ ok: true });
    expect(await withFile('workload=my.Workload\n')).toMatchObject({ reason: { code: 'properties-decided' } });
  });

  it('that is ended from outside fails', async () => {
    const { run } = planned({ 'simulate-delay': 2 }, 600);
    const ended = await perform(run, folder, {
      watch: ({ stderr }, kill) => {
        // A busy machine may omit the line of a second.
        if (/ (?:[2-9]|\d\d+) sec: /.test(stderr)) kill('SIGTERM');
      },
    });
    const result = read(ended);
    expect(result).toMatchObject({ ok: false, reason: { code: 'killed-by-signal' } });
    expect(result.samples.at(-1)?.t).toBeGreaterThanOrEqual(2);
    expect(result.summary).toEqual({});
  });
});
