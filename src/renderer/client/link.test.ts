import { describe, expect, it } from 'vitest';
import type { Transport } from '../../shared/rpc/define.ts';
import { memoryTransports } from '../../shared/rpc/transports.ts';
import type { Obstacle } from './access.ts';
import { connectNow, type EngineConnector } from './connector.ts';
import { EngineLink } from './link.ts';

/** A connector controlled by a test: `arrive` makes a connection and returns its far end, which does not answer by itself. */
function testConnector() {
  let take: (transport: Transport) => void = () => undefined;
  let hinder: (why: Obstacle) => void = () => undefined;
  const link = new EngineLink((arrived, hindered) => {
    take = arrived;
    hinder = (why) => hindered?.(why);
    return () => undefined;
  });
  const arrive = (): Transport => {
    const [near, far] = memoryTransports();
    take(near);
    return far;
  };
  return { link, arrive, hinder: (why: Obstacle) => hinder(why) };
}

describe('the link to the engine', () => {
  it('lets a caller wait for the first connection', async () => {
    const { link, arrive } = testConnector();
    expect(link.status()).toEqual({ state: 'connecting', times: 0 });
    const waiting = link.client();
    arrive();
    expect((await waiting).sessions.list).toBeTypeOf('function');
    expect(link.status()).toEqual({ state: 'up', times: 1 });
  });

  it('stops waiting when the caller aborts', async () => {
    const { link } = testConnector();
    const controller = new AbortController();
    const waiting = link.client(controller.signal);
    controller.abort(new Error('left the page'));
    await expect(waiting).rejects.toThrow('left the page');
  });

  it('rejects open requests when the connection is lost, and counts the next one', async () => {
    const { link, arrive } = testConnector();
    const far = arrive();
    const client = await link.client();
    const asked = client.sessions.list({});
    far.close();
    await expect(asked).rejects.toMatchObject({ code: 'disconnected' });
    expect(link.status()).toEqual({ state: 'lost', times: 1 });
    arrive();
    expect(link.status()).toEqual({ state: 'up', times: 2 });
    expect(await link.client()).not.toBe(client);
  });

  it('reports the obstacle until there is a connection', () => {
    const { link, arrive, hinder } = testConnector();
    hinder('no-link');
    expect(link.status()).toEqual({ state: 'connecting', times: 0, obstacle: 'no-link' });
    arrive();
    expect(link.status()).toEqual({ state: 'up', times: 1 });
  });

  it('rejects requests to the old engine when a new port arrives without notice', async () => {
    const { link, arrive } = testConnector();
    arrive();
    const asked = (await link.client()).sessions.list({});
    arrive();
    await expect(asked).rejects.toMatchObject({ code: 'disconnected' });
    expect(link.status()).toEqual({ state: 'up', times: 2 });
  });
});

const transport = (): Transport => ({ send() {}, onMessage() {}, onClose() {}, close() {} });

/** A connector in memory that records the messages of its connections. */
function fakeConnector() {
  let ends = 0;
  let listeners: Parameters<EngineConnector> | undefined;
  const connector: EngineConnector = (...given) => {
    listeners = given;
    return () => {
      ends += 1;
    };
  };
  const received: (Transport | Obstacle)[] = [];
  const receive = (what: Transport | Obstacle) => void received.push(what);
  return {
    connector,
    received,
    listen: (opened: EngineConnector) => opened(receive, receive),
    arrive: (arrived: Transport) => listeners?.[0](arrived),
    hinder: (why: Obstacle) => listeners?.[1]?.(why),
    isOpen: () => listeners !== undefined,
    ends: () => ends,
  };
}

it('opens before anyone listens, and passes on the latest connection', () => {
  const fake = fakeConnector();
  const opened = connectNow(fake.connector);
  expect(fake.isOpen()).toBe(true);
  const [first, second, third] = [transport(), transport(), transport()];
  fake.hinder('unreachable');
  fake.arrive(first);
  fake.arrive(second);
  const stop = fake.listen(opened);
  expect(fake.received).toEqual([second]);
  fake.arrive(third);
  fake.hinder('restarted');
  expect(fake.received).toEqual([second, third, 'restarted']);
  stop();
  expect(fake.ends()).toBe(1);
});

it('passes on an earlier obstacle, and nothing if nothing has arrived', () => {
  const fake = fakeConnector();
  const opened = connectNow(fake.connector);
  fake.hinder('no-link');
  fake.listen(opened);
  expect(fake.received).toEqual(['no-link']);
  const silent = fakeConnector();
  silent.listen(connectNow(silent.connector));
  expect(silent.received).toEqual([]);
});
