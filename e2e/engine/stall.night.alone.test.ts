import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../src/shared/model/session.ts';
import { type DatabaseServer, freePort, startMariaDb } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

/** The second of the run at which the server is stopped, and for how long. */
const STOPPED_AT = 18;
const STOPPED_FOR = 4;
const SECONDS = 40;
/** The tool reports whole seconds, on a clock that is known to some tenths. */
const NEXT_SECOND = 1.5;
/** Events per second, so that the rate is even on a machine with other load. */
const RATE = 200;

describe.skipIf(!canMakeNetworks() || lacks('sysbench', 'mariadbd') !== '')('a server that stalls', () => {
  let bed: HostsBed;
  let mariadb: DatabaseServer;
  beforeAll(async () => {
    bed = await startHostsBed(['load', 'db']);
    const { address, namespace = '' } = bed.host('db');
    const prefix = ['ip', 'netns', 'exec', namespace];
    mariadb = await startMariaDb({ address, prefix, port: await freePort('127.0.0.1') });
    const { port, user, database, password } = mariadb;
    const config = { address, port, user, database, allowCleartextPassword: true };
    const place = { host: 'db', control: { kind: 'none' } } as const;
    await bed.addTarget({ name: 'shop', kind: 'mysql', via: 'load', config, server: place }, password);
  });
  afterAll(async () => {
    await mariadb?.stop();
    await bed?.close();
  });

  it('is reported as a stall of the run at its second, with the changes around it', async () => {
    const text = `kneepoint: 1
name: Stall
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 1000, threads: 4, rate: ${RATE} } }
where: { generators: [load], target: shop }
measure: { warmup: 2, duration: ${SECONDS} }
`;
    let [stopped, resumed] = [0, 0];
    const freeze = async ({ seconds }: Run) => {
      await delay((STOPPED_AT - seconds) * 1000);
      stopped = Date.now();
      mariadb.freeze();
      await delay(STOPPED_FOR * 1000);
      mariadb.thaw();
      resumed = Date.now();
    };
    const { session } = await runSession(bed.client, text, freeze, { seconds: 1 });
    expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
    const isJudged = async () => (await bed.client.results.session({ sessionId: session.id })).cells[0]?.bound;
    await expect.poll(isJudged).toBeDefined();
    const [judged] = await bed.client.results.judgements({ sessionId: session.id });
    const [window] = await bed.client.monitors.windows({ sessionId: session.id });
    const secondOf = (ms: number): number => (ms - (window?.zero ?? Number.NaN)) / 1000;
    const [from, to] = [secondOf(stopped), secondOf(resumed)];
    const stall = judged?.blackBox?.events.find((each) => each.kind === 'stall' && each.from < to && each.to > from);
    expect(stall, JSON.stringify(judged?.blackBox?.events.map(({ sentence }) => sentence))).toBeDefined();
    expect(stall?.depth).toBe(1);
    // The seconds in which it was stopped and continued also have some work.
    expect(Math.abs((stall?.from ?? 0) - from), stall?.sentence).toBeLessThan(NEXT_SECOND);
    expect(Math.abs((stall?.to ?? 0) - to), stall?.sentence).toBeLessThan(NEXT_SECOND);
    expect(stall?.sentence).toMatch(/^At second \d+ throughput stopped for \d s\. .*No samples from shop for [4-7] s,/);
    // Queued work completes at once when it continues, Kneepoint's own queries too: that is not a cause.
    expect(stall?.sentence).not.toContain('of shop rose');
    const codes = (await bed.client.sessions.runs({ id: session.id }))[0]?.findings.map(({ code }) => code);
    expect(codes).toContain('no-progress');
  });
});
