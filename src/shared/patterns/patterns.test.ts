import { describe, expect, it } from 'vitest';
import { LinePattern, readNumber, readPatterns } from './index.ts';

/** The error message for unusable patterns. */
function words(source: string): string {
  try {
    readPatterns(source);
    return '';
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

describe('a pattern', () => {
  it('finds its groups anywhere in a line', () => {
    const pattern = LinePattern.of('(?<rate>\\d+) ops(, (?<errors>\\d+) errors)?');
    expect(pattern.groups).toEqual(['rate', 'errors']);
    expect(pattern.match('at 12:00 70 ops, 3 errors')).toEqual(
      new Map([
        ['rate', '70'],
        ['errors', '3'],
      ]),
    );
    expect(pattern.match('70 ops')).toEqual(new Map([['rate', '70']]));
    expect(pattern.match('none')).toBeUndefined();
  });

  it('takes linear time where a backtracking engine would take forever', () => {
    // 2 ** 4000 ways to cut the line into pieces: a test that ends has not tried them.
    for (const source of ['^(a+)+$', '^(a|aa)+$', '^(a*)*$', '^(?<x>(a|a?)+)+$', '(.*)(.*)(.*)(.*)(.*)=b'])
      expect(LinePattern.of(source).match(`${'a'.repeat(3999)}!`), source).toBeUndefined();
  });

  it('is rejected if too large or invalid', () => {
    expect(words('.{0,1000}'.repeat(20))).toMatch(/too large/);
    expect(words('(a{1,1000}){1,1000}')).toMatch(/is not a valid pattern/);
    expect(words('(?<n>\\d+')).toMatch(/missing closing \)/);
    expect(words('(?=look)')).toMatch(/is not a valid pattern/);
    expect(words('(?<n>a)|(?<n>b)')).toMatch(/duplicate/);
    expect(words('fine\n(')).toContain('“(”');
    expect(words('(?<ops>\\d+)')).toBe('');
  });

  it('takes a bounded number of steps per line, whatever its size', () => {
    // Each took seconds for one line of 4,000 letters.
    expect(words('(.*)'.repeat(1000))).toMatch(/too long: it has 4000 characters, and the limit is 1000/);
    expect(words('a?'.repeat(1300) + 'a'.repeat(1300))).toMatch(/too long/);
    expect(words('(?i)[\\pL]*!\n'.repeat(20))).toBe('');
    expect(words(`${'x'.repeat(900)}\n`.repeat(3))).toMatch(/too large in total/);
    const large = LinePattern.of('a?'.repeat(490));
    expect(large.takes('a'.repeat(4000))).toBe(false);
    expect(large.takes('a'.repeat(500))).toBe(true);
    expect(LinePattern.of('request=(?<t>\\d+) time=(?<time>[\\d.]+)').takes('a'.repeat(4000))).toBe(true);
  });

  it('rejects group names that every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])
      expect(() => LinePattern.of(`(?<${name}>\\d+)`)).toThrow(`no group can have the name ${name}`);
  });

  it('is on a separate line', () => {
    expect(readPatterns('# what it prints\n a=(?<ops>1)\r\n\n#b\n')).toHaveLength(2);
  });
});

it.each([
  ['1,234.5', 1234.5],
  ['.5', 0.5],
  ['1e3', 1000],
  ['-2', -2],
  ['1,2', undefined],
  ['12 34', undefined],
  ['', undefined],
  ['Infinity', undefined],
  ['0x10', undefined],
])('the number %j is parsed as %s', (text, number) => {
  expect(readNumber(text)).toBe(number);
});
