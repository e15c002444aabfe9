import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import type { Server } from '../servers/server.ts';
import { FakeChanger, grantsClaims } from '../session/testing/fake-changer.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import type { TargetSession } from '../targets/target.ts';
import { changedNow, restoreChanges, restoredWords } from '../world/index.ts';

skipPauses();

let bed: SessionBed;
let server: Server;
/** Actions on the server, in order. */
let done: string[];
/** Whether the server is running. */
let isUp: boolean;
/** Effect of a restart. */
let restart: (signal: AbortSignal) => Promise<void>;
beforeEach(async () => {
  bed = new SessionBed();
  done = [];
  isUp = true;
  restart = async () => {
    done.push('restart');
  };
  const rows = bed.addServer();
  rows.rows.set('things', 5);
  const { open } = bed.targets;
  const place: TargetSpec = {
    name: 'db',
    kind: 'mysql',
    via: null,
    config: {},
    server: { host: 'one', control: { kind: 'systemd', unit: 'db', sudo: false } },
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
  const noted = (what: string, up: boolean) => async () => {
    if (isUp !== up) done.push(what);
    isUp = up;
  };
  const refuse = (): never => {
    throw new Error('Nobody asks for this.');
  };
  server = {
    ...{ control: 'systemd', settingsFile: undefined, state: async () => (isUp ? 'running' : 'stopped') },
    ...{ reload: refuse, restart: (signal: AbortSignal) => restart(signal) },
    ...{ start: noted('start', true), stop: noted('stop', false), kill: noted('kill', false) },
  };
  bed.servers = { of: () => server };
  await bed.reopen();
});
afterEach(() => bed.close());

const start = (events: string, trials = 1): number =>
  bed.start({ target: 'db', options: ', rows: 5', data: 'keep', trials, measure: `, events: ${events}` });
const finish = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
const journal = (id: number) => bed.store.journal.ofSession(id);
const scenario = (id: number) => bed.store.events.ofSession(id, ['scenario'], 0, 100);

describe('the events of a trial', () => {
  it('run once at their time, and appear in the timeline', async () => {
    const id = start('[{ at: 0.7, do: statement, statement: FLUSH }, { at: 0.2, do: restart }]');
    const job = await bed.running(id, 0);
    expect(done).toEqual([]);
    bed.now += 300;
    await bed.until(id, () => done.length === 1);
    bed.now += 500;
    await bed.until(id, () => done.length === 2);
    finish(job);
    await bed.sessions.settled(id);
    expect(done).toEqual(['restart', 'FLUSH']);
    expect(scenario(id).map(({ t, message }) => [t, message])).toEqual([
      [0.3, 'The server of “db” is restarted.'],
      [0.8, 'A statement is sent to “db”: FLUSH'],
    ]);
    expect(bed.states(id)).toEqual(['done']);
  });

  it('are skipped if not due when the tool ends', async () => {
    const id = start('[{ at: 0.2, do: restart }]');
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    expect([done, scenario(id)]).toEqual([[], []]);
  });

  it('run a command on the server host and report its failure', async () => {
    const asked: string[] = [];
    bed.machines.get('one').answer = (script) => {
      const [, nonce] = /^nonce=(\w+)$/m.exec(script) ?? [];
      if (!script.includes('pkill')) return { code: 0, stdout: '', stderr: '' };
      asked.push(script);
      return { code: 0, stdout: `@@${nonce} ended 1\nno such process\n`, stderr: '' };
    };
    const id = start('[{ at: 0, do: run, command: pkill -9 mariadbd }]');
    const job = await bed.running(id, 0);
    await bed.until(id, () => (bed.runs(id)[0]?.findings.length ?? 0) > 0);
    finish(job);
    await bed.sessions.settled(id);
    expect(asked).toHaveLength(1);
    expect(bed.runs(id)[0]?.findings[0]?.message).toContain('ended with exit code 1: no such process');
    expect(scenario(id).map(({ message }) => message)).toEqual(['A command is run: pkill -9 mariadbd']);
  });

  it('run in every trial', async () => {
    const id = start('[{ at: 0, do: restart }]', 2);
    for (const trial of [0, 1]) {
      const job = await bed.running(id, trial);
      await bed.until(id, () => done.length === trial + 1);
      finish(job);
    }
    await bed.sessions.settled(id);
    expect(done).toEqual(['restart', 'restart']);
  });

  it('start a stopped server again, at the latest at the end of the trial', async () => {
    const id = start('[{ at: 0, do: stop }, { at: 0.9, do: start }]');
    const job = await bed.running(id, 0);
    await bed.until(id, () => done.length === 1);
    // The tool does not survive it.
    job.print('1 100\n');
    job.end(1);
    await bed.sessions.settled(id);
    expect(done).toEqual(['stop', 'start']);
    expect(journal(id)).toMatchObject([{ oldValue: 'running', wanted: 'stopped', state: 'restored' }]);
  });

  it('kill a server, and start it at the end of the trial unless it is running', async () => {
    const id = start('[{ at: 0, do: kill }]', 2);
    const first = await bed.running(id, 0);
    await bed.until(id, () => done.length === 1);
    finish(first);
    const second = await bed.running(id, 1);
    await bed.until(id, () => done.length === 3);
    // As systemd restarts it.
    isUp = true;
    finish(second);
    await bed.sessions.settled(id);
    expect(done).toEqual(['kill', 'start', 'kill']);
    expect(journal(id)).toMatchObject([{ state: 'restored' }, { state: 'restored' }]);
  });

  it('keep a killed server in the journal until it was started, even if it appears to run again', async () => {
    server.kill = async () => {
      done.push('kill');
    };
    const id = start('[{ at: 0, do: kill }]');
    await bed.running(id, 0);
    await bed.until(id, () => bed.log(id).some(({ message }) => message.includes('is killed. That took')));
    isUp = false;
    bed.crash();
    const open = changedNow(bed.store, id);
    expect(open).toMatchObject([{ what: 'running state' }]);
    await restoreChanges(bed.runsContext(), open, { signal: new AbortController().signal });
    expect([done, journal(id)]).toMatchObject([['kill', 'start'], [{ state: 'restored' }]]);
  });

  it.each([true, false])('kill once if the link breaks meanwhile, and then check (it runs: %s)', async (runs) => {
    const one = bed.machines.get('one');
    let kills = 0;
    server.kill = async () => {
      kills += 1;
      isUp = runs;
      one.cut();
      queueMicrotask(() => one.restore());
      throw new KneepointError({ code: 'host-unreachable', host: 'one', message: 'The cable is out.' });
    };
    const id = start('[{ at: 0, do: kill }]');
    const job = await bed.running(id, 0);
    const killed = 'The server of “db” is killed. ';
    await bed.until(id, () => bed.log(id).some(({ message }) => message.includes(killed)));
    finish(job);
    await bed.sessions.settled(id);
    const message = bed.log(id).find(({ message }) => message.includes(killed))?.message;
    expect(message).toContain(runs ? 'it may have been killed and restarted' : 'That took');
    expect([kills, isUp]).toEqual([1, true]);
    expect(bed.runs(id)[0]?.findings.map(({ code }) => code)).toEqual(runs ? ['scenario-failed'] : []);
  });

  it('leave a stopped server in the journal when the app is killed, which starts it again later', async () => {
    const id = start('[{ at: 0, do: stop }]');
    await bed.running(id, 0);
    await bed.until(id, () => journal(id)[0]?.state === 'verified');
    bed.crash();
    const open = changedNow(bed.store, id);
    expect(open).toMatchObject([{ place: { kind: 'server', name: 'db' }, what: 'running state' }]);
    const { signal } = new AbortController();
    expect(await restoreChanges(bed.runsContext(), open, { signal })).toMatchObject([{ outcome: 'restored' }]);
    expect([done, changedNow(bed.store, id)]).toEqual([['stop', 'start'], []]);
  });

  it('have their own message about a server that was started again, or was not', () => {
    const of = { entry: 1, what: 'running state', place: { kind: 'server', name: 'db' }, first: 'running' } as const;
    const setting = { entry: 2, what: 'work_mem', place: { kind: 'server', name: 'db' }, first: '4MB' } as const;
    const words = restoredWords([
      { ...of, outcome: 'restored' },
      { ...setting, outcome: 'restored' },
      { ...of, outcome: 'failed', message: 'The disk is full.' },
    ]);
    expect(words).toEqual({
      done: 'Server “db” started again. 1 setting restored and read back: work_mem of server “db”: “4MB”.',
      left: ['Server “db” was not restarted. The disk is full.'],
    });
  });

  it('record a stop in the journal before the server is stopped', async () => {
    const seen: number[] = [];
    const { stop } = server;
    server.stop = async (signal) => {
      seen.push(journal(id).length);
      await stop(signal);
    };
    const id = start('[{ at: 0, do: stop }]');
    const job = await bed.running(id, 0);
    await bed.until(id, () => done.length === 1);
    finish(job);
    await bed.sessions.settled(id);
    expect(seen).toEqual([1]);
  });

  it('are not repeated after a restart of the app, which continues with the remaining ones', async () => {
    const id = start('[{ at: 0, do: statement, statement: FIRST }, { at: 0.5, do: statement, statement: SECOND }]');
    await bed.running(id, 0);
    await bed.until(id, () => done.length === 1);
    await bed.reopen();
    bed.sessions.continueInterrupted(id);
    const job = await bed.running(id, 0);
    bed.now += 600;
    await bed.until(id, () => done.length === 2);
    finish(job);
    await bed.sessions.settled(id);
    expect(done).toEqual(['FIRST', 'SECOND']);
  });

  it('leave no server down if the app ended during its restart', async () => {
    restart = (signal) => {
      isUp = false;
      bed.sessions.changes.changed(id);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('The app was closed.'))),
      );
    };
    const id = start('[{ at: 0, do: restart }]');
    await bed.running(id, 0);
    await bed.until(id, () => !isUp);
    await bed.reopen();
    bed.sessions.continueInterrupted(id);
    const job = await bed.running(id, 0);
    await bed.until(id, () => done.length === 1);
    finish(job);
    await bed.sessions.settled(id);
    expect(done).toEqual(['start']);
  });

  it('report failures as findings of the run, which continues', async () => {
    restart = () => Promise.reject(new KneepointError({ code: 'server-not-back', message: 'db is down.' }));
    const id = start('[{ at: 0, do: restart }]');
    const job = await bed.running(id, 0);
    await bed.until(id, () => (bed.runs(id)[0]?.findings.length ?? 0) > 0);
    finish(job);
    await bed.sessions.settled(id);
    const [run] = bed.runs(id);
    expect(run).toMatchObject({
      state: 'done',
      findings: [
        {
          code: 'scenario-failed',
          message: expect.stringContaining('The server of “db” is restarted. It failed: db is down.'),
        },
      ],
    });
    if (run) expect((await bed.readAgain(run)).findings.map(({ code }) => code)).toEqual(['scenario-failed']);
  });

  it('report how deep the rate fell and when it recovered', async () => {
    const id = start('[{ at: 0.9, do: restart }]');
    const job = await bed.running(id, 0);
    bed.now += 30_000;
    await bed.until(id, () => done.length === 1);
    const rate = (t: number): number => (t > 30 && t <= 38 ? 10 : 100 + (t % 3));
    job.print(Array.from({ length: 80 }, (_, second) => `${second + 1} ${rate(second + 1)}\n`).join(''));
    job.end(0);
    await bed.sessions.settled(id);
    const [run] = bed.runs(id);
    const effect = run?.findings.find(({ code }) => code === 'scenario-effect');
    expect(effect?.message).toMatch(
      /^Second 30: The server of “db” is restarted\. .* fell at once from 101 to 10, by 90 %/,
    );
    expect(effect?.message).toContain('recovered after 8 s');
    expect(effect?.recovery).toEqual({
      ...{ at: 0.9, event: 'The server of “db” is restarted.', seconds: 8 },
      depth: expect.closeTo(91 / 101, 6),
    });
    if (run) expect((await bed.readAgain(run)).findings).toEqual(run.findings);
  });

  it('report when the rate recovered after a kill, including the start of the server', async () => {
    const takes = (what: string, seconds: number) => async () => {
      done.push(what);
      bed.now += seconds * 1000;
    };
    server = { ...server, kill: takes('kill', 4), start: takes('start', 30) };
    const id = start('[{ at: 0.7, do: kill }, { at: 0.8, do: start }, { at: 0.9, do: statement, statement: FLUSH }]');
    const job = await bed.running(id, 0);
    bed.now += 30_000;
    await bed.until(id, () => done.length === 3);
    expect(scenario(id).map(({ t }) => t)).toEqual([30, 34, 64]);
    const rate = (t: number): number => (t > 30 && t <= 42 ? 0 : 100 + (t % 3));
    job.print(Array.from({ length: 90 }, (_, second) => `${second + 1} ${rate(second + 1)}\n`).join(''));
    job.end(0);
    await bed.sessions.settled(id);
    const [run] = bed.runs(id);
    const effects = run?.findings.flatMap(({ code, message }) => (code === 'scenario-effect' ? [message] : []));
    expect(effects).toEqual([
      expect.stringMatching(/^Second 30: The server of “db” is killed\. .* to 0, by 100 %, and recovered after 12 s\./),
      expect.stringMatching(/^Second 64: A statement is sent to “db”: FLUSH\. .*: no dip/),
    ]);
    if (run) expect((await bed.readAgain(run)).findings).toEqual(run.findings);
  });
});

describe('a setting that an event changes', () => {
  const SETTING = 'server db: work_mem';
  let changer: FakeChanger;
  beforeEach(() => {
    changer = new FakeChanger('server-setting');
    changer.world.set(SETTING, '4MB');
    bed.useChanger(changer);
    bed.machines.get('one').answer = grantsClaims;
  });
  const event = (at: number, value: string) => `{ at: ${at}, do: server-setting, setting: work_mem, value: ${value} }`;

  it('is read back and restored at the end of the trial', async () => {
    const id = start(`[${event(0, '8MB')}, ${event(0.5, '16MB')}]`);
    const job = await bed.running(id, 0);
    await bed.until(id, () => changer.done.length === 1);
    bed.now += 600;
    await bed.until(id, () => journal(id)[0]?.readBack === '16MB');
    expect(changer.world.get(SETTING)).toBe('16MB');
    finish(job);
    await bed.sessions.settled(id);
    expect(changer.done).toEqual(['set work_mem=8MB', 'set work_mem=16MB', 'back work_mem=4MB']);
    expect(journal(id)).toMatchObject([{ oldValue: '4MB', wanted: '16MB', state: 'restored' }]);
    expect(scenario(id).map(({ message }) => message)).toEqual([
      'The setting work_mem of “db” is set to 8MB.',
      'The setting work_mem of “db” is set to 16MB.',
    ]);
    expect(bed.runs(id)).toMatchObject([{ state: 'done', facts: [], findings: [] }]);
  });

  it('has the value of the cell in the next trial, not that of the event', async () => {
    const id = bed.start({
      ...{ target: 'db', options: ', rows: 5', data: 'keep', trials: 2, measure: `, events: [${event(0, '64MB')}]` },
      factors: '\n  - { name: mem, kind: server-setting, setting: work_mem, levels: [8MB] }',
    });
    for (const trial of [0, 1]) {
      const job = await bed.running(id, trial);
      await bed.until(id, () => changer.world.get(SETTING) === '64MB');
      finish(job);
      await bed.until(id, () => bed.runs(id)[trial]?.state === 'done');
    }
    await bed.sessions.settled(id);
    const each = ['set work_mem=8MB', 'set work_mem=64MB'];
    expect(changer.done).toEqual([...each, ...each, 'back work_mem=4MB']);
  });

  it('is a finding of the run if it reads differently, and is restored too', async () => {
    changer.becomes = () => '5MB';
    const id = start(`[${event(0, '8MB')}]`);
    const job = await bed.running(id, 0);
    await bed.until(id, () => (bed.runs(id)[0]?.findings.length ?? 0) > 0);
    finish(job);
    await bed.sessions.settled(id);
    expect(bed.runs(id)[0]?.findings[0]?.message).toContain('is “5MB” after it was set to “8MB”');
    expect(changer.world.get(SETTING)).toBe('4MB');
  });

  it('is restored if the app was closed before', async () => {
    const id = start(`[${event(0, '8MB')}]`);
    await bed.running(id, 0);
    await bed.until(id, () => journal(id)[0]?.state === 'verified');
    await bed.reopen();
    bed.sessions.continueInterrupted(id);
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    expect(changer.done).toEqual(['set work_mem=8MB', 'back work_mem=4MB']);
  });
});

describe('a start', () => {
  const refusal = async (events: string): Promise<string[]> => {
    const measure = `, events: ${events}`;
    const lines = await bed.preflight({ target: 'db', options: ', rows: 5', data: 'keep', trials: 1, measure });
    return lines.flatMap(({ id, finding }) => (id.startsWith('scenario') && finding ? [finding.message] : []));
  };

  it('is refused for an event that the target does not support', async () => {
    delete server.kill;
    expect(await refusal('[{ at: 0, do: kill }]')).toEqual([
      'Events cannot kill the server of “db”: its target has no kill command.',
    ]);
    const { spec } = bed.targets;
    bed.targets = {
      ...bed.targets,
      spec: (name) => ({ ...spec(name), server: { host: 'one', control: { kind: 'none' } } }),
    };
    expect(await refusal('[{ at: 0, do: stop }]')).toEqual([
      'Events cannot stop the server of “db”: its target has no server control.',
    ]);
  });
});
