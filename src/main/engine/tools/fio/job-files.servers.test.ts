import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byDay } from '../../../../shared/util/testing/depth.ts';
import { perform } from '../testing/perform.ts';
import { fioTool } from './index.ts';
import { FioOptions } from './options/index.ts';
import { readJobFile } from './options/read-file.ts';
import { readOutput } from './testing/recordings.ts';

/**
 * Typical job files, each with something that the form cannot represent. Written for this test in the style of fio's own examples, with small sizes.
 */
const FILES: Readonly<Record<string, string>> = {
  'several jobs, one after the other': `[global]
ioengine=libaio
direct=0
size=4m
directory=/some/where
runtime=20
time_based
[seq-read]
rw=read
stonewall
[rand-read]
rw=randread
stonewall
[seq-write]
rw=write
stonewall
`,
  'a file that two jobs share': `[global]
filename=/tmp/shared.dat
size=8m
thread
bs=4k
[reader]
rw=randread
[writer]
rw=randwrite
startdelay=1
`,
  'verified writes': `[verify me]
rw=randwrite
bs=4k
size=2m
filename=verify.dat
verify=crc32c
do_verify=1
verify_backlog=64
verify_fatal=1
`,
  'a file server': `[global]
description=Emulation of a file server
bssplit=512/10:1k/5:2k/5:4k/60:8k/2:16k/4:32k/4:64k/10
rw=randrw
rwmixread=80
direct=0
size=4m
ioengine=libaio
iodepth=64
name=server
[iometer]
stonewall
`,
  'a latency target': `[global]
bs=4k
rw=randread
random_generator=lfsr
ioengine=libaio
iodepth=32
size=4m
latency_target=10000
latency_window=500000
latency_percentile=99.9
filename=\${DEVICE}
[device]
`,
  'a rate with a Poisson process': `[poisson-rate-submit]
size=8m
rw=randread
ioengine=libaio
iodepth=16
rate_iops=500
rate_process=poisson
write_lat_log=poisson
log_avg_msec=100
`,
  zones: `[job]
rw=randread
bs=4k
size=8m
random_distribution=zoned:50/5:30/15:20/
percentage_random=80
norandommap=1
`,
  'a flow between jobs': `[global]
ioengine=psync
size=4m
flow_id=1
thread
[w]
rw=write
flow=2
[r]
rw=randread
flow=1
`,
  'many files': `[files]
rw=randrw
nrfiles=10
filesize=64k
file_service_type=random
openfiles=4
bs=4k
lockfile=readwrite
`,
  'odd blocks, compressed': `[odd]
rw=write
bsrange=512-8k
bs_unaligned=1
size=2m
buffer_compress_percentage=50
refill_buffers=1
fsync=8
loops=3
`,
  'two jobs of one name': `[job]
rw=read
size=1m
[job]
rw=write
size=1m
numjobs=2
group_reporting
`,
  'holes and offsets': `[holes]
rw=read:4k
bs=4k
size=4m
offset=1m
zonemode=strided
zonerange=64k
zonesize=32k
zoneskip=32k
`,
};

const present = spawnSync('fio', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing fio fails the tests.
describe.skipIf(!present && process.env.CI !== 'true')('an opened job file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-job-files-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = async (text: string) => {
    const { options, lines } = readJobFile(text, {});
    expect(lines.filter(({ is }) => is === 'refused')).toEqual([]);
    // Like a user who then selects a folder on this machine.
    const parsed = FioOptions.parse({ ...options, directory: folder });
    const place = { nodePath: process.execPath, assetsDir: folder };
    const plan = fioTool.plan({
      ...{
        options: parsed,
        connection: { kind: 'host' },
        warmup: 0,
        duration: text.includes('startdelay') ? 2 : 1,
        seed: 1,
      },
      ...place,
    });
    const prepared = plan.prepare && (await perform(plan.prepare, folder));
    expect(prepared?.exit).toEqual({ code: 0 });
    const { stdout, stderr, exit } = await perform(plan.run, folder);
    const read = readOutput(stdout, stderr, { exit });
    expect({ ok: read.ok, reason: read.reason, unparsed: read.unparsed }).toEqual({ ok: true, unparsed: [] });
    expect(read.summary.ios_total).toBeGreaterThan(0);
    expect(plan.cleanup && (await perform(plan.cleanup, folder)).exit).toEqual({ code: 0 });
    return read;
  };
  it.each(byDay(Object.entries(FILES), (_, at) => at < 2))(
    'runs unchanged: %s',
    async (_, text) => void (await run(text)),
  );

  it('ends size-bound jobs when done, before and next to timed ones', async () => {
    const { summary } = await run(`[global]
bs=64k
size=1m
[fill]
rw=write
loops=3
[log]
rw=write
stonewall
time_based=0
runtime=9
[pages]
rw=read
time_based
runtime=9
`);
    expect(summary).toMatchObject({ group_0_write_mib_total: 3, group_1_write_mib_total: 1 });
    const {
      group_1_read_mib_total: read = 0,
      group_1_read_mib_s: reads = 0,
      group_1_write_mib_s: writes = 0,
    } = summary;
    expect(read).toBeGreaterThan(1);
    // Over the same time, rates are proportional to the completed I/Os.
    expect(reads / writes / read).toBeCloseTo(1, 2);
  });
});
