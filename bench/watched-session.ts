import { setTimeout as delay } from 'node:timers/promises';
import type { ApiContext } from '../src/main/engine/api/context.ts';
import { monitorsApi } from '../src/main/engine/api/monitors.ts';
import type { FakeJob } from '../src/main/engine/jobs/testing/fake-job.ts';
import { hostMonitor } from '../src/main/engine/monitors/index.ts';
import type { MonitorRow } from '../src/main/engine/monitors/monitor.ts';
import { SessionBed } from '../src/main/engine/session/testing/session-bed.ts';
import type { Store } from '../src/main/engine/store/store.ts';
import type { WatchedText } from './watched-text.ts';

/** First monitored second. */
export const START = 1_700_000_000;

const documentOf = (hosts: readonly string[]): string => `kneepoint: 1
name: Watched
workload: { tool: fake }
where: { generators: [${hosts[0]}] }
measure: { duration: 36000 }
monitors: { hosts: [${hosts.slice(1).join(', ')}] }
`;

/** A session that monitors these hosts, all of them in this process, with a page that watches it. `now`: of the page, milliseconds. */
export async function watchedSession(count: number, now: () => number) {
  const hosts = Array.from({ length: count }, (_, index) => `host-${index + 1}`);
  const bed = new SessionBed(hosts);
  for (const name of hosts) {
    const reached = { address: name, port: 22, user: 'bench', auth: { method: 'agent' as const }, jumps: [] };
    bed.store.hosts.insert({ kind: 'ssh', name, ...reached }, bed.now);
  }
  bed.monitors = { host: hostMonitor };
  bed.crash();
  const id = await bed.startText(documentOf(hosts));
  const isMonitor = ({ spec }: FakeJob): boolean => spec.argv.includes('@pace.sh@');
  const monitors = (): FakeJob[] => bed.jobs.all.filter(isMonitor);
  while (monitors().length < count) await delay(5);
  const page = new AbortController();
  const broken: unknown[] = [];
  const { store, sessions } = bed;
  return {
    store,
    id,
    jobs: monitors().sort((one, other) => hosts.indexOf(one.machine.name) - hosts.indexOf(other.machine.name)),
    sources: store.sources.ofSession(id).filter(({ kind }) => kind === 'host'),
    /** Counts the values sent to the page. */
    look(onValues: (values: number) => void): void {
      const watch = monitorsApi({ store, sessions, now } as unknown as ApiContext).watch({ id, seconds: 600 }, {
        signal: page.signal,
      } as Parameters<ReturnType<typeof monitorsApi>['watch']>[1]);
      const looking = async (): Promise<void> => {
        for await (const updates of watch) onValues(updates.reduce((sum, { v }) => sum + v.length, 0));
      };
      looking().catch((error: unknown) => {
        broken.push(error);
      });
    },
    async close(): Promise<void> {
      page.abort();
      await bed.close();
      if (broken.length > 0) throw broken[0];
    },
  };
}

/** Rows of this many seconds, as read by the collector's parser. */
function* rowsOf(text: WatchedText, from: number, seconds: number): Generator<MonitorRow> {
  const parser = hostMonitor({ processes: [] }).parser();
  for (let second = 0; second < seconds; second += 1)
    for (const line of text.block(from + second).split('\n')) {
      const row = parser.line(line);
      if (row) yield row;
    }
}

/** Stores the seconds of a host; returns the number of its values. */
export function storeSeconds(into: Store, sourceId: number, text: WatchedText, from: number, seconds: number): number {
  let rows: MonitorRow[] = [];
  let values = 0;
  const flush = (): void => {
    into.monitored.ingest({ sourceId, rows });
    rows = [];
  };
  for (const row of rowsOf(text, from, seconds)) {
    rows.push(row);
    values += Object.keys(row.metrics).length;
    if (rows.length === 1000) flush();
  }
  if (rows.length > 0) flush();
  return values;
}
