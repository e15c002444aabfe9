import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { recoverySentences } from '../../src/shared/stats/index.ts';
import { formatNumber } from '../../src/shared/util/format.ts';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { freePort } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

const ACCOUNT = { user: 'bench', password: 'bench-password', database: 'bench' };
const KILLED = 12;
const STARTED = 16;
const CHANGED = 32;
const SECONDS = 42;
/** A server that does not answer is asked every four seconds, and a sample tells of the second before it. */
const ASKED_EVERY = 5;
/** What an event did to a rate, as the run says it. */
const EFFECT =
  /fell (?:at once|after [\d.]+ s) from (?<before>[\d,.]+) to (?<lowest>[\d,.]+), by (?<depth>\d+) %, and recovered after (?<back>[\d.]+) s\. That is about (?<lost>[\d,]+) \w+ fewer/;
const effectIn = (message: string): Record<'before' | 'lowest' | 'depth' | 'back' | 'lost', number> => {
  const found = EFFECT.exec(message)?.groups;
  expect(found, message).toBeDefined();
  const figure = (name: string): number => Number(found?.[name]?.replaceAll(',', ''));
  return {
    before: figure('before'),
    lowest: figure('lowest'),
    depth: figure('depth'),
    back: figure('back'),
    lost: figure('lost'),
  };
};
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

describe.skipIf(lacks('mariadbd') !== '')('events in a session that only watches', () => {
  let bed: HostsBed;
  let port: number;
  let id: number;
  beforeAll(async () => {
    bed = await startHostsBed(['db']);
    const { address, home } = bed.host('db');
    port = await freePort('127.0.0.1');
    const { user, password, database } = ACCOUNT;
    const control = {
      kind: 'managed',
      program: '/usr/sbin/mariadbd',
      folder: path.join(home, 'managed'),
      settings: {
        ...{ innodb_buffer_pool_size: '64M', innodb_log_file_size: '16M', performance_schema: 'OFF' },
        log_error: path.join(home, 'shop.log'),
      },
    } as const;
    const config = { address, port, user, database, allowCleartextPassword: true };
    const spec = { name: 'shop', kind: 'mysql', via: 'db', config, server: { host: 'db', control } };
    id = await bed.addTarget(spec, password);
  });
  // Events of the test before may have killed it.
  beforeEach(async () => {
    await bed.client.targets.startServer({ id });
  });
  afterAll(async () => {
    if (bed) await bed.client.targets.stopServer({ id });
    await bed?.close();
  });

  const connect = (): Promise<Connection> => createConnection({ host: bed.host('db').address, port, ...ACCOUNT });
  const setting = async (): Promise<number> => {
    const client = await connect();
    const [[row]] = await client.query<RowDataPacket[]>('SELECT @@global.max_connections AS value');
    await client.end();
    return Number(row?.value);
  };
  /** Load of its own on the server: up to ten statements a second, and again as soon as it is back. Returns when each was answered. */
  async function load(over: AbortSignal): Promise<number[]> {
    const answered: number[] = [];
    let client: Connection | undefined;
    while (!over.aborted) {
      try {
        client ??= await connect();
        await client.query('DO 0');
        answered.push(Date.now());
        // Many times as long as an answer takes: on a busy machine the rates before the kill and after it would otherwise differ.
        await delay(100);
      } catch {
        client?.destroy();
        client = undefined;
        await delay(100);
      }
    }
    client?.destroy();
    return answered;
  }

  it('kills and starts a server, changes a setting for the time of the trial, and reports the effect on its statements', async () => {
    const over = new AbortController();
    onTestFinished(() => over.abort());
    const first = await setting();
    const loading = load(over.signal);
    const text = `kneepoint: 1
name: Watched events
workload: { tool: observation }
where: { generators: [db], target: shop }
measure:
  duration: ${SECONDS}
  events:
    - { at: ${KILLED}, do: kill }
    - { at: ${STARTED}, do: start }
    - { at: ${CHANGED}, do: server-setting, setting: max_connections, value: ${first + 1} }
captures:
  - { name: log, file: ${path.join(bed.host('db').home, 'shop.log')}, host: db, marks: '(?<mark>Starting MariaDB|ready for connections)' }
primary: recovery_s
`;
    let changed: Promise<void> | undefined;
    const isChanged = async (): Promise<void> => {
      while (!over.signal.aborted && (await setting().catch(() => first)) === first) await delay(500);
    };
    const begin = async () => {
      changed = isChanged();
      await Promise.resolve();
    };
    const { session, runs } = await runSession(bed.client, text, begin, { seconds: 1 });
    expect(over.signal.aborted).toBe(false);
    await changed;
    over.abort();
    const answered = await loading;
    expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
    expect(runs).toHaveLength(1);
    const effects = async (): Promise<string[]> => {
      const [run] = await bed.client.sessions.runs({ id: session.id });
      return (run?.findings ?? []).flatMap(({ code, message }) => (code.startsWith('scenario') ? [message] : []));
    };
    // What was watched comes to its end a moment after the session.
    await expect.poll(effects).toHaveLength(2);
    const [killed = '', changing] = await effects();
    expect(killed).toMatch(/^Second \S+: The server of “shop” is killed\. Statements of “shop” /);
    const [window] = await bed.client.monitors.windows({ sessionId: session.id });
    const events = await bed.client.sessions.events({ id: session.id, kinds: ['scenario'] });
    const begun = (message: string) => events.find((event) => event.message === message);
    const { at: kill = Number.NaN, t } = begun('The server of “shop” is killed.') ?? {};
    const { at: start = Number.NaN } = begun('The server of “shop” is started.') ?? {};
    // The server's own words on the same axis: its log has whole seconds.
    const marks = await bed.client.sessions.events({ id: session.id, kinds: ['mark'] });
    expect(marks.map(({ message }) => message)).toEqual(['log: Starting MariaDB', 'log: ready for connections']);
    for (const mark of marks) {
      expect(mark.at).toBeGreaterThan(start - 1100);
      expect(mark.at).toBeLessThan(start + 15_000);
    }
    // Never before it is due; it is told on the clock of the run as that is known at its end.
    expect(t).toBeGreaterThanOrEqual(KILLED);
    const { zero = Number.NaN, pace = 1 } = window ?? {};
    const second = (kill - zero) / 1000 / pace;
    expect(killed).toContain(`Second ${formatNumber(Math.round(second * 10) / 10)}: `);
    // What the load itself saw: Kneepoint asks a few statements a second beside it.
    const longest = answered.slice(1).reduce(
      (most, each, index) => {
        const pause = [answered[index] ?? each, each] as const;
        return pause[1] - pause[0] > most[1] - most[0] ? pause : most;
      },
      [0, 0] as readonly [number, number],
    );
    const outage = (longest[1] - longest[0]) / 1000;
    // Nothing was answered between the end of the kill and the beginning of the start.
    expect(longest[0]).toBeLessThan(start);
    expect(longest[1]).toBeGreaterThan(start);
    const back = (longest[1] - kill) / 1000;
    const rateOf = (second: number): number =>
      answered.filter((each) => each > kill - (second + 1) * 1000 && each <= kill - second * 1000).length;
    const rates = Array.from({ length: 8 }, (_, second) => rateOf(second));
    const effect = effectIn(killed);
    expect(effect).toMatchObject({ lowest: 0, depth: 100 });
    expect(recoverySentences(await bed.client.sessions.runs({ id: session.id }))[0]).toBe(
      `Time to recover: ${effect.back} s. Second ${KILLED}: The server of “shop” is killed.`,
    );
    // The same as figures of the session, whose document makes the time its answer: that of the slowest recovery. On a busy machine
    // the changed setting may seem to have an effect too, even one that is not over at the end.
    const figureOf = async (metric?: string) =>
      (await bed.client.results.session({ sessionId: session.id, ...(metric !== undefined && { metric }) })).cells[0]
        ?.value;
    const [ended] = await bed.client.sessions.runs({ id: session.id });
    const times = (ended?.findings ?? []).flatMap(({ recovery }) => (recovery ? [recovery.seconds] : []));
    expect(times[0]).toBeCloseTo(effect.back, 0);
    expect(await figureOf()).toBe(times.includes(undefined) ? undefined : Math.max(...times.map(Number)));
    expect(await figureOf('recovery_depth_pct')).toBeCloseTo(100, 6);
    expect(effect.back, `back after ${back} s`).toBeGreaterThan(back - 1);
    expect(effect.back, `back after ${back} s`).toBeLessThan(back + ASKED_EVERY);
    // A busy machine answers less in some seconds; Kneepoint's own are not cut where these are.
    expect(effect.before, `of ${rates}`).toBeGreaterThan(0.5 * Math.min(...rates));
    expect(effect.before, `of ${rates}`).toBeLessThan(2 * Math.max(...rates));
    // At least while nothing was answered, at most until the recovery.
    expect(effect.lost).toBeGreaterThan((effect.before * (outage - 1)) / 2);
    expect(effect.lost).toBeLessThan(effect.before * (effect.back + 1));
    // The server answers on; how evenly is a matter of what else the machine does.
    expect(changing).toContain(`is set to ${first + 1}. Statements of “shop” (/s)`);
    expect(changing).not.toContain('by 100 %');
    expectSame('the setting of the server', await setting(), first);
    expectSame('changes that are not put back', await bed.client.changes.list({}), []);
    const moments = await bed.client.monitors.moments({ sessionId: session.id });
    expect(moments.map(({ message }) => message)).toEqual([
      'The server of “shop” is killed.',
      'The server of “shop” is started.',
      `The setting max_connections of “shop” is set to ${first + 1}.`,
    ]);
  });

  atNight(it)(
    'says of a run how deep it fell and when it was back, as the seconds of its own tool have it',
    async () => {
      // Percent of the statements of a second that were answered, of one a second: how many a busy machine manages would be noise.
      const text = `kneepoint: 1
name: Killed in a run
workload:
  tool: command
  options:
    target: mysql
    command: |
      i=0
      while [ $i -lt {seconds} ]; do
        n=0; end=$(($(date +%s) + 1))
        if mariadb --connect-timeout=1 --host={host} --port={port} --user={user} --execute='DO 0' 2>/dev/null; then n=100; fi
        while [ $(date +%s) -lt $end ]; do sleep 0.1; done
        i=$((i + 1)); echo "$i: $n done"
      done
    pattern: '^(?<t>\\d+): (?<rate>\\d+) done'
    metrics: rate = ops
where: { generators: [db], target: shop }
measure:
  duration: 32
  events: [{ at: ${KILLED}, do: kill }, { at: ${STARTED}, do: start }]
`;
      const { session, runs } = await runSession(bed.client, text);
      expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
      const [run] = runs;
      const effects = run?.findings.flatMap(({ code, message }) => (code === 'scenario-effect' ? [message] : [])) ?? [];
      expect(effects).toEqual([expect.stringMatching(/^Second \S+: The server of “shop” is killed\./)]);
      const effect = effectIn(effects[0] ?? '');
      const events = await bed.client.sessions.events({ id: session.id, kinds: ['scenario'] });
      const kill = events[0]?.t ?? Number.NaN;
      const [ops] = await bed.client.results.series({ runIds: [run?.id ?? 0], metrics: ['ops'] });
      const seconds = Array.from(ops?.t ?? [], (t, index) => ({ t, rate: ops?.v[index] ?? Number.NaN }));
      const before = median(seconds.filter(({ t }) => t <= kill).map(({ rate }) => rate));
      const low = seconds.filter(({ t, rate }) => t > kill && rate < before / 4);
      expect(Math.min(...low.map(({ rate }) => rate))).toBe(0);
      const back = (low.at(-1)?.t ?? Number.NaN) - kill;
      expect(effect).toMatchObject({ before, lowest: 0, depth: 100 });
      // The second in which it came back is one in part.
      expect(effect.back, `${back} s seen`).toBeGreaterThan(back - 0.2);
      expect(effect.back, `${back} s seen`).toBeLessThan(back + 2);
      // A part of the second in which it was killed, and of the one in which it came back.
      const missing = low.reduce((sum, { rate }) => sum + before - rate, 0);
      expect(Math.abs(effect.lost - missing)).toBeLessThanOrEqual(2 * before);
    },
  );

  atNight(it)('starts a load again that died with its server, and says how long that took', async () => {
    const text = `kneepoint: 1
name: Killed under load
workload:
  tool: sysbench
  options: { script: oltp_point_select, tables: 1, table-size: 1000, threads: 2, rate: 100 }
  data: recreate
where: { generators: [db], target: shop }
measure:
  duration: 36
  tool-died: restart
  events: [{ at: ${KILLED}, do: kill }, { at: ${STARTED}, do: start }]
`;
    const { session, runs } = await runSession(bed.client, text);
    expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
    const [run] = runs;
    const codes = run?.findings.map(({ code }) => code) ?? [];
    expect(codes).toEqual(expect.arrayContaining(['tool-restarted', 'scenario-effect']));
    const { tool_restarts: restarts = 0, tool_down_s: down = 0 } = run?.summary ?? {};
    expect(restarts).toBeGreaterThan(0);
    expect(down).toBeGreaterThan(STARTED - KILLED - 2);
    expect(down).toBeLessThan(15);
    const effects = run?.findings.find(({ recovery }) => recovery);
    expect(effects?.recovery).toMatchObject({ at: KILLED, depth: 1 });
    expect(Math.abs((effects?.recovery?.seconds ?? 0) - down)).toBeLessThan(3);
    const [tps] = await bed.client.results.series({ runIds: [run?.id ?? 0], metrics: ['tps'] });
    expect(tps?.t.at(-1)).toBeGreaterThan(33);
    expect(tps?.t.length).toBeGreaterThan(30);
    // The mean has the outage in it.
    const { cells, runFigures } = await bed.client.results.session({ sessionId: session.id });
    expect(cells[0]?.value).toBeLessThan(100 * (1 - (down - 2) / 36));
    expect(runFigures).toEqual(expect.arrayContaining(['recovery_s', 'tool_down_s', 'tool_restarts']));
  });
});
