import { describe, expect, it } from 'vitest';
import { type Answer, type Driver, Interruptible } from './driver.ts';
import type { Line } from './lines.ts';
import { measure, send } from './measure.ts';
import type { Run } from './settings.ts';

const NOTHING: Answer = { rows: 0, columns: [], values: [] };

it('reports a delayed tear-down, ends it, and returns the measured data', async () => {
  const lines: Line[] = [];
  let cancelled = 0;
  const driver: Driver = {
    server: 'Fake 1',
    encryption: 'none',
    // Like a server that waits for a lock and ignores a cancel request.
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
  expect(await measure(driver, sender, run, (line) => lines.push(line), { limits: { report: 1, end: 20 } })).toBe(
    'complete',
  );
  expect(cancelled).toBe(1);
  const errors = lines.flatMap((line) => (line.kind === 'error' ? [line] : []));
  expect(errors).toMatchObject([
    {
      doing: 'the tear-down of “v”',
      fatal: false,
      message: expect.stringContaining('something may hold a lock on it'),
    },
    { doing: 'the tear-down of “v”', fatal: false, message: expect.stringContaining('was stopped: check what') },
  ]);
  expect(lines.filter(({ kind }) => kind === 'execution')).toHaveLength(1);
  expect(lines.at(-1)).toMatchObject({ kind: 'made', what: 'the tear-down of “all”' });
});

it('sends the statements of a step one after the other, with time and rows of each, until one fails', async () => {
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

describe('several clients', () => {
  const named = (name: string) => ({ name, setUp: [`SET UP ${name}`], statement: name, tearDown: [`DROP ${name}`] });
  const base: Run = {
    ...{ step: 'run', connection: { kind: 'mysql' }, seconds: 60, executions: 2, discard: 1 },
    ...{ rowOrder: 'any', serverPlan: 'explain', setUp: [], tearDown: [], facts: [], variant: named('a') },
  };
  /** Connections that record received statements and the maximum number of concurrent ones. */
  function fakes(count: number, refused?: string) {
    const sent: string[][] = Array.from({ length: count }, () => []);
    const lines: Line[] = [];
    let underWay = 0;
    let most = 0;
    const drivers = sent.map(
      (own): Driver => ({
        server: 'Fake 1',
        encryption: 'none',
        run: async (statement) => {
          own.push(statement);
          underWay += 1;
          most = Math.max(most, underWay);
          await new Promise((resolve) => setImmediate(resolve));
          underWay -= 1;
          if (statement === refused) throw new Error('not understood');
          return { ...NOTHING, rows: statement.length };
        },
        explain: (statement) => `EXPLAIN ${statement}`,
        cancel: async () => {},
        close: async () => {},
      }),
    );
    const [driver] = drivers;
    const [sender, ...others] = drivers.map((each) => new Interruptible(each, () => {}));
    if (!driver || !sender) throw new Error('no connection');
    const start = (run: Run) => measure(driver, sender, run, (line) => lines.push(line), { others });
    return { sent, lines, start, most: () => most };
  }

  it('execute the statement equally often, and count once all have completed their discarded ones', async () => {
    const { sent, lines, start, most } = fakes(3);
    expect(await start({ ...base, clients: 3 })).toBe('complete');
    expect(most()).toBe(3);
    expect(sent.slice(1)).toEqual([Array(3).fill('a'), Array(3).fill('a')]);
    const executions = lines.flatMap((line) => (line.kind === 'execution' ? [line] : []));
    expect(executions.map(({ measured }) => measured)).toEqual([...Array(3).fill(false), ...Array(6).fill(true)]);
    expect(executions.map(({ n }) => n).sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(executions.map(({ client }) => client).sort()).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
  });

  it('run one stream after the other, each in its order, between the set-ups of all queries', async () => {
    const { sent, lines, start } = fakes(2);
    const variants = ['a', 'bb', 'ccc'].map(named);
    const streams = [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ];
    expect(await start({ ...base, clients: 2, list: { variants, streams } })).toBe('complete');
    const executions = lines.flatMap((line) => (line.kind === 'execution' ? [line] : []));
    const of = (stream?: number) => executions.filter((one) => one.stream === stream).map(({ query }) => query);
    expect([of(), of(1), of(2), of(3)]).toEqual([
      ['a', 'bb', 'ccc'],
      ['a', 'bb', 'ccc'],
      ['ccc', 'a', 'bb'],
      ['bb', 'ccc', 'a'],
    ]);
    expect(lines.flatMap((line) => (line.kind === 'stream' ? [line.stream] : [])).sort()).toEqual([1, 2, 3]);
    expect(sent[0]?.slice(0, 3)).toEqual(['SET UP a', 'SET UP bb', 'SET UP ccc']);
    expect(sent[0]?.slice(-6)).toEqual(['EXPLAIN a', 'EXPLAIN bb', 'EXPLAIN ccc', 'DROP ccc', 'DROP bb', 'DROP a']);
  });

  it('end together if one of them fails', async () => {
    const { sent, start } = fakes(2, 'bb');
    const list = { variants: ['a', 'bb'].map(named), streams: Array(500).fill([0, 1]) };
    await expect(start({ ...base, discard: 0, clients: 2, list })).rejects.toMatchObject({
      doing: 'the statement of “bb”',
    });
    expect(sent[0]?.slice(-2)).toEqual(['DROP bb', 'DROP a']);
    expect(sent.flat().length).toBeLessThan(20);
  });
});
