import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { byDay } from '../../src/shared/util/testing/depth.ts';
import { type DatabaseServer, startMariaDb, startPostgres } from '../testbed/databases/index.ts';
import { toolJobs } from './testing/database-bed.ts';
import { answerOf, expectSameResult, HOST, QueriesBed } from './testing/queries-bed.ts';
import { toolFindings } from './testing/session.ts';

const KINDS = byDay(['mysql', 'postgres'] as const, (kind) => kind === 'mysql');

let bed: QueriesBed;
let mariadb: DatabaseServer;
let postgres: DatabaseServer | undefined;
beforeAll(async () => {
  bed = await QueriesBed.start();
  const { namespace } = bed.host;
  // On the host's loopback: not reachable by this address from elsewhere.
  const prefix = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace];
  mariadb = await startMariaDb({ prefix });
  await bed.addTarget('mysql', 'mysql', mariadb);
  if (!KINDS.includes('postgres')) return;
  postgres = await startPostgres({ prefix });
  await bed.addTarget('postgres', 'postgres', postgres);
}, 180_000);
afterAll(async () => {
  await bed?.close();
  await mariadb?.stop();
  await postgres?.stop();
});

// The previous test may have killed it.
beforeEach(() => bed.open());

const jobsFolder = (): string => path.join(bed.host.home, '.local/state/kneepoint/jobs');
const jobs = (): string[] =>
  toolJobs(bed.host)
    .map((folder) => path.basename(folder))
    .sort();

/** Holds a lock that a statement of the tests waits for, so that a trial runs as long as a test wants. */
async function locked(act: (gate: Connection) => Promise<void>): Promise<void> {
  const { socket, user, password } = mariadb;
  const gate = await createConnection({ socketPath: socket, user, password });
  try {
    await gate.query("SELECT GET_LOCK('gate', 0)");
    await act(gate);
  } finally {
    gate.destroy();
  }
}
const waiting = async (gate: Connection): Promise<number> => {
  const [rows] = await gate.query<RowDataPacket[]>(
    "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT GET_LOCK%' AND id <> CONNECTION_ID()",
  );
  return rows.length;
};
const GATED = `kneepoint: 1
name: Gated
workload:
  tool: queries
  options:
    executions: 4
    discard: 0
    server-plan: none
    queries: |
      -- @variant gate
      SELECT GET_LOCK('gate', 3600) AS open
where: { generators: [${HOST}], target: mysql }
measure: { duration: 3600 }
`;

it.each(KINDS)(
  'return the same results from the host as from this computer on %s, and the program is sent once',
  async (target) => {
    const there = await bed.template('queries-semi-joins', target, HOST);
    expect(there).toHaveLength(3);
    const done = jobs();
    expect(done.length).toBeGreaterThan(3);
    for (const run of there) {
      expect(run).toMatchObject({ state: 'done', summary: { executions_total: 3 } });
      expect(run.command).toBe('node queries.mjs settings.json');
      expect(toolFindings(run.findings).map(({ code }) => code)).toEqual(['query-plan', 'query-facts']);
    }
    const here = await bed.template('queries-semi-joins', target, 'this computer');
    expectSame('answers on the host', there.map(answerOf), here.map(answerOf));
    expect(jobs()).toEqual(done);
    expectSameResult(there);
    expect(readdirSync(path.join(jobsFolder(), '../shared'))).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  },
);

it('continue when Kneepoint is killed, and end as one run', async () => {
  const before = jobs();
  await locked(async (gate) => {
    const { id } = await bed.client.sessions.start({ text: GATED });
    await expect.poll(() => waiting(gate)).toBe(1);
    const [job = '', ...others] = jobs().filter((name) => !before.includes(name));
    expect(others).toEqual([]);
    const settings = path.join(jobsFolder(), job, 'secret', 'settings.json');
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    expect(readFileSync(settings, 'utf8')).toContain(mariadb.password);
    const lines = commandLines().filter((line) => line.includes(job));
    expect(lines.filter((line) => line.includes('queries.mjs'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(mariadb.password))).toEqual([]);

    await bed.kill();
    await gate.query("SELECT RELEASE_LOCK('gate')");
    await expect.poll(() => existsSync(path.join(jobsFolder(), job, 'end'))).toBe(true);
    expect(existsSync(settings)).toBe(false);
    await bed.open();
    expect(await bed.ended(id)).toMatchObject([{ state: 'done', partial: false, summary: { executions_total: 4 } }]);
    expectSame(
      'launches',
      jobs().filter((name) => !before.includes(name)),
      [job],
    );
  });
});

it('end on the server too when the session is stopped', async () => {
  await locked(async (gate) => {
    const { id } = await bed.client.sessions.start({ text: GATED });
    await expect.poll(() => waiting(gate)).toBe(1);
    await bed.client.sessions.stop({ id });
    expect(await bed.ended(id)).toMatchObject([{ state: 'stopped' }]);
    await expect.poll(() => waiting(gate)).toBe(0);
  });
});

it('are refused on a host with an outdated Node, and run from this computer', async () => {
  onTestFinished(() => bed.giveNode());
  bed.giveNode('v18.19.1');
  const text = GATED.replace("SELECT GET_LOCK('gate', 3600) AS open", 'SELECT 1');
  let lines: Awaited<ReturnType<typeof bed.client.experiments.list>> | unknown[] = [];
  for await (lines of bed.client.experiments.preflight({ text }));
  expect(lines).toContainEqual(
    expect.objectContaining({
      id: 'tool',
      state: 'block',
      finding: expect.objectContaining({
        code: 'tool-too-old',
        message: expect.stringMatching(
          /^On inside: \/.*\/node is too old: it is Node 18\.19\.1, and 20\.19 or newer is needed\.$/,
        ),
        next: expect.stringMatching(/another host as the generator, or this computer .* SSH connection/),
      }),
    }),
  );
  await expect(bed.client.sessions.start({ text })).rejects.toMatchObject({ problem: { code: 'preflight-refused' } });
  const { id } = await bed.client.sessions.start({ text: text.replace(HOST, 'this computer') });
  expect(await bed.ended(id)).toMatchObject([{ state: 'done', summary: { executions_total: 4 } }]);
});

/** Everything `ps` shows of every process of this machine. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch (error) {
        // Processes end while they are being listed.
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return [];
        throw error;
      }
    });
}
