import { notifications } from '@mantine/notifications';
import type { AppEvent } from '../../shared/contract/app.ts';
import { type AppContract, contract } from '../../shared/contract/index.ts';
import type { Session } from '../../shared/model/session.ts';
import type { Implementation, Transport } from '../../shared/rpc/define.ts';
import { serve } from '../../shared/rpc/server.ts';
import { memoryTransports } from '../../shared/rpc/transports.ts';
import { EngineLink, type Obstacle } from '../client/index.ts';

const refuse = (): never => {
  throw new Error('This call is not part of the test.');
};
async function* nothing(): AsyncGenerator<never> {}

type Topics = { [T in keyof AppContract]?: Partial<Implementation<AppContract>[T]> };

/** An empty engine, for calls that a test does not define. */
function implementation(given: Topics, watch: () => AsyncIterable<AppEvent>): Implementation<AppContract> {
  const refusing = <T extends keyof AppContract>(topic: T): Implementation<AppContract>[T] =>
    Object.fromEntries(
      Object.entries(contract[topic]).map(([name, { kind }]) => [name, kind === 'call' ? refuse : nothing]),
    ) as unknown as Implementation<AppContract>[T];
  return {
    app: { ...refusing('app'), watch, ...given.app },
    hosts: { ...refusing('hosts'), list: () => [], leftBehind: () => [], ...given.hosts },
    targets: { ...refusing('targets'), list: () => [], ...given.targets },
    dataSets: { ...refusing('dataSets'), list: () => [], ...given.dataSets },
    experiments: { ...refusing('experiments'), list: () => [], ...given.experiments },
    sessions: { ...refusing('sessions'), list: () => [], ...given.sessions },
    changes: { ...refusing('changes'), list: () => [], ...given.changes },
    results: { ...refusing('results'), judgements: () => [], ...given.results },
    monitors: {
      ...refusing('monitors'),
      ...{ sources: () => [], windows: () => [], limits: () => [], series: () => [] },
      ...given.monitors,
    },
    captures: { ...refusing('captures'), list: () => [], compare: () => [], ...given.captures },
    costs: { ...refusing('costs'), configurations: () => [], ...given.costs },
    reports: { ...refusing('reports'), ...given.reports },
  };
}

export interface TestEngine {
  link: EngineLink;
  /** Sends an event through `app.watch`. */
  send: (event: AppEvent) => void;
  /** Ends the engine: its connection closes. */
  die: () => void;
  /** Makes it unreachable, for a reason that the user can fix. */
  hinder: (why: Obstacle) => void;
  /** Starts a new one with these topics. */
  start: (given: Topics) => void;
}

/** An engine in memory behind a real link: the same client, codec and server as in production. */
export function testEngine(given: Topics): TestEngine {
  // Tests share a process, and notices are stored outside the page: those of an earlier test would appear in this one.
  notifications.clean();
  notifications.cleanQueue();
  let arrived: (transport: Transport) => void = () => undefined;
  let far: Transport | undefined;
  const listeners = new Set<(event: AppEvent) => void>();
  let hinder: (why: Obstacle) => void = () => undefined;
  const link = new EngineLink((take, hindered) => {
    arrived = take;
    hinder = (why) => hindered?.(why);
    return () => undefined;
  });
  async function* watch(): AsyncGenerator<AppEvent> {
    const queue: AppEvent[] = [];
    let wake = (): void => undefined;
    const listen = (event: AppEvent): void => {
      queue.push(event);
      wake();
    };
    listeners.add(listen);
    try {
      for (;;) {
        const event = queue.shift();
        if (event) yield event;
        else
          await new Promise<void>((resolve) => {
            wake = () => resolve();
          });
      }
    } finally {
      listeners.delete(listen);
    }
  }
  const start = (topics: Topics): void => {
    const [near, end] = memoryTransports();
    far = end;
    serve(contract, implementation(topics, watch), end);
    arrived(near);
  };
  start(given);
  return {
    link,
    send: (event) => {
      for (const listener of listeners) listener(event);
    },
    die: () => far?.close(),
    hinder: (why) => hinder(why),
    start,
  };
}

/** A finished session of two cells. */
export const sampleSession = (changes: Partial<Session> = {}): Session => ({
  id: 1,
  uuid: `uuid-${changes.id ?? 1}`,
  name: 'Thread ladder',
  tags: [],
  state: 'done',
  tool: 'sysbench',
  target: 'mariadb on db1',
  generators: ['load1'],
  createdAt: Date.UTC(2026, 10, 1) + (changes.id ?? 1) * 60_000,
  startedAt: Date.UTC(2026, 10, 1),
  endedAt: Date.UTC(2026, 10, 1, 1),
  cells: 2,
  repeats: 3,
  trialsTotal: 6,
  trialsEnded: 6,
  trialsFailed: 0,
  primaryMetric: 'tps',
  best: { value: 18526, levels: { threads: 8 } },
  sparkline: [9000, 18526],
  ...changes,
});
