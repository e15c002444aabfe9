import { expect, it } from 'vitest';
import { type EndingWords, endedBySignal, exitFinding, failedExit } from './faults.ts';
import { noProgress, secondRanges, secondsMissing } from './seconds.ts';

const words: EndingWords = {
  name: 'load',
  crashNext: 'Look at the core.',
  missing: { code: 'tool-missing', severity: 'error', message: 'There is no load.' },
  killedNext: { SIGKILL: 'Give it more memory.' },
};

it.each([
  [{ code: 0 }, false, undefined],
  [undefined, false, undefined],
  [{ unknown: 'host restarted' }, false, undefined],
  [{ code: 3 }, true, 'load ended with exit code 3 and no message that explains it.'],
  [{ code: 127 }, true, 'There is no load.'],
  [{ code: 139 }, true, 'load crashed (SIGSEGV). What it printed before is kept.'],
  [{ signal: 'ABRT' }, true, 'load crashed (SIGABRT). What it printed before is kept.'],
  [
    { code: 143 },
    true,
    'load was ended from outside (SIGTERM), before its report. What it printed until then is kept.',
  ],
  [
    { code: 140 },
    true,
    'load was ended from outside (signal 12), before its report. What it printed until then is kept.',
  ],
  [{ code: 255 }, true, 'load ended with exit code 255 and no message that explains it.'],
])('says what the status %j means', (exit, failed, message) => {
  expect(failedExit(exit)).toBe(failed);
  if (message !== undefined) expect(exitFinding(exit, words).message).toBe(message);
});

it('knows the program’s own advice, then the general one', () => {
  expect(endedBySignal({ code: 137 })).toBe(true);
  expect(exitFinding({ signal: 'SIGKILL' }, words).next).toBe('Give it more memory.');
  expect(exitFinding({ signal: 'SIGHUP' }, words).next).toMatch(/terminal/);
  expect(exitFinding({ signal: 'SIGSEGV' }, words).next).toBe('Look at the core.');
});

it.each([
  [[], 1, ''],
  [[3], 1, '3'],
  [[6, 7, 8, 14], 1, '6–8, 14'],
  [[1.0, 2.01, 4], 1, '1–2.01, 4'],
  [[10, 20, 40], 10, '10–20, 40'],
  [[5, 5, 6], 1, '5–6'],
  [[9, 2], 1, '9, 2'],
])('writes the seconds %j, %d apart, as %j', (seconds, step, text) => {
  expect(secondRanges(seconds, step)).toBe(text);
});

it('counts one interval as one', () => {
  expect(noProgress('event', 'the server', [4]).message).toMatch(
    /^No event ended in 1 interval \(second 4\): the server /,
  );
  expect(secondsMissing('load', [4, 5]).message).toBe('load printed no line for 2 intervals (second 4–5).');
  const many = Array.from({ length: 40 }, (_, index) => index * 3);
  expect(secondRanges(many)).toMatch(/^0, 3, .*, 33 and more$/);
});
