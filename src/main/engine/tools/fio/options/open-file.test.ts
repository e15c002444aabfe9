import { describe, expect, it } from 'vitest';
import { fioTool } from '../index.ts';
import { openFile } from './open-file.ts';

type Opened = ReturnType<typeof openFile>;

const messages = ({ lines }: Opened): string => lines.map(({ message }) => message).join('\n');
const refused = ({ lines }: Opened) => lines.filter(({ is }) => is === 'refused');

/** Sections of the job file for a run of this many seconds, with the options of each. */
function planned(
  { options, measure }: Opened,
  seconds = measure.duration ?? 60,
): Record<string, Record<string, string>> {
  const { run } = fioTool.plan({
    options: fioTool.options.parse({ directory: '/srv', ...options }),
    connection: { kind: 'host' },
    ...{ warmup: 0, duration: seconds, seed: 1, nodePath: '/n/node', assetsDir: '/a' },
  });
  const text = run.files.find(({ name }) => name === 'jobs.fio')?.content ?? '';
  const global: Record<string, string> = {};
  const sections: Record<string, Record<string, string>> = {};
  let current = global;
  for (const line of text.split('\n')) {
    const name = /^\[(.+)\]$/.exec(line)?.[1];
    const [, key, value = '1'] = /^([a-z_]+)(?:=(.*))?$/.exec(line) ?? [];
    if (name !== undefined) {
      current = name === 'global' ? global : { ...global };
      if (name !== 'global') sections[name] = current;
    } else if (key !== undefined) current[key] = value;
  }
  return sections;
}
const runtimes = (opened: Opened, seconds?: number): Record<string, number> =>
  Object.fromEntries(Object.entries(planned(opened, seconds)).map(([name, { runtime }]) => [name, Number(runtime)]));

const GLOBAL = '[global]\nsize=64m\ntime_based\n';

describe('a job file with different job times', () => {
  it.each<[string, string, number, Record<string, number>]>([
    [
      'begin one after the other',
      'runtime=20\n[a]\n[b]\nstartdelay=25\n[c]\nstartdelay=50',
      70,
      { a: 20, b: 20, c: 20 },
    ],
    ['overlap on purpose', 'runtime=60\n[a]\n[b]\nstartdelay=30', 90, { a: 60, b: 60 }],
    ['overlap, and one ends first', '[a]\nruntime=100\n[b]\nruntime=20\nstartdelay=10', 100, { a: 100, b: 20 }],
    ['begin in minutes', 'runtime=1m\n[a]\n[b]\nstartdelay=2m', 180, { a: 60, b: 60 }],
    ['wait and have a delay', 'runtime=45\nstonewall\n[a]\n[b]\nstartdelay=60', 105, { a: 45, b: 45 }],
    ['are through, then timed', '[fill]\nloops=2\n[a]\nstonewall\nruntime=4h', 28_800, { fill: 14_400, a: 14_400 }],
    ['are timed, then through', '[a]\nruntime=30\n[drain]\nstonewall', 60, { a: 30, drain: 30 }],
    ['warm up each', 'ramp_time=5\nruntime=20\nstonewall\n[a]\n[b]\n[c]', 75, { a: 20, b: 20, c: 20 }],
  ])('that %s runs as in fio', (_, jobs, duration, expected) => {
    const opened = openFile(GLOBAL + jobs.replaceAll(/^(\[[^\]]+\])$/gm, '$1\nrw=randread'), {});
    expect(opened.measure).toEqual({ duration });
    expect(runtimes(opened)).toEqual(expected);
    expect(refused(opened)).toEqual([]);
    // Half the time: half of each.
    if (!/startdelay|ramp/.test(jobs))
      expect(runtimes(opened, duration / 2)).toEqual(
        Object.fromEntries(Object.entries(expected).map(([name, seconds]) => [name, seconds / 2])),
      );
  });

  it('keeps the ramp of each stage, and uses that of a single stage as the warm-up', () => {
    const staged = openFile(`${GLOBAL}ramp_time=5\nruntime=20\nstonewall\n[a]\nrw=read\n[b]\nrw=write`, {});
    expect(Object.values(planned(staged)).map(({ ramp_time }) => ramp_time)).toEqual(['5', '5']);
    const single = openFile(`${GLOBAL}ramp_time=5\nruntime=20\n[a]\nrw=read\n[b]\nrw=write`, {});
    expect(single.measure).toEqual({ warmup: 5, duration: 20 });
    expect(Object.values(planned(single)).map(({ ramp_time }) => ramp_time)).toEqual([undefined, undefined]);
  });

  it.each<[string, string, number, Record<string, number>, string[]]>([
    [
      'in a stage before',
      '[s]\nloops=2\n[a]\nstonewall\nruntime=4h\ntime_based',
      28_800,
      { s: 14_400, a: 14_400 },
      ['s'],
    ],
    ['beside a timed one', '[s]\n[a]\nruntime=20\ntime_based', 20, { s: 20, a: 20 }, ['s']],
    ['and say so', 'time_based\nruntime=20\n[s]\ntime_based=0\n[a]\nruntime=60', 60, { s: 20, a: 60 }, ['s']],
    ['and say so with no other difference', 'runtime=20\n[s]\n[a]\ntime_based', 20, { s: 20, a: 20 }, ['s']],
    [
      'in stages around',
      'time_based\n[s]\n[a]\nstonewall\nruntime=9\n[t]\nstonewall',
      27,
      { s: 9, a: 9, t: 9 },
      ['s', 't'],
    ],
    ['but none runs by time', 'time_based=0\nruntime=20\n[a]\n[b]\nruntime=30', 30, { a: 20, b: 30 }, []],
    ['but the file says it of none', 'runtime=20\n[a]\n[b]\nruntime=30', 30, { a: 20, b: 30 }, []],
  ])('with jobs that end by size %s', (_, jobs, duration, expected, bySize) => {
    const opened = openFile(`[global]\nsize=64m\n${jobs.replaceAll(/^(\[[^\]]+\])$/gm, '$1\nrw=randread')}`, {});
    expect(opened.measure).toEqual({ duration });
    expect(refused(opened)).toEqual([]);
    // Opening Kneepoint's version of the file has the same result.
    for (const each of [opened, openFile(String(opened.options['job-file']), {})]) {
      expect(runtimes(each)).toEqual(expected);
      const ending = Object.entries(planned(each)).flatMap(([name, output]) =>
        output.time_based === '0' ? [name] : [],
      );
      expect(ending).toEqual(bySize);
    }
    expect(messages(opened).includes('processed their size, as in fio, after')).toBe(bySize.length > 1);
    expect(messages(opened).includes('processed its size, as in fio, after')).toBe(bySize.length === 1);
    if (jobs.includes('loops')) expect(messages(opened)).not.toContain('jobs run by time');
  });
});

describe('a ladder of stages', () => {
  const ladder = (...jobs: string[]): Opened =>
    openFile(
      `[global]\nsize=64m\nruntime=10\ntime_based\nstonewall\nrw=randread\n${jobs.map((job, at) => `[j${at}]\n${job}\n`).join('')}`,
      {},
    );
  const levels = ({ factors }: Opened) =>
    Object.fromEntries((factors ?? []).map(({ name, levels: each }) => [name, each]));

  it.each<[string, string[], Record<string, unknown[]>]>([
    ['queue depths', ['iodepth=1', 'iodepth=4', 'iodepth=16'], { iodepth: [1, 4, 16] }],
    ['queue depths, falling', ['iodepth=32', 'iodepth=8'], { iodepth: [32, 8] }],
    ['block sizes', ['bs=4k', 'bs=64k', 'bs=1m'], { bs: ['4k', '64k', '1m'] }],
    ['jobs', ['numjobs=1', 'numjobs=2'], { numjobs: [1, 2] }],
    ['shares of reads', ['rw=randrw\nrwmixread=70', 'rw=randrw\nrwmixread=30'], { rwmixread: [70, 30] }],
    [
      'two options in all combinations',
      ['bs=4k\niodepth=1', 'bs=4k\niodepth=8', 'bs=8k\niodepth=1', 'bs=8k\niodepth=8'],
      { bs: ['4k', '8k'], iodepth: [1, 8] },
    ],
  ])('of %s becomes an experiment with factors', (_, jobs, expected) => {
    const opened = ladder(...jobs);
    expect(levels(opened)).toEqual(expected);
    expect(opened).toMatchObject({ whole: false, measure: { duration: 10 } });
    for (const name of Object.keys(expected)) expect(opened.options).not.toHaveProperty(name);
    expect(messages(opened)).toContain('factor');
  });

  it.each<[string, string[]]>([
    ['of patterns', ['rw=read', 'rw=randwrite']],
    ['whose options change together', ['bs=4k\niodepth=32', 'bs=1m\niodepth=1']],
    ['with what the form lacks', ['iodepth=1\nverify=crc32c', 'iodepth=2\nverify=crc32c']],
    ['with times that differ', ['iodepth=1\nruntime=20', 'iodepth=2']],
    ['that does not wait', ['iodepth=1', 'iodepth=2\nstonewall=0']],
  ])('%s is not recognized', (_, jobs) => {
    const opened = ladder(...jobs);
    expect(opened.factors).toBeUndefined();
    expect(opened.whole).toBe(true);
  });

  it('kept as stages warns that overall figures are means', () => {
    expect(messages(ladder('rw=read', 'rw=randwrite'))).toMatch(/means over all stages.*group_0/);
  });
});

describe('a command line', () => {
  const ARGUMENTS =
    '--name=t --filename=/data/test --rw=randread --bs=8k --size=2g --iodepth=16 --ioengine=libaio --direct=1 --numjobs=4 --time_based --runtime=120 --group_reporting';
  const FORM = { directory: '/data', rw: 'randread', bs: '8k', size: '2g', iodepth: 16, numjobs: 4, direct: true };
  it.each([
    ['as it is', `fio ${ARGUMENTS}\n`],
    ['with a prompt', `$ fio ${ARGUMENTS}`],
    ['as root', `# sudo fio ${ARGUMENTS}`],
    ['by its path', `/usr/local/bin/fio ${ARGUMENTS}`],
    ['below a comment', `#!/bin/sh\n# our disks\nset -e\nfio ${ARGUMENTS}\n`],
    ['over several lines', `fio ${ARGUMENTS.replaceAll(' --', ' \\\n  --')}\n`],
    ['with one hyphen', `fio ${ARGUMENTS.replaceAll('--', '-')}`],
    ['with values in words of their own', `fio ${ARGUMENTS.replaceAll('=', ' ')}`],
    ['with quotation marks', `fio ${ARGUMENTS.replace(/--name=t /, "--name='t' ").replace('=8k', '="8k"')}`],
    ['with the name at the end', `fio ${ARGUMENTS.replace('--name=t ', '')} --name=t`],
    ['with what is about the report', `fio ${ARGUMENTS} --output=x.json --output-format=json --eta=never > log 2>&1`],
    ['with variables and a limit of processors', `LD_PRELOAD=x numactl -N 0 fio ${ARGUMENTS} | tee log`],
  ])('%s is converted', (_, text) => {
    const opened = openFile(text, { directory: '/old' });
    expect(opened.options).toMatchObject(FORM);
    expect(opened).toMatchObject({ whole: false, measure: { duration: 120 } });
    expect(messages(opened)).toContain('each of several jobs has one');
  });

  it('on a device measures the device', () => {
    const { options } = openFile('fio --name=a --filename=/dev/nvme0n1 --rw=read --size=10g --runtime=9', {});
    expect(options).toMatchObject({ device: '/dev/nvme0n1', rw: 'read' });
  });

  it('with several jobs is kept as a job file', () => {
    const opened = openFile('fio --name=r --rw=read --size=1g --name=w --rw=write --size=1g --stonewall', {});
    expect(opened.whole).toBe(true);
    expect(Object.keys(planned(opened))).toEqual(['r', 'w']);
  });

  it('with a value that the form cannot hold is kept as a job file', () => {
    const opened = openFile("fio --name=a --rw=read --size=1g --bssplit='4k/50:8k/50'", {});
    expect(opened.options['job-file']).toContain('bssplit=4k/50:8k/50');
  });

  it('is the first of several, with a message', () => {
    const opened = openFile('fio --name=a --rw=read --size=1g\nfio --name=b --rw=write --size=1g\n', {});
    expect(opened.options).toMatchObject({ rw: 'read' });
    expect(messages(opened)).toContain('It contains 2 fio commands');
  });

  it('that runs a job file is refused with that reason', () => {
    expect(() => openFile('fio --output=x.json test.fio', {})).toThrow('The command runs a job file');
  });

  it('in a loop becomes an experiment with a factor', () => {
    const script = `for bs in 4k 64k; do\n  for depth in 1 4 16\n  do\n    fio --name=x --rw=randread --size=1g --runtime=9 --bs=$bs --iodepth="\${depth}" --output=o.$depth\n  done\ndone\n`;
    const opened = openFile(script, {});
    expect(opened).toMatchObject({
      ...{ whole: false, options: { rw: 'randread' }, measure: { duration: 9 } },
      factors: [
        { name: 'bs', levels: ['4k', '64k'] },
        { name: 'iodepth', levels: [1, 4, 16] },
      ],
    });
    expect(opened.options).not.toHaveProperty('iodepth');
    expect(messages(opened)).toContain('The loop over depth is a factor');
  });

  it('with a script variable asks for its value', () => {
    const opened = openFile('D=$1\nfio --name=x --rw=read --size=1g --iodepth=$D\n', {});
    expect(messages(opened)).toMatch(/D is an environment variable.*option “iodepth”/);
  });

  it('in a comment of a job file is ignored', () => {
    const text = '; run as: fio --minimal this.fio\n[a]\nrw=randread\nsize=1g\nruntime=9\n';
    expect(openFile(text, {}).measure).toEqual({ duration: 9 });
  });
});

describe('a job file with includes', () => {
  const siblingReader = (files: Record<string, string>) => (name: string) => files[name];
  it('contains their lines in place', () => {
    const opened = openFile(
      '[global]\ninclude a.inc\n[r]\nrw=randread\n',
      {},
      siblingReader({ 'a.inc': 'size=1g\ninclude b.inc\n', 'b.inc': 'bs=16k' }),
    );
    expect(opened).toMatchObject({ whole: false, options: { bs: '16k' } });
    expect(messages(opened)).toContain('Replaced by the lines of that file');
  });
  it.each([
    ['is not known where it lies', undefined],
    ['lies elsewhere', siblingReader({})],
    ['reads itself', siblingReader({ 'a.inc': 'include a.inc' })],
  ])('and %s is refused', (_, how) => {
    expect(() => openFile('[a]\ninclude a.inc\n', {}, how)).toThrow('reads another file (include a.inc)');
  });
});

describe('variables', () => {
  const JOB = `[global]\nsize=64m\nruntime=30\n[job]\nrw=$\{MODE}\nbs=$\{BLOCK_SIZE}\niodepth=8\n`;
  it('of the environment are asked for and offered as factors', () => {
    const opened = openFile(JOB, {});
    expect(opened).toMatchObject({ whole: false, options: { iodepth: 8 }, measure: { duration: 30 } });
    expect(messages(opened)).toMatch(/MODE is an environment variable.*option “rw”.*factor/);
    expect(messages(opened)).toMatch(/BLOCK_SIZE is an environment variable.*option “bs”.*factor/);
  });
  it.each([
    ['in a file that is kept', `${JOB}verify=crc32c\n`, /environment variable.*factor/],
    ['that fio fills with numbers of its host', '[a]\nrw=read\nsize=1g\nnumjobs=$ncpus\n', /value of its host/],
  ])('%s are refused with a remedy', (_, text, words) => {
    const opened = openFile(text, {});
    expect(messages(opened)).toMatch(words);
    expect(
      messages({ ...opened, lines: refused(opened).filter(({ text: line }) => line.includes('$')) }),
    ).not.toContain('Remove');
  });
});

describe('several places', () => {
  it('of folders become one, with a message', () => {
    const opened = openFile(
      `${GLOBAL}runtime=30\n[w]\nrw=randwrite\ndirectory=/mnt/a\n[r]\nrw=randread\ndirectory=/mnt/b\n`,
      {},
    );
    expect(opened.options).toMatchObject({ directory: '/mnt/a' });
    expect(refused(opened)).toEqual([]);
    expect(messages(opened)).toMatch(/a different folder.*one \(\/mnt\/a\)/);
  });
  it('in which jobs do the same are one load of all of them', () => {
    const devices = openFile(
      `${GLOBAL}runtime=30\ngroup_reporting\n[a]\nrw=read\nfilename=/dev/sdb\n[b]\nnew_group\nrw=read\nfilename=/dev/sdc\n`,
      { directory: '/srv' },
    );
    expect(devices.options).toMatchObject({ rw: 'read', devices: '/dev/sdb, /dev/sdc' });
    for (const name of ['device', 'directory', 'job-file']) expect(devices.options).not.toHaveProperty(name);
    expect(messages(devices)).toMatch(/2 jobs do the same in different places/);
    const folders = openFile(`${GLOBAL}[a]\nrw=read\ndirectory=/mnt/a\n[b]\nrw=read\ndirectory=/mnt/b c\n`, {});
    expect(folders.options).toMatchObject({ rw: 'read', directories: '/mnt/a, /mnt/b c' });
  });
  it('in which jobs differ, wait for each other or share a place stay a job file', () => {
    for (const text of [
      `${GLOBAL}[a]\nrw=randread\nfilename=/dev/sdb\n[b]\nrw=read\nfilename=/dev/sdc\n`,
      `${GLOBAL}[a]\nrw=read\nfilename=/dev/sdb\n[b]\nstonewall\nrw=read\nfilename=/dev/sdc\n`,
      `${GLOBAL}[a]\nrw=read\nfilename=/dev/sdb\n[b]\nrw=read\nfilename=/dev/sdb\n`,
    ])
      expect(openFile(text, {}).options, text).not.toHaveProperty('devices');
  });
  it('of devices are refused with a reason and a remedy', () => {
    const opened = openFile('[a]\nrw=read\nfilename=/dev/sda:/dev/sdb\n', {});
    expect(messages({ ...opened, lines: refused(opened) })).toMatch(/one device.*option “devices”/);
  });
});
