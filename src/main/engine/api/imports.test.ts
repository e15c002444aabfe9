import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { type OpenApi, openApi } from './testing/open-api.ts';

/** The output of sysbench for a run with these transactions in each second. */
const outputOf = (rates: readonly number[]): string => {
  const total = rates.reduce((sum, rate) => sum + rate, 0);
  return [
    ...['sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)', '', 'Threads started!', ''],
    ...rates.map(
      (rate, second) =>
        `[ ${second + 1}s ] thds: 4 tps: ${rate}.00 qps: ${rate}.00 (r/w/o: ${rate}.00/0.00/0.00) lat (ms,95%): 3.02 err/s: 0.00 reconn/s: 0.00`,
    ),
    ...['SQL statistics:', '    queries performed:', `        read:                            ${total}`],
    ...['        write:                           0', '        other:                           0'],
    `        total:                           ${total}`,
    `    transactions:                        ${total}   (${(total / rates.length).toFixed(2)} per sec.)`,
    `    queries:                             ${total}   (${(total / rates.length).toFixed(2)} per sec.)`,
    ...['    ignored errors:                      0      (0.00 per sec.)'],
    ...['    reconnects:                          0      (0.00 per sec.)', '', 'General statistics:'],
    `    total time:                          ${rates.length}.0001s`,
    `    total number of events:              ${total}`,
    ...['', 'Latency (ms):', '         min:                                    1.51'],
    ...[
      '         avg:                                    2.47',
      '         max:                                   12.10',
    ],
    ...[
      '         95th percentile:                        3.02',
      '         sum:                                 2470.00',
    ],
    ...['', 'Threads fairness:', `    events (avg/stddev):           ${total}.0000/0.00`],
    '    execution time (avg/stddev):   2.9900/0.00',
    '',
  ].join('\n');
};
/** Ten seconds with this mean. */
const around = (mean: number): number[] => Array.from({ length: 10 }, (_, second) => mean + (second % 2 ? 1 : -1));

const LADDER = [
  { name: 'a/thr1.log', text: outputOf([9, ...around(101)]), levels: { threads: 1 } },
  { name: 'a/thr2.log', text: outputOf([9, ...around(201)]), levels: { threads: 2 } },
  { name: 'b/thr1.log', text: outputOf([9, ...around(105)]), levels: { threads: 1 } },
];
const REQUEST = { name: 'old ladder', tool: 'sysbench', warmup: 1, outputs: LADDER };

let folder: ReturnType<typeof libraryFolder>;
let api: OpenApi;
let client: Client<AppContract>;
beforeEach(async () => {
  folder = libraryFolder();
  api = await openApi(folder.path);
  client = api.page().client;
});
afterEach(async () => {
  await api.close();
  folder.remove();
});

it('imports become a session with a run for each, with repeats for equal levels, raw output and origin', async () => {
  const { session, read } = await client.sessions.importOutputs(REQUEST);
  expect(read.map(({ seconds, metric, mean }) => [seconds, metric, mean])).toEqual([
    [11, 'tps', 101],
    [11, 'tps', 201],
    [11, 'tps', 105],
  ]);
  const id = session?.id ?? 0;
  expect(session).toMatchObject({ name: 'old ladder', origin: 'imported', state: 'done', trialsEnded: 3 });
  const { cells } = await client.results.session({ sessionId: id });
  expect(cells.map(({ levels, value, means }) => [levels, value, means])).toEqual([
    [{ threads: 1 }, 103, [101, 105]],
    [{ threads: 2 }, 201, [201]],
  ]);
  const runs = await client.sessions.runs({ id });
  const [digest] = LADDER.map(({ text }) => createHash('sha256').update(text).digest('hex'));
  expect(runs[0]?.findings.map(({ message }) => message).join()).toMatch(
    new RegExp(`a/thr1\\.log: [\\d,]+ bytes, SHA-256 ${digest}`),
  );
});

it('imports are only previewed if nothing is to be stored', async () => {
  expect((await client.sessions.importOutputs({ ...REQUEST, store: false })).session).toBeUndefined();
  expect(await client.sessions.list({})).toEqual([]);
});

it('imports are read without the prefixes of a log', async () => {
  const [first] = LADDER as [(typeof LADDER)[0]];
  const text = first.text.replace(/^/gm, '2026-03-02T10:00:00.123456789Z ');
  const { read } = await client.sessions.importOutputs({ ...REQUEST, outputs: [{ ...first, text }] });
  expect(read).toMatchObject([{ seconds: 11, mean: 101 }]);
});

it('imports that end too early are incomplete runs', async () => {
  const [whole, ...others] = LADDER as [(typeof LADDER)[0], ...typeof LADDER];
  const outputs = [{ ...whole, text: whole.text.slice(0, whole.text.indexOf('SQL statistics')) }, ...others];
  const { session } = await client.sessions.importOutputs({ ...REQUEST, outputs });
  const [first, second] = await client.sessions.runs({ id: session?.id ?? 0 });
  expect([first?.state, first?.seconds, second?.state]).toEqual(['failed', 11, 'done']);
});

it.each([
  [
    'an output of another tool',
    { name: 'x.log', text: 'tps = 812.4 (without initial connection time)\n' },
    /No figures found in x\.log\./,
  ],
  ['an empty file', { name: 'x.log', text: '' }, /x\.log is empty\./],
  [
    'levels of other factors',
    { name: 'x.log', text: outputOf([1, 2]), levels: { rate: 5 } },
    /a\/thr1\.log has levels of threads, but x\.log of rate\./,
  ],
])('imports with %s among them are refused, and nothing is stored', async (_, output, words) => {
  const outputs = [...LADDER, { levels: { threads: 3 }, ...output }];
  await expect(client.sessions.importOutputs({ ...REQUEST, outputs })).rejects.toThrow(words);
  expect(await client.sessions.list({})).toEqual([]);
});
