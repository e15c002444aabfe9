import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Progress } from '../../shared/rpc/define.ts';
import { onTerminal, slow } from './terminal.ts';

/** Standard error of a call for 40 cells, each of which takes this long. */
async function written(secondsPerCell: number, isTTY: boolean): Promise<string> {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 60 });
  let seconds = 0;
  const call = async (onProgress: (at: Progress) => void): Promise<void> => {
    for (let done = 1; done <= 40; done += 1) {
      seconds += secondsPerCell;
      onProgress({ what: 'Calculating transactions', unit: 'cell', done, of: 40 });
    }
  };
  const stdin = Readable.from([]);
  await onTerminal({ stdin, stdout: new PassThrough(), stderr, env: {} }, () =>
    slow(
      ({ onProgress = () => undefined }) => call(onProgress),
      () => 1000 * seconds,
    ),
  );
  return String(stderr.read() ?? '');
}

it('shows task and progress on a terminal, then clears the line', async () => {
  const text = await written(0.2, true);
  expect(text.split('\r\x1b[K').slice(1, 2)).toEqual(['Calculating transactions: cell 5 of 40']);
  expect(text.endsWith('Calculating transactions: cell 40 of 40\r\x1b[K')).toBe(true);
});

it('prints a line every ten seconds without a terminal', async () => {
  expect(await written(1, false)).toBe(
    [1, 11, 21, 31].map((done) => `Calculating transactions: cell ${done} of 40\n`).join(''),
  );
});

it('prints nothing for tasks under a second', async () => {
  expect(await written(0.01, true)).toBe('');
});
