import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { SessionBed } from './testing/session-bed.ts';

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
const placesOf = (id: number): string[] => bed.runs(id).map(({ trial, step, state }) => `${trial}.${step} ${state}`);
const STEPS = (wait: string): string =>
  `[{ name: fill, measured: false }, { name: quiet, do: wait, ${wait} }, { name: reads }]`;
const WAIT = 'until: { file: /run/ready }, at-most: 60';

/** The file exists after this many looks. Each look takes three seconds. */
function fileAfter(looks: number): { looks: number } {
  const seen = { looks: 0 };
  bed.machines.get('one').answer = (script) => {
    if (!script.includes('/run/ready')) return { code: 0, stdout: '', stderr: '' };
    bed.monotonic += 3000;
    bed.now += 3000;
    seen.looks += 1;
    return { code: 0, stdout: seen.looks > looks ? 'yes\n' : '', stderr: '' };
  };
  return seen;
}

describe('a waiting step', () => {
  it('ends when its condition is met, with its duration as its figure, and the next step follows', async () => {
    const seen = fileAfter(1);
    bed.script.push(measures, measures);
    const id = bed.start({ trials: 1, steps: STEPS(WAIT) });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done']);
    expect(seen.looks).toBe(2);
    const [, wait] = bed.runs(id);
    expect(wait).toMatchObject({
      ...{ summary: { took_s: 6 }, jobs: [], warmup: 0, duration: 60, partial: false, findings: [] },
      command: '# wait until /run/ready exists, at most 1 min',
    });
    expect(bed.row(id).steps[1]).toEqual({ name: 'quiet', tool: 'step-wait', metric: 'took_s', measured: false });
    expect(bed.log(id).map(({ message }) => message)).toContain('Trial 1: waited 6 s until /run/ready exists.');
  });

  it('fails after its time limit and skips the next steps', async () => {
    fileAfter(1000);
    bed.script.push(measures);
    const id = bed.start({ trials: 1, steps: STEPS('until: { file: /run/ready }, at-most: 5') });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 failed', '0.2 skipped']);
    expect(bed.runs(id)[1]).toMatchObject({
      message: 'Timed out after 6 s, waiting until /run/ready exists. Last check: /run/ready does not exist.',
      findings: [{ code: 'wait-ran-out', severity: 'error' }],
    });
  });

  it('continues the trial after its time limit with a flag, if the document allows it', async () => {
    fileAfter(1000);
    bed.script.push(measures, measures);
    const id = bed.start({ trials: 1, steps: STEPS('until: { file: /run/ready }, at-most: 5, else: measure') });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done']);
    expect(bed.runs(id)[1]?.findings).toMatchObject([{ code: 'wait-ran-out', severity: 'warn' }]);
  });

  it('ends when the user skips it, and the next step starts', async () => {
    fileAfter(1000);
    bed.script.push(measures, measures);
    const id = bed.start({ trials: 1, steps: STEPS(WAIT) });
    await bed.until(id, () => bed.states(id)[1] === 'running');
    bed.sessions.skip(id);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 skipped', '0.2 done']);
  });

  it('ends with a stopped session', async () => {
    fileAfter(1000);
    bed.script.push(measures);
    const id = bed.start({ trials: 1, steps: STEPS(WAIT) });
    await bed.until(id, () => bed.states(id)[1] === 'running');
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 stopped', '0.2 skipped']);
    expect(bed.row(id).state).toBe('stopped');
  });

  it.each(['closed', 'killed'])('continues if the app is %s during it, counting from its start', async (how) => {
    fileAfter(1000);
    bed.script.push(measures);
    const id = bed.start({ trials: 1, steps: STEPS(WAIT) });
    await bed.until(id, () => bed.states(id)[1] === 'running');
    if (how === 'closed') await bed.reopen();
    else bed.crash();
    expect(bed.states(id)[1]).toBe('running');
    const { startedAt } = bed.runs(id)[1] ?? {};
    bed.now = (startedAt ?? 0) + 30_000;
    fileAfter(0);
    bed.script.push(measures);
    bed.sessions.continueInterrupted(id);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done']);
    expect(bed.runs(id)[1]).toMatchObject({
      ...{ startedAt, summary: { took_s: 33 } },
      findings: [{ code: 'wait-interrupted', severity: 'note' }],
    });
  });

  it('waits for an unreachable host', async () => {
    const one = bed.machines.get('one');
    fileAfter(0);
    const { answer } = one;
    let cut = true;
    one.answer = (script) => {
      if (cut && script.includes('/run/ready')) {
        cut = false;
        one.cut();
        setTimeout(() => one.restore(), 5);
        one.requireUp();
      }
      return answer(script);
    };
    bed.script.push(measures, measures);
    const id = bed.start({ trials: 1, steps: STEPS(WAIT) });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done']);
  });

  it.each([
    ['sql: SELECT ready', [null, '0', 'f', '1'], 'returns true. Last check: the query returns “f”'],
    ['sql: SELECT lag, below: 1.5', [null, 'soon', '1.75', '1.25'], 'value below 1.5. Last check: the value is 1.75'],
    [
      'sql: SELECT rows, above: 9, below: 20',
      ['9', '20', '21', '10'],
      'value below 20 and above 9. Last check: the value is 21',
    ],
  ] as const)('ends by %s at the last of %j', async (until, values, last) => {
    const server = bed.addServer();
    server.rows.set('things', 5);
    const seen: string[] = [];
    server.run = async (statement) => {
      bed.monotonic += 1000;
      seen.push(statement);
      return values[seen.length - 1] ?? null;
    };
    const options = { target: 'db', options: ', rows: 5', data: 'keep' as const, trials: 1 };
    bed.script.push(measures, measures);
    const id = bed.start({ ...options, steps: STEPS(`until: { ${until} }, at-most: 60`) });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done']);
    expect(seen).toHaveLength(values.length);
    expect(new Set(seen).size).toBe(1);
    // One value less, and the wait runs out.
    seen.length = 0;
    server.run = async (statement) => {
      bed.monotonic += 1000;
      seen.push(statement);
      return values[Math.min(seen.length, values.length - 1) - 1] ?? null;
    };
    bed.script.push(measures);
    const missed = bed.start({ ...options, steps: STEPS(`until: { ${until} }, at-most: 5`) });
    await bed.sessions.settled(missed);
    expect(placesOf(missed)).toEqual(['0.0 done', '0.1 failed', '0.2 skipped']);
    expect(bed.runs(missed)[1]?.message).toContain(last);
  });

  it('may query what an earlier step creates: the preflight only warns', async () => {
    const server = bed.addServer();
    server.rows.set('things', 5);
    const refused = new KneepointError({ code: 'change-refused', message: 'Table “t” does not exist.' });
    server.run = () => Promise.reject(refused);
    const options = { target: 'db', options: ', rows: 5', data: 'keep' as const, trials: 1 };
    const acts = async (steps: string) =>
      (await bed.preflight({ ...options, steps })).find(({ id: line }) => line === 'acts');
    const wait = '{ name: counted, do: wait, until: { sql: SELECT COUNT(*) FROM t } }';
    expect(await acts(`[{ name: reads }, ${wait}]`)).toMatchObject({
      state: 'warn',
      finding: {
        message: 'The wait query of step “counted” cannot be run yet: Table “t” does not exist.',
      },
    });
    expect(await acts(`[${wait}, { name: reads }]`)).toMatchObject({ state: 'block' });
  });

  it('ends when a program listens on the port of a host', async () => {
    const looks: string[] = [];
    bed.machines.get('two').answer = (script) => {
      if (!script.includes('/proc/net/tcp')) return { code: 0, stdout: '', stderr: '' };
      bed.monotonic += 1000;
      looks.push(script);
      return { code: 0, stdout: looks.length > 2 ? 'yes\n' : '', stderr: '' };
    };
    bed.script.push(measures, measures);
    const id = bed.start({ trials: 1, steps: STEPS('until: { port: 3306, on: two }, at-most: 60') });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done']);
    // Port 3306 as the kernel writes it.
    expect(looks[0]).toContain('0A:*:0CEA)');
    expect(looks).toHaveLength(3);
  });

  it('ends when a host has few dirty pages and writes little', async () => {
    let looks = 0;
    bed.machines.get('one').answer = (script) => {
      if (!script.includes('/proc/diskstats')) return { code: 0, stdout: '', stderr: '' };
      bed.monotonic += 1000;
      looks += 1;
      // 100 MiB of dirty pages at first, then 20,000 sectors a second, then nothing.
      const [dirty, sectors] = looks < 3 ? [102_400, 0] : [1024, looks < 5 ? looks * 20_000 : 100_000];
      const stdout = `up ${1000 + looks}.00\nDirty: ${dirty} kB\nWriteback: 0 kB\nwritten sda ${sectors}\n`;
      return { code: 0, stdout, stderr: '' };
    };
    bed.script.push(measures, measures);
    const id = bed.start({ trials: 1, steps: STEPS('until: { dirty: 8, writes: 1 }, at-most: 60') });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done']);
    expect(looks).toBe(6);
  });

  it('reads a status of the target, and suggests similar names', async () => {
    const server = bed.addServer();
    server.rows.set('things', 5);
    server.counters = { dirty_pages: 70 };
    bed.script.push(measures, measures);
    const wait = (until: string) => ({
      ...{ target: 'db', options: ', rows: 5', data: 'keep' as const, trials: 1 },
      steps: STEPS(`until: { ${until} }, at-most: 60`),
    });
    const id = bed.start(wait('status: dirty_pages, below: 64'));
    await bed.until(id, () => bed.states(id)[1] === 'running');
    server.counters = { dirty_pages: 63 };
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done']);
    const lines = await bed.preflight(wait('status: dirty_page, below: 64'));
    expect(lines.find(({ id: line }) => line === 'acts')).toMatchObject({
      state: 'block',
      finding: { message: expect.stringContaining('has no status named “dirty_page”. Did you mean “dirty_pages”?') },
    });
  });
});

it.each([
  ['at-most: 60', 'at-mots: 60', 'steps.1.at-mots', 'no setting named “at-mots”'],
  ['file: /run/ready', 'file: run/ready', 'steps.1.until.file', 'absolute'],
  ['file: /run/ready', '', 'steps.1.until', 'this one has none'],
  ['file: /run/ready', 'file: /run/ready, port: 80', 'steps.1.until', 'this one has file and port'],
  ['file: /run/ready', 'status: Threads_running', 'steps.1.until', 'needs “below” or “above”'],
  ['file: /run/ready', 'file: /run/ready, below: 4', 'steps.1.until', 'only valid with status or sql'],
  ['file: /run/ready', 'sql: SELECT 1', 'steps.1.until', 'needs a target, but none is chosen'],
  ['file: /run/ready', 'file: /run/ready, on: nowhere', 'steps.1.until.on', 'no host named “nowhere”'],
  ['do: wait, ', '', 'steps.1.until', 'only valid in a step that has “do: wait”'],
  ['at-most: 60', 'at-most: 60, duration: 5', 'steps.1.duration', 'only valid in a step that runs the workload'],
])('refuses a wait with %s as %s', (right, wrong, path, words) => {
  const text = `kneepoint: 2
name: Of a test
workload: { tool: fake }
steps: ${STEPS(WAIT)}
where: {}
measure: { duration: 1 }
`;
  expect(bed.check(text).problems).toEqual([]);
  const [problem] = bed.check(text.replace(right, wrong)).problems;
  expect(problem).toMatchObject({ path, message: expect.stringContaining(words) });
});

it('accepts durations with units, and adds no time of its own to the plan', () => {
  const { plan, commands, problems } = bed.check(`kneepoint: 2
name: Of a test
workload: { tool: fake }
steps: ${STEPS('until: { dirty: 8 }, at-most: 10m')}
where: {}
measure: { duration: 10 }
`);
  expect(problems).toEqual([]);
  expect(plan?.estimate).toMatchObject({ load: 20, open: 1 });
  expect(commands?.[0]).toContain('# quiet\n# wait until dirty pages are at most 8 MiB, at most 10 min');
});
