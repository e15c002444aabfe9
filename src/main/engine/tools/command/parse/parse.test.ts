import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEverywhere, nonsense, tries, withForeignBytes } from '../../testing/damage.ts';
import { outputReader } from '../../testing/recordings.ts';
import { commandTool } from '../index.ts';
import { RECORDINGS, readOutput } from '../testing/recordings.ts';
import { updatesOf } from './index.ts';

interface Expected {
  options: Record<string, unknown>;
  ok: boolean;
  reason?: string;
  t: number[];
  metrics: Record<string, number[]>;
  summary: Record<string, number>;
  findings: string[];
  unparsed: number;
}

describe.each(RECORDINGS.map(({ name, ...rest }) => ({ name, ...rest })))(
  '$name',
  ({ stdout, stderr, exit, ...entry }) => {
    const expected = entry.expected as unknown as Expected;
    const read = readOutput(stdout, stderr, { exit, options: expected.options });

    it('has the printed seconds and figures', () => {
      expect(read.samples.map(({ t }) => t)).toEqual(expected.t);
      for (const [id, values] of Object.entries(expected.metrics))
        values.forEach((value, index) => {
          expect(read.samples[index]?.metrics[id], `${id} ${index}`).toBeCloseTo(value, 9);
        });
      expect(new Set(read.samples.flatMap(({ metrics }) => Object.keys(metrics)))).toEqual(
        new Set(Object.keys(expected.metrics)),
      );
      expect(read.summary).toEqual(expected.summary);
    });

    it('is judged by output and exit code', () => {
      expect(read.ok).toBe(expected.ok);
      expect(read.reason?.code).toBe(expected.reason);
      expect(read.findings.map(({ code }) => code)).toEqual(expected.findings);
      expect(read.unparsed).toHaveLength(expected.unparsed);
    });

    it('has only printed samples if cut anywhere or with foreign bytes', () => {
      const known = read.samples.map((sample) => JSON.stringify(sample));
      cutEverywhere(stdout, (end) => {
        const cut = readOutput(stdout.slice(0, end), '', { options: expected.options }).samples;
        expect(cut.map((sample) => JSON.stringify(sample))).toEqual(known.slice(0, cut.length));
      });
      if (stdout === '') return;
      fc.assert(
        fc.property(withForeignBytes(stdout, 3), (damaged) => {
          for (const { metrics } of readOutput(damaged, '', { options: expected.options }).samples)
            for (const value of Object.values(metrics)) expect(Number.isFinite(value)).toBe(true);
        }),
        tries(100),
      );
    });
  },
);

/** Patterns that read the output of other tools, for which the results of their own parsers are known. */
describe('lines of known tools', () => {
  const printed = (tool: string, recording: string, file: string): string =>
    readFileSync(join(import.meta.dirname, '../..', tool, 'fixtures', recording, file), 'utf8');

  it('of pgbench, on standard error', () => {
    const pattern =
      'progress: (?<t>[\\d.]+) s, (?<tps>[\\d.]+) tps, lat (?<latency_avg_ms>[\\d.]+) ms stddev (?<latency_stddev_ms>[\\d.]+)';
    const stderr = printed('pgbench', 'tpcb-c1', 'stderr.txt');
    const { samples } = readOutput('', stderr, { options: { pattern, metrics: '' } });
    const [, t, tps, average, deviation] =
      /progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+) ms stddev ([\d.]+)/.exec(stderr) ?? [];
    expect(samples.length).toBe(stderr.match(/^progress: /gm)?.length);
    expect(samples[0]).toEqual({
      t: Number(t),
      metrics: { tps: Number(tps), latency_avg_ms: Number(average), latency_stddev_ms: Number(deviation) },
    });
  });

  it('of sysbench', () => {
    const pattern =
      '^\\[ (?<t>\\d+)s \\] .* tps: (?<tps>[\\d.]+) qps: (?<qps>[\\d.]+) .*lat \\(ms,95%\\): (?<latency_p95_ms>[\\d.]+)';
    const stdout = printed('sysbench', 'v1.0/mariadb-rw-t1', 'stdout.txt');
    const { samples } = readOutput(stdout, '', { options: { pattern, metrics: '' } });
    expect(samples.map(({ t }) => t)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const { metrics } of samples) expect(metrics.qps).toBeCloseTo((metrics.tps ?? 0) * 20, -2);
  });
});

describe('times', () => {
  const options = (pattern: string, more: Record<string, unknown> = {}) => ({
    options: { pattern, metrics: '', ...more },
  });
  const seconds = (text: string, how: { options: Record<string, unknown> }) => {
    const { samples, findings } = readOutput(text, '', how);
    return [samples.map(({ t }) => t), findings.map(({ code }) => code).filter((code) => code !== 'no-samples')];
  };

  it.each([
    ['of a run', '0.5 7\n1.5 7\n', [0.5, 1.5]],
    ['since 1970', '1795219539 7\n1795219540 7\n1795219541.5 7\n', [1, 2, 3.5]],
    ['of the day, over midnight', '23:59:58 7\n23:59:59 7\n00:00:00 7\n00:00:01.5 7\n', [1, 2, 3, 4.5]],
    ['of a clock without hours', '0:59 7\n1:00 7\n', [1, 2]],
  ])('%s', (_, text, expected) => {
    expect(seconds(text, options('^(?<t>[\\d.:]+) (?<ops>\\d+)$'))).toEqual([expected, []]);
  });

  it('are counted if not printed, separately for each stream', () => {
    const how = options('ops (?<ops>\\d+)', { interval: 0.5 });
    expect(seconds('ops 1\nops 2\nnothing\nops 3\n', how)).toEqual([[0.5, 1, 1.5], []]);
    const both = readOutput('ops 1\nops 2\n', 'ops 7\n', how);
    expect(both.samples.map(({ t, metrics }) => [t, metrics.ops])).toEqual([
      [0.5, 1],
      [1, 2],
      [0.5, 7],
    ]);
  });

  it('that are missing, repeated or invalid are reported', () => {
    const how = options('^(?<t>\\S+) (?<ops>\\d+)$');
    expect(seconds('1 7\n4 7\n', how)).toEqual([[1, 4], ['seconds-missing']]);
    expect(seconds('1 7\n4 7\n', options('^(?<t>\\S+) (?<ops>\\d+)$', { interval: 0 }))).toEqual([[1, 4], []]);
    expect(seconds('1 7\n1 8\n2 9\n', how)).toEqual([[1, 2], ['seconds-repeated']]);
    expect(seconds('1 7\nnow 8\n', how)).toEqual([[1], ['values-unread']]);
  });
});

describe('lines that form one second', () => {
  const how = {
    options: {
      pattern: '^(?<t>\\d+)$\nread (?<ops_read>\\S+)\nwrite (?<ops_update>\\d+)(?<unit>[kM]?)',
      metrics: 'ops_update = ops_update in unit',
    },
  };
  it('are merged, even if one is missing', () => {
    const { samples, unparsed } = readOutput('1\nread 1,500\nwrite 2k\n2\nread 3\n3\nwrite 4\nread 5\n', '', how);
    expect(samples).toEqual([
      { t: 1, metrics: { ops_read: 1500, ops_update: 2000 } },
      { t: 2, metrics: { ops_read: 3 } },
      { t: 3, metrics: { ops_read: 5, ops_update: 4 } },
    ]);
    expect(unparsed).toEqual([]);
  });
  it('do not hide an invalid figure', () => {
    const { samples, findings } = readOutput('1\nread many\nwrite 2\n', '', how);
    expect(samples).toEqual([{ t: 1, metrics: { ops_update: 2 } }]);
    expect(findings.map(({ code }) => code)).toEqual(['values-unread']);
  });
});

describe('judgement', () => {
  const options = { pattern: 'ops (?<ops>\\d+)', metrics: '', 'trouble-pattern': '^ERROR' };
  const reason = (text: string, exit: object, more: object = {}) =>
    readOutput(text, '', { exit, options: { ...options, ...more } }).reason?.code;
  it.each([
    ['ops 1\n', { code: 0 }, {}, undefined],
    ['ops 1\nERROR: gone\n', { code: 0 }, {}, 'trouble'],
    ['nothing\n', { code: 0 }, {}, 'no-samples'],
    ['ops 1\n', { code: 3 }, {}, 'exit-code'],
    ['ops 1\n', { code: 3 }, { 'success-codes': '0, 3' }, undefined],
    ['ops 1\n', { code: 0 }, { 'success-codes': '3' }, 'exit-code'],
    ['ops 1\n', { code: 124 }, {}, 'exit-code'],
    ['ops 1\n', { code: 143 }, { 'end-after': true }, undefined],
    ['ops 1\n', { signal: 'SIGKILL' }, { 'end-after': true }, 'killed-by-signal'],
    ['ops 1\n', { unknown: 'host restarted' }, {}, undefined],
  ])('of %j with %j and %j is %s', (text, exit, more, code) => {
    expect(reason(text, exit, more)).toBe(code);
  });
  it('of a prepare step requires no samples', () => {
    expect(readOutput('made it\n', '', { phase: 'prepare', exit: { code: 0 } })).toMatchObject({
      ok: true,
      samples: [],
    });
  });
});

it('finds nothing in a megabyte on one line or in meaningless text', () => {
  const options = { pattern: '(\\w+\\s?)*(?<ops>\\d+)$', metrics: '' };
  const line = `${'a '.repeat(500_000)}!`;
  expect(readOutput(`${line}\nops 5\n`, '', { options }).samples).toEqual([{ t: 1, metrics: { ops: 5 } }]);
  fc.assert(
    fc.property(nonsense('=()<>. 0123456789opstimeru\t\r\n\uFFFD'), (text) => {
      for (const { metrics } of readOutput(text, text, {}).samples)
        for (const value of Object.values(metrics)) expect(Number.isFinite(value)).toBe(true);
    }),
    tries(200),
  );
});

it.each<[string, string, string[]]>([
  ['nothing of it', 'ops=1', ['ops=1']],
  ['carriage returns', 'ops=1\rops=22\rops=3', ['ops=1', 'ops=22', 'ops=3']],
  ['several at once', '\r\rops=1\r\r\nops=2', ['ops=1', '\nops=2']],
  ['blanks that wipe the line', 'ops=1\r          \rops=2', ['ops=1', 'ops=2']],
  ['backspaces over all of it', 'ops=1\b\b\b\b\bops=2', ['ops=1', 'ops=2']],
  ['backspaces over a part', 'ops=100\b\b\b22', ['ops=100', 'ops=22']],
  ['backspaces that wipe', 'ops=100\b \b\b \b\b \b7', ['ops=100', 'ops=7']],
  ['more backspaces than letters', 'a=1\b\b\b\b\b\b\bb=2', ['a=1', 'b=2']],
  ['the way of terminals to the beginning', 'ops=1\u001B[Gops=2\u001B[1Gops=3', ['ops=1', 'ops=2', 'ops=3']],
  ['nothing at all', '', ['']],
  ['blanks alone', '  \r ', ['']],
])('splits a line overwritten with %s into its updates', (_, text, updates) => {
  expect(updatesOf(text)).toEqual(updates);
});

it('reads progress update by update, and the final figures after it', () => {
  const read = outputReader(commandTool)('ops=1\rops=2\b3\rall: 7 ops\n', '', {
    options: { pattern: 'ops=(?<ops>\\d+)', metrics: '', 'final-pattern': 'all: (?<ops>\\d+) ops' },
  });
  expect(read.samples.map(({ metrics }) => metrics.ops)).toEqual([1, 2, 3]);
  expect(read.summary).toEqual({ ops: 7 });
  expect(read.unparsed).toEqual([]);
});

it.each<[string, string, string[]]>([
  ['once', 'all: 7 ops\n', []],
  ['again and again with the same figure', 'all: 7 ops\nall: 7 ops\n', []],
  ['with different figures', 'all: 7 ops\nall: 8 ops\n', ['final-replaced']],
])('reads final figures that are printed %s', (_, text, codes) => {
  const options = { pattern: 'ops=(?<ops>\\d+)', metrics: '', 'final-pattern': 'all: (?<ops>\\d+) ops' };
  const read = outputReader(commandTool)(`ops=1\n${text}`, '', { options });
  expect(read.findings.map(({ code }) => code)).toEqual(codes);
});
