import { describe, expect, it } from 'vitest';
import { mixedLines, nonsense, numbers, withForeignBytes } from '../testing/damage.ts';
import type { Read } from '../testing/recordings.ts';
import type { ParsedSample } from '../tool.ts';
import { RECORDINGS, readOutput, recordingNamed } from './recordings.ts';

const BROKEN = [
  'tpcb-c4-j2',
  'max-tries3-detailed-r',
  'select-log-rate',
  'fault-terminate-backend',
  'max-tries-verbose',
];

/** Whether a sample says nothing that the whole one does not. */
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
  // One of them prints every failed try: its beginning is enough.
  const stderr = rest.stderr.slice(0, rest.stderr.lastIndexOf('\n', 4000) + 1);
  const whole = readOutput(stdout, stderr);

  it('cut at any byte, invents nothing', () => {
    for (let end = 0; end <= stderr.length; end += 1)
      holds(readOutput(stdout, stderr.slice(0, end)), whole, `progress cut at ${end}`);
    for (let end = 0; end <= stdout.length; end += 1)
      holds(readOutput(stdout.slice(0, end), stderr), whole, `report cut at ${end}`);
  });

  it('with every line twice, has the samples twice', () => {
    const doubled = readOutput('', stderr.replace(/.*\n/g, '$&$&'));
    expect(doubled.samples.length).toBe(whole.samples.length * 2);
    expect(allWithin(doubled.samples, whole.samples)).toBe(true);
  });

  it('with foreign bytes, invents nothing', () => {
    const next = numbers(name.length);
    for (let round = 0; round < 200; round += 1) {
      const damaged = withForeignBytes(stderr, 20, next);
      expect(allWithin(readOutput('', damaged).samples, whole.samples)).toBe(true);
    }
  });

  it('with carriage returns, reads the same', () => {
    const returned = readOutput(stdout.replaceAll('\n', '\r\n'), stderr.replaceAll('\n', '\r\n'));
    expect(returned).toEqual(whole);
  });
});

describe('foreign output', () => {
  it('of two runs mixed line by line, invents no sample', () => {
    const [first, second] = [recordingNamed('tpcb-c1'), recordingNamed('select-log-rate')];
    const known = [first, second].flatMap(({ stderr }) => readOutput('', stderr).samples);
    const next = numbers(7);
    for (let round = 0; round < 100; round += 1) {
      const mixed = mixedLines(first.stderr, second.stderr, next);
      const read = readOutput('', mixed);
      expect(read.samples.length).toBe(known.length);
      expect(allWithin(read.samples, known)).toBe(true);
    }
  });

  it('of a megabyte on one line costs that line only', () => {
    const line = 'progress: 1.0 s, 22656.4 tps, lat 0.164 ms stddev 0.195, 0 failed';
    for (const filling of [
      'x',
      ' ',
      'progress: 1',
      'latency average',
      '1 ',
      'pgbench: error: ',
      '9',
      ' - ',
      'ERROR:  ',
      '\r',
    ]) {
      const read = readOutput(
        `${filling.repeat(1_000_000 / filling.length)}\n`,
        `${filling.repeat(1_000_000 / filling.length)}\n${line}\n`,
      );
      expect(read.samples, filling).toHaveLength(1);
      expect(read.unparsed.join('').length, filling).toBeLessThan(10_000);
    }
  });

  it('of no meaning at all does not break it', () => {
    const next = numbers(99);
    const letters = '()<>:,.%/ s0123456789pgbench: error=tps\t\r\n\u0000\uFFFD"\'`-';
    for (let round = 0; round < 500; round += 1) {
      const text = nonsense(letters, 400, next);
      const read = readOutput(text, text, { exit: { code: 0 } });
      expect(read).toMatchObject({ samples: [], ok: false });
    }
  });

  it('reads every recording the same when fed again, whichever stream comes first', () => {
    for (const { stdout, stderr, name } of RECORDINGS) {
      expect(readOutput(stdout, stderr), name).toEqual(readOutput(stdout, stderr));
      expect(readOutput('', stderr).samples, name).toEqual(readOutput(stdout, stderr).samples);
    }
  });
});
