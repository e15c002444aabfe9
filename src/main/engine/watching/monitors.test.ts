import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import { leftoverMonitors } from './leftovers.ts';

skipPauses();

/** Prints `T` and a second, then `name value` lines, then a dot: a row is complete with its dot. */
const program = (): MonitorProgram => ({
  job: { argv: ['watch'], env: {}, files: [] },
  rules: [],
  keepsOutput: false,
  parser: () => {
    let row: { t: number; metrics: Record<string, number> } | undefined;
    let unread = 0;
    return {
      get unread() {
        return unread;
      },
      line(text) {
        const [name = '', value = ''] = text.split(' ');
        if (name === '?') unread += 1;
        else if (name === '!') throw new SyntaxError('That is no line.');
        else if (name === 'T') row = { t: Number(value), metrics: {} };
        else if (name === '.') return row;
        else if (row) row.metrics[name] = Number(value);
        return undefined;
      },
    };
  },
});
const second = (t: number): string => `T ${t}\nn ${t * 10}\n.\n`;

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
  bed.monitors = { host: program };
  bed.crash();
});
afterEach(() => bed.close());

const isMonitor = ({ spec }: FakeJob): boolean => spec.argv[0] === 'watch';
const monitorsOn = (host: string): FakeJob[] =>
  bed.jobs.all.filter((job) => isMonitor(job) && job.machine.name === host);
const sourceOf = (id: number, name = 'one') =>
  bed.store.sources.ofSession(id).find((source) => source.kind === 'host' && source.name === name);
const stored = (id: number): number[] => {
  const source = sourceOf(id);
  return source ? Array.from(bed.store.monitored.columns(source.id, ['n']).columns.get('n') ?? []) : [];
};
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
/** A session whose first trial is running, with a monitor that has printed two seconds. */
async function watched(trials = 1): Promise<{ id: number; monitor: FakeJob; trial: FakeJob }> {
  const id = bed.start({ trials });
  await until(() => monitorsOn('one').length === 1);
  const trial = await bed.running(id, 0);
  const [monitor] = monitorsOn('one');
  if (!monitor) throw new Error('There is no monitor.');
  monitor.print(second(1) + second(2));
  await until(() => stored(id).length === 2);
  return { id, monitor, trial };
}
const finish = (trial: FakeJob): void => {
  trial.print('1 100\n');
  trial.end(0);
};

describe('a session', () => {
  it('monitors its generators from before the first trial to its end, and stores all output', async () => {
    const { id, monitor, trial } = await watched();
    monitor.onStop = (cause) => {
      monitor.print(second(3));
      monitor.end(143, cause);
    };
    finish(trial);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(stored(id)).toEqual([10, 20, 30]);
    expect(monitor.status.state).toBe('ended');
    expect(bed.store.jobs.orphanJobs('one')).toEqual([]);
    expect(sourceOf(id)?.about).toEqual({
      roles: ['generator'],
      host: 'one',
      programs: { tool: ['fake'], server: [] },
    });
    expect(bed.store.sources.clocks(sourceOf(id)?.id ?? 0)).toHaveLength(1);
  });

  it.each([
    ['done', () => {}],
    ['paused', (id: number) => bed.sessions.pause(id)],
  ] as const)('leaves no monitors behind when the app is closed as soon as it is %s', async (state, ask) => {
    const { id, monitor, trial } = await watched(state === 'paused' ? 2 : 1);
    ask(id);
    const { jobs } = bed;
    const stop = jobs.stop.bind(jobs);
    // Its end is under way when the app closes.
    const underWay = new Promise<void>((resolve) => {
      jobs.stop = (machine, jobId, options) => {
        if (jobId !== monitor.spec.id) return stop(machine, jobId, options);
        jobs.stop = stop;
        resolve();
        return new Promise((_, reject) => {
          options?.signal?.addEventListener('abort', () => reject(new Error('Cut off.')));
        });
      };
    });
    finish(trial);
    await underWay;
    expect([bed.row(id).state, monitor.status.state]).toEqual([state, 'running']);
    await bed.reopen();
    expect(monitor.status.state).toBe('ended');
  });

  it('ends if the app is closed right after it was stopped, and its hosts respond', async () => {
    const { id, monitor, trial } = await watched(2);
    await bed.sessions.stop(id);
    await bed.reopen();
    expect([bed.row(id).state, trial.status.state, monitor.status.state]).toEqual(['stopped', 'ended', 'ended']);
  });

  it('ends if the app is closed while its tool still ends after a stop', async () => {
    const { id, monitor, trial } = await watched(2);
    trial.onStop = () => {};
    await bed.sessions.stop(id);
    await bed.reopen();
    expect([bed.row(id).state, trial.status.state, monitor.status.state]).toEqual(['stopping', 'running', 'ended']);
  });

  it('ends if the app is closed while nothing is measured, and starts again with the session', async () => {
    const { readFacts } = bed;
    bed.readFacts = (_, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('Cut off.'))));
    const id = bed.start({ trials: 1 });
    await until(() => monitorsOn('one').length === 1);
    await bed.reopen();
    expect(monitorsOn('one').map(({ status }) => status.state)).toEqual(['ended']);
    bed.readFacts = readFacts;
    await bed.sessions.resume(id);
    const trial = await bed.running(id, 0);
    await until(() => monitorsOn('one').length === 2);
    finish(trial);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
  });

  it('outlives the app only for the trial that runs on, until it is resumed', async () => {
    const { id, monitor, trial } = await watched();
    const whole = monitor.spec.limitSeconds;
    expect(whole).toBe(Math.ceil(bed.row(id).plannedSeconds) + 2 * 3600);
    await bed.reopen();
    // A trial of one second is ended after a minute more.
    expect([monitor.status.state, monitor.limitSeconds]).toEqual(['running', 61 + 600]);
    await bed.sessions.resume(id);
    await until(() => monitor.limitSeconds === whole);
    finish(trial);
    await bed.sessions.settled(id);
  });

  const UNWATCHED = `kneepoint: 1
name: Of a test
workload: { tool: fake }
where: { generators: [one] }
measure: { duration: 1, repeats: 2 }
monitors: { generators: false }
`;

  it('judges trials from before a kill of the app at its end, if nothing is monitored', async () => {
    bed.judge = () => {
      throw new Error('The app was killed before.');
    };
    bed.script.push(finish);
    const id = await bed.startText(UNWATCHED);
    const last = await bed.running(id, 1);
    bed.now += 60_000;
    await bed.reopen();
    const judged: number[] = [];
    bed.judge = ({ trial }) => {
      judged.push(trial);
      return [];
    };
    await bed.sessions.resume(id);
    finish(last);
    await bed.sessions.settled(id);
    expect(judged.sort()).toEqual([0, 1]);
  });

  it('monitors nothing if the document turns it off', async () => {
    bed.judge = () => [{ code: 'not-monitored', severity: 'warn', message: 'It was not watched.' }];
    bed.script.push(finish);
    const id = await bed.startText(UNWATCHED);
    const second = await bed.running(id, 1);
    expect(monitorsOn('one')).toEqual([]);
    // With nothing to wait for, a trial is judged when it has ended.
    expect(bed.runs(id)[0]?.findings.map(({ code }) => code)).toEqual(['not-monitored']);
    finish(second);
    await bed.sessions.settled(id);
  });

  it('continues at the end of the stored output when the app is closed and opened again during a row', async () => {
    const { id, monitor, trial } = await watched();
    monitor.print('T 3\nn 3');
    await bed.reopen();
    expect(monitor.status.state).toBe('running');
    monitor.print(`0\n.\n${second(4)}`);
    await bed.sessions.resume(id);
    await until(() => stored(id).length === 4);
    finish(trial);
    await bed.sessions.settled(id);
    expect(stored(id)).toEqual([10, 20, 30, 40]);
    expect(monitorsOn('one')).toHaveLength(1);
  });

  it('has one clock, whatever the clock of the host is set to', async () => {
    const booted = { roundTripMs: 2, bootMs: bed.now - 50_000 };
    bed.readClock = async () => ({ ...booted, offsetMs: 1000 });
    const prepared = bed.jobs.next();
    const id = bed.start({ trials: 1 });
    // The host's clock is a second behind when the monitor begins, 50 s after the host was started.
    const job = await prepared;
    job.print(`${bed.now / 1000 - 1} 50 0 0\n`, 'index');
    const clocks = () => bed.store.sources.clocks(sourceOf(id)?.id ?? 0);
    await until(() => clocks().length === 1);
    await bed.running(id, 0);
    await bed.reopen();
    bed.now += 20_000;
    bed.readClock = async () => ({ ...booted, offsetMs: 3_601_000 });
    await bed.sessions.resume(id);
    await until(() => clocks().length === 2);
    expect(clocks().map(({ offsetMs }) => offsetMs)).toEqual([1000, 1000]);
    expect((clocks()[1]?.t ?? 0) - (clocks()[0]?.t ?? 0)).toBeCloseTo(20, 6);
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
  });

  it('continues after the engine was killed, without losing or duplicating data', async () => {
    const { id, monitor } = await watched();
    bed.crash();
    monitor.print(second(3));
    await bed.sessions.resume(id);
    await until(() => stored(id).length === 3);
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
    expect(stored(id)).toEqual([10, 20, 30]);
  });

  it('restarts a monitor that ended with its host, and keeps its data', async () => {
    const { id, monitor, trial } = await watched();
    monitor.reboot();
    await until(() => monitorsOn('one').length === 2);
    monitorsOn('one')[1]?.print(second(60));
    await until(() => stored(id).length === 3);
    finish(trial);
    await bed.sessions.settled(id);
    expect(stored(id)).toEqual([10, 20, 600]);
    expect(bed.store.monitored.jobs(sourceOf(id)?.id ?? 0).map(({ ended }) => ended)).toEqual([true, true]);
  });

  it('measures on if a host cannot be monitored, and reports the reason', async () => {
    const refusal = new KneepointError({ code: 'disk-full', message: 'No room on one.', host: 'one' });
    bed.jobs.refuse(refusal);
    bed.script.push(finish);
    const id = bed.start({ trials: 1 });
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(bed.log(id).map(({ message }) => message)).toContain(
      'Watching the host “one” is interrupted: No room on one.',
    );
  });

  it('that could not end its monitor does so at the next contact with the host, and removes its folder in time', async () => {
    const { id, monitor, trial } = await watched();
    finish(trial);
    await bed.until(id, () => bed.states(id)[0] === 'done');
    bed.crash();
    bed.machines.get('one').cut();
    bed.store.sessions.update(id, { state: 'done' });
    expect(leftoverMonitors(bed.runsContext(), 'one')).toMatchObject([{ sessionId: id, kind: 'monitor' }]);
    expect(monitor.status.state).toBe('running');
    bed.machines.get('one').restore();
    await until(() => leftoverMonitors(bed.runsContext(), 'one').length === 0);
    expect(monitor.status.state).toBe('ended');
    expect(bed.store.monitored.jobs(sourceOf(id)?.id ?? 0).map(({ ended }) => ended)).toEqual([true]);
    const inAWeek = bed.now + 8 * 86_400_000;
    expect(bed.store.jobs.due('one', bed.now)).not.toContain(monitor.spec.id);
    expect(bed.store.jobs.due('one', inAWeek)).toContain(monitor.spec.id);
  });

  describe('that was done when the app ended, unlike its monitors', () => {
    /** Samples stored at each judging of its trial. */
    let judged: number[][];
    const over = async () => {
      judged = [];
      const { id, monitor, trial } = await watched();
      bed.judge = () => {
        judged.push(stored(id));
        return [{ code: 'hot-core', severity: 'warn', message: `Judged by ${stored(id).length} samples.` }];
      };
      // While this engine lives, it waits for the end of the monitor.
      monitor.onStop = () => {};
      finish(trial);
      await until(() => bed.row(id).state === 'done');
      await bed.reopen();
      expect(monitor.status.state).toBe('running');
      const end = (bed.row(id).endedAt ?? Number.NaN) / 1000;
      monitor.onStop = (cause) => {
        // Two seconds printed by the end of the session, and one long after.
        monitor.print(second(3) + second(end) + second(end + 3600));
        monitor.end(143, cause);
      };
      return { id, monitor, all: [10, 20, 30, end * 10] };
    };
    const isConcluded = ({ id, monitor, all }: { id: number; monitor: FakeJob; all: number[] }): void => {
      expect(stored(id)).toEqual(all);
      expect(monitor.status.state).toBe('ended');
      expect(bed.store.monitored.jobs(sourceOf(id)?.id ?? 0).map(({ ended }) => ended)).toEqual([true]);
      expect(bed.store.jobs.orphanJobs('one')).toEqual([]);
      expect(bed.store.monitored.unsealed()).toEqual([]);
      expect(bed.sealedWatched).toContain(id);
      expect(judged.at(-1)).toEqual(all);
      const findings = bed.runs(id)[0]?.findings.filter(({ code }) => code === 'hot-core');
      expect(findings?.map(({ message }) => message)).toEqual(['Judged by 4 samples.']);
    };
    const concluded = (id: number) => until(() => bed.store.monitored.unsealed().length === 0 && stored(id).length > 2);

    it('is fetched up to its end when the app asks its hosts', async () => {
      const session = await over();
      const reached = { address: 'one.invalid', port: 22, user: 'u', jumps: [] };
      bed.store.hosts.insert({ kind: 'ssh', name: 'one', auth: { method: 'agent' }, ...reached }, 0);
      bed.sessions.collectLeftovers();
      await concluded(session.id);
      isConcluded(session);
    });

    it('is fetched when its host is reachable again', async () => {
      const session = await over();
      bed.machines.get('one').cut();
      bed.machines.get('one').restore();
      await concluded(session.id);
      isConcluded(session);
    });

    it('is fetched before the next session measures on its host', async () => {
      const session = await over();
      bed.script.push(() => {});
      const next = bed.start({ trials: 1 });
      const trial = await bed.running(next, 0);
      isConcluded(session);
      finish(trial);
      await bed.sessions.settled(next);
    });

    it('is concluded at the next start if no host has more data', async () => {
      const { id, monitor, trial } = await watched();
      finish(trial);
      await bed.sessions.settled(id);
      // Possible state after an end of the app when all data has arrived.
      const source = sourceOf(id)?.id ?? 0;
      bed.store.monitored.ingest({ sourceId: source, rows: [{ t: 3, metrics: { n: 30 } }] });
      bed.store.judgements.forget(bed.runs(id)[0]?.id ?? 0);
      bed.judge = () => [{ code: 'hot-core', severity: 'warn', message: 'A core.' }];
      expect(bed.store.monitored.unsealed()).toEqual([id]);
      await bed.reopen();
      await until(() => bed.store.monitored.unsealed().length === 0);
      expect(monitor.status.state).toBe('ended');
      expect(bed.runs(id)[0]?.findings.map(({ code }) => code)).toContain('hot-core');
    });
  });

  it('judges a trial when its last seconds have arrived, however wrong the clock of the host is', async () => {
    const CLOCK_LEAD_S = 3600;
    const judged: number[] = [];
    bed.judge = ({ trial }) => {
      judged.push(trial);
      return [];
    };
    bed.readClock = async () => ({ offsetMs: -CLOCK_LEAD_S * 1000, roundTripMs: 1 });
    const id = bed.start({ trials: 3 });
    await until(() => monitorsOn('one').length === 1);
    const [monitor] = monitorsOn('one');
    const hostNow = (): number => bed.now / 1000 + CLOCK_LEAD_S;
    const sees = async (at: number): Promise<void> => {
      const count = stored(id).length;
      monitor?.print(second(at));
      await until(() => stored(id).length > count);
    };
    monitor?.print(`${hostNow()} 50 0 0\n`, 'index');
    await until(() => bed.store.sources.clocks(sourceOf(id)?.id ?? 0).length === 1);
    await sees(hostNow());
    finish(await bed.running(id, 0));
    const next = await bed.running(id, 1);
    expect(judged).toEqual([]);
    bed.now += 10_000;
    await sees(hostNow());
    finish(next);
    const last = await bed.running(id, 2);
    expect(judged).toEqual([0]);
    finish(last);
    await bed.sessions.settled(id);
    expect(judged.slice(-2)).toEqual([1, 2]);
  });

  it('reports if more lines are unreadable than become samples, until that ends', async () => {
    const { id, monitor, trial } = await watched();
    const problem = () => sourceOf(id)?.problem;
    monitor.print('?\n'.repeat(9));
    monitor.print(second(3));
    await until(() => stored(id).length === 3);
    expect(problem()).toBeUndefined();
    monitor.print('?\n'.repeat(30));
    await until(() => problem() === 'Many lines of its output cannot be parsed, so values are missing.');
    for (let t = 4; t < 60; t += 1) monitor.print(second(t));
    await until(() => problem() === undefined);
    finish(trial);
    await bed.sessions.settled(id);
    expect(stored(id)).toHaveLength(59);
  });

  it('continues after a line that makes its reader fail, and reports many of them', async () => {
    const { id, monitor, trial } = await watched();
    monitor.print(`!\n${second(3)}`);
    await until(() => stored(id).length === 3);
    monitor.print('!\n'.repeat(30));
    await until(() => sourceOf(id)?.problem === 'Many lines of its output cannot be parsed, so values are missing.');
    monitor.print(second(4));
    await until(() => stored(id).length === 4);
    finish(trial);
    await bed.sessions.settled(id);
    expect(stored(id)).toEqual([10, 20, 30, 40]);
  });

  it('keeps its monitor during the session, whatever connects to its host', async () => {
    const { id, monitor, trial } = await watched();
    bed.machines.get('one').cut();
    bed.machines.get('one').restore();
    expect(leftoverMonitors(bed.runsContext(), 'one')).toEqual([]);
    monitor.print(second(3));
    await until(() => stored(id).length === 3);
    finish(trial);
    await bed.sessions.settled(id);
    expect(stored(id)).toEqual([10, 20, 30]);
  });

  it('judges a trial again when it is read again from its output, without repeating findings', async () => {
    const finding = { code: 'cpu-saturated', severity: 'note', message: 'CPU of one at its limit.' } as const;
    bed.judge = () => [finding];
    const { id, trial } = await watched();
    finish(trial);
    await bed.sessions.settled(id);
    const codes = () => bed.runs(id)[0]?.findings.filter(({ code }) => code === finding.code);
    expect(codes()).toEqual([finding]);
    const [run] = bed.runs(id);
    if (!run) throw new Error('There is no run.');
    await bed.readAgain(run);
    expect(codes()).toEqual([finding]);
    bed.judge = () => [];
    await bed.readAgain(bed.runs(id)[0] ?? run);
    expect(codes()).toEqual([]);
  });

  it('ends even if a monitored host is no longer reachable', async () => {
    bed.machines.get('two');
    const { id, trial } = await watched();
    finish(trial);
    await bed.until(id, () => bed.states(id)[0] === 'done');
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
  });
});

describe('the first trial', () => {
  const LIMIT_MS = 10_000;
  const WATCHED_BY_COMMAND = `kneepoint: 1
name: Of a test
workload: { tool: fake }
where: { generators: [one] }
measure: { duration: 1 }
monitors: { generators: false, commands: [{ name: errors, command: tail -f errors.log, pattern: '(?<n>\\d+)' }] }
`;
  beforeEach(() => {
    bed.monitors = { host: program, command: program, firstSampleMs: LIMIT_MS };
    bed.crash();
  });
  const waits = (id: number, words: string) => until(() => bed.sessions.activity(id) === words);
  const SILENT = 'Waiting for the first sample of “one”';
  const isLaunched = (id: number): boolean => (bed.runs(id)[0]?.jobs.length ?? 0) > 0;
  async function monitorOn(host: string, number = 1): Promise<FakeJob> {
    await until(() => monitorsOn(host).length === number);
    return monitorsOn(host)[number - 1] as FakeJob;
  }
  const warnings = (id: number): string[] =>
    bed.log(id).flatMap(({ level, message }) => (level === 'warn' ? [message] : []));

  it('starts when all monitors have a sample', async () => {
    const id = bed.start({ trials: 1, hosts: ['one', 'two'] });
    await waits(id, 'Waiting for the first sample of “one”, “two”');
    (await monitorOn('one')).print(second(1));
    await waits(id, 'Waiting for the first sample of “two”');
    expect(isLaunched(id)).toBe(false);
    (await monitorOn('two')).print(second(1));
    const trial = await bed.running(id, 0);
    for (const job of [trial, bed.jobOf(id, 0, 1)]) finish(job);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(warnings(id)).toEqual([]);
  });

  it('starts when the reason for a missing sample is known', async () => {
    bed.jobs.refuse(new KneepointError({ code: 'disk-full', message: 'No room on one.', host: 'one' }));
    bed.script.push(finish);
    const id = bed.start({ trials: 1 });
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
  });

  it('starts after a limited time with a warning', async () => {
    const id = bed.start({ trials: 1 });
    await waits(id, SILENT);
    bed.monotonic += LIMIT_MS - 1;
    await waits(id, SILENT);
    bed.monotonic += 1;
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    expect(warnings(id)).toContain(
      'No sample from “one” within 10 s. The trial starts anyway; its first seconds may be missing.',
    );
  });

  it('starts without an unreachable host, with a warning and the reason', async () => {
    bed.machines.get('two').cut();
    const { id } = bed.sessions.start(`kneepoint: 1
name: Of a test
workload: { tool: fake }
where: { generators: [one] }
measure: { duration: 1 }
monitors: { hosts: [two] }
`);
    (await monitorOn('one')).print(second(1));
    await waits(id, 'Waiting for the first sample of “two”');
    bed.monotonic += LIMIT_MS;
    finish(await bed.running(id, 0));
    bed.machines.get('two').restore();
    await bed.sessions.settled(id);
    expect(warnings(id).find((words) => words.startsWith('No sample from “two”'))).toBe(
      'No sample from “two” within 10 s. the cable is out. The trial starts anyway; its first seconds may be missing.',
    );
  });

  it('does not start if the session is stopped meanwhile', async () => {
    const id = bed.start({ trials: 1 });
    await waits(id, SILENT);
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('stopped');
    expect(isLaunched(id)).toBe(false);
    expect(warnings(id)).toEqual([]);
  });

  it('waits again for a new sample if the session was closed or paused meanwhile', async () => {
    const id = bed.start({ trials: 1 });
    await waits(id, SILENT);
    await bed.reopen();
    await bed.sessions.resume(id);
    await waits(id, SILENT);
    bed.sessions.pause(id);
    await bed.until(id, () => bed.row(id).state === 'paused');
    (await monitorOn('one')).print(second(1));
    await bed.sessions.settled(id);
    expect(isLaunched(id)).toBe(false);
    await bed.sessions.resume(id);
    await waits(id, SILENT);
    (await monitorOn('one', 2)).print(second(60));
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
  });

  it('waits before the steps preceding it, so that nothing comes between them and the launch', async () => {
    const id = bed.start({ trials: 1, measure: ', before: { rest: 60 }' });
    await waits(id, SILENT);
    (await monitorOn('one')).print(second(1));
    await waits(id, 'Resting 60 s before the trial');
    expect(isLaunched(id)).toBe(false);
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
  });

  it('is the only one to wait: later and running ones do not', async () => {
    const id = bed.start({ trials: 2 });
    (await monitorOn('one')).print(second(1));
    const first = await bed.running(id, 0);
    await bed.reopen();
    await bed.sessions.resume(id);
    await bed.running(id, 0);
    (await monitorOn('one')).print(second(2));
    finish(first);
    finish(await bed.running(id, 1));
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['done', 'done']);
  });

  it('waits only for the start of a command, which may print nothing for long', async () => {
    bed.script.push(() => {}, finish);
    const id = await bed.startText(WATCHED_BY_COMMAND);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('done');
    expect(monitorsOn('one')).toHaveLength(1);
    expect(warnings(id)).toEqual([]);
  });
});
