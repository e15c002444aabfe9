import { expect, it } from 'vitest';
import type { Transport } from '../../shared/rpc/define.ts';
import type { Obstacle } from './access.ts';
import { connectNow, type EngineConnector } from './connector.ts';

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
