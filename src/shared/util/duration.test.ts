import { describe, expect, test } from 'vitest';
import { durationWords, hasDurationUnit, largerUnits, readDuration } from './duration.ts';

describe('a typed duration', () => {
  test.each([
    ['90', 90],
    ['90s', 90],
    ['90 s', 90],
    ['2m', 120],
    ['2 min', 120],
    ['2m30', 150],
    ['2m30s', 150],
    ['1h30', 5400],
    ['1h 30', 5400],
    ['1 h 30 min', 5400],
    ['1.5h', 5400],
    ['.5h', 1800],
    ['5h', 18_000],
    ['5 hours', 18_000],
    ['1d12', 129_600],
    ['1 day 2 hours 3 minutes 4 seconds', 93_784],
    ['500ms', 0.5],
    ['1s 500ms', 1.5],
    ['0', 0],
    [' 2M ', 120],
    ['1h90m', 9000],
  ])('%s is %d s', (text, seconds) => {
    expect(readDuration(text, 's')).toBe(seconds);
  });

  test.each(['', 'm', '5x', '5 m 3 h', '5m 5m', '1h90', '1s30', '30 5m', '-5m', '1:30', '5m3.5', '1e3', '5,5h'])(
    '%s is invalid',
    (text) => {
      expect(readDuration(text, 's')).toBeUndefined();
    },
  );

  test('uses the unit of the field by default', () => {
    expect(readDuration('250', 'ms')).toBe(250);
    expect(readDuration('1.5s', 'ms')).toBe(1500);
    expect(readDuration('2m', 'ms')).toBe(120_000);
  });

  test('reports whether it has its own unit', () => {
    expect(['5m', '1h30', '90 s', '.5h'].every(hasDurationUnit)).toBe(true);
    expect(['90', '1.5', '', 'off', 'm5'].some(hasDurationUnit)).toBe(false);
  });

  test('is formatted in every unit to the second', () => {
    expect(durationWords(3661, 's')).toBe('1 h 1 min 1 s');
    expect(durationWords(86_400, 's')).toBe('1 d');
    expect(durationWords(0.5, 's')).toBe('500 ms');
    expect(durationWords(0, 's')).toBe('0 s');
    expect(durationWords(1500, 'ms')).toBe('1 s 500 ms');
  });

  test('has a form in larger units only if that is clearer', () => {
    expect(largerUnits(59, 's')).toBeUndefined();
    expect(largerUnits(300, 's')).toBe('5 min');
    expect(largerUnits(999, 'ms')).toBeUndefined();
    expect(largerUnits(90_000, 'ms')).toBe('1 min 30 s');
    expect(largerUnits(Number.POSITIVE_INFINITY, 's')).toBeUndefined();
  });

  test('is parsed again after formatting', () => {
    for (const seconds of [1, 59, 60, 61, 3599, 3600, 5400, 86_399, 90_061]) {
      expect(readDuration(durationWords(seconds, 's'), 's')).toBe(seconds);
    }
  });
});
