import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { startEngine } from './testing/engine.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-half-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const text = `kneepoint: 1
name: Half
workload: { tool: sysbench, options: { script: cpu, rate: 20 } }
where: {}
measure: { duration: 60 }
`;

it('releases the library after a failed start, so that the next attempt succeeds', async () => {
  const first = await startEngine(dataDir);
  const { id } = await first.client.sessions.start({ text });
  await first.stop();
  const change = (sql: string): void => {
    const db = new Database(path.join(dataDir, 'library.db'));
    db.exec(sql);
    db.close();
  };
  change(`INSERT INTO tunnel (name, spec) VALUES ('torn', '{')`);
  await expect(startEngine(dataDir)).rejects.toThrow();
  change('DELETE FROM tunnel');
  const again = await startEngine(dataDir);
  await again.client.sessions.stop({ id });
  for await (const _ of again.client.sessions.watch({ id }));
  expect((await again.client.sessions.get({ id })).session.state).toBe('stopped');
  await again.stop();
});
