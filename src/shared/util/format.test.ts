import { describe, expect, it } from 'vitest';
import {
  asSentence,
  columnDigits,
  digitsFor,
  formatBytes,
  formatChange,
  formatClock,
  formatCount,
  formatDateTime,
  formatDuration,
  formatFigure,
  formatInterval,
  formatLevel,
  formatLevels,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRatio,
  formatShort,
  formatTimeOfDay,
  formatTimes,
  formatValue,
  plainLevel,
  plainLevels,
  withinSentence,
} from './format.ts';

describe('words', () => {
  it('begin a sentence with a capital, except names of hosts and commands', () => {
    expect(
      ['this computer is full.', 'this computer: busy', 'db1 is full.', 'this computer-2 is full.'].map(asSentence),
    ).toEqual(['This computer is full.', 'This computer: busy', 'db1 is full.', 'this computer-2 is full.']);
  });
  it('lose their capital within a sentence, except abbreviations', () => {
    const words = [
      'Read operations',
      'I/O operations',
      'CPU time of the jobs, user',
      'fsyncs',
      'Job 2: I/O operations',
    ];
    expect(words.map(withinSentence)).toEqual([
      'read operations',
      'I/O operations',
      'CPU time of the jobs, user',
      'fsyncs',
      'job 2: I/O operations',
    ]);
  });
});

describe('numbers', () => {
  it('groups thousands at the requested precision', () => {
    expect(formatNumber(18526.4)).toBe('18,526');
    expect(formatNumber(2.7159, 2)).toBe('2.72');
    expect([-999.94, 999.96, -1234.5, 16_597.86].map((value) => formatNumber(value, 1))).toEqual([
      '-999.9',
      '1,000',
      '-1,235',
      '16,598',
    ]);
    expect(formatNumber(-0.001, 1)).toBe('0.0');
  });
  it('shows a dash without a value', () => {
    for (const nothing of [undefined, null, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(formatNumber(nothing)).toBe('–');
      expect(formatDuration(nothing)).toBe('–');
      expect(formatBytes(nothing)).toBe('–');
      expect(formatRatio(nothing)).toBe('–');
      expect(formatMoney(nothing)).toBe('–');
    }
    expect(formatValue(undefined, { unit: 'tps', digits: 0 })).toBe('–');
  });
  it('shows two significant digits of small figures', () => {
    expect([0.00423, 0.0837, 0.5, 0.1].map((value) => formatFigure(value, 2))).toEqual([
      '0.0042',
      '0.084',
      '0.50',
      '0.10',
    ]);
    expect([0, 3, 18_526.4].map((value) => formatFigure(value))).toEqual(['0', '3', '18,526']);
    expect(formatValue(0.0042, { unit: 'ms', digits: 2 })).toBe('0.0042 ms');
  });
  it('appends the unit', () => {
    expect(formatValue(18526, { unit: 'tps', digits: 0 })).toBe('18,526 tps');
    expect(formatValue(1.234, { unit: '', digits: 2 })).toBe('1.23');
  });
  it('uses one precision for a column', () => {
    expect(digitsFor([0.0123, 0.5])).toBe(3);
    expect(digitsFor([1234, 0.5])).toBe(0);
    expect(digitsFor([])).toBe(0);
    expect(columnDigits({ digits: 2 }, [0.0123, 0.0456])).toBe(4);
    expect(columnDigits({ digits: 2 }, [123.4])).toBe(2);
    expect(columnDigits({ digits: 0 }, [18526.4, 3])).toBe(0);
    expect(formatShort(0.04567)).toBe('0.0457');
    expect(formatShort(0.000045)).toBe('0.0000450');
    expect(formatShort(12.34)).toBe('12.3');
  });
});

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [0.004, '4.0 ms'],
    [0.05, '50 ms'],
    [0.44, '0.4 s'],
    [45, '45 s'],
    [59.7, '1 min'],
    [125, '2 min 5 s'],
    [3599.9, '1 h'],
    [11_520, '3 h 12 min'],
    [86_399, '1 d'],
    [183_600, '2 d 3 h'],
    [-45, '-45 s'],
  ])('%d s reads %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
  it('shows a clock for running time', () => {
    expect(formatClock(7.9)).toBe('0:07');
    expect(formatClock(725)).toBe('12:05');
    expect(formatClock(11_520)).toBe('3:12:00');
  });
});

describe('shares and ratios', () => {
  it('writes ratios as factor and percentage', () => {
    expect(formatRatio(1.18)).toBe('×1.18 (+18 %)');
    expect(formatRatio(0.946)).toBe('×0.95 (−5.4 %)');
    expect(formatRatio(1)).toBe('×1.00 (±0 %)');
    expect(formatRatio(12.3)).toBe('×12.3 (+1,130 %)');
    expect(formatTimes(345.6)).toBe('×346');
    expect(formatTimes(3_328_524.2)).toBe('> ×1,000');
    expect(formatTimes(0.0004)).toBe('< ×0.01');
    expect(formatTimes(0)).toBe('×0.00');
  });
  it('shows on which side of ×1 an interval ends', () => {
    expect(formatInterval({ low: 1.003, high: 2.52 })).toBe('×1.003 – ×2.52');
    expect(formatInterval({ low: 0.9951, high: 1.000_04 })).toBe('×0.995 – ×1.00004');
    expect(formatInterval({ low: 1, high: 1 + 1e-12 })).toBe('×1.00 – ×1.00');
    expect(formatInterval({ low: 0.01, high: 30 })).toBe('< ×0.10 – > ×10.0');
  });

  it('omits the sign of a change that rounds to zero', () => {
    expect(formatChange(0.0001)).toBe('±0.0 %');
    expect(formatPercent(0.184)).toBe('18 %');
    expect(formatPercent(0.0184, 1)).toBe('1.8 %');
  });
});

describe('sizes, money, dates, words', () => {
  it('uses binary units', () => {
    expect(formatBytes(512)).toBe('512 B');
    expect(formatBytes(1.5 * 1024 ** 3)).toBe('1.50 GiB');
    expect(formatBytes(1024 ** 2 - 1)).toBe('1.00 MiB');
    expect(formatBytes(64 * 1024 ** 3)).toBe('64.0 GiB');
  });
  it('names the currency', () => {
    expect(formatMoney(0.768)).toBe('$0.768');
    expect(formatMoney(1, 'constructor')).toBe('1.00 constructor');
    expect(formatMoney(6727.68)).toBe('$6,728');
    expect(formatMoney(1.28)).toBe('$1.28');
    expect(formatMoney(12.5, 'CHF')).toBe('12.50 CHF');
    expect(formatMoney(0.0416)).toBe('$0.0416');
    expect(formatMoney(0.00012, 'EUR')).toBe('€0.000120');
  });
  it('writes sortable local dates', () => {
    const at = new Date(2026, 10, 5, 4, 3, 2).getTime();
    expect(formatDateTime(at)).toBe('2026-11-05 04:03');
    expect(formatTimeOfDay(at)).toBe('04:03:02');
  });
  it('writes counts with their noun, and names cells', () => {
    expect(formatCount(1, 'trial')).toBe('1 trial');
    expect(formatCount(1200, 'trial')).toBe('1,200 trials');
    expect(formatLevels({ threads: 4, synchronous: 'FULL', ssl: true })).toBe('threads 4 · synchronous FULL · ssl on');
  });
  it('groups large levels for readers, and leaves them as they are typed elsewhere', () => {
    expect([4096, 9999, 10_000, 10_000_000, -20_000, 0.25, '10000000', true].map(formatLevel)).toEqual([
      ...['4096', '9999', '10,000', '10,000,000', '-20,000', '0.25', '10000000', 'on'],
    ]);
    expect(formatLevels({ rows: 10_000_000 })).toBe('rows 10,000,000');
    expect(plainLevels({ rows: 10_000_000, ssl: false })).toBe('rows 10000000 · ssl off');
    expect([plainLevel(10_000_000), plainLevel(undefined)]).toEqual(['10000000', '–']);
  });
});
