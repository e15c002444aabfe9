import { beforeEach, describe, expect, it } from 'vitest';
import { normalFrom } from '../../stats/testing/load-worlds.ts';
import { randomFrom } from '../../util/numbers.ts';
import { atDepth, leastOf, mostOf } from '../../util/testing/depth.ts';
import type { RunEvidence, WatchedSeries } from '../evidence.ts';
import { blackBox } from '../index.ts';
import { hostWith, watched } from '../testing/lines.ts';

const SEED = 41_207;
const WORLDS = atDepth(60, 10);
const SECONDS = 240;
const WINDOW = { from: 10, to: SECONDS };
/** Series of a host and a server that are unrelated to the stall. */
const BYSTANDERS = 60;

let random = randomFrom(SEED);
let normal = normalFrom(random);
// A test draws the same numbers alone as together with others.
beforeEach(() => {
  random = randomFrom(SEED);
  normal = normalFrom(random);
});
const between = (low: number, high: number): number => low + (high - low) * random();

const line = (of: (second: number) => number): Float64Array =>
  Float64Array.from({ length: SECONDS }, (_, index) => of(index + 1));

/** Noise whose next value resembles the last, with a different memory each time. */
function noise(): () => number {
  const memory = between(0, 0.8);
  let error = normal();
  return () => {
    error = memory * error + Math.sqrt(1 - memory ** 2) * normal();
    return error;
  };
}

/** A series around its level that goes `times` standard deviations above it (negative: below) for some seconds. */
function moving(rule: string, from: number, to: number, times: number): WatchedSeries {
  const level = between(20, 500);
  const spread = level * between(0.03, 0.15);
  const error = noise();
  return watched(
    rule,
    line((second) => level + spread * (error() + (second > from && second <= to ? times : 0))),
  );
}

interface Stall {
  readonly at: number;
  readonly length: number;
}

/** A run with one stall, during which busy parts have less to do, and unrelated series. */
function runWith({ at, length }: Stall, others: readonly WatchedSeries[], followers = 2): RunEvidence {
  const rate = line((second) => (second > at && second <= at + length ? 50 : 1000) * (1 + 0.03 * normal()));
  const following = Array.from({ length: followers }, (_, index) =>
    watched(
      `follower.${index}`,
      rate.map((value) => value / 20 + normal()),
    ),
  );
  const bystanders = Array.from({ length: BYSTANDERS }, (_, index) => moving(`bystander.${index}`, 0, 0, 0));
  return {
    window: WINDOW,
    rate: { metric: 'tps', t: line((second) => second), v: rate },
    load: [],
    hosts: [hostWith([...following, ...bystanders, ...others])],
    servers: [],
  };
}

const aStall = (): Stall => ({ at: Math.round(between(30, SECONDS - 40)), length: Math.round(between(3, 8)) });

/** Positions, from 0, of the series that changed first among the named ones; −1: not named. */
const places = (consequences: number): number[] =>
  Array.from({ length: WORLDS }, () => {
    const stall = aStall();
    const { at, length } = stall;
    // A series that falls with the throughput counts as less work: a cause that falls has to come before it.
    const falls = random() < 0.2;
    const first = at - Math.round(falls ? between(3, 5) : between(0, 3));
    const cause = moving('cause', first, at + length, (falls ? -1 : 1) * between(8, 25));
    const later = Array.from({ length: consequences }, (_, index) =>
      moving(`later.${index}`, at + Math.round(between(1, 2)), at + length + 2, between(8, 25)),
    );
    const [event] = blackBox(runWith(stall, [cause, ...later])).events;
    return (event?.changes ?? []).filter(({ follows }) => !follows).findIndex(({ id }) => id === 'cause');
  });

describe(`the black box of a stall (seed ${SEED})`, () => {
  it.each([0, 2, 6])('names the first change among the first three, with %d consequences', (consequences) => {
    const found = places(consequences).filter((place) => place >= 0 && place < 3);
    expect(found.length).toBeGreaterThanOrEqual(leastOf(WORLDS, 0.9));
  });

  it('names nothing in at least 95 % of worlds where only the throughput changed', () => {
    const events = Array.from({ length: WORLDS }, () => blackBox(runWith(aStall(), [], 0)).events).flat();
    expect(events).toHaveLength(WORLDS);
    const named = events.filter(({ changes }) => changes.length > 0);
    expect(named.length).toBeLessThanOrEqual(mostOf(WORLDS, 0.05));
  });
});
