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
import type { Read } from '../../testing/recordings.ts';
import type { ParsedSample } from '../../tool.ts';
import { RECORDINGS, readOutput, recordingNamed } from '../testing/bench.ts';

const BROKEN = [
  'tpcb-c4-j2',
  'max-tries3-detailed-r',
  'select-log-rate',
  'fault-terminate-backend',
  'max-tries-verbose',
];

/** Whether a sample contains only figures of the original one. */
const within = (sample: ParsedSample, whole: ParsedSample | undefined): boolean =>
  whole !== undefined &&
  sample.t === whole.t &&
  Object.entries(sample.metrics).every(([id, value]) => whole.metrics[id] === value);
const allWithin = (samples: readonly ParsedSample[], whole: readonly ParsedSample[]): boolean =>
  samples.every((sample) => whole.some((known) => within(sample, known)));

function holds(part: Read, whole: Read, at: string): void {
  expect(part.samples.length, at).toBeLessThanOrEqual(whole.samples.length);
  part.samples.forEach((sample, index) => {
    expect(within(sample, whole.samples[index]), `sample ${index}, ${at}`).toBe(true);
  });
  for (const [key, value] of Object.entries(part.summary)) expect(value, `${key}, ${at}`).toBe(whole.summary[key]);
}

describe.each(BROKEN)('%s, damaged', (name) => {
  const { stdout, ...rest } = recordingNamed(name);
  // One of them prints every failed try: its beginning is sufficient.
  const stderr = rest.stderr.slice(0, rest.stderr.lastIndexOf('\n', 4000) + 1);
  const whole = readOutput(stdout, stderr);

  it('has no invented values if cut at any byte', () => {
    cutEverywhere(stderr, (end) => holds(readOutput(stdout, stderr.slice(0, end)), whole, `progress cut at ${end}`));
    cutEverywhere(stdout, (end) => holds(readOutput(stdout.slice(0, end), stderr), whole, `report cut at ${end}`));
  });

  it('has each sample once if every line is repeated', () => {
    const doubled = readOutput('', stderr.replace(/.*\n/g, '$&$&'));
    expect(doubled.samples).toEqual(whole.samples);
  });

  it('has no invented values with foreign bytes', () => {
    fc.assert(
      fc.property(withForeignBytes(stderr, 20), (damaged) => {
        expect(allWithin(readOutput('', damaged).samples, whole.samples)).toBe(true);
      }),
      tries(200),
    );
  });

  it('is read equally with carriage returns', () => {
    const returned = readOutput(stdout.replaceAll('\n', '\r\n'), stderr.replaceAll('\n', '\r\n'));
    expect(returned).toEqual(whole);
  });
});

describe('foreign output', () => {
  it('of two runs mixed line by line has no invented samples', () => {
    const [first, second] = [recordingNamed('tpcb-c1'), recordingNamed('select-log-rate')];
    const known = [first, second].flatMap(({ stderr }) => readOutput('', stderr).samples);
    fc.assert(
      fc.property(mixedLines(first.stderr, second.stderr), (mixed) => {
        const read = readOutput('', mixed);
        expect(read.samples.length).toBeLessThanOrEqual(known.length);
        expect(allWithin(read.samples, known)).toBe(true);
      }),
      tries(100),
    );
  });

  it('of a megabyte on one line loses that line only', () => {
    const line = 'progress: 1.0 s, 22656.4 tps, lat 0.164 ms stddev 0.195, 0 failed';
    const pieces = ['x', ' ', 'progress: 1', 'latency average', '1 ', 'pgbench: error: ', '9', ' - ', 'ERROR:  ', '\r'];
    fc.assert(
      fc.property(longLine(pieces), (long) => {
        const read = readOutput(`${long}\n`, `${long}\n${line}\n`);
        expect(read.samples).toHaveLength(1);
        expect(read.unparsed.join('').length).toBeLessThan(10_000);
      }),
      tries(20),
    );
  });

  it('without meaning is ignored', () => {
    fc.assert(
      fc.property(nonsense('()<>:,.%/ s0123456789pgbench: error=tps\t\r\n\u0000\uFFFD"\'`-'), (text) => {
        expect(readOutput(text, text, { exit: { code: 0 } })).toMatchObject({ samples: [], ok: false });
      }),
      tries(500),
    );
  });

  it('reads every recording the same when fed again, with or without standard output', () => {
    for (const { stdout, stderr, name } of someOf(RECORDINGS)) {
      expect(readOutput(stdout, stderr), name).toEqual(readOutput(stdout, stderr));
      expect(readOutput('', stderr).samples, name).toEqual(readOutput(stdout, stderr).samples);
    }
  });
});
