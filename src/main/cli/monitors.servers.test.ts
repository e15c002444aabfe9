import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { MonitoredSource } from '../../shared/model/monitored.ts';
import type { Run, Session } from '../../shared/model/session.ts';
import { type Answer, Terminal } from './testing/cli.ts';

let terminal: Terminal;
let ran: Answer;
beforeAll(async () => {
  terminal = new Terminal();
  ran = await terminal.start(['run', '-'], { input: LOOK }).answer;
});
afterAll(() => terminal.close());

const LOOK = `kneepoint: 1
name: A look at this computer
workload: { tool: observation }
where: {}
measure: { duration: 3, repeats: 2 }
monitors:
  commands:
    - { name: dice, command: 'while :; do echo eyes 4; sleep 1; done', pattern: 'eyes (?<eyes>\\d+)' }
captures:
  - { name: counters, command: 'echo a $(date +%s)', as: difference }
  - { name: greeting, command: 'echo hello; exit 3' }
  - { name: log, command: 'echo "$(date +%Y-%m-%dT%H:%M:%S%z) ready"', marks: '(?<mark>ready)' }
  - { name: blob, command: "printf '\\\\000\\\\001'", as: attachment }
`;

interface Values {
  id: string;
  t: number[];
  v: (number | null)[];
}

describe('a session that only monitors', () => {
  it('exits with 0 and lists what was monitored instead of figures', async () => {
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(ran.stderr).toMatch(/Watched: host “this computer”.*Their series: kneepoint monitors 1\n/);
    expect(ran.stderr).toContain('Session 1 is done.');
    const shown = await terminal.run('show', '1');
    expect(shown.stdout).toContain('No load. Watched: host “this computer”');
    expect(shown.stdout).not.toMatch(/\b(median|errors|no samples)\b/);
    const listed = (await terminal.run('sessions', '--json')).json<Session[]>();
    expect(listed).toMatchObject([{ state: 'done', trialsFailed: 0, primaryMetric: null }]);
    const priced = await terminal.run('cost', '--own', 'rack,3,hour', '--session', '1');
    expect(priced.stdout).toContain('The session generated no load, so there is no work to price.');
  });

  it('lists its sources with clock error and overhead', async () => {
    const { code, stdout } = await terminal.run('monitors', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^this computer +host: watched +\d+ +none +±[\d.]+ ms +[\d.]+ % of one core/m);
    expect(stdout).toContain('cpu.busy');
    const [host] = (await terminal.run('monitors', '1', '--source', 'this computer', '--json')).json<
      MonitoredSource[]
    >();
    expect(host?.samples).toBeGreaterThanOrEqual(6);
  });

  it('prints values of series for a trial or a time range', async () => {
    const all = (await terminal.run('monitors', '1', '--series', 'cpu.user', '--json')).json<Values[]>();
    expect(all.map(({ id }) => id)).toEqual(['cpu.user']);
    const second = await terminal.run('monitors', '1', '--series', 'cpu.*', '--trial', '2', '--json');
    const { runs } = (await terminal.run('show', '1', '--json')).json<{ runs: Run[] }>();
    const [from = 0, to = 0] = [runs[1]?.startedAt, runs[1]?.endedAt];
    for (const { t, v } of second.json<Values[]>()) {
      expect(t.length).toBe(v.length);
      // A wait of three seconds, sampled by this computer's clock, has at least two samples.
      expect(t.length).toBeGreaterThanOrEqual(2);
      expect(t.every((at) => at > from - 1500 && at < to + 1500)).toBe(true);
    }
    const summed = await terminal.run('monitors', '1', '--series', 'cpu.user', '--from', '0');
    expect(summed.stdout).toMatch(/^this computer +cpu\.user +% +\d+ /m);
    const csv = await terminal.run('monitors', '1', '--series', 'cpu.user', '--trial', '2', '--csv');
    const [head, ...lines] = csv.stdout.trimEnd().split('\r\n');
    expect(head).toMatch(/^session,source,kind,host,series,unit,time,value,run,trial,second,measured$/);
    const [values] = (await terminal.run('monitors', '1', '--series', 'cpu.user', '--trial', '2', '--json')).json<
      Values[]
    >();
    expect(lines.map((line) => Number(line.split(',')[7]))).toEqual(values?.v.filter((value) => value !== null));
    expect(lines.every((line) => line.split(',')[9] === '2')).toBe(true);
  });

  it.each([
    ['a source', ['--source', 'moon'], /Session 1 did not watch “moon”\. Watched: this computer/],
    ['a series', ['--series', 'gpu.busy'], /has a series “gpu\.busy”/],
    ['a trial', ['--series', 'cpu.user', '--trial', '3'], /Session 1 has 2 trials, and no trial 3/],
    ['a time', ['--series', 'cpu.user', '--from', 'noon'], /--from takes the time since the start .* not “noon”/],
  ])('refuses %s that is not in the session', async (_what, args, sentence) => {
    const { code, stdout, stderr } = await terminal.run('monitors', '1', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
  });

  it('lists its captures and prints their contents', async () => {
    const shown = await terminal.run('show', '1');
    expect(shown.stdout).toMatch(/^Trial 1 +counters +difference +before the start +\d+ B/m);
    const { stdout } = await terminal.run('captures', '1', '--name', 'greeting', '--trial', '2');
    expect(stdout).toMatch(/^Trial 2, after the end, .*: 6 B\nThe command ended with exit code 3\.\nhello\n/);
    const grown = await terminal.run('captures', '1', '--name', 'counters');
    // As many seconds as the trial took, without a divisor.
    expect(grown.stdout).toMatch(/^Trial 1: counters in \d+ s\nname +value\na +[3-9]$/m);
    const marks = (await terminal.run('captures', '1', '--name', 'log', '--trial', '1', '--json')).json<{
      kept: { table: { rows: unknown[][] } }[];
    }>();
    expect(marks.kept[0]?.table.rows.map(([, , mark]) => mark)).toEqual(['ready']);
    const missing = await terminal.run('captures', '1', '--name', 'moon');
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Captures: counters, greeting, log, blob.'),
    });
  });

  it('writes its attachments to a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kneepoint-attachments-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { code, stdout } = await terminal.run('captures', '1', '--save', folder, '--trial', '2');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/blob\.bin: binary file, 2 B\n$/) });
    const [written = '', ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(written).toMatch(/^session-1-trial-2-end-\d+-blob\.bin$/);
    expect([...readFileSync(join(folder, written))]).toEqual([0, 1]);
    const none = await terminal.run('captures', '1', '--save', folder, '--name', 'greeting');
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('None of these captures is an attachment') });
  });

  it('is written in every file format', async () => {
    const written = async (format: string): Promise<string> =>
      (await terminal.run('export', '1', '--format', format, '--output', '-')).stdout;
    expect((await written('csv')).trimEnd().split('\r\n')).toHaveLength(1);
    expect((await written('csv-cells')).trimEnd().split('\r\n')).toHaveLength(1);
    expect(await written('csv-monitors')).toMatch(/^1,this computer,host,this computer,cpu\.busy,%,/m);
    expect(JSON.parse(await written('json'))).toMatchObject({
      ...{ results: [], monitored: { windows: [{}, {}] } },
      runs: [{ captures: expect.arrayContaining([expect.objectContaining({ text: 'hello\n' })]) }, {}],
    });
    expect(await written('pdf')).toMatch(/^%PDF/);
  });
});
