import { describe, expect, test } from 'vitest';
import { secondsOfTrial } from '../../../shared/model/plan.ts';
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

describe('the estimate of a plan', () => {
  test('includes load, pauses, default overheads and a default rate', () => {
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

  test('of one more trial includes its pause and overhead, but not what comes before the first', () => {
    const estimate = estimateTime(MEASURE, trials(4), [TABLES], []);
    const plan = {
      trials: [0, 1, 2, 3].map((index) => ({ index, cell: 0, repeat: index })),
      seconds: secondsOf(estimate),
    };
    expect(secondsOfTrial({ ...plan, estimate })).toBe((280 + 12 + 15) / 4);
    // Sessions of earlier versions have only the sum, without start and data.
    expect(secondsOfTrial({ ...plan, seconds: 300 })).toBe(75);
    expect(secondsOfTrial({ trials: [], seconds: 0 })).toBeUndefined();
  });

  test('adds the pauses of its trials if they differ', () => {
    expect(estimateTime(MEASURE, countOf({}, 4, 70), [TABLES], [])).toMatchObject({ pauses: 70 });
  });

  test('is learned from earlier sessions', () => {
    const sessions = [
      past(7, { start: 4, overheads: [9, 11, 10], prepared: [{ title: '4 tables', bytes: 1e9, seconds: 83 }] }),
      past(5, { start: 6, overheads: [14, 500], prepared: [{ title: '4 tables', bytes: 1e9, seconds: 87 }] }),
      past(3, { overheads: [12] }),
    ];
    const estimate = estimateTime(MEASURE, trials(4), [TABLES], sessions);
    // Medians of sessions: 10, 257 and 12. An interrupted session has no more weight than any other.
    expect(estimate).toMatchObject({ start: 4, prepare: 85, overhead: 48, preparing: 'learned', sessions: [7, 5, 3] });
  });

  test('uses the rate of the data nearest in size if none is equal', () => {
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

  test('counts data created again for other cells or before each trial', () => {
    const works = [TABLES, { ...TABLES, title: 'other', bytes: 2e9, first: false, again: 1 }];
    expect(estimateTime(MEASURE, trials(2), works, [])).toMatchObject({ prepare: 100, again: 200, dataBytes: 2e9 });
    expect(estimateTime(MEASURE, trials(3), [{ ...TABLES, again: 2 }], [])).toMatchObject({ prepare: 100, again: 200 });
  });

  test('excludes existing data and steps without data', () => {
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

  test('reports that the time for data of unknown size is unknown, until it was created once', () => {
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

  test('counts restarts, reloads and loads with default times', () => {
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

  test('learns preparation times of trials from sessions with the same steps', () => {
    const before = { caches: 'server' as const };
    const sessions = [past(2, { overheads: [20], before }), past(1, { overheads: [4] })];
    const learned = estimateTime({ ...MEASURE, before }, trials(2), [], sessions);
    expect(learned.overhead).toBe(40);
    expect(learned.before).toBeUndefined();
    expect(estimateTime(MEASURE, trials(2), [], sessions).overhead).toBe(8);
  });

  test('is an upper bound if a stop rule applies, limited by its time limit', () => {
    const measure = { ...MEASURE, stop: { minutes: 2 } };
    const estimate = estimateTime(measure, trials(100), [], []);
    expect(estimate.atMost).toBe(true);
    expect(secondsOf(estimate, measure)).toBe(2 + 120 + 70);
  });
});
