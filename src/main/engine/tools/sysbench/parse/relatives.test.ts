import { expect, it } from 'vitest';
import { readOutput } from '../testing/recordings.ts';

const line = (t: number, latency: string, reconnects = '0.00'): string =>
  `[ ${t}s ] thds: 4 tps: 60${t}.00 qps: 12020.00 (r/w/o: 8414.00/2404.00/1202.00) lat (ms,99%): ${latency} err/s 0.00 reconn/s: ${reconnects}\n`;
const report = (max: string, percentile: string): string => `SQL statistics:
    queries performed:
        read:                            25284
        total:                           36120
    transactions:                        1806   (602.00 per sec.)
    reconnects:                          N/A    (N/A per sec.)

General statistics:
    total time:                          3.0000s
    total number of events:              1806

Latency (ms):
         min:                                    0.95
         avg:                                    6.64
         max:                                  ${max}
         99th percentile:                       ${percentile}

Threads fairness (Event distribution by threads):
    events (avg/stddev):           451.5000/8.15
    execution time (avg/stddev):   2.9991/0.00
`;
const codes = (text: string): string[] => readOutput(text, '').findings.map(({ code }) => code);

it('reads go-sysbench and names values that its driver does not count', () => {
  const read = readOutput(line(1, '21.50', 'N/A') + line(2, '22.50', 'N/A') + report('120.25', '22.50'), '');
  expect(read.samples.map(({ metrics }) => metrics)).toMatchObject([
    { tps: 601, latency_p99_ms: 21.5 },
    { tps: 602, latency_p99_ms: 22.5 },
  ]);
  for (const { metrics } of read.samples) expect(metrics).not.toHaveProperty('reconnects_per_s');
  expect(read.summary).toMatchObject({ tps: 602, latency_p99_ms: 22.5 });
  expect(read.summary).not.toHaveProperty('reconnects_total');
  expect(read.findings).toEqual([]);
  expect(read.unparsed).toEqual([]);
});

it.each([
  ['at the end of its scale, in a second', line(1, '100000.00') + report('120.25', '22.50'), ['percentile-at-limit']],
  [
    'at the end of its scale, in the report',
    line(1, '9.00') + report('240000.25', '100000.00'),
    ['percentile-at-limit'],
  ],
  ['that wrapped around', line(1, '9.00') + report('18446744073709.55', '22.50'), ['values-implausible']],
  ['that are long, and no more', line(1, '99999.99') + report('120000.25', '99999.99'), []],
])('has the expected findings for latencies %s', (_, text, expected) => {
  expect(codes(text)).toEqual(expected);
});
