import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { RunWindow } from '../../src/shared/model/monitored.ts';
import { atNight, byDay } from '../../src/shared/util/testing/depth.ts';
import { type DatabaseServer, startPostgres } from '../testbed/databases/index.ts';
import { startSshd, type TestSshd } from '../testbed/sshd/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

const HOUR_MS = 3_600_000;
const TICKS = 100;

let sshd: TestSshd;
let engine: TestEngine;
beforeAll(async () => {
  sshd = await startSshd({ bashrc: 'PATH=$HOME/bin:$PATH' });
  // A host whose clock is three hours behind: everything there that reads the time runs `date`.
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

async function measure(text: string): Promise<{ session: number; run: number; window: RunWindow }> {
  const { client } = engine;
  const { id } = await client.sessions.start({ text });
  for await (const _ of client.sessions.watch({ id }));
  const [run] = await client.sessions.runs({ id });
  expect(run?.state, run?.message ?? '').toBe('done');
  const [window] = await client.monitors.windows({ sessionId: id });
  if (!run || !window) throw new Error('There is no run.');
  return { session: id, run: run.id, window };
}

const document = (workload: string, seconds: number, target = ''): string => `kneepoint: 1
name: Clocks
workload: ${workload}
where: { generators: [behind]${target} }
measure: { duration: ${seconds} }
`;

it('records the end of a trial on the local clock, however wrong the host clock is', async () => {
  const { client } = engine;
  const before = Date.now();
  const { session, run: runId } = await measure(document('{ tool: sysbench, options: { script: cpu, rate: 20 } }', 2));
  const run = (await client.sessions.runs({ id: session })).find(({ id }) => id === runId);
  expect((await client.sessions.get({ id: session })).hosts[0]?.facts?.clockOffsetMs).toBeGreaterThan(2 * HOUR_MS);
  // The host records whole seconds.
  expect((run?.endedAt ?? 0) - (run?.startedAt ?? 0)).toBeGreaterThanOrEqual(1000);
  expect(run?.endedAt).toBeGreaterThanOrEqual(before);
  expect(run?.endedAt).toBeLessThanOrEqual(Date.now());
});

const TOOLS = [
  ['sysbench', '{ tool: sysbench, options: { script: cpu, rate: 20 } }'],
  [
    'fio',
    '{ tool: fio, options: { directory: DISK, size: 4m, bs: 4k, rw: randread, direct: false, ioengine: psync } }',
  ],
] as const;

describe('second 0 of a tool, on the local clock', () => {
  const SECONDS = 8;

  it('matches a command that prints the true time', async () => {
    const { session, run, window } = await measure(`kneepoint: 1
name: Clocks
workload:
  tool: command
  options:
    command: |
      i=0
      while [ $i -lt {seconds} ]; do i=$((i + 1)); sleep 1; echo "$(/bin/date +%s.%N) 5 done"; done
    pattern: '^(?<t>[\\d.]+) (?<rate>\\d+) done'
    metrics: rate = ops
where: { generators: [behind] }
measure: { duration: ${SECONDS} }
`);
    // Its first line is printed at the end of its first second.
    const printed = await engine.client.results.raw({ runId: run, stream: 'stdout' });
    const first = Number(new TextDecoder().decode(printed.bytes).split(' ')[0]);
    expect(window.errorMs).toBeLessThan(600);
    expect(Math.abs(window.zero - (first - 1) * 1000)).toBeLessThanOrEqual(window.errorMs ?? 0);
    // Reading the run again gives the same result.
    await engine.client.sessions.reingest({ id: session });
    expectSame('the window of the run', await engine.client.monitors.windows({ sessionId: session }), [window]);
  });

  /**
   * When the tool of the newest job started, and when its supervisor had written its end, in milliseconds of the clock that all hosts share here.
   */
  function seenFromOutside(): { started: number; ended: number } {
    const jobs = path.join(sshd.home, '.local/state/kneepoint/jobs');
    const [newest = ''] = readdirSync(jobs)
      .map((name) => path.join(jobs, name))
      .sort((a, b) => statSync(path.join(b, 'tool')).mtimeMs - statSync(path.join(a, 'tool')).mtimeMs);
    const [, ticks = ''] = readFileSync(path.join(newest, 'tool'), 'latin1').split(' ');
    const uptime = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
    return {
      started: Date.now() + (Number(ticks) / TICKS - uptime) * 1000,
      ended: statSync(path.join(newest, 'end')).mtimeMs,
    };
  }

  /** It is after the start of the tool's process, and precedes the process's end by the measured time. */
  function expectBetween({ zero, errorMs = Number.NaN }: RunWindow): void {
    const { started, ended } = seenFromOutside();
    expect(errorMs).toBeLessThanOrEqual(1000);
    expect(zero + errorMs).toBeGreaterThanOrEqual(started - 20);
    expect(zero - errorMs).toBeLessThanOrEqual(ended - SECONDS * 1000);
  }

  it.each(byDay(TOOLS, ([tool]) => tool === 'sysbench'))('is determined for %s', async (_, workload) => {
    const disk = path.join(sshd.home, 'disk');
    mkdirSync(disk, { recursive: true });
    const { window } = await measure(document(workload.replace('DISK', disk), SECONDS));
    expectBetween(window);
  });

  atNight(describe)('for pgbench, which reports on standard error', () => {
    let postgres: DatabaseServer;
    beforeAll(async () => {
      postgres = await startPostgres({ settings: { fsync: 'off' } });
      const { address, port, user, database, password } = postgres;
      await engine.client.targets.save({
        spec: { name: 'postgres', kind: 'postgres', via: 'behind', config: { address, port, user, database } },
        secret: password,
      });
    });
    afterAll(() => postgres?.stop());

    it('is determined', async () => {
      const pgbench = '{ tool: pgbench, data: create, options: { script: select-only, scale: 1, rate: 50 } }';
      const { window } = await measure(document(pgbench, SECONDS, ', target: postgres'));
      expectBetween(window);
    });
  });
});
