import type { AppContract } from '../src/shared/contract/index.ts';
import type { Client } from '../src/shared/rpc/define.ts';
import { askEngine } from './ask-engine.ts';

/*
 * Sends the requests of the results page to a new engine, tab by tab, and prints the wall and CPU milliseconds of each response, the first time and
 * again: argv = folder, session.
 */
const [dataDir = '', session = ''] = process.argv.slice(2);
/** In the middle of the monitored time. */
const HOUR = { from: 1_700_018_000_000, to: 1_700_021_600_000 };

/** Requests of the tabs of the results page, except those that the page has already sent. Points and columns as there. */
function questions(client: Client<AppContract>, sessionId: number): [string, () => Promise<unknown>][] {
  const runs = client.sessions.runs({ id: sessionId });
  const single = async (): Promise<number[][]> => (await runs).map(({ id }) => [id]);
  const cells = async (): Promise<number[][]> => {
    const byCell = Map.groupBy(await runs, ({ cell }) => cell);
    return [...byCell.values()].map((group) => group.map(({ id }) => id));
  };
  const metric = 'tps';
  const watched = client.monitors.sources({ sessionId });
  const wanted = async () =>
    (await watched).map(({ id, series }) => ({ sourceId: id, ids: series.map((each) => each.id) }));
  return [
    ['Overview', () => client.results.session({ sessionId })],
    ['Timeline, heat map', async () => client.results.stretches({ groups: await single(), metric, points: 240 })],
    ['Timeline, lines of cells', async () => client.results.stretches({ groups: await cells(), metric, points: 600 })],
    [
      'Timeline, lines of runs',
      async () => client.results.series({ runIds: (await runs).map(({ id }) => id), metrics: [metric], points: 1200 }),
    ],
    ['Distribution', async () => client.results.quantiles({ groups: await cells(), metric, warmup: 600 })],
    ['Another metric', () => client.results.session({ sessionId, metric: 'latency_p95_ms' })],
    ['A mean latency', () => client.results.session({ sessionId, metric: 'latency_avg_ms' })],
    ['Sources that were watched', () => client.monitors.sources({ sessionId })],
    ['All series of a host', async () => client.monitors.series({ sessionId, wanted: await wanted(), points: 600 })],
    [
      'An hour of them',
      async () => client.monitors.series({ sessionId, wanted: await wanted(), ...HOUR, points: 600 }),
    ],
    ['Another cut', () => client.results.session({ sessionId, warmup: 1200 })],
  ];
}

const answers = await askEngine(dataDir, Number(session), questions);
process.stdout.write(JSON.stringify({ answers, peakMiB: process.resourceUsage().maxRSS / 1024 }));
