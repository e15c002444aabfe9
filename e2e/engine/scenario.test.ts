import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './testing/engine.ts';

let engine: TestEngine;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-scenario-'));
  engine = await startEngine();
});
afterAll(async () => {
  await engine?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('performs an event of the document during the trial, and reports its effect on the rate', async () => {
  const { client } = engine;
  // The load is slow while a file exists, which the event creates and removes.
  const file = path.join(folder, 'slow');
  const { id } = await client.sessions.start({
    text: `kneepoint: 1
name: Scenario
workload:
  tool: command
  options:
    command: |
      i=0
      while [ $i -lt {seconds} ]; do
        i=$((i + 1)); sleep 1; if [ -e ${file} ]; then echo "$i: 5 done"; else echo "$i: 100 done"; fi
      done
    pattern: '^(?<t>\\d+): (?<rate>\\d+) done'
    metrics: rate = ops
where: { generators: [this computer] }
measure:
  duration: 28
  events: [{ at: 8, do: run, command: "touch ${file}; sleep 5; rm ${file}" }]
`,
  });
  for await (const _ of client.sessions.watch({ id }));
  const [run] = await client.sessions.runs({ id });
  expect(run?.state, run?.message ?? '').toBe('done');
  const [event, ...others] = await client.sessions.events({ id, kinds: ['scenario'], runIds: [run?.id ?? 0] });
  expect(others).toEqual([]);
  expect(event?.message).toContain('A command is run: touch');
  // By our clock; each second of the tool takes a little longer.
  expect(event?.t).toBeGreaterThanOrEqual(8);
  expect(event?.t).toBeLessThan(10);
  const effect = run?.findings.find(({ code }) => code === 'scenario-effect')?.message ?? '';
  expect(effect).toMatch(/from 100 to 5, by 95 %, and recovered after ([4-9]|[4-9]\.\d) s\./);
});
