import { describe, expect, it } from 'vitest';
import type { RunEvidence, WatchedSeries } from '../evidence.ts';
import { flat, hostWith, watched } from '../testing/lines.ts';
import { boundOf } from './index.ts';

interface Way {
  /** Operations per second, and milliseconds of one. */
  rate?: number;
  latency?: number;
  /** Clients at work in the server. */
  running?: number;
  /** On the server: clients with responses in transit, with KiB of these; on the tool: clients with unread responses. */
  onTheWay?: number;
  kib?: number;
  unread?: number;
  /** Milliseconds of a round trip; absent: connections are not watched. */
  trip?: number;
  statements?: number;
  connects?: number;
  threadCpu?: number;
  busy?: number;
  /** Clients whose requests the server has not read. */
  late?: number;
  /** Seconds, out of sixty, in which no operation ended. */
  silent?: number;
}

const metric = (means: NonNullable<WatchedSeries['means']>, value: number): WatchedSeries =>
  watched(`db.${means}`, flat(value), { means });

/** Sixteen clients through a link that reports ten times its true speed. */
function sixteen({
  rate = 100,
  latency = 158,
  running = 0.5,
  onTheWay = 15,
  kib = 1900,
  unread = 0,
  trip,
  statements = 100,
  connects = 0,
  threadCpu = 5,
  busy = 12,
  late = 0,
  silent = 0,
}: Way): RunEvidence {
  const limit = { value: 1170, words: 'link speed' };
  const sockets = (peer: string, of: Record<string, number>): WatchedSeries[] =>
    trip === undefined
      ? []
      : Object.entries(of).map(([what, value]) => watched(`sockets.*.${what}`, flat(value), { instance: peer }));
  const generator = hostWith(
    [
      watched('cpu.busy', flat(4)),
      watched('proc.*.cpu', flat(6), { instance: 'pgbench' }),
      watched('proc.*.busiest_thread', flat(threadCpu), { instance: 'pgbench' }),
      ...sockets('server', { unread, least_ms: trip ?? 0 }),
    ],
    { name: 'load1', roles: ['generator'], cores: 4, programs: { tool: ['pgbench'], server: [] } },
  );
  const server = hostWith(
    [
      watched('cpu.busy', flat(busy)),
      watched('proc.*.cpu', flat(40), { instance: 'postgres' }),
      watched('net.*.tx_mib_s', flat(12), { instance: 'eth0', limit }),
      ...sockets('clients', { unread: late, unconfirmed: onTheWay, unconfirmed_kib: kib, least_ms: trip ?? 0 }),
    ],
    { cores: 4, programs: { tool: [], server: ['postgres'] } },
  );
  const series = [metric('running', running), metric('statements', statements), metric('connects', connects)];
  const points = (value: number) => watched('', flat(value));
  return {
    window: { from: 0, to: 60 },
    rate: { ...watched('', flat(rate).fill(0, 0, silent)), metric: 'tps' },
    latency: points(latency),
    load: [{ host: 'load1', threads: 1, connections: 16 }],
    hosts: [generator, server],
    servers: [{ name: 'postgres', host: 'db1', series }],
  };
}

const boundFor = (way: Way) => boundOf(sixteen(way));

describe('the path between tool and server', () => {
  it('names a saturated link, whatever its reported speed, if responses are in transit for far longer than a round trip', () => {
    const found = boundFor({ trip: 0.2 });
    expect(found).toMatchObject({ verdict: 'network', host: 'db1', instance: 'eth0' });
    expect(found.sentence).toContain(
      'The path from db1 to its clients is saturated at 12.0 MiB/s; its limit is unknown. 15.0 of 16 clients had responses in transit, for 155 ms each; a round trip takes 0.20 ms. Twice the bandwidth',
    );
    expect(found.evidence.map(({ id }) => id)).toEqual(['net.eth0.tx_mib_s', 'sockets.clients.unconfirmed']);
  });

  it.each<[string, Way]>([
    ['round trips take as long', { trip: 120 }],
    ['few clients have an answer on it', { trip: 0.2, onTheWay: 3 }],
    ['the answers are there for a moment', { trip: 0.2, kib: 20 }],
    ['the tool does not read its answers', { trip: 0.2, unread: 12 }],
    ['clients pause', { trip: 0.2, latency: 100 }],
    ['the server is nearly full', { trip: 0.2, busy: 80 }],
    ['nobody looks at connections', {}],
  ])('does not name a link if %s', (_, way) => {
    expect(boundFor(way).verdict).not.toBe('network');
  });

  it('names round trips, or the other causes that remain possible', () => {
    expect(boundFor({ trip: 120 }).sentence).toContain('in round trips: a round trip takes 120 ms');
    const proxy = boundFor({ trip: 1, onTheWay: 0.2, kib: 3, statements: 300 });
    expect(proxy.verdict).toBe('path');
    expect(proxy.sentence).toContain(
      'and a round trip takes 1.00 ms, of which there are about 3.00: in a proxy, or a saturated link of unknown speed',
    );
    expect(boundFor({}).sentence).toContain('in round trips, a proxy, or a saturated link of unknown speed');
  });

  it('is not named if the server reads requests late or stalls', () => {
    const proxy = { trip: 1, onTheWay: 0.2, kib: 3 };
    expect(boundFor({ ...proxy, late: 1 }).verdict).toBe('path');
    expect(boundFor({ ...proxy, late: 12 }).verdict).toBe('not-known');
    expect(boundFor({ ...proxy, silent: 3 }).verdict).toBe('path');
    expect(boundFor({ ...proxy, silent: 30, rate: 200 }).verdict).toBe('not-known');
  });

  it('is not named if a thread of the tool may be the bottleneck', () => {
    expect(boundFor({ threadCpu: 97, unread: 4, trip: 120 }).verdict).toBe('not-known');
    expect(boundFor({ threadCpu: 97, unread: 0, trip: 120 }).verdict).toBe('path');
  });
});

describe('a connection for each operation', () => {
  it('is reported with the time between operations, and not counted as path or pause', () => {
    const { verdict, sentence } = boundFor({ connects: 100, latency: 20, trip: 0.2, onTheWay: 0.2, kib: 1 });
    expect(verdict).toBe('not-known');
    expect(sentence).toContain(
      '100 connections/s were made, 1.00 per operation: an operation takes 20.0 ms, and 140 ms pass until the same client begins the next one, including connecting.',
    );
    expect(boundFor({ connects: 100, trip: 120 }).verdict).toBe('not-known');
    expect(boundFor({ connects: 100, latency: 158 }).sentence).toContain('connecting is part of the measurement');
    expect(boundFor({ connects: 2, latency: 20 }).sentence).not.toContain('connections/s');
  });
});
