import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { FakeChanger, grantsClaims } from '../session/testing/fake-changer.ts';
import { type FakeServer, SessionBed } from '../session/testing/session-bed.ts';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed(['one']);
});
afterEach(() => bed.close());

const measured = (job: FakeJob): void => {
  job.print('1 100\n');
  job.end(0);
};
const codesOf = (id: number, trial = 0) => bed.runs(id)[trial]?.findings.map(({ code }) => code);

describe('a setting that something else changes during a trial', () => {
  const SWAP = 'host one: sysctl vm.swappiness';
  const FACTORS = `
  - {name: swap, kind: host-setting, setting: sysctl, of: vm.swappiness, on: generators, levels: [10]}`;
  let changer: FakeChanger;
  beforeEach(() => {
    changer = new FakeChanger('host-setting');
    changer.world.set(SWAP, '60');
    bed.useChanger(changer);
    bed.machines.get('one').answer = grantsClaims;
  });

  it('fails the trial with the desired and found values, and reports what happens to the new value', async () => {
    bed.script.push((job) => {
      changer.world.set(SWAP, '30');
      measured(job);
    }, measured);
    const id = bed.start({ trials: 2, factors: FACTORS });
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['failed', 'done']);
    const [run] = bed.runs(id);
    expect(run?.message).toBe(
      '“sysctl vm.swappiness” of host “one” was “10” at the start of the trial and is “30” at its end. Something else changed it, so the trial does not match its label. It stays “30” until a trial of this session needs another value. It is restored to “60” only if this session was the last to set it. Pause the session if the new value is intended.',
    );
    expect(codesOf(id)).toContain('setting-changed');
    expect((await bed.readAgain(run as NonNullable<typeof run>)).state).toBe('failed');
    expect(changer.world.get(SWAP)).toBe('60');
  });

  it('is left unchanged if no other trial of the session has set it again', async () => {
    bed.script.push((job) => {
      changer.world.set(SWAP, '30');
      measured(job);
    });
    const id = bed.start({ trials: 1, factors: FACTORS });
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['failed']);
    expect(changer.world.get(SWAP)).toBe('30');
  });
});

describe('a server restart during a trial', () => {
  let server: FakeServer;
  let up: number | undefined;
  /** Kills counted by the host, or by its files. */
  let kills: number | Record<string, number>;
  let log: string;
  const counted = (): string =>
    Object.entries(typeof kills === 'number' ? { '/proc/vmstat': kills } : kills)
      .map(([file, count]) => `${count} ${file}\n`)
      .join('');
  beforeEach(() => {
    up = 1000;
    kills = 4;
    log = '';
    server = bed.addServer();
    server.up = () => up;
    server.rows.set('things', 100);
    const { targets } = bed;
    const spec: TargetSpec = { ...targets.spec('db'), server: { host: 'one', control: { kind: 'none' } } };
    bed.targets = { ...targets, spec: (name) => (name === 'db' ? spec : targets.spec(name)) };
    bed.machines.get('one').answer = (script) => ({
      code: 0,
      stdout: script.includes('dmesg') ? `5000.00\n${log}` : script.includes('oom_kill') ? counted() : '',
      stderr: '',
    });
  });
  /** Runs for 60 s; the server's event happens in the 20th second. */
  const trial = async (happens: () => void): Promise<number> => {
    bed.script.push((job) => {
      job.print('1 100\n');
      bed.now += 60_000;
      happens();
      job.end(0);
    });
    const id = bed.start({ trials: 1, target: 'db' });
    await bed.sessions.settled(id);
    return id;
  };

  it('is detected by uptime and fails the trial', async () => {
    const id = await trial(() => {
      up = 40;
    });
    expect(bed.states(id)).toEqual(['failed']);
    expect(codesOf(id)).toEqual(['server-started-anew']);
    expect(bed.runs(id)[0]?.message).toContain('restarted at second 20 of the trial, but not because of this session');
  });

  it('is detected even if the app was restarted meanwhile', async () => {
    const id = bed.start({ trials: 1, target: 'db' });
    const job = await bed.running(id, 0);
    await bed.reopen();
    bed.now += 60_000;
    up = 40;
    measured(job);
    bed.sessions.continueInterrupted(id);
    await bed.sessions.settled(id);
    expect(codesOf(id)).toEqual(['server-started-anew']);
  });

  it('is ruled out if the uptime has grown with the trial, or was short before', async () => {
    const id = await trial(() => {
      up = 1060;
    });
    expect(bed.states(id)).toEqual(['done']);
    up = 0;
    const again = await trial(() => {
      up = 60;
    });
    expect(bed.states(again)).toEqual(['done']);
    expect(codesOf(again)).toEqual([]);
  });

  describe('or between two trials', () => {
    const process = (parent: string, files: number): string =>
      `parent ${parent}\ngroup /system.slice/mariadb.service\nfiles ${files}\n`;
    let runsUnder: string;
    let read: number;
    beforeEach(() => {
      read = 0;
      runsUnder = process('1 systemd', 10_000);
      const one = bed.machines.get('one');
      const { answer } = one;
      one.answer = (script) => {
        if (!script.includes('/limits"')) return answer(script);
        read += 1;
        return { code: 0, stdout: runsUnder, stderr: '' };
      };
    });
    /** Two trials of 60 s with a restart of the server in between; it is asked before and after each. */
    const twoTrials = async (under: string): Promise<number> => {
      const minute = (job: FakeJob): void => {
        job.print('1 100\n');
        bed.now += 60_000;
        job.end(0);
      };
      const asked = [1000, 1060, 5, 65];
      server.up = () => {
        if (asked.length === 2) runsUnder = under;
        return asked.shift();
      };
      bed.script.push(minute, minute);
      const id = bed.start({ trials: 2, target: 'db' });
      await bed.sessions.settled(id);
      expect(bed.states(id)).toEqual(['done', 'done']);
      return id;
    };

    it('is reported on the trials after it if the server was started differently', async () => {
      const id = await twoTrials(process('812 sh', 1024));
      expect([codesOf(id, 0), codesOf(id, 1)]).toEqual([[], ['start-changed']]);
      const [finding] = bed.runs(id)[1]?.findings ?? [];
      expect(finding).toMatchObject({
        severity: 'warn',
        message:
          'The server of target “db” was restarted before this trial and now runs differently: started by systemd (process 1) and sh, limit of open files 10000 and 1024.',
      });
      const [, run] = bed.runs(id);
      expect((await bed.readAgain(run as NonNullable<typeof run>)).findings).toContainEqual(finding);
    });

    it('is examined only then, and not reported if the server was started the same way', async () => {
      const id = await twoTrials(runsUnder);
      expect([codesOf(id, 0), codesOf(id, 1)]).toEqual([[], []]);
      expect(read).toBe(2);
    });
  });

  it('is reported with the process that the kernel killed, and when', async () => {
    const id = await trial(() => {
      up = 35;
      kills = 5;
      log = '[ 4959.900000] Memory cgroup out of memory: Killed process 812 (mariadbd) total-vm:9000kB, anon-rss:1kB\n';
    });
    expect(bed.states(id)).toEqual(['failed']);
    expect(codesOf(id)).toEqual(['out-of-memory']);
    expect(bed.runs(id)[0]?.message).toContain(
      'The kernel of one killed “mariadbd” (process 812) at second 20 of the trial: out of memory. The server of target “db” restarted at second 25 of the trial.',
    );
  });

  const SCOPE = '/sys/fs/cgroup/system.slice/docker-8.scope/memory.events';
  const ABOVE = '/sys/fs/cgroup/system.slice/memory.events';
  const KILL =
    '[ 4959.900000] Memory cgroup out of memory: Killed process 812 (mariadbd) total-vm:9000kB, anon-rss:1kB\n';
  it.each<[string, Record<string, number>, Record<string, number>]>([
    ['of its control group', { [SCOPE]: 0 }, { [SCOPE]: 1 }],
    [
      'of its control group, which the host does not count',
      { '/proc/vmstat': 0, [SCOPE]: 3 },
      { '/proc/vmstat': 0, [SCOPE]: 4 },
    ],
    [
      'of the first version',
      { '/sys/fs/cgroup/memory/db/memory.oom_control': 0 },
      { '/sys/fs/cgroup/memory/db/memory.oom_control': 1 },
    ],
    ['of a group that is gone: the one above has its count', { [SCOPE]: 0, [ABOVE]: 2 }, { [ABOVE]: 3 }],
    ['of a group that was made anew', { [SCOPE]: 7 }, { [SCOPE]: 1 }],
  ])('is attributed by the count %s', async (_, before, after) => {
    kills = before;
    const id = await trial(() => {
      up = 35;
      kills = after;
      log = KILL;
    });
    expect(codesOf(id)).toEqual(['out-of-memory']);
    expect(bed.runs(id)[0]?.message).toContain('(process 812) at second 20 of the trial: out of memory.');
  });

  it('is attributed to a kill while the app was closed, but not to kills before or after the trial', async () => {
    const id = bed.start({ trials: 1, target: 'db' });
    const job = await bed.running(id, 0);
    await bed.reopen();
    bed.now += 3_600_000;
    up = 3580;
    kills = 7;
    // The trial began an hour before second 5000 of the host.
    log = `[ 1200.000000] Out of memory: Killed process 1 (before) total-vm:1kB\n[ 1420.000000] Out of memory: Killed process 812 (mariadbd) total-vm:1kB\n[ 4990.000000] Out of memory: Killed process 3 (after) total-vm:1kB\n`;
    measured(job);
    bed.sessions.continueInterrupted(id);
    await bed.sessions.settled(id);
    expect(codesOf(id)).toEqual(['out-of-memory']);
    expect(bed.runs(id)[0]?.message).toContain(
      'killed “mariadbd” (process 812) at second 20 of the trial: out of memory.',
    );
  });

  it('is not assumed if the kernel killed something else, which is a finding', async () => {
    const id = await trial(() => {
      up = 1060;
      kills = 6;
    });
    expect(bed.states(id)).toEqual(['done']);
    expect(bed.runs(id)[0]?.findings).toMatchObject([
      { code: 'out-of-memory', severity: 'warn', message: expect.stringContaining('killed 2 processes') },
    ]);
  });
});
