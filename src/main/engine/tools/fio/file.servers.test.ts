import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadToolFile } from '../../../../shared/contract/experiments.ts';
import type { Scalar } from '../../../../shared/model/experiment.ts';
import type { PlanInput } from '../tool.ts';
import { fioTool } from './index.ts';
import { FioOptions } from './options/index.ts';

type Given = Record<string, Scalar>;
const file = fioTool.file as NonNullable<typeof fioTool.file>;
const read = (text: string, current: Given = {}): ReadToolFile => file.read(text, current);
const input = (options: Given, time: Partial<PlanInput<FioOptions>> = {}): PlanInput<FioOptions> => ({
  options: FioOptions.parse(options),
  connection: { kind: 'host' },
  warmup: 5,
  duration: 60,
  seed: 7,
  nodePath: '/usr/bin/node',
  assetsDir: '/opt/kneepoint',
  ...time,
});
const written = (options: Given, time?: Partial<PlanInput<FioOptions>>): string => file.write(input(options, time));
const reasons = (text: string, current?: Given): Record<number, string> =>
  Object.fromEntries(
    read(text, current)
      .lines.filter(({ is }) => is === 'not-in-form')
      .map(({ number = 0, text: line }) => [number, line]),
  );

/** Reproducible random numbers (mulberry32). */
function dice(seed: number): <Item>(items: readonly Item[]) => Item {
  let state = seed;
  return (items) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return items[((mixed ^ (mixed >>> 14)) >>> 0) % items.length] as (typeof items)[number];
  };
}

const SIZES = ['512', '4k', '16K', '1m', '1M', '2g', '4096', '8kb', '3T'];
/** Options of the form as a user might set them, without those that have no effect with the pattern. */
function someOptions(seed: number): Given {
  const pick = dice(seed);
  const rw = pick(['randread', 'read', 'randwrite', 'write', 'randrw', 'rw']);
  const place = pick<Given>([{ directory: '/mnt/disk' }, { directory: '/mnt/my disk: 2' }, { device: '/dev/nvme1n1' }]);
  return {
    ...place,
    rw,
    ...(rw.endsWith('rw') && { rwmixread: pick([0, 1, 50, 70, 100]) }),
    ...(!rw.endsWith('read') && { fsync: pick([0, 1, 32]), fdatasync: pick([0, 4]) }),
    bs: pick(SIZES),
    size: pick(SIZES),
    iodepth: pick([1, 16, 65_536]),
    numjobs: pick([1, 2, 1024]),
    ioengine: pick(['libaio', 'io_uring', 'posixaio', 'psync', 'sync', 'pvsync', 'mmap']),
    direct: pick([true, false]),
    'rate-iops': pick([0, 0, 500]),
    rate: pick(['', '', '10m', '1g']),
  };
}
const plain = (options: Given): Given =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/^(\d+[kmgt])b$/i, '$1') : value,
    ]),
  );

describe('options as a job file', () => {
  it('are read back unchanged, including the time', () => {
    const pick = dice(11);
    for (let seed = 0; seed < 500; seed += 1) {
      const options = someOptions(seed);
      const time = { warmup: pick([0, 4.5, 30]), duration: pick([1, 60, 90.25]) };
      const back = read(written(options, time));
      expect(back.whole, JSON.stringify(options)).toBe(false);
      expect(FioOptions.parse(back.options)).toEqual(FioOptions.parse(plain(options)));
      expect({ warmup: 0, ...back.measure }).toEqual(time);
      expect(written(back.options as Given, time)).toBe(written(options, time));
    }
  });

  it('contain the whole load, with comments for a manual run', () => {
    expect(written({ directory: '/mnt/disk/', rw: 'randrw', rwmixread: 70, bs: '16KiB', numjobs: 2, fsync: 1 })).toBe(
      `; The folder must exist; fio creates missing files in it.
[global]
directory=/mnt/disk/kneepoint-fio
filename_format=kneepoint-fio.$jobnum.$filenum
thread=1
group_reporting=1
time_based=1
ramp_time=5s
runtime=60s
randseed=7

[kneepoint-fio]
rw=randrw
rwmixread=70
bs=16K
iodepth=1
ioengine=libaio
direct=1
fsync=1
size=1g
numjobs=2
`,
    );
    expect(written({ device: '/dev/sdb', rw: 'write' })).toMatch(/^; Jobs that write destroy everything on \/dev\/sdb/);
    expect(written({ device: '/dev/sdb' })).not.toMatch(/destroy/);
    expect(() => written({})).toThrow(/needs a folder/);
  });

  it('omit a folder name that a job file cannot contain', () => {
    for (const directory of ['/mnt/a;b', '/mnt/a#b', '/mnt/a$b', '/mnt/a\\b']) {
      expect(written({ directory })).not.toContain('directory=');
      expect(written({ directory })).toContain('start fio inside it');
    }
  });

  it('use the path of the target if no place is set, also if it is a device', () => {
    expect(written({}, { connection: { kind: 'storage', path: '/srv' } })).toContain(
      '\ndirectory=/srv/kneepoint-fio\n',
    );
    expect(written({}, { connection: { kind: 'storage', path: '/dev/sdb' } })).toContain('\nfilename=/dev/sdb\n');
  });

  it('that are a job file themselves get place and time around it', () => {
    const own = '[log]\nrw=write ; the log\nsize=64m\n';
    const text = written({ directory: '/d', source: 'job-file', 'job-file': own });
    expect(text).toContain('filename_format=kneepoint-fio.$jobname.$jobnum.$filenum\nthread=1\ntime_based=1\n');
    expect(text).toContain('\n\n[log]\nrw=write\nsize=64m\n');
  });
});

describe('a job file as options', () => {
  const form = (text: string) => {
    const back = read(text);
    expect(back.lines.filter(({ is }) => is === 'not-in-form')).toEqual([]);
    expect(back.whole).toBe(false);
    return back.options;
  };
  const job = (...lines: string[]): string => ['[a]', 'rw=randread', 'size=1g', ...lines].join('\n');

  it('is read with the defaults of fio, not of the form', () => {
    const defaults = { ioengine: 'psync', direct: false };
    expect(form('[a]\nsize=1g\n')).toEqual({ ...defaults, rw: 'read' });
    expect(form(job())).toEqual(defaults);
    expect(form(job('ioengine=libaio', 'direct=1', 'iodepth=8'))).toEqual({ iodepth: 8 });
  });

  it('accepts units, aliases and negated options', () => {
    expect(form(job('bs=1M'))).toMatchObject({ bs: '1M' });
    expect(form(job('blocksize = 16kb'))).toMatchObject({ bs: '16k' });
    // 16,000 bytes, as in fio 3.
    expect(form(job('bs=16KiB'))).toMatchObject({ bs: '16000' });
    expect(form(job('buffered=0', 'ioengine=libaio'))).toEqual({});
    expect(form('[a]\nreadwrite=readwrite\nsize=1g\nrwmixwrite=30')).toMatchObject({ rw: 'rw', rwmixread: 70 });
    expect(read(job('runtime=2m', 'time_based', 'ramp_time=500ms'))).toMatchObject({
      measure: { duration: 120, warmup: 0.5 },
    });
  });

  it('applies [global] to its job, unless the job or a later line overrides it', () => {
    expect(form('[global]\nbs=8k\niodepth=4\n[a]\nrw=randread\nsize=1g\niodepth=32\n')).toMatchObject({
      bs: '8k',
      iodepth: 32,
    });
    expect(form(job('direct=1', 'buffered=1'))).toMatchObject({ direct: false });
    expect(form(job('rw=write', 'fsync=1'))).toMatchObject({ rw: 'write', fsync: 1 });
    const after = read(`${job()}\n[global]\nbs=8k\n`);
    expect(after.options).not.toHaveProperty('bs');
    expect(after.lines).toContainEqual(expect.objectContaining({ number: 5, text: 'bs=8k', is: 'note' }));
  });

  it('lists what it omits: comments, names, lines without effect and options set by Kneepoint', () => {
    const text = `; mine\n${job('rwmixread=30', 'thread', 'bs=4k ; pages', 'randseed=9', 'bs=8k')}\n`;
    const back = read(text);
    expect(back.whole).toBe(false);
    expect(back.lines.flatMap(({ number }) => number ?? [])).toEqual([1, 2, 5, 6, 7, 8]);
    expect(back.lines.every(({ is, message }) => is === 'note' && message !== '')).toBe(true);
  });

  it('keeps the configured place unless it names one', () => {
    expect(read(job(), { directory: '/srv', bs: '64k' }).options).toEqual({
      directory: '/srv',
      ioengine: 'psync',
      direct: false,
    });
    expect(read(job('directory=/mnt/b'), { directory: '/srv' }).options).toMatchObject({ directory: '/mnt/b' });
    expect(read(job('filename=/dev/sdb'), { directory: '/srv' }).options).toMatchObject({ device: '/dev/sdb' });
    expect(read(job('filename=/dev/sdb'), { directory: '/srv' }).options).not.toHaveProperty('directory');
    expect(read(job('stonewall'), { device: '/dev/sdb' }).options).toMatchObject({ device: '/dev/sdb' });
  });

  it('beyond the form is kept exactly, and each line that causes it is listed', () => {
    const lines: Record<string, string> = {
      'a percentage': 'size=50%',
      'sizes for reads and writes': 'bs=4k,8k',
      'a range': 'bsrange=4k-64k',
      'a sequence': 'rw=randread:8',
      'a depth as words': 'iodepth=8k',
      'an engine': 'ioengine=splice',
      'two devices': 'filename=/dev/sda:/dev/sdb',
      'a distribution': 'random_distribution=zipf:1.2',
      'another time': 'runtime=1:30',
      'what nobody knows': 'frobnicate=1',
    };
    for (const [what, line] of Object.entries(lines)) {
      const text = `# ${what}\r\n${job(line)}\n`;
      const back = read(text, { directory: '/srv' });
      expect(back, what).toMatchObject({ whole: true, measure: {} });
      expect(back.options, what).toEqual({ directory: '/srv', source: 'job-file', 'job-file': text });
      expect(reasons(text), what).toEqual({ 5: line });
    }
    expect(reasons('[a]\nrw=read\n')).toEqual({ 0: '' });
    expect(reasons('[a]\nfilename=/dev/sdb\nnumjobs=2\nsize=1g')).toEqual({ 0: '' });
    expect(reasons('[a]\nfilename=/dev/sdb\nnumjobs=2\nsize=1g\noffset_increment=1024m')).toEqual({});
  });

  it('with several jobs and groups is kept, and each further job is listed with its lines', () => {
    const text = '[global]\nsize=1g\n[log]\nrw=write\n[pages]\nnew_group\nrw=randread\n';
    expect(reasons(text)).toEqual({ 5: '[pages]', 6: 'new_group', 7: 'rw=randread' });
    const { options } = read(text);
    expect(FioOptions.safeParse(options).success).toBe(true);
    // It can also be run unchanged.
    expect(read(text).lines.filter(({ is }) => is === 'refused')).toEqual([]);
    expect(fioTool.plan(input({ ...options, directory: '/d' } as Given)).run.files[1]?.content).toContain(
      '[log]\nrw=write\n[pages]\nnew_group\n',
    );
  });

  it('gives place and time to options and experiment, and keeps the rest', () => {
    const text = `[global]
directory=/mnt/b
runtime=30
time_based
ramp_time=2s
thread
write_bw_log=bw
rw=randrw
size=64m
[first job]
filename=shared.dat:/mnt/b/other
bs=4k
[first job]
stonewall
runtime=1m
filename=shared.dat
bs=64
`;
    const back = read(text, { directory: '/srv' });
    expect(back).toMatchObject({ whole: true, measure: { duration: 94 } });
    expect(back.options).toMatchObject({ source: 'job-file', directory: '/mnt/b' });
    expect(back.options['job-file']).toBe(`[global]
; directory=/mnt/b
runtime=30
; time_based
ramp_time=2s
; thread
; write_bw_log=bw
rw=randrw
size=64m
[first_job]
filename=kneepoint-fio.shared.dat:kneepoint-fio.other
bs=4k
[first_job-2]
stonewall
runtime=1m
filename=kneepoint-fio.shared.dat
bs=64
`);
    expect(back.lines.filter(({ is }) => is === 'refused')).toEqual([]);
    const noted = back.lines.filter(({ is }) => is === 'note').map(({ number }) => number);
    // The last note belongs to no line: the two stages share the duration.
    expect(noted).toEqual([2, 3, 4, 5, 6, 7, 10, 11, 13, 15, 16, undefined]);
    // Opening it again changes nothing.
    expect(read(String(back.options['job-file'])).options['job-file']).toBe(back.options['job-file']);
  });

  it('keeps different job times as their shares, and adds up stages that wait', () => {
    const text =
      '[a]\nrw=read\nsize=1g\nruntime=30\n[b]\nstonewall\nrw=read\nsize=1g\nruntime=1m\nloops=2\nthreads=1\n';
    const back = read(text);
    expect(back.measure).toEqual({ duration: 90 });
    expect(back.options['job-file']).toBe(text.replace('threads=1', '; threads=1'));
    expect(back.lines.filter(({ is }) => is === 'refused')).toEqual([]);
    expect(back.lines.filter(({ is }) => is === 'note').map(({ number = 0 }) => number)).toEqual([4, 9, 10, 11, 0]);
    expect(back.lines.at(-1)?.message).toContain('run in 2 stages');
    // Opening it again changes nothing, and fio alone runs it with the same shares.
    expect(read(String(back.options['job-file'])).options).toEqual(back.options);
    const alone = written({ ...(back.options as Given), directory: '/d' }, { warmup: 0, duration: 180 });
    expect(alone.match(/^(ramp_time|runtime)=.*$/gm)).toEqual(['runtime=90', 'runtime=60', 'runtime=120']);
  });

  it('sets a duration beyond the last startdelay, within the range of an experiment', () => {
    const late = read('[a]\nrw=read\nsize=1g\n[b]\nrw=read\nsize=1g\nstartdelay=124\n');
    expect(late.measure).toEqual({ duration: 184 });
    expect(late.lines.map(({ message }) => message).join()).toContain(
      'starts after 124 s, so the duration is set to 184 s',
    );
    const year = read('[a]\nrw=read:4\nsize=1g\nruntime=365d\n');
    expect(year.measure).toEqual({});
    expect(year.lines.map(({ message }) => message)).toContain(
      'A duration of 31536000 s is not possible, so the current one is unchanged.',
    );
  });

  it('keeps /dev/null and /dev/zero, which are not disks', () => {
    const back = read('[a]\nfilename=/dev/null\nrw=write\nsize=1g\nbs=4k,8k\n', { directory: '/srv' });
    expect(back.options).toMatchObject({
      directory: '/srv',
      'job-file': expect.stringContaining('filename=/dev/null'),
    });
    expect(back.lines.filter(({ is }) => is === 'refused')).toEqual([]);
    expect(written(back.options as Given)).toMatch(/start fio inside the folder/);
    expect(written(back.options as Given)).not.toContain('directory=');
  });

  it('reports a file without a time', () => {
    expect(read('[a]\nrw=read\nsize=1g\n[b]\nrw=read\nsize=1g\nruntime=9\n').lines).toContainEqual(
      expect.objectContaining({
        is: 'note',
        message: expect.stringContaining('a ends when it has processed its size'),
      }),
    );
    expect(read('[a]\nrw=read:4\nsize=1g\n').lines).toContainEqual(
      expect.objectContaining({ is: 'note', message: expect.stringContaining('sets no time') }),
    );
  });

  it('uses the only device of a kept file as the measured device', () => {
    const back = read('[a]\nfilename=/dev/sdb\nrw=read\n[b]\nfilename=/dev/sdb\nrw=randread\n', { directory: '/srv' });
    expect(back.options).toMatchObject({ device: '/dev/sdb' });
    expect(back.options).not.toHaveProperty('directory');
    expect(back.lines.filter(({ is }) => is === 'refused')).toEqual([]);
  });

  it('lists every line of a kept file that Kneepoint does not run', () => {
    const back = read('[a]\nrw=trim\nsize=4x\nruntime=1:30\nfilename=/dev/sda:/dev/sdb\nexec_prerun=true');
    expect(back.lines.filter(({ is }) => is === 'refused').map(({ number }) => number)).toEqual([2, 3, 4, 5, 6]);
  });

  it('that includes other files is refused with a sentence, like an empty one', () => {
    expect(() => read(`${job()}\ninclude other.fio\n`)).toThrow(
      'Line 4 of the job file reads another file (include other.fio), which is not here.',
    );
    expect(read('').lines).toContainEqual(expect.objectContaining({ is: 'not-in-form' }));
    expect(reasons('rw=read\n[a]\nsize=1g\n')).toEqual({ 1: 'rw=read' });
  });

  it('written back as a job file has the same meaning', () => {
    for (const lines of [
      ['bs=64k', 'iodepth=4', 'ioengine=libaio', 'direct=1', 'directory=/mnt/x', 'numjobs=3'],
      ['filename=/dev/sdb', 'buffered=0', 'rate=1m', 'rate_iops=30'],
      ['rw=randrw', 'rwmixread=20', 'fdatasync=4', 'directory=/mnt/x'],
    ]) {
      const once = read(job(...lines)).options as Given;
      expect(FioOptions.parse(read(written(once)).options)).toEqual(FioOptions.parse(once));
    }
  });
});

const present = spawnSync('fio', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing fio fails the tests.
describe.skipIf(!present && process.env.CI !== 'true')('the installed fio', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-fio-file-'));
    mkdirSync(join(folder, 'kneepoint-fio'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const fio = (text: string, ...more: string[]) => {
    writeFileSync(join(folder, 'job.fio'), text);
    return spawnSync('fio', [...more, join(folder, 'job.fio')], { encoding: 'utf8' });
  };

  it('accepts the written job file', () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const { device: _, ...options } = { ...someOptions(seed), directory: folder } as Given;
      const text = written(options, { warmup: 4.5 });
      const { status, stderr } = fio(text, '--parse-only');
      expect({ status, stderr }, text).toEqual({ status: 0, stderr: '' });
    }
    expect(fio('[a]\nrw=nonsense\nsize=1m\n', '--parse-only').status).not.toBe(0);
  }, 60_000);

  it('runs it on the files that Kneepoint would use', () => {
    const options = { directory: folder, size: '64k', bs: '16KiB', ioengine: 'psync', direct: false };
    const text = written(options, { warmup: 0, duration: 1 });
    const { status, stdout } = fio(text, '--output-format=json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      'global options': { directory: join(folder, 'kneepoint-fio'), runtime: '1s' },
      jobs: [{ 'job options': { rw: 'randread', bs: '16K' } }],
    });
  }, 60_000);

  it('reads KiB as a thousand bytes, so sizes are written without it', () => {
    const run = (bs: string) =>
      JSON.parse(fio(`[a]\nrw=read\ndirectory=${folder}\nsize=64k\nbs=${bs}\n`, '--output-format=json').stdout);
    expect(run('16KiB').jobs[0].read.io_bytes % 16_000).toBe(0);
    expect(run('16k').jobs[0].read.io_bytes).toBe(65_536);
  }, 60_000);
});
