import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutEverywhere,
  longLine,
  mixedLines,
  nonsense,
  someOf,
  tries,
  withForeignBytes,
} from '../../testing/damage.ts';
import type { ParsedSample } from '../../tool.ts';
import { RECORDINGS, readOutput, recordingNamed } from '../testing/recordings.ts';

const BROKEN = [
  'mariadb-rw-t1',
  'cpu-rate',
  'fileio-run-rndwr-checkpoints',
  'memory-t4-read-1M',
  'lua-custom-json',
  'lua-own-metrics-rate',
  'mariadb-fault-dup-key',
  'v0.5-2014-oltp-checkpoints',
  'v0.4-fileio-rndrw',
];

/** Whether a sample contains only figures of the original one: a queue line may be lost, but no figure may change. */
const within = (sample: ParsedSample, whole: ParsedSample | undefined): boolean =>
  whole !== undefined &&
  sample.t === whole.t &&
  Object.entries(sample.metrics).every(([id, value]) => whole.metrics[id] === value);

const allWithin = (samples: readonly ParsedSample[], whole: readonly ParsedSample[]): boolean =>
  samples.every((sample) => whole.some((known) => within(sample, known)));

describe.each(BROKEN)('%s, damaged', (name) => {
  const { stdout, stderr } = recordingNamed(name);
  const whole = readOutput(stdout, stderr);

  it('is read equally twice', () => {
    expect(readOutput(stdout, stderr)).toEqual(whole);
  });

  it('has no invented values if cut at any byte', () => {
    cutEverywhere(stdout, (end) => {
      const part = readOutput(stdout.slice(0, end), '');
      expect(part.samples.length, `cut at ${end}`).toBeLessThanOrEqual(whole.samples.length);
      part.samples.forEach((sample, index) => {
        expect(within(sample, whole.samples[index]), `sample ${index}, cut at ${end}`).toBe(true);
      });
      if (!whole.checkpoints)
        for (const [key, value] of Object.entries(part.summary))
          if (!key.startsWith('histogram')) expect(value, `${key}, cut at ${end}`).toBe(whole.summary[key]);
    });
  });

  it('has each sample twice if every line is repeated', () => {
    const doubled = readOutput(stdout.replace(/.*\n/g, '$&$&'), '');
    expect(allWithin(doubled.samples, whole.samples)).toBe(true);
  });

  it('has no invented values with foreign bytes', () => {
    fc.assert(
      fc.property(withForeignBytes(stdout, 20), (damaged) => {
        expect(allWithin(readOutput(damaged, '').samples, whole.samples)).toBe(true);
      }),
      tries(200),
    );
  });

  it('is read equally with carriage returns', () => {
    expect(readOutput(stdout.replaceAll('\n', '\r\n'), '').samples).toEqual(whole.samples);
    expect(readOutput(stdout.replace(/^(\[ *\d+s)/gm, '50 %\r$1'), '').samples).toEqual(whole.samples);
  });
});

it('gives no second the figures of the next if the braces between them are damaged', () => {
  const { stdout } = recordingNamed('lua-custom-json');
  const between = /(0\.00)\n( {2}\},\n {2}\{)\n( +"time": +4)/;
  expect(stdout).toMatch(between);
  const { samples } = readOutput(stdout.replace(between, '$1\uFFFD$2\uFFFD$3'), '');
  expect(samples.map(({ t }) => t)).toEqual([1, 2, 5]);
});

describe('foreign output', () => {
  it('of two runs mixed line by line has no invented values', () => {
    const [first, second] = [recordingNamed('mariadb-rw-t1'), recordingNamed('cpu-t2-hist')];
    const known = [first, second].flatMap(({ stdout }) => readOutput(stdout, '').samples);
    fc.assert(
      fc.property(mixedLines(first.stdout, second.stdout), (mixed) => {
        expect(allWithin(readOutput(mixed, '').samples, known)).toBe(true);
      }),
      tries(100),
    );
  });

  it('of a megabyte on one line loses that line only', () => {
    const line = '[ 1s ] thds: 2 eps: 900.50 lat (ms,95%): 2.10';
    const pieces = ['x', ' ', '[ 1s ] ', '[   ', '1,', '"a": {', 'reads: 1.00 MiB/s ', 'FATAL ', '9'];
    fc.assert(
      fc.property(longLine(pieces), (long) => {
        const read = readOutput(`${long}\n${line}\n`, '');
        expect(read.samples).toHaveLength(1);
        expect(read.unparsed.join('').length).toBeLessThan(10_000);
      }),
      tries(20),
    );
    expect(readOutput(`${'x'.repeat(1_000_000)}${line}\n`, '').samples).toHaveLength(1);
  });

  it('without meaning is ignored', () => {
    fc.assert(
      fc.property(nonsense('[]{}(),.:%/ s0123456789abcFATAL\t\r\n\u0000\uFFFD"\'`-'), (text) => {
        expect(readOutput(text, text, { exit: { code: 0 } }).samples).toEqual([]);
      }),
      tries(500),
    );
  });

  it('reads every recording the same when fed again', () => {
    for (const { stdout, stderr, name } of someOf(RECORDINGS)) {
      const read = readOutput(stdout, stderr);
      expect(readOutput(stdout, stderr), name).toEqual(read);
    }
  });
});
