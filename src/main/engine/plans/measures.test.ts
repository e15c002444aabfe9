import { describe, expect, it } from 'vitest';
import { metricOf } from '../../../shared/metrics/index.ts';
import { headlineStep } from '../../../shared/model/plan.ts';
import { toolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { checkDocument, formatDocument, readDocument, resolveCells, sessionSteps } from './index.ts';
import { checkContext, probe } from './testing/probe.ts';

const HEAD = `kneepoint: 1
name: Measures
workload: {tool: probe}
where: {}
factors:
  - {name: threads, levels: [1, 2]}
measure: {duration: 10}
monitors:
  commands:
    - {name: dTLB, command: "perf stat", pattern: "^(?<t>\\\\d+) (?<dtlb_misses>\\\\d+)$"}
  statements:
    - {name: rows, statement: SELECT 1}
`;
const MEASURES = `derived:
  - {name: dTLB misses, of: command dTLB, series: dtlb_misses, take: mean}
  - {name: throughput, unit: MiB/s, is: read_mib_s + write_mib_s}
  - name: compression
    is: "fact(columns, uncompressed_bytes) / fact(columns, compressed_bytes)"
  - {name: rows changed, is: server.Innodb_rows_updated / operations}
  - {name: per thread, is: rows_changed / level(threads), digits: 4}
  - {name: worst second, series: ops, take: min}
primary: throughput
`;

const check = (text: string) => checkDocument(HEAD + text, checkContext);
const problemsOf = (text: string) =>
  check(text).problems.map(({ path, message, line, column }) => `${line}:${column} ${path}: ${message}`);

it('reads measures of every kind and writes them back unchanged', () => {
  const { problems, experiment } = check(MEASURES);
  expect(problems).toEqual([]);
  expect(experiment?.derived).toHaveLength(6);
  expect(experiment && readDocument(formatDocument(experiment)).experiment).toEqual(experiment);
  expect(experiment && formatDocument(experiment, HEAD + MEASURES)).toContain(MEASURES);
});

it('keeps documents without measures unchanged', () => {
  const { experiment } = check('');
  expect(experiment).not.toHaveProperty('derived');
  expect(experiment && formatDocument(experiment)).not.toMatch(/derived|primary/);
});

it('names errors at their position in the formula', () => {
  expect(
    problemsOf(`derived:
  - {name: one, is: read_mib_s +}
  - {name: two, is: "tps + latency_avg_ms"}
  - {name: three, is: ops / level(thread)}
  - name: four
    is: 'ops + series("command dTBL", misses)'
  - {name: five, is: "ops + series('command dTLB', dtlb_mises)"}
  - {name: six, is: 'sqrt(ops, 2)'}
`),
  ).toEqual([
    '14:33 derived.0.is: The formula ends where a value is expected.',
    '15:21 derived.1.is: tps and ms cannot be added or compared.',
    '16:29 derived.2.is: There is no factor named “thread”. Did you mean “threads”?',
    '18:16 derived.3.is: No command named “dTBL” is watched (monitors.commands). Did you mean “dTLB”?',
    '19:29 derived.4.is: The pattern of “dTLB” has no group named “dtlb_mises”. Did you mean “dtlb_misses”?',
    '20:21 derived.5.is: sqrt takes 1 value, not 2.',
  ]);
});

it('refuses invalid measures', () => {
  expect(
    problemsOf(`derived:
  - {name: nothing}
  - {name: both, is: ops, series: ops}
  - {name: taken, is: ops, take: max}
  - {name: twice, is: ops}
  - {name: twice, is: ops}
  - {name: tps, is: ops}
  - {name: operations, is: ops}
  - {name: away, of: somewhere, series: ops}
  - {name: gone, of: statement row, series: ops}
`),
  ).toEqual([
    '14:12 derived.0.name: A measure needs a formula (is) or a series (series).',
    '15:35 derived.1.series: A measure with a formula has no “series”: write series("…", "…") in it.',
    '16:34 derived.2.take: A measure with a formula has no “take”: write series("…", "…") in it.',
    '18:12 derived.4.name: Two measures are named “twice”.',
    '19:12 derived.5.name: “tps” is the name of a metric. Choose another.',
    '20:12 derived.6.name: “operations” is the name of a metric. Choose another.',
    '21:22 derived.7.of: “somewhere” is not a source. Write server, server NAME, host NAME, generator, command NAME or statement NAME.',
    '22:22 derived.8.of: No statement named “row” is watched (monitors.statements). Did you mean “rows”?',
  ]);
  expect(problemsOf('derived: []\n')).toEqual(['13:10 derived: derived: at least 1 entry.']);
  expect(problemsOf('primary: throghput\nderived: [{name: throughput, is: ops}]\n')).toEqual([
    '13:10 primary: “throghput” is neither a measure of this document nor a metric. Did you mean “throughput”?',
  ]);
});

it('points out a name similar to that of a metric', () => {
  const { plan } = check('derived: [{name: mine, is: read_mib / write_mib_s}]\n');
  expect(plan?.findings.find(({ code }) => code === 'unknown-metric')?.message).toBe(
    '“mine” is calculated from “read_mib”, an unknown metric. Did you mean “read_mib_s”?',
  );
  expect(check(MEASURES).plan?.findings.map(({ code }) => code)).not.toContain('unknown-metric');
});

it('refuses recovery as the primary metric without an event', () => {
  expect(problemsOf('primary: recovery_s\n')).toEqual([
    '13:10 primary: “recovery_s” measures the recovery from an event: add one under “measure.events”, or a parallel step that begins later than a measured load (“from”).',
  ]);
});

describe('a recovery as the primary metric of several steps', () => {
  const text = (from: string, own = ''): string => `kneepoint: 2
name: Load beside a backup
workload: {tool: probe, options: {}}
primary: recovery_s
steps:
  - {name: alone}
  - name: both
    parallel:
      - {name: load, same: alone${own}}
      - {name: backup, do: run, command: 'true', measured: true${from}}
where: {}
measure: {duration: 60}
`;
  const read = (document: string) => {
    const { problems, experiment } = checkDocument(document, checkContext);
    if (!experiment) throw new Error(document);
    return {
      problems,
      steps: sessionSteps(experiment, resolveCells(experiment, probe), (id) => toolById(id) ?? probe),
    };
  };

  it('belongs to the load during which another step begins, and is the headline', () => {
    const { problems, steps } = read(text(', from: 20'));
    expect(problems).toEqual([]);
    expect(steps.map(({ name, metric, toolMetric }) => [name, metric, toolMetric])).toEqual([
      ['alone', 'ops', undefined],
      ['both / load', 'recovery_s', 'ops'],
      ['both / backup', 'took_s', undefined],
    ]);
    expect(headlineStep(steps)).toBe(1);
  });

  it('is refused where nothing begins later than a measured load', () => {
    const refused = [expect.objectContaining({ path: 'primary', message: expect.stringMatching(/begins later/) })];
    expect(read(text('')).problems).toEqual(refused);
    expect(read(text(', from: 20', ', measured: false')).problems).toEqual(refused);
  });
});

it('shows the primary metric of the document first', () => {
  const metricsOf = (text: string) => {
    const experiment = readDocument(HEAD + text).experiment;
    if (!experiment) throw new Error(text);
    return sessionSteps(experiment, resolveCells(experiment, probe), () => probe).map(({ metric }) => metric ?? '');
  };
  expect(metricsOf('').map(metricOf)).toMatchObject([{ id: 'ops' }]);
  expect(metricsOf(MEASURES).map(metricOf)).toMatchObject([{ label: 'throughput', unit: 'MiB/s', better: 'higher' }]);
  expect(metricsOf('primary: latency_p95_ms\n')).toEqual(['latency_p95_ms']);
  const experiment = readDocument(`${HEAD}primary: latency_p95_ms\n`).experiment;
  const steps = experiment && sessionSteps(experiment, resolveCells(experiment, probe), () => probe);
  expect(steps).toEqual([{ tool: 'probe', metric: 'latency_p95_ms', toolMetric: 'ops' }]);
});

it('shows a metric common to all cells if their tools differ in the first one', () => {
  const withPrimary = (primary: (threads: unknown) => string): Tool => ({
    ...probe,
    metrics: { primary: ({ threads }) => primary(threads) },
  });
  const experiment = readDocument(HEAD).experiment;
  if (!experiment) throw new Error(HEAD);
  const shown = (tool: Tool) => sessionSteps(experiment, resolveCells(experiment, tool), () => tool)[0]?.metric;
  expect(shown(withPrimary((threads) => (threads === 1 ? 'read_mib_s' : 'write_mib_s')))).toBe('read_write_mib_s');
  expect(shown(withPrimary((threads) => (threads === 1 ? 'iops' : 'write_mib_s')))).toBe('iops');
  expect(shown(withPrimary(() => 'write_mib_s'))).toBe('write_mib_s');
});
