import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppContract } from '../../src/shared/contract/index.ts';
import type { Session } from '../../src/shared/model/session.ts';
import type { Client } from '../../src/shared/rpc/define.ts';
import { type Answers, ask, openLibrary, storedAnswers } from './library/answers.ts';
import type { TestEngine } from './testing/engine.ts';

/** Fields that answers may have beyond those of the version that wrote the library. Nothing else may differ. */
const ADDED: ReadonlySet<string> = new Set(['kind']);

/** The points of the line in a list have five digits now. */
const rounded = (path: string, value: unknown): unknown =>
  typeof value === 'number' && /\.sparkline\[\d+\]$/.test(path) ? Number(value.toPrecision(5)) : value;

/** Where an answer is not what it was: the path, what was stored, what was answered. */
function* differences(stored: unknown, answered: unknown, path: string): Generator<string> {
  if (Array.isArray(stored) && Array.isArray(answered)) {
    if (stored.length !== answered.length) yield `${path}: ${stored.length} entries became ${answered.length}`;
    for (const [index, entry] of stored.entries()) yield* differences(entry, answered[index], `${path}[${index}]`);
    return;
  }
  if (isRecord(stored) && isRecord(answered)) {
    for (const key of new Set([...Object.keys(stored), ...Object.keys(answered)])) {
      if (!Object.hasOwn(stored, key) && ADDED.has(key)) continue;
      yield* differences(stored[key], answered[key], `${path}.${key}`);
    }
    return;
  }
  if (!Object.is(rounded(path, stored), answered))
    yield `${path}: ${JSON.stringify(stored)} became ${JSON.stringify(answered)}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const different = (stored: Answers, answered: Answers): string[] => [...differences(stored, answered, '')].slice(0, 40);

let engine: TestEngine;
const stored = storedAnswers();
beforeAll(async () => {
  engine = await openLibrary();
});
afterAll(() => engine?.close());

describe('a library that an earlier version wrote', () => {
  it('answers as it did then, also when it is opened again', { timeout: 300_000 }, async () => {
    expect(Object.keys(stored).length).toBeGreaterThan(1000);
    expect(different(stored, await ask(engine.client))).toEqual([]);
    await engine.restart({ resumeSessions: false });
    expect(different(stored, await ask(engine.client))).toEqual([]);
  });

  it('has sessions of every tool in every state', async () => {
    const { client } = engine;
    const sessions = await all(client);
    const tools = ['sysbench', 'ycsb', 'fio', 'pgbench', 'queries', 'command', 'embedded'];
    for (const tool of tools) {
      const own = sessions.filter((session) => session.tool === tool);
      const states = new Set(own.map(({ state }) => state));
      // What an app that was killed left under way is shown as interrupted.
      expect([...states].sort()).toEqual(['done', 'failed', 'interrupted', 'paused', 'stopped']);
      const runs = (await Promise.all(own.map(({ id }) => client.sessions.runs({ id })))).flat();
      expect([...new Set(runs.map(({ state }) => state))].sort()).toEqual([
        'done',
        'failed',
        'launching',
        'lost',
        'pending',
        'running',
        'skipped',
        'stopped',
      ]);
    }
  });

  it('goes on with the sessions that were interrupted and paused, to their end', async () => {
    const { client } = engine;
    // The paused one can go on only when nobody else may be at work on this computer.
    for (const [name, became] of [
      ['embedded, interrupted', ['done', 'lost', 'done', 'done']],
      ['embedded, paused', ['done', 'done', 'done', 'done']],
    ] as const) {
      const { id } = (await all(client)).find((session) => session.name === name) as Session;
      const before = await client.sessions.runs({ id });
      await client.sessions.resume({ id });
      for await (const _ of client.sessions.watch({ id }));
      const { session } = await client.sessions.get({ id });
      expect(session).toMatchObject({ state: 'done', trialsEnded: 4 });
      const after = await client.sessions.runs({ id });
      expect(after.map(({ state }) => state)).toEqual(became);
      expect(after[0]).toEqual(before[0]);
      expect(after[2]?.summary.operations_total ?? after[2]?.seconds).toBeGreaterThan(0);
    }
  });

  it('is the same after that, but for those two', async () => {
    await engine.restart({ resumeSessions: false });
    const { client } = engine;
    for (const session of (await all(client)).filter(({ tool }) => tool !== 'embedded'))
      expect(
        different({ '': stored[`sessions.get ${session.id}`] }, { '': await detailOf(client, session.id) }),
      ).toEqual([]);
  });
});

const all = async (client: Client<AppContract>): Promise<Session[]> => [
  ...(await client.sessions.list({})),
  ...(await client.sessions.list({ archived: true })),
];

const detailOf = async (client: Client<AppContract>, id: number): Promise<unknown> =>
  JSON.parse(JSON.stringify(await client.sessions.get({ id })));
