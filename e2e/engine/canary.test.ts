import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBed, type DatabaseBed, startDatabaseBed } from './testing/database-bed.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

let bed: DatabaseBed;
let engine: TestEngine;
// Other tests pass the shared password of their servers to programs that show it.
const secret = `canary-${randomBytes(12).toString('hex')}`;
beforeAll(async () => {
  bed = await startDatabaseBed();
  await changePassword();
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
  await addBed(engine.client, { ...bed, database: { ...bed.database, password: secret } });
  // The server's own client runs on its host.
  const [target] = await engine.client.targets.list({});
  if (!target) throw new Error('There is no target.');
  const server = { host: 'loadgen', control: { kind: 'none' } } as const;
  await engine.client.targets.save({ id: target.id, spec: { ...target.spec, server }, secret });
});
afterAll(async () => {
  await engine?.close();
  await bed?.close();
});

async function changePassword(): Promise<void> {
  const { address, port, user, password } = bed.database;
  const connection = await createConnection({ host: address, port, user, password });
  const [accounts] = await connection.query<RowDataPacket[]>('SELECT Host AS host FROM mysql.user WHERE User = ?', [
    user,
  ]);
  for (const { host } of accounts) await connection.query('ALTER USER ?@? IDENTIFIED BY ?', [user, host, secret]);
  await connection.end();
}

/** Every file below a folder. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());

/** Everything `ps` can show of every process of this machine right now. */
const commandLines = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch (error) {
        // Processes end while they are being listed.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH')
          return [];
        throw error;
      }
    });

it('never exposes a password: not in ps, on a disk, in a log or in an export', async () => {
  const { client, dataDir } = engine;
  const text = `kneepoint: 1
name: Canary
workload: { tool: sysbench, options: { script: oltp_read_only, tables: 1, table-size: 500, rate: 20 } }
where: { generators: [loadgen], target: mariadb }
measure: { warmup: 0, duration: 100 }
`;
  const { id } = await client.sessions.start({ text });
  const shown = new Set<string>();
  let sampling = true;
  let sysbenchSeen = false;
  let clientSeen = false;
  const sampler = (async () => {
    let stopped = false;
    while (sampling) {
      const lines = commandLines();
      sysbenchSeen ||= lines.some((line) => line.startsWith('sysbench\0') && line.includes('oltp_read_only'));
      clientSeen ||= lines.some(
        (line) => /^(mariadb|mysql)\0--defaults-file=/.test(line) && line.includes(bed.generator.home),
      );
      for (const line of lines) if (line.includes(secret)) shown.add(line);
      // Until both were seen.
      if (sysbenchSeen && clientSeen && !stopped) {
        stopped = true;
        await client.sessions.stop({ id });
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'log') for (const entry of event.entries) expect(entry.message).not.toContain(secret);
  }
  sampling = false;
  await sampler;
  expect([...shown]).toEqual([]);
  expect(sysbenchSeen, 'sysbench itself was among the processes looked at').toBe(true);
  expect(clientSeen, 'and the client that watches the server on its host').toBe(true);
  expect((await client.sessions.get({ id })).session.state).toBe('stopped');
  for (const format of ['csv', 'csv-cells', 'json', 'pdf'] as const) {
    const { bytes } = await client.reports.make({ sessionId: id, format });
    expect(Buffer.from(bytes).includes(secret)).toBe(false);
  }
  await engine.restart();
  const jobs = path.join(bed.generator.home, '.local/state/kneepoint');
  for (const file of [...filesBelow(dataDir), ...filesBelow(jobs)]) {
    expect(readFileSync(file).includes(secret), file).toBe(false);
  }
});
