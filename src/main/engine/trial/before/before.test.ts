import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { TargetSpec } from '../../../../shared/model/target.ts';
import { skipPauses } from '../../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../../jobs/testing/fake-job.ts';
import type { Server } from '../../servers/server.ts';
import { SessionBed } from '../../session/testing/session-bed.ts';
import type { TargetSession } from '../../targets/target.ts';

skipPauses();

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
});
afterEach(() => bed.close());

const measures = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
const MIB = 1024;
const meminfo = (cached: number): string =>
  `Buffers: 0 kB\nCached: ${cached * MIB} kB\nShmem: 0 kB\nSReclaimable: 0 kB\n`;
const DROPPED = `${meminfo(900)}dropped\n${meminfo(20)}`;
const busy = (up: number, dirty: number, written: number): string =>
  `up ${up}\nDirty: ${dirty * MIB} kB\nWriteback: 0 kB\nwritten sda ${written * 2048}\n`;
const codes = (id: number): string[][] => bed.runs(id).map(({ findings }) => findings.map(({ code }) => code));

/** Actions in order: scripts on the first host by subject. Each takes a second. */
function watchHost(answers: { caches?: string; quiet?: () => string } = {}): string[] {
  const done: string[] = [];
  bed.machines.get('one').answer = (script) => {
    bed.monotonic += 1000;
    if (script.includes('drop_caches')) {
      done.push('caches');
      const stdout = answers.caches ?? DROPPED;
      return { code: stdout === '' ? 3 : 0, stdout, stderr: stdout === '' ? 'Permission denied\n' : '' };
    }
    if (script.includes('/proc/diskstats')) {
      done.push('quiet');
      return { code: 0, stdout: answers.quiet?.() ?? busy(bed.monotonic / 1000, 3, 0), stderr: '' };
    }
    return { code: 0, stdout: '', stderr: '' };
  };
  return done;
}

/** A target on the first host that records its statements and restarts. */
async function watchServer(done: string[], restart: (target: string) => Promise<void>): Promise<void> {
  const server = bed.addServer();
  server.rows.set('things', 5);
  const { open } = bed.targets;
  const place: TargetSpec = {
    name: 'db',
    kind: 'mysql',
    via: null,
    config: {},
    server: { host: 'one', control: { kind: 'none' } },
  };
  bed.targets = {
    ...bed.targets,
    spec: () => place,
    open: async (name, signal) => {
      const session = (await open(name, signal)) as TargetSession;
      return {
        ...session,
        run: async (statement) => {
          done.push(statement);
          return '1';
        },
      };
    },
  };
  bed.servers = { of: (target) => ({ ...REFUSING, restart: () => restart(target) }) };
  // The engine receives the servers at its start.
  await bed.reopen();
}
const refuse = (): never => {
  throw new Error('Nobody asks for this.');
};
const REFUSING: Server = {
  ...{ control: 'none', settingsFile: undefined },
  ...{ state: refuse, start: refuse, stop: refuse, reload: refuse, restart: refuse },
};
const ON_SERVER = { target: 'db', options: ', rows: 5', data: 'keep' as const };

describe('before each trial', () => {
  it('runs the requested steps in order and stores them with the run', async () => {
    const done = watchHost();
    await watchServer(done, async () => {
      done.push('restart');
    });
    bed.script.push(measures, measures);
    const id = bed.start({
      ...ON_SERVER,
      measure: ', before: { until: SELECT ready, statement: CALL warm, dirty: 8, caches: all, restart: true }',
    });
    await bed.sessions.settled(id);
    const each = ['restart', 'caches', 'CALL warm', 'quiet', 'SELECT ready'];
    expect(done).toEqual([...each, ...each]);
    const findings = [
      'server-restarted',
      'caches-dropped',
      'statement-run',
      'waited-until-quiet',
      'waited-until-quiet',
    ];
    expect(codes(id)).toEqual([findings, findings]);
    expect(bed.runs(id)[0]?.findings[1]?.message).toBe(
      'OS caches of one dropped before the trial: 900 MiB cached before, 20.0 MiB after.',
    );
    expect(bed.states(id)).toEqual(['done', 'done']);
  });

  it('restarts, clears and queries the server behind a proxy, and its host', async () => {
    const done = watchHost();
    await watchServer(done, async (target) => {
      done.push(`restart ${target}`);
    });
    bed.addServer('proxy', { behind: 'db', server: { host: 'two', control: { kind: 'none' } } });
    bed.script.push(measures);
    const id = bed.start({
      ...{ ...ON_SERVER, target: 'proxy', trials: 1 },
      measure: ', before: { until: SELECT ready, caches: server, restart: true }',
    });
    await bed.sessions.settled(id);
    expect(done).toEqual(['restart db', 'caches', 'SELECT ready']);
    expect(bed.states(id)).toEqual(['done']);
  });

  it('keeps the steps when a run is read again', async () => {
    watchHost();
    bed.script.push(measures);
    const id = bed.start({ trials: 1, measure: ', before: { caches: server }' });
    await bed.sessions.settled(id);
    const [run] = bed.runs(id);
    if (!run) throw new Error('There is one run.');
    expect((await bed.readAgain(run)).findings.map(({ code }) => code)).toContain('caches-dropped');
  });

  it('reports if most of the caches stayed', async () => {
    watchHost({ caches: `${meminfo(900)}dropped\n${meminfo(700)}` });
    bed.script.push(measures);
    const id = bed.start({ trials: 1, measure: ', before: { caches: generators }' });
    await bed.sessions.settled(id);
    expect(codes(id)).toEqual([['caches-dropped', 'caches-not-dropped']]);
    expect(
      bed.log(id).some(({ level, message }) => level === 'warn' && message.includes('remained after dropping')),
    ).toBe(true);
  });

  it('waits for writes to settle, and measures with a finding if they do not', async () => {
    let written = 0;
    let left = 3;
    watchHost({
      quiet: () => {
        if (left-- > 0) written += 100;
        return busy(bed.monotonic / 1000, 0, written);
      },
    });
    bed.script.push(measures);
    const id = bed.start({ trials: 1, measure: ', before: { writes: 5, patience: 60 }' });
    await bed.sessions.settled(id);
    expect(bed.runs(id)[0]?.findings).toMatchObject([
      { code: 'waited-until-quiet', message: 'Waited 4 s before the trial until one was quiet.' },
    ]);
    watchHost({ quiet: () => busy(bed.monotonic / 1000, 200, 0) });
    bed.script.push(measures);
    const never = bed.start({ trials: 1, measure: ', before: { dirty: 64, patience: 1 }' });
    await bed.sessions.settled(never);
    expect(bed.states(never)).toEqual(['done']);
    expect(bed.runs(never)[0]?.findings).toMatchObject([
      { code: 'not-quiet', message: expect.stringContaining('200 MiB of dirty pages, limit 64 MiB') },
    ]);
  });

  it('fails a trial with the reason if refused, and the session after three', async () => {
    watchHost({ caches: '' });
    const id = bed.start({ trials: 4, measure: ', before: { caches: server }' });
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['failed', 'failed', 'failed', 'pending']);
    expect(bed.runs(id)[0]).toMatchObject({
      message: expect.stringContaining('The OS caches of one cannot be dropped: Permission denied.'),
      startedAt: null,
      findings: [{ code: 'change-not-possible' }],
    });
  });

  it('fails a trial whose server does not come back', async () => {
    const done = watchHost();
    await watchServer(done, () =>
      Promise.reject(new KneepointError({ code: 'server-not-back', message: 'db is down.' })),
    );
    const id = bed.start({ ...ON_SERVER, trials: 1, measure: ', before: { restart: true }' });
    await bed.sessions.settled(id);
    expect(bed.runs(id)).toMatchObject([{ state: 'failed', message: expect.stringContaining('db is down.') }]);
  });

  it('reports an unknown server host', async () => {
    const server = bed.addServer();
    server.rows.set('things', 5);
    const id = bed.start({ ...ON_SERVER, trials: 1, measure: ', before: { caches: server }' });
    await bed.sessions.settled(id);
    expect(bed.runs(id)[0]?.message).toContain('The server host of “db” is unknown.');
  });

  it('is repeated if the engine ends during it', async () => {
    const done = watchHost({ quiet: () => busy(bed.monotonic / 1000, 200, 0) });
    const id = bed.start({ trials: 1, measure: ', before: { caches: server, dirty: 8 }' });
    await bed.until(id, () => bed.sessions.activity(id) === 'Waiting until one is quiet');
    await bed.reopen();
    expect(bed.states(id)).toEqual(['pending']);
    const again = watchHost();
    bed.script.push(measures);
    bed.sessions.continueInterrupted(id);
    await bed.sessions.settled(id);
    expect(done[0]).toBe('caches');
    expect(again).toEqual(['caches', 'quiet']);
    expect(codes(id)).toEqual([['caches-dropped', 'waited-until-quiet']]);
  });

  it('yields to a pause and starts again when the session continues', async () => {
    watchHost({ quiet: () => busy(bed.monotonic / 1000, 200, 0) });
    const id = bed.start({ trials: 1, measure: ', before: { dirty: 8 }' });
    await bed.until(id, () => bed.sessions.activity(id) === 'Waiting until one is quiet');
    bed.sessions.pause(id);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('paused');
    watchHost();
    bed.script.push(measures);
    await bed.sessions.resume(id);
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['done']);
  });

  it('waits for an unreachable host', async () => {
    const one = bed.machines.get('one');
    const done = watchHost();
    const { answer } = one;
    let cut = true;
    one.answer = (script) => {
      if (cut && script.includes('drop_caches')) {
        cut = false;
        one.cut();
        setTimeout(() => one.restore(), 5);
        one.requireUp();
      }
      return answer(script);
    };
    bed.script.push(measures);
    const id = bed.start({ trials: 1, measure: ', before: { caches: server }' });
    await bed.sessions.settled(id);
    expect(done).toEqual(['caches']);
    expect(bed.states(id)).toEqual(['done']);
  });
});
