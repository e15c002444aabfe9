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
  withoutPiece,
} from '../../testing/damage.ts';
import type { Read } from '../../testing/recordings.ts';
import type { ParsedSample } from '../../tool.ts';
import { RECORDINGS, readOutput, recordingNamed } from '../testing/recordings.ts';

const BROKEN = [
  'randread-libaio-4k-qd1-json',
  'randwrite-libaio-16k-qd8-jsonplus',
  'jobfile-groups-json',
  'randread-terse-interval',
  'fault-sigterm-json',
];

/** Only the documents that are still valid JSON. */
const readable = (stdout: string): string =>
  stdout
    .split(/^(?=\{\n)/m)
    .filter((document) => {
      try {
        JSON.parse(document);
        return true;
      } catch {
        return false;
      }
    })
    .join('');

/** The clock starts with the first readable document: slightly late if later groups of jobs have already begun. */
const CLOCK_SLACK = 1;
/** Whether each of its figures belongs to that second. A figure can be missing if the name of its part is unreadable. */
const same = (sample: ParsedSample, whole: readonly ParsedSample[]): boolean =>
  whole.some(
    (known) =>
      Math.abs(known.t - sample.t) < CLOCK_SLACK &&
      Object.entries(sample.metrics).every(([name, value]) => known.metrics[name] === value),
  );

function holds(part: Read, whole: Read, at: string): void {
  expect(part.samples.length, at).toBeLessThanOrEqual(whole.samples.length);
  for (const sample of part.samples) expect(same(sample, whole.samples), `second ${sample.t}, ${at}`).toBe(true);
}

describe.each(BROKEN)('%s, damaged', (name) => {
  const { stdout } = recordingNamed(name);
  const whole = readOutput(stdout, '');

  it('has no invented values if cut anywhere', () => {
    // A prime step eventually covers every position in a line; documents with thousands of lines are too long for every byte.
    cutEverywhere(stdout, (end) => holds(readOutput(stdout.slice(0, end), ''), whole, `cut at ${end}`), 331);
  });

  it('has no invented values if cut at the end of any document', () => {
    const ends = [...stdout.matchAll(/^[{}]/gm)].flatMap(({ index }) =>
      [-1, 0, 1, 2].map((by) => Math.max(0, index + by)),
    );
    for (const end of someOf(ends)) holds(readOutput(stdout.slice(0, end), ''), whole, `cut at ${end}`);
  });

  it('has the other seconds only if a piece is missing', () => {
    fc.assert(
      fc.property(withoutPiece(stdout, 3000), (damaged) => {
        const read = readOutput(damaged, '');
        // A job's counters can disappear with entire lines of a document, but never change to others.
        for (const { metrics } of read.samples)
          for (const value of Object.values(metrics)) expect(Number.isFinite(value) && value >= 0).toBe(true);
        expect(read.samples.length).toBeLessThanOrEqual(whole.samples.length);
      }),
      tries(60),
    );
  });

  it('has no negative rate if bytes decrease while I/Os increase', () => {
    const documents = stdout.split(/^(?=\{\n)/m);
    for (const at of someOf([...documents.keys()])) {
      const fewer = (documents[at] ?? '').replace(/"io_(k?)bytes" : \d+/g, '"io_$1bytes" : 1');
      const { samples } = readOutput(documents.toSpliced(at, 1, fewer).join(''), '');
      for (const { metrics } of samples)
        for (const [metric, value] of Object.entries(metrics)) expect(value, metric).toBeGreaterThanOrEqual(0);
    }
  });

  it('has each sample once if every document is repeated', () => {
    const doubled = stdout.replace(/^\{\n[\s\S]*?^\}\n/gm, '$&$&');
    const read = readOutput(doubled, '');
    for (const sample of read.samples) expect(same(sample, whole.samples)).toBe(true);
  });

  it('has no invented values if every line is repeated', () => {
    expect(readOutput(stdout.replace(/.*\n/g, '$&$&'), '').samples).toEqual([]);
  });

  it('has no invented values with foreign bytes', () => {
    fc.assert(
      fc.property(withForeignBytes(stdout, 3), (damaged) => {
        // After an unreadable document, the next one covers the time since the previous one.
        const without = readOutput(readable(damaged), '');
        for (const sample of readOutput(damaged, '').samples)
          expect(same(sample, [...whole.samples, ...without.samples])).toBe(true);
      }),
      tries(60),
    );
  });

  it('is read equally with carriage returns', () => {
    expect(readOutput(stdout.replaceAll('\n', '\r\n'), '')).toEqual(whole);
    expect(readOutput(stdout.replace(/^\}\n/gm, '}\nJobs: 1 (f=1): [r(1)][60.0%]\r'), '').samples).toEqual(
      whole.samples,
    );
  });
});

describe('foreign output', () => {
  it('of two runs mixed line by line has no invented values', () => {
    const [first, second] = [recordingNamed('randread-libaio-4k-qd1-json'), recordingNamed('randwrite-fsync1-json')];
    const known = [first, second].flatMap(({ stdout }) => readOutput(stdout, '').samples);
    fc.assert(
      fc.property(mixedLines(first.stdout, second.stdout), (mixed) => {
        for (const sample of readOutput(mixed, '').samples) expect(same(sample, known)).toBe(true);
      }),
      tries(10),
    );
  });

  it('of a megabyte on one line loses that line only', () => {
    const { stdout } = recordingNamed('randread-libaio-4k-qd1-json');
    const whole = readOutput(stdout, '');
    const pieces = ['x', ' ', '{', '}', '"a" : ', '3;fio-3.33;', 'fio: ', '9', 'n: (g=0): rw=', '\r'];
    fc.assert(
      fc.property(longLine(pieces), (line) => {
        const read = readOutput(`${line}\n${stdout}`, `${line}\n`);
        expect(read.samples).toEqual(whole.samples);
        expect(read.unparsed.join('').length).toBeLessThan(10_000);
      }),
      tries(20),
    );
  });

  it('without meaning is ignored', () => {
    fc.assert(
      fc.property(nonsense('{}[]",: 0123456789fio:jobs;=\t\r\n\u0000\uFFFD\'`-'), (text) => {
        expect(readOutput(text, text, { exit: { code: 0 } })).toMatchObject({ samples: [], ok: false });
      }),
      tries(500),
    );
  });

  it('reads every recording the same when fed again, with or without standard error', () => {
    for (const { stdout, stderr, name, exit } of someOf(RECORDINGS)) {
      const read = readOutput(stdout, stderr, { exit });
      expect(readOutput(stdout, stderr, { exit }), name).toEqual(read);
      expect(readOutput(stdout, '').samples, name).toEqual(read.samples);
    }
  });
});
