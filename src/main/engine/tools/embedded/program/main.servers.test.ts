import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sum } from '../../../../../shared/util/numbers.ts';
import { byDay } from '../../../../../shared/util/testing/depth.ts';
import { type IntervalLine, Line, type StartLine, type SummaryLine } from './lines.ts';

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'kneepoint-embedded-test-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Outcome {
  code: number | null;
  stderr: string;
  lines: Line[];
  intervals: IntervalLine[];
  start: StartLine | undefined;
  summary: SummaryLine | undefined;
}

/** Runs the program. `stopAt` sends SIGTERM once, after the first line of this kind: an ending program does not accept a second one. */
async function run(options: readonly string[], stopAt?: Line['kind']): Promise<Outcome> {
  const child = spawn(process.execPath, [PROGRAM, ...options], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stopAt && !child.killed && stdout.includes(`{"kind":"${stopAt}"`)) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Line.parse(JSON.parse(line)));
  return {
    code,
    stderr,
    lines,
    intervals: lines.filter((line) => line.kind === 'interval'),
    start: lines.find((line) => line.kind === 'start'),
    summary: lines.find((line) => line.kind === 'summary'),
  };
}

const leftovers = (): string[] => readdirSync(directory).filter((name) => name.startsWith('kneepoint-sqlite-'));

describe('a complete run', () => {
  test('prints one line per second on a fixed grid, adds up to the summary, and leaves nothing behind', async () => {
    const { code, intervals, summary, stderr } = await run([
      '--duration=3',
      '--threads=2',
      '--records=2000',
      '--rate=2000',
      '--synchronous=OFF',
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const [first, second, ...rest] = intervals.map((line) => line.t);
    expect([first, second]).toEqual([1, 2]);
    // Operations that end late on a busy machine have a separate line after the last second.
    expect(rest.filter((t) => t <= 3 && t !== 3)).toEqual([]);
    expect(rest.at(-1)).toBeGreaterThanOrEqual(3);
    expect(summary?.ended).toBe('complete');
    expect(sum(intervals.map((line) => line.ops))).toBe(summary?.ops);
    expect(sum(intervals.map((line) => line.read ?? 0))).toBe(summary?.read);
    expect(sum(intervals.map((line) => line.update ?? 0))).toBe(summary?.update);
    expect((summary?.read ?? 0) + (summary?.update ?? 0)).toBe(summary?.ops);
    expect(sum(intervals.map((line) => line.seconds))).toBeCloseTo(summary?.seconds ?? 0, 4);
    // Half of them, within five standard deviations.
    const { ops = 0, read = 0 } = summary ?? {};
    expect(ops).toBeGreaterThan(0);
    expect(Math.abs(read / ops - 0.5)).toBeLessThan(2.5 / Math.sqrt(ops));
    for (const line of intervals) expect(line.p50_ms).toBeLessThanOrEqual(line.max_ms ?? 0);
    expect(Math.max(...intervals.map((line) => line.max_ms ?? 0))).toBeLessThanOrEqual((summary?.max_ms ?? 0) * 1.003);
    expect(leftovers()).toEqual([]);
  });

  // In daily runs, the mixes with inserts, scans, reads and read-modify-writes.
  test.each(byDay(['B', 'C', 'D', 'E', 'F'], (mix) => mix === 'E' || mix === 'F'))(
    'with mix %s runs only its kinds and finds every record',
    async (mix) => {
      const { code, summary } = await run([
        `--mix=${mix}`,
        '--duration=0.5',
        '--threads=2',
        '--records=500',
        // The rarest kind has a share of one twentieth.
        '--rate=600',
        '--synchronous=OFF',
      ]);
      expect(code).toBe(0);
      const present = (['read', 'update', 'insert', 'scan', 'rmw'] as const).filter(
        (kind) => summary?.[kind] !== undefined,
      );
      const expected = {
        B: ['read', 'update'],
        C: ['read'],
        D: ['read', 'insert'],
        E: ['insert', 'scan'],
        F: ['read', 'rmw'],
      };
      expect(present).toEqual(expected[mix as keyof typeof expected]);
      expect(summary?.ops).toBeGreaterThan(0);
      expect(summary?.errors).toBe(0);
    },
  );

  test('keeps its rate over all threads', async () => {
    const options = ['--duration=2', '--threads=3', '--mix=C', '--records=500'];
    // Due 0, 1/3, 2/3 … 5/3 seconds after the start, which leaves time for the last one even on a busy computer.
    const slow = await run(['--rate=3', ...options]);
    expect(slow.summary?.ops).toBe(6);
    // How closely a load reaches its rate depends on the computer, but it never exceeds it.
    const { summary, intervals } = await run(['--rate=300', ...options]);
    expect(summary?.ops).toBeLessThanOrEqual(600);
    expect(intervals.length).toBeGreaterThan(1);
    let [seconds, done] = [0, 0];
    for (const line of intervals) {
      seconds += line.seconds;
      done += line.ops;
      expect(done).toBeLessThanOrEqual(300 * seconds + 1);
    }
    expect(done).toBe(summary?.ops);
    expect(done).toBeGreaterThan(6);
  });

  test('on a connection without lock waits counts failures as errors', async () => {
    const { code, summary } = await run([
      '--busy-timeout=0',
      '--threads=3',
      '--duration=0.5',
      '--records=500',
      '--synchronous=FULL',
    ]);
    expect(code).toBe(0);
    expect(summary?.errors).toBeGreaterThan(0);
    expect(summary?.ops).toBeGreaterThan(0);
  });
});

describe('durability', () => {
  test.each(['OFF', 'NORMAL', 'FULL'])(
    'synchronous = %s is in effect on the connections, in WAL mode',
    async (level) => {
      const { start } = await run([`--synchronous=${level}`, '--duration=0.2', '--records=100', '--rate=100']);
      expect(start).toMatchObject({ synchronous: level, journal: 'wal' });
    },
  );
});

describe('stopping', () => {
  test('by SIGTERM prints a summary of the completed work', async () => {
    const { code, summary, intervals } = await run(
      ['--duration=60', '--records=500', '--rate=500', '--synchronous=OFF'],
      'interval',
    );
    expect(code).toBe(143);
    expect(summary?.ended).toBe('stopped');
    expect(summary?.seconds).toBeLessThan(20);
    expect(sum(intervals.map((line) => line.ops))).toBe(summary?.ops);
    expect(leftovers()).toEqual([]);
  });

  test('by SIGTERM during the load ends it too', async () => {
    const { code, summary, start } = await run(['--duration=60', '--records=3000000'], 'load');
    expect(code).toBe(143);
    expect(start).toBeUndefined();
    expect(summary).toMatchObject({ ended: 'stopped', ops: 0 });
    expect(leftovers()).toEqual([]);
  });

  test.each(['--records=0', '--mix=Z', '--unknown=1', '--threads=x', '--synchronous=maybe'])(
    '%s is refused with a sentence',
    async (option) => {
      const { code, stderr, lines } = await run([option]);
      expect(code).toBe(2);
      expect(stderr).toContain(option.slice(2).split('=')[0]);
      expect(lines).toEqual([]);
    },
  );

  test('without its directory names it', async () => {
    const { code, lines } = await run([`--directory=${join(directory, 'missing')}`]);
    expect(code).toBe(1);
    expect(lines).toMatchObject([{ kind: 'error', message: expect.stringContaining('missing') }]);
  });
});

describe('a named database file', () => {
  test('is created, kept, and reused', async () => {
    const file = join(directory, 'named.db');
    const options = [`--file=${file}`, '--duration=0.3', '--records=300', '--rate=300', '--mix=D', '--synchronous=OFF'];
    expect((await run(options)).code).toBe(0);
    expect((await run(options)).code).toBe(0);
    const database = new Database(file, { readonly: true });
    expect(database.prepare('SELECT count(*) FROM usertable').pluck().get()).toBeGreaterThanOrEqual(300);
    database.close();
  });

  test('is not touched if it holds something else', async () => {
    const file = join(directory, 'precious.db');
    const database = new Database(file);
    database.exec("CREATE TABLE usertable (ycsb_key TEXT, note TEXT); INSERT INTO usertable VALUES ('a', 'keep me')");
    database.close();
    const { code, stderr } = await run([`--file=${file}`]);
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing in it was changed');
    const again = new Database(file, { readonly: true });
    expect(again.prepare('SELECT note FROM usertable').pluck().get()).toBe('keep me');
    again.close();
  });

  test('is refused if it is not a database', async () => {
    const file = join(directory, 'letter.txt');
    writeFileSync(file, 'Dear reader, this is not a database but a letter of some length.\n'.repeat(100));
    const { code, lines } = await run([`--file=${file}`]);
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({ kind: 'error', code: 'SQLITE_NOTADB' });
    expect(existsSync(file)).toBe(true);
  });
});
