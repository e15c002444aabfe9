import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { ended, until } from './testing/session.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.close());

/** A command that prints its limits: open files each second, CPUs at its end. */
const document = (cpus: string): string => `kneepoint: 1
name: Under limits
workload:
  tool: command
  options:
    command: |
      for i in 1 2; do echo "$i: $(ulimit -n) files"; sleep 1; done
      echo "CPUs: $(nproc)"
    pattern: '^(?<t>\\d+): (?<files>\\d+) files'
    metrics: files = ops
    final-pattern: "CPUs: (?<cpus>\\\\d+)"
where: { generators: [this computer] }
factors:
  - { name: cpus, kind: tool-cpus, levels: [${cpus}] }
  - { name: files, kind: tool-limits, limit: open-files, levels: [222, 333] }
measure: { warmup: 0, duration: 2, repeats: 1, order: listed }
monitors: { generators: false, place: false }
`;

it('starts the tool under the limits of each cell, and shows them in the command', async () => {
  const { client } = engine;
  const text = document('"0"');
  const checked = await client.experiments.check({ text });
  expect(checked.problems).toEqual([]);
  expect(checked.commands?.[0]).toMatch(/^ulimit -n 222; .*taskset -c 0 /);
  const { id } = await client.sessions.start({ text });
  expect(await until(client, id, ended)).toMatchObject({ state: 'done' });
  const runs = await client.sessions.runs({ id });
  expect(runs.map(({ summary }) => summary?.cpus)).toEqual([1, 1]);
  expect(runs[1]?.command).toMatch(/^ulimit -n 333; .*taskset -c 0 /);
  const { cells } = await client.results.session({ sessionId: id, metric: 'ops' });
  expectSame(
    'means by level',
    cells.map(({ levels, means }) => [levels.files, means]),
    [
      [222, [222]],
      [333, [333]],
    ],
  );
});

it('refuses to start on CPUs that the generator does not have', async () => {
  const text = document(`"0", "${availableParallelism() + 4000}"`);
  await expect(engine.client.sessions.start({ text })).rejects.toMatchObject({
    problem: { code: 'preflight-refused', message: expect.stringContaining('CPUs') },
  });
});
