import { expect, it } from 'vitest';
import type { Answer, Driver } from './driver.ts';
import { Interruptible } from './interruptible.ts';
import type { Line } from './lines.ts';
import { measure, send } from './measure.ts';
import type { Run } from './settings.ts';

const NOTHING: Answer = { rows: 0, columns: [], values: [] };

it('tells of a tear-down that is held up, ends it, and gives what was measured', async () => {
  const lines: Line[] = [];
  let cancelled = 0;
  const driver: Driver = {
    server: 'Fake 1',
    encryption: 'none',
    // As a server that waits for a lock, and does not hear that it should not.
    run: (statement) => (statement === 'DROP TABLE locked' ? new Promise<never>(() => {}) : Promise.resolve(NOTHING)),
    explain: () => undefined,
    cancel: async () => {
      cancelled += 1;
    },
    close: async () => {},
  };
  const sender = new Interruptible(driver, () => {});
  const run: Run = {
    ...{ step: 'run', connection: { kind: 'mysql' }, seconds: 60, executions: 1, discard: 0 },
    ...{ rowOrder: 'ignored', serverPlan: 'none', setUp: [], tearDown: ['DROP TABLE other'], facts: [] },
    variant: { name: 'v', setUp: [], statement: 'SELECT 1', tearDown: ['DROP TABLE locked'] },
  } as unknown as Run;
  expect(await measure(driver, sender, run, (line) => lines.push(line), { tell: 1, end: 20 })).toBe('complete');
  expect(cancelled).toBe(1);
  const told = lines.flatMap((line) => (line.kind === 'error' ? [line] : []));
  expect(told).toMatchObject([
    {
      doing: 'the tear-down of “v”',
      fatal: false,
      message: expect.stringContaining('something may hold a lock on it'),
    },
    { doing: 'the tear-down of “v”', fatal: false, message: expect.stringContaining('was ended: look for what') },
  ]);
  expect(lines.filter(({ kind }) => kind === 'execution')).toHaveLength(1);
  expect(lines.at(-1)).toMatchObject({ kind: 'made', what: 'the tear-down of “all”' });
});

it('sends the statements of a step one after the other, each with its time and rows, until one is refused', async () => {
  const lines: Line[] = [];
  const sent: string[] = [];
  const sender = {
    stopped: false,
    run: async (statement: string): Promise<Answer> => {
      sent.push(statement);
      if (statement === 'NONSENSE') throw new Error('not understood');
      return { ...NOTHING, rows: 7 };
    },
  };
  const statements = ['UPDATE t', 'NONSENSE', 'DROP TABLE t'];
  await expect(send(sender, { statements, timed: true }, (line) => lines.push(line))).rejects.toMatchObject({
    doing: 'statement 2 of 3',
  });
  expect(sent).toEqual(['UPDATE t', 'NONSENSE']);
  expect(lines).toMatchObject([{ kind: 'execution', n: 1, rows: 7, measured: true }]);
});
