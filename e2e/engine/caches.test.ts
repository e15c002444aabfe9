import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { aloneWithKernel } from '../testbed/alone.ts';
import { lacks } from '../testbed/programs.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { runSession } from './testing/hosts-bed.ts';
import { ended, toolFindings, until } from './testing/session.ts';

const MIB = 1024 ** 2;
const SIZE = 64 * MIB;
const DIRTY = Buffer.alloc(96 * MIB, 3);

/** On a disk: files of a tmpfs are only in memory. */
const folder = mkdtempSync('/var/tmp/kneepoint-caches-');
const file = path.join(folder, 'data');
let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  writeFileSync(file, Buffer.alloc(SIZE, 1), { flush: true });
});
afterAll(async () => {
  await engine?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The kernel may evict pages of a file from its cache at any time. */
const MOST = 0.8 * SIZE;

/** Bytes of the file in the page cache, reported by util-linux. */
const cached = (): number =>
  Number(execFileSync('fincore', ['--bytes', '--noheadings', '--output', 'RES', file], { encoding: 'utf8' }));

/** A custom command that reports how much of the file is cached when its trial begins, reads all of it, and reports again. */
const document = (repeats: number, before: string) => `kneepoint: 1
name: Cold and warm
workload:
  tool: command
  options:
    command: |
      fincore --bytes --noheadings --output RES '${file}' | sed 's/^ */cached /'
      cat '${file}' >/dev/null
      fincore --bytes --noheadings --output RES '${file}' | sed 's/^ */then /'
      echo "1 ops=1"
      sleep 1
    pattern: '^(?<t>\\d+) ops=(?<ops>\\d+)'
    metrics: ops = ops
    final-pattern: |
      cached (?<cached>\\d+)
      then (?<read>\\d+)
where: {}
measure: { duration: 1, repeats: ${repeats}, before: { ${before} } }
`;

it.skipIf(process.getuid?.() !== 0 || lacks('fincore') !== '')(
  'drops the caches before each trial on request, and keeps them otherwise',
  () =>
    aloneWithKernel(async () => {
      readFileSync(file);
      expect(cached()).toBeGreaterThan(MOST);
      const warm = await runSession(engine.client, document(1, 'rest: 0'));
      const [before] = warm.runs;
      expect(before?.summary.cached).toBeGreaterThan(MOST);
      expect(toolFindings(before?.findings ?? [])).toEqual([]);

      const cold = await runSession(engine.client, document(2, 'caches: generators'));
      expect(cold.session, cold.session.message).toMatchObject({ state: 'done', trialsEnded: 2, trialsFailed: 0 });
      for (const { summary, findings } of cold.runs) {
        expect(summary.cached).toBeLessThan(SIZE / 10);
        expect(findings[0]?.code).toBe('caches-dropped');
        expect(findings[0]?.message).toMatch(
          /^OS caches of this computer dropped before the trial: [\d.,]+ [KMG]iB cached before, [\d.,]+ [KM]iB after\.$/,
        );
      }
      // The dropped pages are those that the previous trial had read.
      for (const { summary } of [...warm.runs, ...cold.runs]) expect(summary.read).toBeGreaterThan(MOST);
    }),
);

atNight(it)('waits until dirty pages are written, and flags the trial if that takes too long', async () => {
  const fd = openSync(path.join(folder, 'dirty'), 'w');
  // Pages written back meanwhile are dirty again before the check.
  const writer = setInterval(() => writeSync(fd, DIRTY, 0, DIRTY.length, 0), 300);
  try {
    const { runs } = await runSession(engine.client, document(1, 'dirty: 64, patience: 2'));
    // In a second of load on a busy disk, hosts may give no samples: that is another finding.
    const found = (code: string) => expect.arrayContaining([expect.objectContaining({ code })]);
    expect(runs).toMatchObject([{ state: 'done', findings: found('not-quiet') }]);
    const notQuiet = runs[0]?.findings.find(({ code }) => code === 'not-quiet');
    expect(notQuiet?.severity).toBe('warn');
    expect(notQuiet?.message).toMatch(
      /^The trial started after a wait of [\d.]+ s although this computer was not quiet yet: [\d.]+ MiB of dirty pages, limit 64 MiB\.$/,
    );

    const text = document(1, 'dirty: 64, patience: 200');
    const { id } = await engine.client.sessions.start({ text });
    await until(engine.client, id, ({ activity }) => activity === 'Waiting until this computer is quiet');
    clearInterval(writer);
    fdatasyncSync(fd);
    await until(engine.client, id, ended);
    expect(await engine.client.sessions.runs({ id })).toMatchObject([
      { state: 'done', findings: found('waited-until-quiet') },
    ]);
  } finally {
    clearInterval(writer);
    closeSync(fd);
  }
});
