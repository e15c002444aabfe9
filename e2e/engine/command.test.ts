import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { ENDED_SESSION } from '../../src/shared/model/session.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.close());

const PATTERN = '^(?<t>\\d+): (?<rate>[\\d.]+)k done';

/** A shell loop: its output depends on the level, so that figures are distinguishable. */
const DOCUMENT = `kneepoint: 1
name: A command of one's own
workload:
  tool: command
  options:
    prepare: echo "{size}" > prepared
    command: |
      i=0
      while [ $i -lt {seconds} ]; do
        i=$((i + 1)); echo "$i: $((i * {threads})).5k done"; sleep 1
      done
      echo "all done: $i"
    pattern: '${PATTERN}'
    metrics: rate = ops * 1000
    final-pattern: "all done: (?<rounds>\\\\d+)"
where: { generators: [this computer] }
factors: [{ name: threads, levels: [2, 10] }]
measure: { warmup: 1, duration: 1, repeats: 1 }
`;

it('runs a custom command as a job and reads its figures', async () => {
  const { client } = engine;
  expect((await client.experiments.check({ text: DOCUMENT })).problems).toEqual([]);
  const { id } = await client.sessions.start({ text: DOCUMENT });
  for await (const event of client.sessions.watch({ id }))
    if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) break;
  expect((await client.sessions.get({ id })).session).toMatchObject({ state: 'done', primaryMetric: 'ops' });
  expect((await client.sessions.runs({ id })).map(({ state, summary }) => [state, summary?.rounds])).toEqual([
    ['done', 2],
    ['done', 2],
  ]);
  // The first second is warm-up, so only the second one counts: 2 × threads and half a thousand.
  const { cells } = await client.results.session({ sessionId: id, metric: 'ops' });
  expectSame(
    'means by level',
    cells.map(({ levels, means }) => [levels.threads, means]),
    [
      [2, [4500]],
      [10, [20_500]],
    ],
  );
});

it('reports contradicting options at their line, and still returns the document', async () => {
  const text = DOCUMENT.replace('rate = ops', 'speed = ops');
  const { problems, experiment } = await engine.client.experiments.check({ text });
  expect(problems).toEqual([
    expect.objectContaining({ path: 'workload.options', line: 6, message: expect.stringContaining('(?<speed>') }),
  ]);
  expect(experiment?.name).toBe("A command of one's own");
});

it('shows line by line what a run would parse of an output', async () => {
  const { client } = engine;
  const options = { pattern: PATTERN, metrics: 'rate = ops * 1000' };
  const text = '1: 2.5k done\nnot this\n2: 5k done';
  expect(await client.experiments.tryOutput({ tool: 'command', options, text })).toEqual({
    lines: [
      { number: 1, text: '1: 2.5k done', understood: true, samples: [{ t: 1, metrics: { ops: 2500 } }] },
      { number: 2, text: 'not this', understood: false, samples: [] },
      { number: 3, text: '2: 5k done', understood: true, samples: [{ t: 2, metrics: { ops: 5000 } }] },
    ],
    summary: {},
    findings: [],
  });
  const unclear = await client.experiments.tryOutput({
    tool: 'command',
    options: { ...options, metrics: 'x = ops' },
    text,
  });
  expect(unclear.findings[0]).toMatchObject({ code: 'metrics-unclear', message: expect.stringContaining('(?<x>') });
  await expect(
    client.experiments.tryOutput({ tool: 'command', options: { pattern: '(' }, text }),
  ).rejects.toMatchObject({
    problem: { code: 'bad-request', message: expect.stringContaining('is not a valid pattern') },
  });
  await expect(client.experiments.tryOutput({ tool: 'none', options: {}, text })).rejects.toMatchObject({
    problem: { code: 'not-found' },
  });
});
