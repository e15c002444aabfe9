import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandMonitor } from './index.ts';
import { tryLines } from './parse.ts';

const PATTERN = '^\\s*(?<t>\\d+)\\s+(?<blocked>\\d+)(\\s+\\d+){10}\\s+(?<user>\\d+)\\s';
/** Lines with their times of arrival. */
const stamped = readFileSync(join(import.meta.dirname, 'fixtures', 'vmstat.txt'), 'utf8');

describe('a preview of lines of a command', () => {
  it('shows the figures that monitoring would store', () => {
    const parser = commandMonitor({ name: 'tried', command: 'true', pattern: PATTERN }).parser();
    const stored = stamped.split('\n').flatMap((line) => {
      const row = parser.line(line);
      return row ? [row.metrics] : [];
    });
    const printed = stamped.replaceAll(/^\d+\.\d\d |^\.\n/gm, '');
    const { lines, left } = tryLines(PATTERN, printed);
    expect(left).toBe(0);
    expect(lines.map(({ text }) => text).join('\n')).toBe(printed.trimEnd());
    const tried = lines.flatMap(({ figures }) =>
      figures ? [Object.fromEntries(figures.map(({ group, value }) => [group, value]))] : [],
    );
    expect(tried.length).toBeGreaterThan(2);
    expect(tried).toEqual(stored);
  });

  it('shows matches that are not numbers, and lines that match no pattern', () => {
    const { lines } = tryLines('^power (?<power>\\S+)', 'power 75.5\r\npower [N/A]\nheader\n');
    expect(lines).toEqual([
      { text: 'power 75.5', figures: [{ group: 'power', word: '75.5', value: 75.5 }] },
      { text: 'power [N/A]', figures: [{ group: 'power', word: '[N/A]' }] },
      { text: 'header' },
    ]);
  });

  it('is limited to a short time', () => {
    let clock = 0;
    const { lines, left } = tryLines('(?<n>\\d)', '1\n2\n3\n4\n', () => {
      clock += 900;
      return clock;
    });
    expect([lines.length, left]).toEqual([2, 2]);
  });

  it('is refused for invalid patterns', () => {
    expect(() => tryLines('(?<n>\\d', '1')).toThrow(RangeError);
  });
});
