import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSshd, type TestSshd } from '../testbed/sshd/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

const HOUR_MS = 3_600_000;

let sshd: TestSshd;
let engine: TestEngine;
beforeAll(async () => {
  sshd = await startSshd({ bashrc: 'PATH=$HOME/bin:$PATH' });
  // A host whose clock is three hours behind: everything there that asks for the time asks `date`.
  const bin = path.join(sshd.home, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'date'), '#!/bin/sh\nexec /bin/date -d "-3 hours" "$@"\n');
  chmodSync(path.join(bin, 'date'), 0o755);
  engine = await startEngine();
  const { address, port, user, keyFile } = sshd;
  const { id } = await engine.client.hosts.save({
    spec: { kind: 'ssh', name: 'behind', address, port, user, auth: { method: 'key', keyFile } },
  });
  const first = await engine.client.hosts.test({ id });
  if (first.result === 'key-unknown') await engine.client.hosts.trustKey({ key: first.key });
});
afterAll(async () => {
  await engine?.close();
  await sshd?.close();
});

it('tells the end of a trial by our clock, however wrong that of the host is', async () => {
  const { client } = engine;
  const before = Date.now();
  const { id } = await client.sessions.start({
    text: `kneepoint: 1
name: Clocks
workload: { tool: sysbench, options: { script: cpu } }
where: { generators: [behind] }
measure: { duration: 2 }
`,
  });
  for await (const _ of client.sessions.watch({ id }));
  const [run] = await client.sessions.runs({ id });
  expect(run?.state).toBe('done');
  expect((await client.sessions.get({ id })).hosts[0]?.facts?.clockOffsetMs).toBeGreaterThan(2 * HOUR_MS);
  // The host notes whole seconds.
  expect((run?.endedAt ?? 0) - (run?.startedAt ?? 0)).toBeGreaterThanOrEqual(1000);
  expect(run?.endedAt).toBeGreaterThanOrEqual(before);
  expect(run?.endedAt).toBeLessThanOrEqual(Date.now());
});
