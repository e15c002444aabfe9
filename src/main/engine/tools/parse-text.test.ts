import { describe, expect, it } from 'vitest';
import { commandTool } from './command/index.ts';
import { parseText, tryText } from './index.ts';

describe('patterns that are tried on a text', () => {
  const tried = (now?: () => number) => tryText(commandTool, 'request=1 time=2 us\n'.repeat(1000), {}, now);
  it('are tried for two seconds, and then the rest is left', () => {
    let clock = 0;
    const { lines, findings } = tried(() => (clock += 100));
    expect(lines).toHaveLength(20);
    expect(findings[0]).toMatchObject({ code: 'not-all-tried', message: expect.stringContaining('first 20 lines') });
  });
  it('are tried on all of it where that is quick', () => {
    expect(tried(() => 0).lines).toHaveLength(1000);
  });
});

it('tells of lines that are too long to be checked', () => {
  const { findings, samples } = parseText(commandTool, `${'x'.repeat(5000)}\nrequest=1 time=2 us\n`);
  expect(samples).toHaveLength(1);
  expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['lines-too-long', 'note']]);
});
