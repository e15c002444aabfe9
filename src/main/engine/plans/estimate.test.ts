import { describe, expect, test } from 'vitest';
import { countOf, type DataWork, estimateTime, type PastSession, secondsOf } from './estimate.ts';

const MEASURE = { warmup: 10, duration: 60, pause: 5 };
/** Trials of one step each. */
const trials = (count: number) => countOf({}, count);
const TABLES: DataWork = {
  title: '4 tables',
  kind: 'tables',
  bytes: 1_000_000_000,
  there: false,
  first: true,
  again: 0,
};
const past = (id: number, more: Partial<PastSession> = {}): PastSession => ({
  id,
  overheads: [],
  rates: [],
  prepared: [],
  ...more,
});

describe('what a plan takes', () => {
  test('is load, pauses, stated overheads and a stated rate where nothing is known', () => {
    const estimate = estimateTime(MEASURE, trials(4), [TABLES], []);
    expect(estimate).toEqual({
      start: 2,
      prepare: 100,
      again: 0,
      load: 280,
      overhead: 12,
      pauses: 15,
      loads: 1,
      dataBytes: 1_000_000_000,
      sessions: [],
      preparing: 'default',
    });
    expect(secondsOf(estimate)).toBe(409);
  });

  test('has the pauses of its trials where they differ', () => {
    expect(estimateTime(MEASURE, countOf({}, 4, 70), [TABLES], [])).toMatchObject({ pauses: 70 });
  });

  test('is learned from what earlier sessions took', () => {
    const sessions = [
      past(7, { start: 4, overheads: [9, 11, 10], prepared: [{ title: '4 tables', bytes: 1e9, seconds: 83 }] }),
      past(5, { start: 6, overheads: [14, 500], prepared: [{ title: '4 tables', bytes: 1e9, seconds: 87 }] }),
      past(3, { overheads: [12] }),
    ];
    const estimate = estimateTime(MEASURE, trials(4), [TABLES], sessions);
    // Medians of sessions: 10, 257 and 12. An interrupted session has no more weight than any other.
    expect(estimate).toMatchObject({ start: 4, prepare: 85, overhead: 48, preparing: 'learned', sessions: [7, 5, 3] });
  });

  test('takes the rate of the data nearest in size where none is the same', () => {
    const sessions = [
      past(1, {
        prepared: [
          { title: 'small', bytes: 1e6, seconds: 5 },
          { title: 'large', bytes: 5e8, seconds: 20 },
          { title: 'no size', seconds: 1 },
        ],
      }),
    ];
    expect(estimateTime(MEASURE, trials(1), [TABLES], sessions)).toMatchObject({ prepare: 40, preparing: 'learned' });
  });

  test('counts data that is made again for other cells or before each trial', () => {
    const works = [TABLES, { ...TABLES, title: 'other', bytes: 2e9, first: false, again: 1 }];
    expect(estimateTime(MEASURE, trials(2), works, [])).toMatchObject({ prepare: 100, again: 200, dataBytes: 2e9 });
    expect(estimateTime(MEASURE, trials(3), [{ ...TABLES, again: 2 }], [])).toMatchObject({ prepare: 100, again: 200 });
  });

  test('needs no time for data that is there, and none where there is no data', () => {
    expect(estimateTime(MEASURE, trials(2), [{ ...TABLES, there: true }], [])).toMatchObject({
      prepare: 0,
      preparing: 'there',
    });
    expect(estimateTime(MEASURE, trials(2), [{ ...TABLES, there: true, again: 1 }], [])).toMatchObject({
      prepare: 0,
      again: 100,
    });
    const none = estimateTime(MEASURE, trials(2), [], []);
    expect(none).toMatchObject({ prepare: 0, preparing: 'none' });
    expect(none).not.toHaveProperty('dataBytes');
  });

  test('says that it does not know how long data of unknown size takes, until it was made once', () => {
    const { bytes: _, ...unseen } = { ...TABLES, title: 'data', kind: 'unseen' as const };
    const estimate = estimateTime(MEASURE, trials(2), [unseen], []);
    expect(estimate.preparing).toBe('unknown');
    expect(estimate).not.toHaveProperty('prepare');
    expect(secondsOf(estimate)).toBe(2 + 140 + 6 + 5);
    const learned = estimateTime(
      MEASURE,
      trials(2),
      [unseen],
      [past(1, { prepared: [{ title: 'data', seconds: 30 }] })],
    );
    expect(learned).toMatchObject({ prepare: 30, preparing: 'learned' });
  });

  test('counts restarts, reloads and loads, with stated defaults', () => {
    const measure = { ...MEASURE, before: { caches: 'all' as const, rest: 7 } };
    const estimate = estimateTime(measure, trials(4), [{ ...TABLES, again: 2 }], [], undefined, {
      restarts: 3,
      reloads: 2,
    });
    expect(estimate).toMatchObject({
      changes: { restarts: 3, reloads: 2 },
      changing: 49,
      before: 40,
      loads: 3,
    });
    expect(secondsOf(estimate)).toBe(2 + 100 + 200 + 280 + 12 + 15 + 49 + 40);
  });

  test('learns what comes before each trial from sessions that did the same', () => {
    const before = { caches: 'server' as const };
    const sessions = [past(2, { overheads: [20], before }), past(1, { overheads: [4] })];
    const learned = estimateTime({ ...MEASURE, before }, trials(2), [], sessions);
    expect(learned.overhead).toBe(40);
    expect(learned.before).toBeUndefined();
    expect(estimateTime(MEASURE, trials(2), [], sessions).overhead).toBe(8);
  });

  test('is a most where a rule can end it, and no longer than its limit of time', () => {
    const measure = { ...MEASURE, stop: { minutes: 2 } };
    const estimate = estimateTime(measure, trials(100), [], []);
    expect(estimate.atMost).toBe(true);
    expect(secondsOf(estimate, measure)).toBe(2 + 120 + 70);
  });
});
