import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadToolFile } from '../../src/shared/contract/experiments.ts';
import { Experiment, type Scalar } from '../../src/shared/model/experiment.ts';
import type { Run } from '../../src/shared/model/session.ts';
import { byDay } from '../../src/shared/util/testing/depth.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { ended, until } from './testing/session.ts';

/** Debian's package of examples has fio's job files here: they are read in place, no copies are kept. */
const EXAMPLES = '/usr/share/doc/fio/examples';
const present = existsSync(EXAMPLES);
const examples = present ? readdirSync(EXAMPLES).filter((name) => name.endsWith('.fio')) : [];
/** Concurrent sessions, each with its own library: a generator has one at a time. */
const ENGINES = 3;

const NETWORK = 'it uses a network or a service';
const OF_ITS_KIND = 'it needs a device or a file system of its kind';
const CARD = 'it needs a graphics card';
const PROGRAM = 'it starts another program, or loads one that is not part of fio';
const VARIABLE = 'it refers to an environment variable';
/** Files that cannot run on files of a Linux host, and the reason shown when the file is opened and checked. */
const REFUSED: Readonly<Record<string, string>> = {
  'butterfly.fio': 'The job forward of the job file has no size to create its file with.',
  'cpp_null.fio': PROGRAM,
  'dev-dax.fio': OF_ITS_KIND,
  'dfs.fio': NETWORK,
  'enospc-pressure.fio': 'In a file, only ioengine=falloc can',
  'exec.fio': PROGRAM,
  'gfapi.fio': NETWORK,
  'gpudirect-rdmaio-client.fio': NETWORK,
  'gpudirect-rdmaio-server.fio': NETWORK,
  'http-s3-crypto.fio': NETWORK,
  'http-s3-storage-class.fio': NETWORK,
  'http-s3.fio': NETWORK,
  'http-swift.fio': NETWORK,
  'http-webdav.fio': NETWORK,
  'ime.fio': PROGRAM,
  'libcufile-cufile.fio': CARD,
  'libcufile-posix.fio': CARD,
  'libhdfs.fio': NETWORK,
  'libiscsi.fio': NETWORK,
  'libpmem.fio': OF_ITS_KIND,
  'librpma_apm-client.fio': NETWORK,
  'librpma_apm-server.fio': NETWORK,
  'librpma_gpspm-client.fio': NETWORK,
  'librpma_gpspm-server.fio': NETWORK,
  'libzbc-rand-write.fio': OF_ITS_KIND,
  'libzbc-seq-read.fio': OF_ITS_KIND,
  'mtd.fio': OF_ITS_KIND,
  'nbd.fio': NETWORK,
  'netio.fio': NETWORK,
  'netio_multicast.fio': NETWORK,
  'nfs.fio': 'an engine that uses a network',
  'pmemblk.fio': OF_ITS_KIND,
  'rados.fio': NETWORK,
  'rbd.fio': NETWORK,
  'rdmaio-client.fio': NETWORK,
  'rdmaio-server.fio': NETWORK,
  'sg_verify-fail.fio': OF_ITS_KIND,
  'sg_verify.fio': OF_ITS_KIND,
  'sg_write_same_ndob.fio': OF_ITS_KIND,
  'surface-scan.fio': 'it would fill the disk of the host to the last byte',
  'uring-cmd-ng.fio': OF_ITS_KIND,
  'uring-cmd-zoned.fio': OF_ITS_KIND,
  'xnvme-compare.fio': VARIABLE,
  'xnvme-zoned.fio': VARIABLE,
};
/** Files that measure a device: imported and checked, and started if there is such a device. */
const ON_DEVICE = [
  ...['basic-verify', 'cmdprio-bssplit', 'cmdprio-percentage', 'cross-stripe-verify', 'disk-zone-profile', 'jesd219'],
  ...['latency-profile', 'numa', 'ssd-steadystate', 'zbd-rand-write', 'zbd-seq-read'],
].map((name) => `${name}.fio`);
/** fio itself ends these with an error: jobs that move and verify the blocks of one file at the same time. */
const FAILS = ['e4defrag.fio', 'e4defrag2.fio'];
const FAILURES = /read back differs from data written|refused an I\/O because the file or device is in use/;

/** fio 3.33 may never finish these, even when run by hand: I/Os offloaded to threads (io_submit_mode). */
const HANGS = ['fixed-rate-submission.fio', 'poisson-rate-submission.fio'];

const known = [...Object.keys(REFUSED), ...ON_DEVICE, ...FAILS, ...HANGS];
const runnable = examples.filter((name) => !known.includes(name));
/** All of them are imported and checked; by day only one runs. */
const measured = byDay(runnable, (_, at) => at === 0);
/** One that writes, and one that reads. */
const started = byDay(ON_DEVICE, (name) => ['basic-verify.fio', 'disk-zone-profile.fio'].includes(name));
const failing = byDay(FAILS, (_, at) => at === 0);

let engines: TestEngine[] = [];
let disk = '';
beforeAll(async () => {
  disk = mkdtempSync(path.join(tmpdir(), 'kneepoint-fio-examples-'));
  engines = await Promise.all(Array.from({ length: ENGINES }, () => startEngine()));
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  rmSync(disk, { recursive: true, force: true });
});

interface Imported {
  read: ReadToolFile;
  experiment: Experiment;
  /** The document, and its check. */
  text: string;
  problems: string[];
}

/** Like `kneepoint import` and `kneepoint check`, in a folder if the file names none. */
async function imported(
  { client }: TestEngine,
  name: string,
  change: (experiment: Experiment) => Experiment = (same) => same,
): Promise<Imported> {
  const file = readFileSync(path.join(EXAMPLES, name), 'utf8');
  const read = await client.experiments.readFile({ tool: 'fio', options: { directory: disk }, text: file });
  const { options, measure } = read;
  const experiment = change(
    Experiment.parse({ kneepoint: 1, name, workload: { tool: 'fio', options }, where: {}, measure }),
  );
  const { text } = await client.experiments.format({ experiment });
  const { problems } = await client.experiments.check({ text });
  return { read, experiment, text, problems: problems.map(({ message }) => message) };
}

/** The same jobs with less disk space and less time, in a folder of this test. */
function shortened(experiment: Experiment, directory: string): Experiment {
  const { 'job-file': file, ...options } = experiment.workload.options as Record<string, Scalar>;
  const text = String(file)
    .replaceAll(/^(size|filesize|io_size)=.*$/gm, '$1=4m')
    .replaceAll(/^nrfiles=.*$/gm, 'nrfiles=20')
    .replaceAll(/^startdelay=(\d+)$/gm, (_, seconds) => `startdelay=${Math.floor(Number(seconds) / 40)}`);
  const stages = 1 + (text.match(/^(stonewall|wait_for)/gm)?.length ?? 0);
  return {
    ...experiment,
    workload: { ...experiment.workload, options: { ...options, directory, 'job-file': text } },
    measure: { ...experiment.measure, warmup: 0, duration: 1 + stages + (text.includes('startdelay') ? 3 : 0) },
  };
}

/** Runs them all, a few at a time. */
async function runs(names: readonly string[]): Promise<Map<string, Run & { problems: string[] }>> {
  const waiting = [...names];
  const done = new Map<string, Run & { problems: string[] }>();
  await Promise.all(
    engines.map(async (engine, index) => {
      const folder = mkdtempSync(path.join(disk, `${index}-`));
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const { text, problems } = await imported(engine, name, (experiment) => shortened(experiment, folder));
        const { id } = await engine.client.sessions.start({ text });
        await until(engine.client, id, ended);
        const [run] = await engine.client.sessions.runs({ id });
        if (run) done.set(name, { ...run, problems });
      }
    }),
  );
  return done;
}

// If nothing may be skipped, their absence is a failure.
describe.skipIf(!present && process.env.CI !== 'true')('the example job files of fio', () => {
  it('are the known ones', () => {
    expect(examples).toHaveLength(86);
    expect(runnable).toHaveLength(27);
    for (const name of known) expect(examples).toContain(name);
  });

  it('are imported into a complete document, and report a missing duration', async () => {
    const [engine] = engines as [TestEngine];
    for (const name of [...runnable, ...ON_DEVICE, ...FAILS, ...HANGS]) {
      const { read, problems } = await imported(engine, name);
      expect(problems, name).toEqual([]);
      expect(
        read.lines.filter(({ is }) => is === 'refused'),
        name,
      ).toEqual([]);
      const isNoted = read.lines.some(({ message }) => /sets no time for its jobs/.test(message));
      expect(read.measure.duration !== undefined || isNoted, name).toBe(true);
    }
  });

  it('that need more than files state it, and the check refuses them with that reason', async () => {
    const [engine] = engines as [TestEngine];
    for (const [name, reason] of Object.entries(REFUSED))
      expect((await imported(engine, name)).problems.join(), name).toContain(reason);
  });

  it('that measure a device start only if it exists', async () => {
    const [engine] = engines as [TestEngine];
    for (const name of started) {
      const { text, read } = await imported(engine, name);
      const { device } = read.options;
      if (existsSync(String(device))) continue;
      // One that writes is refused before its start, one that reads when it reaches the device.
      const session = await engine.client.sessions.start({ text }).catch((error: Error) => error.message);
      if (typeof session === 'string') expect(session, name).toContain(`${device} on this computer`);
      else {
        await until(engine.client, session.id, ended);
        const [run] = await engine.client.sessions.runs({ id: session.id });
        expect(run, name).toMatchObject({ state: 'failed', message: expect.stringContaining('is not a block device') });
      }
    }
  });

  it('that need only files run and measure', async () => {
    const done = await runs(measured);
    for (const name of measured) {
      const run = done.get(name);
      expect({ state: run?.state, message: run?.message, problems: run?.problems }, name).toEqual({
        state: 'done',
        problems: [],
      });
      expect(run?.summary.ios_total, name).toBeGreaterThan(0);
    }
  });

  it('that fio rejects report its error', async () => {
    for (const [name, run] of await runs(failing)) expect(run.message, name).toMatch(FAILURES);
  });
});
