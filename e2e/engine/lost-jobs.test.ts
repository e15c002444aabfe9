import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSameBytes, expectSameSeconds, secondsPrinted } from '../../scripts/test/recorded.ts';
import { LOCAL_HOST_NAME } from '../../src/shared/model/host.ts';
import { startSshd, type TestSshd } from '../testbed/sshd/index.ts';
import { toolJobs } from './testing/database-bed.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

let sshd: TestSshd;
let engine: TestEngine;
beforeAll(async () => {
  sshd = await startSshd();
  engine = await startEngine();
  const { address, port, user, keyFile } = sshd;
  const { id } = await engine.client.hosts.save({
    spec: { kind: 'ssh', name: 'far', address, port, user, auth: { method: 'key', keyFile } },
  });
  const first = await engine.client.hosts.test({ id });
  if (first.result === 'key-unknown') await engine.client.hosts.trustKey({ key: first.key });
});
afterAll(async () => {
  await engine?.close();
  await sshd?.close();
});

const text = `kneepoint: 1
name: Lost
workload: { tool: sysbench, options: { script: cpu, rate: 20 } }
where: { generators: [far] }
measure: { warmup: 0, duration: 300 }
`;

/** Starts the run, applies `act` to its job folder once it has three seconds, and returns the resulting run and the folder. */
async function disturbed(act: (folder: string) => void) {
  const { client } = engine;
  const before = new Set(toolJobs(sshd));
  const { id } = await client.sessions.start({ text });
  let done = false;
  let own = '';
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'run' && event.run.state === 'running' && event.run.seconds >= 3 && !done) {
      done = true;
      own = toolJobs(sshd).find((folder) => !before.has(folder)) ?? '';
      act(own);
    }
  }
  const [run] = await client.sessions.runs({ id });
  return { run, folder: own };
}

it('keeps the samples of a killed tool, and reports the signal', async () => {
  const { run, folder } = await disturbed((folder) =>
    process.kill(Number(readFileSync(path.join(folder, 'tool'), 'utf8').split(' ')[0]), 'SIGKILL'),
  );
  expect(run).toMatchObject({ state: 'failed', partial: true, exit: { code: 137, signal: 'SIGKILL' } });
  expect(run?.seconds).toBeGreaterThanOrEqual(3);
  const { bytes } = await engine.client.results.raw({ runId: run?.id ?? 0, stream: 'stdout' });
  const written = readFileSync(path.join(folder, 'stdout'));
  expectSameBytes(bytes, written);
  const [series] = await engine.client.results.series({ runIds: [run?.id ?? 0], metrics: ['eps'] });
  expectSameSeconds(series, secondsPrinted(written.toString(), 'eps'));
});

it('keeps the samples of a job whose folder is deleted, and reports it as lost', async () => {
  // Its supervisor may write a file again after the last one is removed and before the folder itself is.
  const { run } = await disturbed((folder) => rmSync(folder, { recursive: true, maxRetries: 20 }));
  expect(run).toMatchObject({ state: 'lost', partial: true });
  expect(run?.message).toMatch(/stored/);
  expect(run?.seconds).toBeGreaterThanOrEqual(3);
});

it('refuses a tool on a host where it cannot run', async () => {
  const { client } = engine;
  const embedded = text.replace('tool: sysbench, options: { script: cpu, rate: 20 }', 'tool: embedded');
  const { problems } = await client.experiments.check({ text: embedded });
  expect(problems[0]).toMatchObject({ line: 4, message: expect.stringContaining(LOCAL_HOST_NAME) });
});
