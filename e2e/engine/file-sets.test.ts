import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import type { FileSet } from '../../src/shared/model/data-set.ts';
import { LOCAL_HOST_NAME } from '../../src/shared/model/host.ts';
import { LOG_KINDS, type Session } from '../../src/shared/model/session.ts';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { ended, until } from './testing/session.ts';

const MIB = 1024 * 1024;

let engine: TestEngine;
let disk = '';
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(async () => {
  await engine?.close();
});
beforeEach(() => {
  disk = mkdtempSync(path.join(tmpdir(), 'kneepoint-files-'));
  return () => rmSync(disk, { recursive: true, force: true });
});

interface DocumentOptions {
  options?: string;
  data?: string;
  factors?: string;
  repeats?: number;
}
const fio = ({
  options = '',
  data = 'create',
  factors = '[]',
  repeats = 1,
}: DocumentOptions = {}): string => `kneepoint: 1
name: Files of fio
workload:
  tool: fio
  data: ${data}
  options: { directory: ${disk}, size: 2m, direct: false, ioengine: psync, rate-iops: 200${options} }
where: {}
factors: ${factors}
measure: { duration: 1, repeats: ${repeats} }
monitors: { generators: false, place: false }
`;
const fileio = (options: string, data = 'create'): string => `kneepoint: 1
name: Files of sysbench
workload:
  tool: sysbench
  data: ${data}
  options: { script: fileio, directory: ${disk}, file-num: 2, file-total-size: 2M${options} }
where: {}
measure: { duration: 1 }
monitors: { generators: false, place: false }
`;

async function run(text: string): Promise<Session> {
  const session = await until(engine.client, (await engine.client.sessions.start({ text })).id, ended);
  expect(session.message ?? '').toBe('');
  expect(session).toMatchObject({ state: 'done', trialsFailed: 0 });
  return session;
}
async function look(text: string): Promise<PreflightLine | undefined> {
  let lines: PreflightLine[] = [];
  for await (lines of engine.client.experiments.preflight({ text }));
  return lines.find(({ id }) => id === 'data');
}
const refusal = (text: string): Promise<string> =>
  engine.client.sessions.start({ text }).then(
    () => 'It started.',
    (error: Error) => error.message,
  );
const logOf = async (id: number): Promise<string[]> =>
  (await engine.client.sessions.events({ id, kinds: [...LOG_KINDS] })).map(({ message }) => message);
/** Sets of this test's folder, newest first. */
const sets = async (): Promise<FileSet[]> =>
  (await engine.client.dataSets.list({ kind: 'files' }))
    .filter((set) => set.kind === 'files')
    .filter(({ directory }) => directory.startsWith(disk));
const only = async (): Promise<FileSet> => {
  const [set, ...others] = await sets();
  if (!set || others.length > 0) throw new Error(`There are ${others.length + (set ? 1 : 0)} file sets.`);
  return set;
};
const own = (name = ''): string => path.join(disk, 'kneepoint-fio', name);

describe('files of fio', () => {
  it('are created once for all cells, reused by the next session, marked when modified, and never used incomplete', async () => {
    expect(await look(fio())).toMatchObject({ state: 'note', finding: { code: 'data-prepared' } });
    expect(await refusal(fio({ data: 'keep' }))).toContain('kneepoint-fio.0.0: missing');
    const first = await run(fio({ factors: '[{ name: bs, levels: [4k, 16k] }]', options: ', numjobs: 2' }));
    expect((await logOf(first.id)).filter((line) => line.startsWith('Preparing:'))).toHaveLength(1);
    const { places } = await engine.client.sessions.get({ id: first.id });
    expect(places).toMatchObject([
      {
        host: LOCAL_HOST_NAME,
        path: disk,
        fileSystem: { type: expect.stringMatching(/^\w+$/), mount: expect.stringMatching(/^\//) },
      },
    ]);
    const made = await only();
    expect(made).toMatchObject({
      host: LOCAL_HOST_NAME,
      tool: 'fio',
      directory: path.join(disk, 'kneepoint-fio'),
      title: '2 files of fio, 4.00 MiB',
      state: 'ready',
      madeBy: first.id,
      files: [0, 1].map((job) => ({ name: `kneepoint-fio.${job}.0`, bytes: 2 * MIB, found: 2 * MIB })),
    });

    // Fewer files, or smaller ones, are sufficient.
    const { ino } = statSync(own('kneepoint-fio.0.0'));
    expect(await look(fio({ options: ', bs: 64k', data: 'keep' }))).toMatchObject({ state: 'ok' });
    const writing = await run(fio({ data: 'keep', options: ', rw: randwrite' }));
    expect((await logOf(writing.id)).filter((line) => /^(Preparing|Using)/.test(line))).toEqual([
      expect.stringContaining('Using the existing files'),
    ]);
    expect(await only()).toMatchObject({ id: made.id, state: 'dirty', madeBy: first.id, writtenBy: writing.id });
    const { ino: same, size } = statSync(own('kneepoint-fio.0.0'));
    expectSame('the file', { ino: same, size }, { ino, size: 2 * MIB });
    const line = await look(fio());
    expect(line).toMatchObject({ state: 'note', finding: { code: 'data-written' } });
    expect(line?.finding?.message).toContain(`last by session ${writing.id} `);
    expect(await look(fio({ data: 'recreate' }))).toMatchObject({ state: 'warn', finding: { code: 'data-replaced' } });

    // Laid out again, and truncated by another process between two trials.
    const words = `kneepoint-fio.0.0: 4096 bytes, expected ${2 * MIB}`;
    const { id } = await engine.client.sessions.start({ text: fio({ data: 'recreate', repeats: 20 }) });
    for await (const event of engine.client.sessions.watch({ id }))
      if (event.kind === 'run' && event.run.state === 'running') break;
    await engine.client.sessions.pause({ id });
    await until(engine.client, id, ({ state }) => state === 'paused');
    expect((await sets())[0]).toMatchObject({ state: 'ready', madeBy: id });
    truncateSync(own('kneepoint-fio.0.0'), 4096);
    await engine.client.sessions.resume({ id });
    const stopped = await until(engine.client, id, ended);
    expect(stopped).toMatchObject({ state: 'failed', message: expect.stringContaining(words) });
    const runs = await engine.client.sessions.runs({ id });
    expect(new Set(runs.map(({ state }) => state))).toEqual(new Set(['done', 'pending']));
    expect((await sets())[0]).toMatchObject({ state: 'partial' });
    expect(await look(fio())).toMatchObject({ state: 'block', finding: { code: 'data-mismatch' } });
    for (const data of ['create', 'keep']) expect(await refusal(fio({ data }))).toContain(words);
    expect(statSync(own('kneepoint-fio.0.0')).size).toBe(4096);
  });

  atNight(it)('of several sizes are as large as the largest, in any order', async () => {
    const session = await run(fio({ factors: '[{ name: size, levels: [1m, 3m] }]' }));
    expect((await logOf(session.id)).filter((line) => line.startsWith('Preparing:'))).toHaveLength(1);
    expect(statSync(own('kneepoint-fio.0.0')).size).toBe(3 * MIB);
  });

  it('below a storage path are extended, and removed only on request, without files of another set or of the user', async () => {
    const name = path.basename(disk);
    await engine.client.targets.save({ spec: { name, kind: 'storage', via: null, config: { path: disk } } });
    const there = (options: string): string =>
      fio({ options }).replace(`directory: ${disk}, `, '').replace('where: {}', `where: { target: ${name} }`);
    await run(there(', rw: write'));
    await run(there(', numjobs: 2'));
    // It includes the written one.
    expect(await only()).toMatchObject({ title: '2 files of fio, 4.00 MiB', state: 'dirty' });
    await run(there(String.raw`, source: job-file, job-file: "[log]\nrw=read\nsize=1m\n"`));
    writeFileSync(own('note.txt'), 'mine');
    const [log, pages] = await sets();
    expect([log?.files[0]?.name, pages?.files[0]?.name]).toEqual(['kneepoint-fio.log.0.0', 'kneepoint-fio.0.0']);
    expect(await engine.client.dataSets.look({ kind: 'files', id: pages?.id ?? 0 })).toMatchObject({ state: 'dirty' });
    expect(await engine.client.dataSets.remove({ kind: 'files', id: pages?.id ?? 0 })).toMatchObject({ state: 'gone' });
    expectSame('files', readdirSync(own()).sort(), ['kneepoint-fio.log.0.0', 'made-by-kneepoint', 'note.txt']);
    await engine.client.dataSets.remove({ kind: 'files', id: log?.id ?? 0 });
    expect(await sets()).toEqual([]);
    expectSame('the file of a person', readFileSync(own('note.txt'), 'utf8'), 'mine');
  });
});

it('files of sysbench fileio are tracked in the same way', async () => {
  const session = await run(fileio(', file-test-mode: rndwr'));
  const made = await only();
  expect(made).toMatchObject({ tool: 'sysbench', state: 'dirty', madeBy: session.id, writtenBy: session.id });
  expect(made.files).toEqual([0, 1].map((file) => ({ name: `test_file.${file}`, bytes: MIB, found: MIB })));
  expect(await look(fileio(', file-test-mode: rndrd', 'keep'))).toMatchObject({ finding: { code: 'data-written' } });
  truncateSync(path.join(made.directory, 'test_file.1'), 512);
  expect(await refusal(fileio(', file-test-mode: rndrd'))).toContain(`test_file.1: 512 bytes, expected ${MIB}`);
  // A mode that creates its own files does not depend on them.
  expect(await look(fileio(', file-test-mode: seqwr'))).toMatchObject({ state: 'ok' });
  await engine.client.dataSets.remove({ kind: 'files', id: made.id });
  expect(readdirSync(disk)).toEqual([]);
});
