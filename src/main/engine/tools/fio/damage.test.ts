import { describe, expect, it } from 'vitest';
import { mixedLines, nonsense, numbers, withForeignBytes } from '../testing/damage.ts';
import type { Read } from '../testing/recordings.ts';
import type { ParsedSample } from '../tool.ts';
import { RECORDINGS, readOutput, recordingNamed } from './recordings.ts';

const BROKEN = [
  'randread-libaio-4k-qd1-json',
  'randwrite-libaio-16k-qd8-jsonplus',
  'jobfile-groups-json',
  'randread-terse-interval',
  'fault-sigterm-json',
];

/** The clock begins with the first document that can be read: where later groups of jobs have begun by then, a little late. */
const CLOCK_SLACK = 1;
const same = (sample: ParsedSample, whole: readonly ParsedSample[]): boolean =>
  whole.some(
    (known) =>
      Math.abs(known.t - sample.t) < CLOCK_SLACK && JSON.stringify(known.metrics) === JSON.stringify(sample.metrics),
  );

function holds(part: Read, whole: Read, at: string): void {
  expect(part.samples.length, at).toBeLessThanOrEqual(whole.samples.length);
  for (const sample of part.samples) expect(same(sample, whole.samples), `second ${sample.t}, ${at}`).toBe(true);
}

describe.each(BROKEN)('%s, damaged', (name) => {
  const { stdout } = recordingNamed(name);
  const whole = readOutput(stdout, '');

  it('cut at many bytes, invents nothing', () => {
    // A prime step meets every place of a line sooner or later, and the ends of documents are met one by one.
    const ends = new Set([stdout.length]);
    for (let end = 0; end < stdout.length; end += 331) ends.add(end);
    for (const { index } of stdout.matchAll(/^[{}]/gm))
      for (const by of [-1, 0, 1, 2]) ends.add(Math.max(0, index + by));
    for (const end of ends) holds(readOutput(stdout.slice(0, end), ''), whole, `cut at ${end}`);
  });

  it('with a piece missing, has the other seconds only', () => {
    const next = numbers(name.length);
    for (let round = 0; round < 60; round += 1) {
      const from = Math.floor(next() * stdout.length);
      const damaged = stdout.slice(0, from) + stdout.slice(from + 1 + Math.floor(next() * 3000));
      const read = readOutput(damaged, '');
      // A job's counters can vanish with whole lines of one document, never change into others.
      for (const { metrics } of read.samples)
        for (const value of Object.values(metrics)) expect(Number.isFinite(value) && value >= 0).toBe(true);
      expect(read.samples.length).toBeLessThanOrEqual(whole.samples.length);
    }
  });

  it('with every document twice, has the samples once', () => {
    const doubled = stdout.replace(/^\{\n[\s\S]*?^\}\n/gm, '$&$&');
    const read = readOutput(doubled, '');
    for (const sample of read.samples) expect(same(sample, whole.samples)).toBe(true);
  });

  it('with every line twice, invents nothing', () => {
    expect(readOutput(stdout.replace(/.*\n/g, '$&$&'), '').samples).toEqual([]);
  });

  it('with foreign bytes, invents nothing', () => {
    const next = numbers(name.length);
    for (let round = 0; round < 60; round += 1) {
      const damaged = withForeignBytes(stdout, 3, next);
      for (const sample of readOutput(damaged, '').samples) expect(same(sample, whole.samples), `${round}`).toBe(true);
    }
  });

  it('with carriage returns, reads the same', () => {
    expect(readOutput(stdout.replaceAll('\n', '\r\n'), '')).toEqual(whole);
    expect(readOutput(stdout.replace(/^\}\n/gm, '}\nJobs: 1 (f=1): [r(1)][60.0%]\r'), '').samples).toEqual(
      whole.samples,
    );
  });
});

describe('foreign output', () => {
  it('of two runs mixed line by line, invents nothing', () => {
    const [first, second] = [recordingNamed('randread-libaio-4k-qd1-json'), recordingNamed('randwrite-fsync1-json')];
    const known = [first, second].flatMap(({ stdout }) => readOutput(stdout, '').samples);
    const next = numbers(7);
    for (let round = 0; round < 10; round += 1) {
      const mixed = mixedLines(first.stdout, second.stdout, next);
      for (const sample of readOutput(mixed, '').samples) expect(same(sample, known)).toBe(true);
    }
  });

  it('of a megabyte on one line costs that line only', () => {
    const { stdout } = recordingNamed('randread-libaio-4k-qd1-json');
    const whole = readOutput(stdout, '');
    for (const filling of ['x', ' ', '{', '}', '"a" : ', '3;fio-3.33;', 'fio: ', '9', 'n: (g=0): rw=', '\r']) {
      const line = filling.repeat(1_000_000 / filling.length);
      const read = readOutput(`${line}\n${stdout}`, `${line}\n`);
      expect(read.samples, filling).toEqual(whole.samples);
      expect(read.unparsed.join('').length, filling).toBeLessThan(10_000);
    }
  });

  it('of no meaning at all does not break it', () => {
    const next = numbers(99);
    const letters = '{}[]",: 0123456789fio:jobs;=\t\r\n\u0000\uFFFD\'`-';
    for (let round = 0; round < 500; round += 1) {
      const text = nonsense(letters, 400, next);
      expect(readOutput(text, text, { exit: { code: 0 } })).toMatchObject({ samples: [], ok: false });
    }
  });

  it('reads every recording the same when fed again, whichever stream comes first', () => {
    for (const { stdout, stderr, name, exit } of RECORDINGS) {
      const read = readOutput(stdout, stderr, { exit });
      expect(readOutput(stdout, stderr, { exit }), name).toEqual(read);
      expect(readOutput(stdout, '').samples, name).toEqual(read.samples);
    }
  });
});
