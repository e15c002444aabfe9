import { expect, it } from 'vitest';
import type { Transport } from '../../shared/rpc/define.ts';
import type { Obstacle } from './access.ts';
import { type EngineDoor, openedNow } from './door.ts';

const transport = (): Transport => ({ send() {}, onMessage() {}, onClose() {}, close() {} });

/** A door in memory that records the messages of its connections. */
function fakeDoor() {
  let ends = 0;
  let listeners: Parameters<EngineDoor> | undefined;
  const door: EngineDoor = (...given) => {
    listeners = given;
    return () => {
      ends += 1;
    };
  };
  const heard: (Transport | Obstacle)[] = [];
  const hear = (what: Transport | Obstacle) => void heard.push(what);
  return {
    door,
    heard,
    listen: (opened: EngineDoor) => opened(hear, hear),
    arrive: (arrived: Transport) => listeners?.[0](arrived),
    hinder: (why: Obstacle) => listeners?.[1]?.(why),
    isOpen: () => listeners !== undefined,
    ends: () => ends,
  };
}

it('opens before anyone listens, and passes on the latest connection', () => {
  const fake = fakeDoor();
  const opened = openedNow(fake.door);
  expect(fake.isOpen()).toBe(true);
  const [first, second, third] = [transport(), transport(), transport()];
  fake.hinder('unreachable');
  fake.arrive(first);
  fake.arrive(second);
  const stop = fake.listen(opened);
  expect(fake.heard).toEqual([second]);
  fake.arrive(third);
  fake.hinder('restarted');
  expect(fake.heard).toEqual([second, third, 'restarted']);
  stop();
  expect(fake.ends()).toBe(1);
});

it('passes on an earlier obstacle, and nothing if nothing has arrived', () => {
  const fake = fakeDoor();
  const opened = openedNow(fake.door);
  fake.hinder('no-link');
  fake.listen(opened);
  expect(fake.heard).toEqual(['no-link']);
  const silent = fakeDoor();
  silent.listen(openedNow(silent.door));
  expect(silent.heard).toEqual([]);
});
