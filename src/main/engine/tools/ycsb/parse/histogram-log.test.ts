import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { eventsOf, mergeHistograms, percentileOf } from '../../../../../shared/stats/index.ts';
import { decodeHistogram, HistogramLogs } from './histogram-log.ts';

/** From YCSB 0.17.0: reads by 4 threads on its basic binding for 2.8 s, in UTC. */
const LOG = [
  'HdrHistogram log of READ',
  '#[Logging for: READ]',
  '#[Histogram log format version 1.1]',
  '#[StartTime: 1795366913.104 (seconds since epoch), Sun Nov 22 17:01:53 UTC 2026]',
  '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
  '0.039,0.021,0.005,HISTggAAAFp42u3ZoQ2AMBRF0f/DGk06CuOwRpuwAYuyAYjWIREIzjHXP/vKfvSIrcWwzOZIvdYzAOCv0gQAAAAAAADw4EcDAAAAAAAA4A2/MwAAAAAAAAAAAF/IGy5HBPE=',
  '0.060,0.929,0.031,HISTggAAAdt42u3bXW7UMBAA4Njd7UKhKyTgAegJuARX4gYIiRv0NlUP1RvAw9oIRho52x+2Cd/3Mk3iOLFjO6ud7dWP6+/TdPt1OjhrsRzCt59f7qY/lJv2x+cWd3+X/x2jMrPcNPM4ALBePgcAAAAAAMDzEb+3r8nx0e8BanJ8MzhvVH9J6i+D658l5bP9NYmx3CbU07f77yv2LV6E+LLFN6HcZYtvw/GLcPwy1PMiib3cq7B9Hvbvwv5+vW2Iu7B9nrQ/649t0s+b5LnUwXPbJOVqUk+8v2xc1sH91Jnz5aHzKDu/zjxvOnK+3Xe9mLtuHHt/T13uVPdx6vxoWfn1lvaefax5p38wj4wrrINLGP9loe0qKx0fAFjHAbDOg3n5+PWP8tv1gdfrcZvUO8qz9/Ni/rPnnXte93WL71rs+euPLX4K8X043rc/hPN7fftw3X24bs9rxzz5LmlHzB/HPHbM78cY69sOntvcvPKU3EeZOW5G8dhxP8rrjvLa3rv/x/ro+9Blj/eysv5dal6wmD/Pqv2nyitZx4xjPG/9i3H09PUX/Wccag+er/7T3wDgfanfwDjWbv7xuPF/+gAAAAAAp1G0DwAAAAAAAGBV5EkBAAAAAAAAAFiD8gt11Apw',
  '0.989,1.001,0.046,HISTggAAAd142u3c6U3DMBQA4Dhpy32JQ0IqIzADa7AOEhswF7uwAfzAkdCTjNM7he/785rmtp2XRHY7f317aZr35+Zbl2P6Dp+fTx/ND+1j/6EBgOGSIgAAAAAAAFirFGKvrcwvmRS2X9tvafxAG2K35PGlJc87jH9opoXtd4XtTcP8OH0YpmO8yfE0LH+U40GY7pe/Kkz38TjH2xDvQj1e53iW43mOF2H6JJzfadjPQZh/Hr7vz2tWKKdJiHG5WZjfFeplEtYrtaNY/6X2WKv/VGi/8XpJlXbXLdh+h14HQ/NCWnI7zZLHk1Y8/rHm2U0tv6nySSMvJwAAPI8Brmf1BwDArp/bFu2nbhfcfq1fvLb/2vpdZX+xnzP218d+19hv+5Bj7I++z3FeWO6+EPv1L3O8Dtu5DPEsxFJ/+yx8H8cHTAbGaYil8Q3Ngu2nHVivq46bSFu6bjY1f9/f+9KaytF78u/50Hs4sKs8tO3jWff4o7Rn5bxv457W/Zzk/jau9u35A/e98bb7tKPlxqL943nJ/1u67yhPAMD9+/+Wr3oHkA/VL2hXAPKifA/y1P7mjdrvG1b9P7e/+rsE+R08LwHyEQAA4PkcQD4FAAAAAAAAAAAAAAAAAAAAxiZ9ASC6CtQ=',
  '1.990,0.801,0.009,HISTggAAAXl42u3aW0rEMBgG0CYdb6h4RQUv4IOvbsG1CboC9+K63IE+zB+QQEk7OHaUc14+MnbSNs2lGm9e3p677vWqW+oj0zKePp8+um/SezdN6gAAAAAAAACAqdIv1ZMbx+WRx7XOm6rMI+vJI+8nN847dB8l+4Hjusb36tyLPKjyOPIy8jbyPLL838ZZ5H71vZPI3YH6y+dH1XVsVT+vy/1A5ur4urwTuWi0ZxrZnkP9rfXcWv2t/6Hxlf7oPJBmnn82fX4E7xfGFVin+O/9TX/EfKo9XK/5EsB6pb3xXIDVxunUv6f3E+tr7afXhvbN88hy3yhvR5Z95rJ/fRd5HfkQ+Rh5H3kaeVGVyz532f8+qMqHVbnsQ9f723UO7e+X+14MPJ+p7byu3zPTD33ektc8jtJM43Pu9TttyHWYx+etJ61Y31znnWtcb3p/MO4wX6L90H8BzF/ayXPD+NHfwXqHfgUA4D0DAPCeAgDWEQCwbgLmDYA1zXtfwZ0I7g==',
  '2.791,0.161,0.000,HISTggAAAB142pNpmdzIwMDAwQABzFCaEUoz2X9gQAEAYqkC8g==',
];
/** Clock, second, reads and their maximum (µs) in its status lines of the same run. */
const STATUS = [
  { clock: Date.UTC(2026, 10, 22, 17, 1, 53, 150), t: 0, count: 4, max: 5055 },
  { clock: Date.UTC(2026, 10, 22, 17, 1, 54, 91), t: 1, count: 1501, max: 30943 },
  { clock: Date.UTC(2026, 10, 22, 17, 1, 55, 93), t: 2, count: 1735, max: 46431 },
  { clock: Date.UTC(2026, 10, 22, 17, 1, 55, 885), t: 2, count: 1322, max: 9495 },
];
/** Its own report: latencies in µs. */
const REPORT = { count: 4562, 50: 1082, 95: 2127, 99: 3441, 99.9: 9495 };

const readLog = (lines: readonly string[], zone = 0): HistogramLogs => {
  const logs = new HistogramLogs();
  for (const { clock, t } of STATUS) logs.status(clock + zone, t);
  for (const line of lines) logs.line(line);
  return logs;
};

describe('a histogram log of a real run', () => {
  it('has the percentiles of its report', () => {
    const { latencies } = readLog(LOG);
    expect(Object.keys(latencies ?? {}).sort()).toEqual(['latency', 'read_latency']);
    const all = mergeHistograms((latencies?.read_latency ?? []).map(({ histogram }) => histogram));
    expect(eventsOf(all)).toBe(REPORT.count);
    for (const percentile of [50, 95, 99, 99.9] as const)
      expect(percentileOf(all, percentile), `${percentile}`).toBeCloseTo(REPORT[percentile] / 1000, 9);
  });

  it.each([0, -5 * 3600, 5.75 * 3600])('is aligned with the status lines, in a zone %i s from UTC', (zone) => {
    const parts = readLog(LOG, zone * 1000).latencies?.read_latency ?? [];
    expect(parts.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    // The lines of seconds 0 and 1 together form the first interval.
    const [none, ...seconds] = STATUS.map(({ count }) => count);
    expect(parts.map(({ histogram }) => eventsOf(histogram))).toEqual([
      (none ?? 0) + (seconds[0] ?? 0),
      ...seconds.slice(1),
    ]);
    for (const [index, { histogram }] of parts.entries())
      expect(histogram.at(-1)?.ms).toBeCloseTo((STATUS[index + 1]?.max ?? 0) / 1000, 9);
  });

  it('is omitted and unread if a row is damaged', () => {
    const logs = new HistogramLogs();
    const damaged = LOG.map((line) => line.replace(/HISTgg(.{40})./, 'HISTgg$1'));
    expect(damaged.map((line) => logs.line(line)).filter((taken) => !taken).length).toBeGreaterThan(0);
    expect(logs.latencies).toBeUndefined();
    // Without its mark, the line is unknown.
    expect(new HistogramLogs().line(LOG[3] ?? '')).toBe(false);
  });

  // The log of CLEANUP as left by YCSB 0.17.0, where the two threads of a load ended simultaneously.
  const emptied = LOG.map((line, index) => (index === 6 ? `${'\0'.repeat(71)}${line}` : line));
  const notTaken = (lines: readonly string[]): number => {
    const logs = new HistogramLogs();
    const unread = lines.filter((line) => !logs.line(line)).length;
    expect(logs.latencies).toBeUndefined();
    return unread;
  };

  it('is omitted and unread if another thread has emptied it', () => {
    expect(notTaken(emptied)).toBe(1);
  });

  it('is omitted and unread without its start time', () => {
    expect(notTaken(LOG.filter((line) => !line.startsWith('#[StartTime')))).toBe(5);
  });

  it('of other operations, such as CLEANUP, may be emptied', () => {
    expect(notTaken(emptied.map((line) => line.replace('READ', 'CLEANUP')))).toBe(0);
  });
});

/** A number in HdrHistogram's second encoding. */
function zigZag(value: number): number[] {
  let coded = BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n));
  const bytes: number[] = [];
  for (; coded >= 0x80n && bytes.length < 8; coded >>= 7n) bytes.push(Number(coded & 0x7fn) | 0x80);
  return [...bytes, Number(coded)];
}

it('reads the second encoding, written by later releases of HdrHistogram', () => {
  // Indexes 3, 1023 and 2048 + 5, separated by runs of zeros: values to 3 digits.
  const payload = [...zigZag(-3), ...zigZag(7), ...zigZag(-1019), ...zigZag(300), ...zigZag(-1029), ...zigZag(2)];
  const header = Buffer.alloc(40);
  header.writeUInt32BE(0x1c849313, 0);
  header.writeUInt32BE(payload.length, 4);
  header.writeUInt32BE(3, 12);
  header.writeBigInt64BE(1n, 16);
  const packed = deflateSync(Buffer.concat([header, Buffer.from(payload)]));
  const front = Buffer.alloc(8);
  front.writeUInt32BE(0x1c849314, 0);
  front.writeUInt32BE(packed.length, 4);
  const counts = decodeHistogram(Buffer.concat([front, packed]).toString('base64'));
  // Index 2053 is the sixth step of the bucket from 2,048, where a step is 2 wide.
  expect([...(counts ?? [])]).toEqual([
    [3, 7],
    [1023, 300],
    [2059, 2],
  ]);
  expect(decodeHistogram('HISTFAAA')).toBeUndefined();
});
