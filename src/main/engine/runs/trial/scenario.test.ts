import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { TargetSpec } from '../../../../shared/model/target.ts';
import type { FakeJob } from '../../jobs/testing/fake-job.ts';
import type { Server } from '../../servers/server.ts';
import type { TargetSession } from '../../targets/target.ts';
import { SessionBed } from '../testing/session-bed.ts';

let bed: SessionBed;
/** What was done to the server, in order. */
let done: string[];
/** What restarting it does. */
let restart: (signal: AbortSignal) => Promise<void>;
beforeEach(async () => {
  bed = new SessionBed();
  done = [];
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
  const noted = (what: string) => async () => {
    done.push(what);
  };
  const refuse = (): never => {
    throw new Error('Nobody asks for this.');
  };
  const server: Server = {
    ...{ control: 'systemd', settingsFile: undefined, state: refuse, reload: refuse },
    ...{ start: noted('start'), stop: noted('stop'), restart: (signal: AbortSignal) => restart(signal) },
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
const scenario = (id: number) => bed.store.events.ofSession(id, ['scenario'], 0, 100);

describe('the scenario of a trial', () => {
  it('does each event when its second has come, once, and tells it in the timeline', async () => {
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

  it('leaves out what is not due when the tool ends', async () => {
    const id = start('[{ at: 0.2, do: restart }]');
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    expect([done, scenario(id)]).toEqual([[], []]);
  });

  it('runs a command on the host of the server, and says how it failed', async () => {
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

  it('is done in every trial', async () => {
    const id = start('[{ at: 0, do: restart }]', 2);
    for (const trial of [0, 1]) {
      const job = await bed.running(id, trial);
      await bed.until(id, () => done.length === trial + 1);
      finish(job);
    }
    await bed.sessions.settled(id);
    expect(done).toEqual(['restart', 'restart']);
  });

  it('starts a server again that it has stopped, with the end of the trial at the latest', async () => {
    const id = start('[{ at: 0, do: stop }, { at: 0.9, do: start }]');
    const job = await bed.running(id, 0);
    await bed.until(id, () => done.length === 1);
    // The tool does not survive it.
    job.print('1 100\n');
    job.end(1);
    await bed.sessions.settled(id);
    expect(done).toEqual(['stop', 'start']);
  });

  it('is not done again when the app is started again, and goes on with what is left', async () => {
    const id = start('[{ at: 0, do: statement, statement: FIRST }, { at: 0.5, do: statement, statement: SECOND }]');
    await bed.running(id, 0);
    await bed.until(id, () => done.length === 1);
    await bed.reopen();
    bed.sessions.goOn(id);
    const job = await bed.running(id, 0);
    bed.now += 600;
    await bed.until(id, () => done.length === 2);
    finish(job);
    await bed.sessions.settled(id);
    expect(done).toEqual(['FIRST', 'SECOND']);
  });

  it('leaves no server down in whose restart the app has ended', async () => {
    restart = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('The app was closed.'))));
    const id = start('[{ at: 0, do: restart }]');
    await bed.running(id, 0);
    await bed.until(id, () => scenario(id).length === 1);
    await bed.reopen();
    bed.sessions.goOn(id);
    const job = await bed.running(id, 0);
    await bed.until(id, () => done.length === 1);
    finish(job);
    await bed.sessions.settled(id);
    expect(done).toEqual(['start']);
  });

  it('tells what failed as a finding of the run, which goes on', async () => {
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
    if (run) expect(bed.readAgain(run).findings.map(({ code }) => code)).toEqual(['scenario-failed']);
  });

  it('says how deep the rate fell and when it was back', async () => {
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
    expect(effect?.message).toContain('was back after 8 s');
    if (run) expect(bed.readAgain(run).findings).toEqual(run.findings);
  });
});

describe('a start', () => {
  const refusal = async (events: string): Promise<string[]> => {
    const measure = `, events: ${events}`;
    const lines = await bed.preflight({ target: 'db', options: ', rows: 5', data: 'keep', trials: 1, measure });
    return lines.flatMap(({ id, finding }) => (id.startsWith('scenario') && finding ? [finding.message] : []));
  };

  it('is refused for an event that is never due, and for one that the target cannot do', async () => {
    expect(await refusal('[{ at: 1, do: restart }]')).toEqual([
      'The event “restart” at second 1 is never due: a trial ends at second 1.',
    ]);
    const { spec } = bed.targets;
    bed.targets = {
      ...bed.targets,
      spec: (name) => ({ ...spec(name), server: { host: 'one', control: { kind: 'none' } } }),
    };
    expect(await refusal('[{ at: 0, do: stop }]')).toEqual([
      'No event can stop the server of “db”: its target does not say how it is started.',
    ]);
  });
});
