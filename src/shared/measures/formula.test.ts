import { describe, expect, it } from 'vitest';
import { evaluate, FormulaError, type Reference, readFormula } from './formula.ts';

const KNOWN: Readonly<Record<string, number>> = { a: 6, b: 3, zero: 0, read_mib_s: 40, write_mib_s: 2.5 };
const metricAt = (reference: Reference): number | undefined =>
  reference.kind === 'metric' ? KNOWN[reference.name] : undefined;

const evaluated = (text: string): number | undefined => evaluate(readFormula(text).node, metricAt);

function refusal(text: string): { message: string; at: number } {
  try {
    readFormula(text);
  } catch (error) {
    if (error instanceof FormulaError) return { message: error.message, at: error.at };
    throw error;
  }
  throw new Error(`${text} was read.`);
}

it.each([
  ['read_mib_s + write_mib_s', 42.5],
  ['2 + 3 * 4', 14],
  ['(2 + 3) * 4', 20],
  ['a - b - 1', 2],
  ['24 / a / 2', 2],
  ['-a + b', -3],
  ['-(a + b) * 2', -18],
  ['1e3 + .5 + 2.5e-1', 1000.75],
  ['min(a, b, 9) + max(1, b)', 6],
  ['abs(b - a) + sqrt(9) + pow(2, 10)', 1030],
  ['log2(8) + log10(1000) + ln(exp(1))', 7],
  ['or(missing, b)', 3],
  ['or(a / zero, missing, 7)', 7],
])('calculates %s', (text, value) => {
  expect(evaluated(text)).toBeCloseTo(value, 9);
});

it.each([
  'a / zero',
  'zero / zero',
  'missing + a',
  'max(a, missing)',
  'or(missing, gone)',
  'sqrt(-a)',
  'ln(zero)',
  '1e308 * 10',
])('is undefined for %s', (text) => {
  expect(evaluated(text)).toBeUndefined();
});

it('lists each reference once', () => {
  const { references } = readFormula(
    'server.Innodb_rows_updated / operations + fact(columns, "bytes of all") * level(threads) + series("command dTLB", dtlb_misses, max) + operations + fact(sizes, mib, "pages")',
  );
  expect(references).toEqual([
    { kind: 'series', source: 'server', series: 'Innodb_rows_updated', take: 'mean' },
    { kind: 'metric', name: 'operations' },
    { kind: 'fact', table: 'columns', column: 'bytes of all' },
    { kind: 'level', factor: 'threads' },
    { kind: 'series', source: 'command dTLB', series: 'dtlb_misses', take: 'max' },
    { kind: 'fact', table: 'sizes', column: 'mib', row: 'pages' },
  ]);
});

it('refers to a metric whose id is no word', () => {
  const { references } = readFormula('figure("place:/mnt/a b:_iops") / figure("query:Q 1:_took_s") + figure(tps)');
  expect(references).toEqual([
    { kind: 'metric', name: 'place:/mnt/a b:_iops' },
    { kind: 'metric', name: 'query:Q 1:_took_s' },
    { kind: 'metric', name: 'tps' },
  ]);
});

describe('refuses', () => {
  it.each([
    ['', 'The formula is empty.', 0],
    ['a +', 'The formula ends where a value is expected.', 3],
    ['(a + b', 'A bracket is not closed.', 6],
    ['max(a, b', 'A bracket is not closed.', 8],
    ['a + b)', '“)” is not expected here.', 5],
    ['a + * b', '“*” is not expected here.', 4],
    ['a b', 'An operator is missing between two values.', 2],
    ['a + mean(b)', 'There is no function named “mean”. Did you mean “min”?', 4],
    ['a + sqrt(a, b)', 'sqrt takes 1 value, not 2.', 4],
    ['min()', 'min takes 1 or more values, not 0.', 0],
    ['level(a, b)', 'level takes 1 value, not 2.', 0],
    ['figure(a, b)', 'figure takes 1 value, not 2.', 0],
    ['fact(columns)', 'fact takes 2 to 3 values, not 1.', 0],
    [
      '1 + series("server", rows, most)',
      '“most” is not one of mean, median, min, max, p5, p95, p99, last, change, total.',
      4,
    ],
    ['a + "b"', 'The text "b" is not a number.', 4],
    ['fact(a + b, c)', 'fact takes names, or texts in quotes.', 5],
  ])('%s', (text, message, at) => {
    expect(refusal(text)).toEqual({ message, at });
  });

  it.each([
    'a > b',
    'a ? b : 1',
    'a[0]',
    'a = 1',
    'a; b',
    '[a, b]',
    'a, b',
    'max(a, b).length',
    'a?.b',
    '`a`',
    'a % b',
    'a ** b',
    '(a)(b)',
    '!a',
    'a && b',
    'a.b(1)',
  ])('code: %s', (text) => {
    expect(refusal(text).message).toMatch(/^[“A-Z].*[.?]$/);
  });

  it('properties of objects as names', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'true', 'null'])
      expect(readFormula(name).references, name).toEqual([{ kind: 'metric', name }]);
    expect(refusal('this').message).toContain('A formula may contain only numbers, names');
    expect(refusal('toString(1)').message).toContain('no function named “toString”');
    expect(refusal('constructor("return 1")').message).toContain('no function named “constructor”');
  });

  it('more than 1,000 parts, and deeply nested brackets', () => {
    expect(refusal(Array.from({ length: 600 }, () => 'a').join(' + ')).message).toContain('more than 1000 parts');
    expect(refusal('('.repeat(900)).message).toContain('deeper than 100');
    expect(evaluated(Array.from({ length: 400 }, () => 'b').join(' + '))).toBe(1200);
    expect(evaluated(`${'-'.repeat(700)}b`)).toBe(3);
  });
});
