import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEverywhere, nonsense, tries, withForeignBytes } from '../../tools/testing/damage.ts';
import type { MonitorRow } from '../monitor.ts';
import { commandMonitor } from './index.ts';

const watch = (pattern: string, units?: Record<string, string>) =>
  commandMonitor({ name: 'tried', command: 'true', pattern, ...(units && { units }) });

/** Complete lines only, as they are followed. */
function read(pattern: string, text: string): { rows: MonitorRow[]; unread: number } {
  const parser = watch(pattern).parser();
  const rows = text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => parser.line(line) ?? []);
  return { rows, unread: parser.unread };
}
const recorded = (name: string): string => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');

const PERF = [
  '^\\s*[\\d.]+,(?<busy_ms>[\\d.]+),msec,task-clock',
  '^\\s*[\\d.]+,(?<switches>\\d+),,context-switches',
  '^\\s*[\\d.]+,(?<faults>\\d+),,page-faults',
].join('\n');
const VMSTAT = '^\\s*(?<runnable>\\d+)\\s+(?<blocked>\\d+)(\\s+\\d+){10}\\s+(?<user>\\d+)\\s+(?<system>\\d+)';
const SMI = '^(?<gpu>\\d+) %, (?<memory>\\d+) MiB, (?<temperature>\\d+), (?<power>[\\d.]+|\\[N/A\\])( W)?$';
const SMI_LINES = [
  '1795412764.10 utilization.gpu [%], memory.used [MiB], temperature.gpu, power.draw [W]',
  '1795412764.10 35 %, 1024 MiB, 61, 75.21 W',
  '.',
  '1795412765.11 0 %, 1024 MiB, 60, [N/A]',
  '.',
  '',
].join('\n');

describe('lines of a command', () => {
  it('of perf stat in one interval form one row', () => {
    const { rows, unread } = read(PERF, recorded('perf-stat.txt'));
    expect(unread).toBe(0);
    expect(rows).toEqual([
      { t: 1795412761.78, metrics: { busy_ms: 2012.24, switches: 2274, faults: 22_680 } },
      { t: 1795412762.78, metrics: { busy_ms: 2006.92, switches: 2517, faults: 37_859 } },
      { t: 1795412763.78, metrics: { busy_ms: 2002.53, switches: 3123, faults: 67_433 } },
      { t: 1795412764.79, metrics: { busy_ms: 2002.24, switches: 4886, faults: 40_493 } },
    ]);
  });

  it('of vmstat are read without its headers', () => {
    const { rows, unread } = read(VMSTAT, recorded('vmstat.txt'));
    expect(unread).toBe(0);
    expect(rows.map(({ t }) => t)).toEqual([1795412764.83, 1795412765.83, 1795412766.83, 1795412767.83]);
    expect(rows[1]?.metrics).toEqual({ runnable: 30, blocked: 0, user: 87, system: 14 });
  });

  it('of nvidia-smi may have missing values', () => {
    const { rows, unread } = read(SMI, SMI_LINES);
    expect(rows).toEqual([
      { t: 1795412764.1, metrics: { gpu: 35, memory: 1024, temperature: 61, power: 75.21 } },
      { t: 1795412765.11, metrics: { gpu: 0, memory: 1024, temperature: 60 } },
    ]);
    expect(unread).toBe(1);
  });

  it('with one missing form a row of the others, and reading can resume after any row', () => {
    const text = recorded('perf-stat.txt').replace(/^.*3\.0106.*page-faults.*\n/m, '');
    const { rows } = read(PERF, text);
    expect(rows.map(({ metrics }) => metrics.faults)).toEqual([22_680, 37_859, undefined, 40_493]);
    const lines = text.split('\n').slice(0, -1);
    const parser = watch(PERF).parser();
    lines.forEach((line, index) => {
      const row = parser.line(line);
      if (!row) return;
      const later = rows.slice(rows.findIndex(({ t }) => t === row.t) + 1);
      expect(read(PERF, `${lines.slice(index + 1).join('\n')}\n`).rows).toEqual(later);
    });
  });

  it('of several intervals at once belong to the first', () => {
    const { rows, unread } = read('n=(?<n>\\d+)', '5.00 n=1\n5.00 n=2\n6.00 n=3\n.\n');
    expect(rows).toEqual([
      { t: 5, metrics: { n: 1 } },
      { t: 6, metrics: { n: 3 } },
    ]);
    expect(unread).toBe(1);
  });

  it.each([
    ['perf-stat.txt', PERF],
    ['vmstat.txt', VMSTAT],
  ])('of %s, cut anywhere or with foreign bytes, have only printed figures', (name, pattern) => {
    const text = recorded(name);
    const { rows } = read(pattern, text);
    cutEverywhere(text, (end) => {
      const cut = read(pattern, text.slice(0, end)).rows;
      expect(cut).toEqual(rows.slice(0, cut.length));
    });
    fc.assert(
      fc.property(withForeignBytes(text, 4), (damaged) => {
        for (const { t, metrics } of read(pattern, damaged).rows) {
          // Two intervals with a damaged end form one row, with figures of either.
          const at = rows.findIndex((row) => row.t === t);
          for (const [group, value] of Object.entries(metrics))
            expect([rows[at]?.metrics[group], rows[at + 1]?.metrics[group]]).toContain(value);
        }
      }),
      tries(500),
    );
  });

  it('without meaning have no figures', () => {
    fc.assert(
      fc.property(nonsense('0123456789. nk=\n'), (text) => {
        for (const { t, metrics } of read('n=(?<n>\\S+)', text).rows)
          for (const value of [t, ...Object.values(metrics)]) expect(Number.isFinite(value)).toBe(true);
      }),
      tries(500),
    );
  });
});

describe('a command to monitor', () => {
  it('has a series for each group in the given unit', () => {
    const { rules } = watch('^(?<t>\\d+) (?<dtlb_misses>\\d+)\n(?<power>[\\d.]+) W', { power: 'W' });
    expect(rules.map(({ id, label, unit, reading }) => [id, label, unit, reading])).toEqual([
      ['dtlb_misses', 'dtlb misses', '', { kind: 'gauge', of: ['dtlb_misses'] }],
      ['power', 'power', 'W', { kind: 'gauge', of: ['power'] }],
    ]);
  });

  it.each([
    ['\\d+', /no named group/],
    ['(?<t>\\d+)', /no named group/],
    ['(?<n>\\d+', /missing closing/],
  ])('with the pattern %s is refused with a sentence', (pattern, words) => {
    expect(() => watch(pattern)).toThrow(words);
    expect(() => watch(pattern)).toThrow(RangeError);
  });
});
