import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CAPTURE_BYTES, CAPTURED_BYTES, type KeptCapture } from '../../../../shared/model/capture.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { skipPauses } from '../../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../../jobs/testing/fake-job.ts';
import { type FakeServer, SessionBed } from '../../session/testing/session-bed.ts';

skipPauses();

let bed: SessionBed;
let server: FakeServer;
/** Statements and launches of the tool, in the order in which they were sent. */
let done: string[];
/** Answers a statement. */
let answer: (statement: string) => readonly (readonly unknown[])[];
beforeEach(() => {
  bed = new SessionBed();
  server = bed.addServer();
  server.rows.set('things', 5);
  done = [];
  answer = () => [['a', 1]];
  server.readTable = async (statement, { first = [], writes } = {}) => {
    done.push(...first, writes ? `${statement} (writes)` : statement);
    return { columns: ['name', 'value'], rows: answer(statement) };
  };
});
afterEach(() => bed.close());

const start = (
  captures: string,
  more: { trials?: number; duration?: number; warmup?: number; measure?: string } = {},
) => bed.start({ target: 'db', options: ', rows: 5', data: 'keep', trials: 1, captures, ...more });
const finish = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
const kept = (id: number): KeptCapture[] => bed.store.captures.ofSession(id);
const brief = (id: number) =>
  kept(id).map(({ name, moment, t, problem }) =>
    [name, moment, t, problem].filter((part) => part !== undefined).join(' '),
  );
const content = (id: number, place: number) => bed.store.captures.content(kept(id)[place]?.id ?? 0);

describe('captures of a run', () => {
  it('are taken before the launch and after the end of the tool, in the order of the document', async () => {
    bed.script.push(() => done.push('launch'));
    const id = start(
      '[{ name: x, statement: SHOW X, at: [start, end] }, { name: y, statement: SELECT y, as: difference, first: [SET a = 1] }]',
    );
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    expect(done).toEqual(['SHOW X', 'SET a = 1', 'SELECT y', 'launch', 'SHOW X', 'SET a = 1', 'SELECT y']);
    expect(brief(id)).toEqual(['x start', 'y start', 'x end 0', 'y end 0']);
    expect(content(id, 3)).toEqual({ table: { columns: ['name', 'value'], rows: [['a', 1]] } });
    expect(bed.states(id)).toEqual(['done']);
  });

  it('are facts with names and values', async () => {
    answer = () => [
      ['swappiness', 10],
      ['dirty', 20],
    ];
    const id = start('[{ name: kernel, statement: SELECT x, as: fact }]');
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    expect(kept(id)).toMatchObject([{ as: 'fact', moment: 'end' }]);
    expect(content(id, 0)).toEqual({
      table: {
        columns: ['fact', 'value'],
        rows: [
          ['swappiness', '10'],
          ['dirty', '20'],
        ],
      },
    });
  });

  it('are taken in every trial over one connection each', async () => {
    const id = start('[{ name: x, statement: SHOW X, at: [start, end] }]', { trials: 2 });
    const opened: number[] = [];
    for (const trial of [0, 1]) {
      const job = await bed.running(id, trial);
      const before = server.opened;
      finish(job);
      await bed.until(id, () => kept(id).length === 2 * trial + 2);
      opened.push(server.opened - before);
    }
    await bed.sessions.settled(id);
    // A connection opened after the end of a trial is for the next one.
    expect(opened[0]).toBe(0);
    expect(brief(id)).toEqual(['x start', 'x end 0', 'x start', 'x end 0']);
  });

  it('use a connection that outlasts the time limit of a capture', async () => {
    const limits: AbortController[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { open } = bed.targets;
    const signals: (AbortSignal | undefined)[] = [];
    bed.targets = {
      ...bed.targets,
      open: (name, signal) => {
        signals.push(signal);
        return open(name, signal);
      },
    };
    const id = start('[{ name: x, statement: SHOW X, as: difference }]');
    const job = await bed.running(id, 0);
    // A connection is closed when its signal fires.
    for (const limit of limits) limit.abort();
    expect(limits.length).toBeGreaterThan(0);
    expect(signals.filter((signal) => signal?.aborted)).toEqual([]);
    finish(job);
    await bed.sessions.settled(id);
    expect(brief(id)).toEqual(['x start', 'x end 0']);
  });

  it('are taken at intervals and at events, by the seconds of the tool', async () => {
    const measure = ', events: [{ at: 7, do: run, command: "true" }]';
    bed.machines.get('one').answer = (script) => {
      const [, nonce] = /^nonce=(\w+)$/m.exec(script) ?? [];
      return { code: 0, stdout: `@@${nonce} ended 0\n`, stderr: '' };
    };
    const id = start('[{ name: x, statement: SHOW X, every: 5 }, { name: y, statement: SHOW Y, at: [event] }]', {
      measure,
      duration: 20,
    });
    const job = await bed.running(id, 0);
    bed.now += 6_000;
    await bed.until(id, () => kept(id).length === 1);
    bed.now += 1_000;
    await bed.until(id, () => kept(id).length === 2);
    // Two intervals were missed: the next capture is taken when it is due.
    bed.now += 9_000;
    await bed.until(id, () => kept(id).length === 3);
    finish(job);
    await bed.sessions.settled(id);
    expect(brief(id)).toEqual(['x every 6', 'y event 7', 'x every 16']);
  });

  it('are taken in a stall as soon as it is detected', async () => {
    const id = start('[{ name: x, statement: SHOW X, at: [stall] }]', { duration: 1000 });
    const job = await bed.running(id, 0);
    job.print(Array.from({ length: 40 }, (_, second) => `${second + 1} ${1000 + (second % 7)}\n`).join(''));
    await bed.until(id, () => bed.store.samples.count(bed.runs(id)[0]?.id ?? 0, 0) === 40);
    bed.now += 42_000;
    job.print('41 1003\n42 0\n');
    while (kept(id).length === 0) {
      bed.monotonic += 1_000;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    job.end(0);
    await bed.sessions.settled(id);
    expect(brief(id)).toEqual(['x stall 42']);
  });

  it('are stored at once; after a kill those of the end are taken, and none twice', async () => {
    const id = start('[{ name: x, statement: SHOW X, at: [start, end] }, { name: y, statement: SHOW Y, every: 5 }]', {
      duration: 60,
    });
    const job = await bed.running(id, 0);
    bed.now += 5_000;
    await bed.until(id, () => kept(id).length === 2);
    bed.crash();
    bed.now += 11_000;
    await bed.sessions.resume(id);
    finish(job);
    await bed.sessions.settled(id);
    // The interval of second 15 has passed without an engine; the killed engine takes no more captures in this test.
    expect(brief(id).filter((words) => words.startsWith('x'))).toEqual(['x start', 'x end 16']);
    expect(done.filter((statement) => statement === 'SHOW X')).toHaveLength(2);
  });

  it('fail alone: the reason is stored and logged once, and the run is done', async () => {
    const refused = new KneepointError({ code: 'change-refused', message: 'Access denied.', next: 'Give the right.' });
    server.readTable = () => Promise.reject(refused);
    const id = start('[{ name: x, statement: SHOW X, at: [start, end] }, { name: y, command: ls }]');
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['done']);
    expect(brief(id)[0]).toBe('x start Access denied. Give the right.');
    expect(brief(id)[2]).toMatch(/^y end 0 one accepted the connection but did not run/);
    expect(content(id, 0)).toEqual({});
    expect(bed.log(id).map(({ message }) => message)).toContain(
      'Trial 1: Capture “x” before the start: Access denied. Give the right.',
    );
  });

  it('try a missing server once, and again after five seconds', async () => {
    const id = start(
      '[{ name: x, statement: SHOW X }, { name: y, statement: SHOW Y }, { name: z, statement: Z, every: 5, as: text }]',
      {
        duration: 60,
      },
    );
    const job = await bed.running(id, 0);
    let tries = 0;
    const { open } = bed.targets;
    bed.targets = {
      ...bed.targets,
      open: async (...asked) => {
        tries += 1;
        return open(...asked);
      },
    };
    server.isDown = true;
    bed.now += 5_000;
    await bed.until(id, () => kept(id).length === 1);
    finish(job);
    await bed.until(id, () => kept(id).length === 3);
    expect(brief(id).map((words) => words.slice(0, 8))).toEqual(['z every ', 'x end 5 ', 'y end 5 ']);
    expect(kept(id).every(({ problem }) => problem?.includes('does not answer'))).toBe(true);
    server.isDown = false;
    await bed.sessions.settled(id);
    expect(tries).toBeLessThanOrEqual(2);
  });

  it('of a server that accepts no connection are not waited for one after the other', async () => {
    const limits: AbortController[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const id = start('[{ name: x, statement: SHOW X }, { name: y, statement: SHOW Y }]');
    const job = await bed.running(id, 0);
    let tries = 0;
    const before = bed.targets;
    bed.targets = {
      ...before,
      open: () => {
        tries += 1;
        return new Promise(() => {});
      },
    };
    limits.length = 0;
    finish(job);
    await expect.poll(() => tries).toBe(1);
    bed.targets = before;
    for (const limit of limits) limit.abort();
    await bed.until(id, () => kept(id).length === 2);
    expect(brief(id)).toEqual([
      'x end 0 It took longer than 10 s and was stopped.',
      'y end 0 “db” did not accept a connection within 10 s.',
    ]);
    expect(tries).toBe(1);
  });

  it('of the end are not taken for a skipped trial', async () => {
    const id = start('[{ name: x, statement: SHOW X }]');
    await bed.running(id, 0);
    bed.sessions.skip(id);
    await bed.sessions.settled(id);
    expect(brief(id)).toEqual(['x end Not taken: the trial was stopped early by the user.']);
  });
});

describe('marks of a log', () => {
  it('are events at their seconds, with a table of times between them, by the clock of the host', async () => {
    const id = start('[{ name: log, file: /var/log/x, marks: "(?<mark>recovery|ready)" }]');
    const job = await bed.running(id, 0);
    const zero = bed.runs(id)[0]?.startedAt ?? 0;
    // The clock of the host is five seconds behind ours.
    bed.readClock = async () => ({ offsetMs: 5_000, roundTripMs: 1 });
    const line = (second: number, words: string): string =>
      `${new Date(zero - 5_000 + second * 1000).toISOString()} ${words}`;
    const log = [
      line(-60, 'ready'),
      line(2, 'recovery begins'),
      line(3, 'something else'),
      line(4.5, 'ready for connections'),
      line(90, 'ready'),
    ].join('\n');
    bed.machines.get('one').answer = (script) => {
      const [, nonce] = /^nonce=(\w+)$/m.exec(script) ?? [];
      if (!script.includes('/var/log/x')) return { code: 0, stdout: '', stderr: '' };
      return { code: 0, stdout: `@@${nonce} ended 0 ${log.length} +0000\n${log}\n@@${nonce} errors \n`, stderr: '' };
    };
    bed.now += 10_000;
    finish(job);
    await bed.sessions.settled(id);
    const events = bed.store.events.ofSession(id, ['mark'], 0, 10);
    expect(events.map(({ t, at, message }) => [t, at - zero, message])).toEqual([
      [2, 2_000, 'log: recovery'],
      [4.5, 4_500, 'log: ready'],
    ]);
    expect(content(id, 0).table).toEqual({
      columns: ['second', 'seconds since the mark before', 'mark'],
      rows: [
        [2, null, 'recovery'],
        [4.5, 2.5, 'ready'],
      ],
    });
  });
});

describe('the size of captures', () => {
  it('is at most 1 MiB each, with the size of the omitted part', async () => {
    const line = 'x'.repeat(999);
    answer = (statement) =>
      Array.from({ length: 2000 }, (_, index) => [statement === 'SHOW X' ? line : `${index} ${line}`, index]);
    const id = start('[{ name: x, statement: SHOW X, as: text }, { name: y, statement: SHOW Y }]');
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    const [text, table] = kept(id);
    expect(text?.bytes).toBe(CAPTURE_BYTES);
    expect(text?.left).toEqual({ count: expect.any(Number), unit: 'bytes' });
    expect(content(id, 0).text).toHaveLength(CAPTURE_BYTES);
    expect(table?.bytes).toBeLessThanOrEqual(CAPTURE_BYTES);
    expect((content(id, 1).table?.rows.length ?? 0) + (table?.left?.count ?? 0)).toBe(2000);
    expect(table?.left?.unit).toBe('rows');
  });

  it('is at most 64 MiB in a session, with a reason for later ones', async () => {
    const id = start('[{ name: x, statement: SHOW X, every: 5 }]', { duration: 60 });
    const job = await bed.running(id, 0);
    const runId = bed.runs(id)[0]?.id ?? 0;
    bed.store.captures.add({
      runId,
      name: 'x',
      as: 'table',
      moment: 'every',
      at: 0,
      tookMs: 0,
      bytes: CAPTURED_BYTES,
      content: {},
    });
    for (const count of [1, 2]) {
      bed.now += 5_000;
      await bed.until(id, () => kept(id)[1]?.times === count);
    }
    finish(job);
    await bed.sessions.settled(id);
    expect(done).toEqual([]);
    expect(kept(id)[1]).toMatchObject({
      times: 2,
      problem: 'Not taken: the captures of this session have reached 64 MiB.',
    });
  });

  it('is limited to 1 % of the time of a trial, half of it for those at intervals', async () => {
    answer = () => {
      bed.monotonic += 200;
      return [['a', 1]];
    };
    const measure = ', events: [{ at: 11, do: run, command: "true" }, { at: 16, do: run, command: "true" }]';
    bed.machines.get('one').answer = (script) => {
      const [, nonce] = /^nonce=(\w+)$/m.exec(script) ?? [];
      return { code: 0, stdout: `@@${nonce} ended 0\n`, stderr: '' };
    };
    const id = start(
      '[{ name: x, statement: SHOW X, every: 5, at: [start] }, { name: y, statement: SHOW Y, at: [event] }]',
      { measure, duration: 40 },
    );
    const job = await bed.running(id, 0);
    // 400 ms in all: captures before the start cost none of it, 200 ms are for intervals.
    for (const [second, count] of [
      [5, 2],
      [10, 3],
      [11, 4],
      [16, 5],
    ] as const) {
      bed.now = (bed.runs(id)[0]?.startedAt ?? 0) + second * 1000;
      await bed.until(id, () => kept(id).length >= count);
    }
    finish(job);
    await bed.sessions.settled(id);
    expect(brief(id)).toEqual([
      'x start',
      'x every 5',
      'x every 10 Not taken: captures have reached their limit of 0.5 % of the trial time.',
      'y event 11',
      expect.stringMatching(/^y event 16 Not taken: captures have reached their limit of 1 % of the trial time\.$/),
    ]);
  });

  it('excludes secrets, in each value of a table and across the point of truncation', async () => {
    bed.redact = (text) => text.replaceAll('top-secret', '[hidden]');
    answer = (statement) =>
      statement === 'SHOW X'
        ? [['IDENTIFIED BY top-secret', 1]]
        : [[`${'x'.repeat(CAPTURE_BYTES - 4)}top-secret`], ['y']];
    const id = start('[{ name: x, statement: SHOW X }, { name: y, command: print }]');
    bed.machines.get('one').answer = (script) => {
      const [, nonce] = /^nonce=(\w+)$/m.exec(script) ?? [];
      if (!script.includes('eval')) return { code: 0, stdout: '', stderr: '' };
      const text = `${'x'.repeat(CAPTURE_BYTES - 4)}top-secret and more`;
      return { code: 0, stdout: `@@${nonce} ended 0 ${text.length}\n${text}\n@@${nonce} errors \n`, stderr: '' };
    };
    finish(await bed.running(id, 0));
    await bed.sessions.settled(id);
    expect(content(id, 0).table?.rows).toEqual([['IDENTIFIED BY [hidden]', 1]]);
    expect(content(id, 1).text?.slice(-6)).toBe('xx[hid');
  });
});
