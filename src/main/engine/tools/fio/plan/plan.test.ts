import { describe, expect, it } from 'vitest';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { fioTool } from '../index.ts';
import { FioOptions } from '../options/index.ts';
import { checkJobFile } from '../options/job-file.ts';

const plan = (options: Record<string, unknown>, connection: ConnectionFacts = { kind: 'host' }) =>
  fioTool.plan({
    options: FioOptions.parse(options),
    connection,
    warmup: 4.5,
    duration: 55,
    seed: 7,
    nodePath: '/usr/bin/node',
    assetsDir: '/opt/kneepoint',
  });
const valid = (options: Record<string, unknown>): boolean => FioOptions.safeParse(options).success;
const invalid = expect.objectContaining({ problem: expect.objectContaining({ code: 'experiment-invalid' }) });

describe('a run', () => {
  const { run, prepare, cleanup } = plan({ directory: '/mnt/disk/', iodepth: 16, numjobs: 2, bs: '16k' });

  it('reads only by default, without write permission', () => {
    expect(run.argv).toEqual([
      'sh',
      '@own-files.sh@',
      '/mnt/disk',
      'fio',
      '--thread',
      '--eta=never',
      '--output-format=json+',
      '--readonly',
      '--status-interval=1',
      '--name=kneepoint-fio',
      '--rw=randread',
      '--bs=16k',
      '--iodepth=16',
      '--ioengine=libaio',
      '--direct=1',
      '--filename_format=kneepoint-fio.$jobnum.$filenum',
      '--size=1g',
      '--numjobs=2',
      '--group_reporting=1',
      '--time_based',
      '--runtime=60',
      '--randseed=7',
      '--lat_percentiles=1',
      '--clat_percentiles=0',
    ]);
    expect(run.plannedSeconds).toBe(60);
    for (const rw of ['read', 'randread']) expect(plan({ directory: '/d', rw }).run.argv).toContain('--readonly');
    for (const rw of ['write', 'randwrite', 'rw', 'randrw'])
      expect(plan({ directory: '/d', rw }).run.argv).not.toContain('--readonly');
  });

  it('lays out the same files first, and removes no others', () => {
    for (const word of ['--create_only=1', '--rw=read', '--size=1g', '--numjobs=2'])
      expect(prepare?.argv).toContain(word);
    expect(prepare?.argv).toContain('--filename_format=kneepoint-fio.$jobnum.$filenum');
    expect(cleanup?.argv).toEqual([
      ...['sh', '@own-files.sh@', '/mnt/disk'],
      ...['kneepoint-fio.0.0', 'kneepoint-fio.1.0'],
    ]);
  });

  it('uses the path of the target if no directory is set', () => {
    expect(plan({}, { kind: 'host', path: '/srv/disk' }).run.argv[2]).toBe('/srv/disk');
    expect(() => plan({})).toThrow(invalid);
    expect(() => plan({}, { kind: 'postgres', path: '/srv' })).toThrow(invalid);
  });
});

describe('a storage path', () => {
  const on = (path: string) => plan({}, { kind: 'storage', path });

  it('that is a device is measured itself, and one in /dev/shm is a folder', () => {
    expect(on('/dev/nvme1n1').run.argv).toContain('--filename=/dev/nvme1n1');
    for (const folder of ['/dev/shm', '/dev/shm/bench']) expect(on(folder).run.argv[2]).toBe(folder);
  });
});

describe('places', () => {
  const bad = [
    '/dev',
    '/dev/sda',
    '/dev/shmem',
    '//dev/sda',
    '/dev/',
    '/proc/1',
    '/sys',
    '/tmp/../dev',
    '/tmp/..',
    '/./dev/sda',
    'relative',
    '',
    '/a\nb',
  ];
  it('that are devices, kernel folders or detours to them are refused in the options', () => {
    for (const directory of bad) expect(valid({ directory }), directory).toBe(false);
    for (const directory of ['/', '/dev/shm', '/mnt', '/device', '/home/dev', '/srv/a..b', '/mnt/my disk'])
      expect(valid({ directory }), directory).toBe(true);
  });
  it('are refused as the path of a target too', () => {
    for (const path of bad) expect(() => plan({}, { kind: 'host', path }), path).toThrow(invalid);
  });
});

describe('a device', () => {
  it('is only read by default, without layout or removal', () => {
    const { run, prepare, cleanup } = plan({ device: '/dev/nvme1n1', numjobs: 2 });
    expect(run.argv.slice(0, 4)).toEqual(['sh', '@own-files.sh@', '/dev/nvme1n1', 'fio']);
    for (const word of ['--readonly', '--filename=/dev/nvme1n1', '--offset_increment=1g', '--size=1g'])
      expect(run.argv).toContain(word);
    expect(run.argv.join(' ')).not.toContain('filename_format');
    expect([prepare, cleanup, run.overwrites]).toEqual([undefined, undefined, undefined]);
  });

  it('is reported as overwritten by every writing pattern and job file', () => {
    const device = '/dev/disk/by-id/nvme-INTEL_SSD+x=1';
    for (const rw of ['write', 'randwrite', 'rw', 'randrw'])
      expect(plan({ device, rw }).run.overwrites).toEqual([device]);
    const file = (rw: string) => plan({ device, source: 'job-file', 'job-file': `[a]\nrw=${rw}\nsize=1m\n` }).run;
    expect(file('randrw').overwrites).toEqual([device]);
    expect(file('read').overwrites).toBeUndefined();
    expect(file('read').files[1]?.content).toContain(`[global]\nfilename=${device}\n`);
    expect(plan({ directory: '/d', rw: 'write' }).run.overwrites).toBeUndefined();
  });

  it('is that of a storage path, unless the options name another place', () => {
    const storage: ConnectionFacts = { kind: 'storage', path: '/dev/nvme1n1' };
    expect(plan({ rw: 'write' }, storage).run.overwrites).toEqual(['/dev/nvme1n1']);
    expect(plan({}, storage).run.argv).toContain('--filename=/dev/nvme1n1');
    expect(plan({ rw: 'write', device: '/dev/sdb' }, storage).run.overwrites).toEqual(['/dev/sdb']);
    expect(plan({ rw: 'write', directory: '/srv' }, storage).run.overwrites).toBeUndefined();
    expect(plan({ rw: 'write' }, { kind: 'storage', path: '/srv' }).run.overwrites).toBeUndefined();
    expect(() => plan({ rw: 'write' }, { kind: 'host', path: '/dev/nvme1n1' })).toThrow(invalid);
  });

  it('is a single device without additional files', () => {
    for (const device of [
      '/dev',
      '/dev/',
      '/dev/../etc/passwd',
      '/dev/./sda/..',
      '/etc',
      'sda',
      '/dev/sda:/dev/sdb',
      '/dev/s da',
      '',
    ])
      expect(valid({ device }), device).toBe(false);
    for (const device of ['/dev/sda', '/dev/mapper/vg-bench', '/dev/disk/by-path/pci-0000.1', '/dev/md/0'])
      expect(valid({ device }), device).toBe(true);
    expect(() => plan({ device: '/dev/sda', directory: '/d' })).toThrow(invalid);
    expect(plan({ device: '/dev/sda' }, { kind: 'host', path: '/srv' }).run.argv[2]).toBe('/dev/sda');
  });
});

describe('options', () => {
  const argv = (options: Record<string, unknown>) => plan({ directory: '/d', ...options }).run.argv.join(' ');
  it('of writes and limits become arguments only if they have an effect', () => {
    expect(argv({ rw: 'randrw', rwmixread: 70, fsync: 1 })).toContain('--rwmixread=70');
    expect(argv({ rw: 'randwrite', fsync: 1, fdatasync: 4 })).toContain('--fsync=1 --fdatasync=4');
    expect(argv({ rw: 'randread', fsync: 1, rwmixread: 70 })).not.toMatch(/sync=|rwmix/);
    expect(argv({ 'rate-iops': 500, rate: '10m', direct: false })).toMatch(/--direct=0 --rate_iops=500 --rate=10m/);
    expect(argv({})).not.toContain('--rate');
  });
  it('of sizes that fio would misread are refused', () => {
    for (const bs of ['4x', '4', '511', '4kk', 'k', '-4k', '0', '4 k', '4k,8']) expect(valid({ bs }), bs).toBe(false);
    for (const bs of ['512', '4k', '4096', '1M', '16KiB', '2g']) expect(valid({ bs }), bs).toBe(true);
  });
  it('determine the first figure', () => {
    const metric = (options: Record<string, unknown>) => fioTool.metrics.primary(FioOptions.parse(options));
    expect([{}, { rw: 'read' }, { rw: 'write' }, { source: 'job-file', rw: 'read' }].map(metric)).toEqual([
      'iops',
      'read_mib_s',
      'write_mib_s',
      'iops',
    ]);
  });
});

describe('a job file', () => {
  const text =
    '[global]\nsize=64m\nioengine=libaio\n\n; two jobs\n[log]\nrw=write\nbs=16k\nfsync=1\n[pages]\nrw=randread\nbs=16k,8k\n';
  it('gets its files and its time from Kneepoint', () => {
    const { run, prepare } = plan({ source: 'job-file', 'job-file': text, directory: '/d' });
    expect(run.argv.slice(3)).toEqual([
      'fio',
      '--eta=never',
      '--output-format=json+',
      '--status-interval=1',
      '@jobs.fio@',
    ]);
    expect(run.files[1]?.content.split('\n').slice(0, 9)).toEqual([
      '[global]',
      'filename_format=kneepoint-fio.$jobname.$jobnum.$filenum',
      'thread',
      'time_based',
      'runtime=60',
      'randseed=7',
      'lat_percentiles=1',
      'clat_percentiles=0',
      '[global]',
    ]);
    expect(prepare?.files[1]?.content).toContain('create_only=1');
  });
  it('that only reads has no write permission', () => {
    const reads = plan({ source: 'job-file', 'job-file': '[a]\nrw = randread\nsize=1m', directory: '/d' });
    expect(reads.run.argv).toContain('--readonly');
    expect(checkJobFile(text)).toMatchObject({ jobs: ['log', 'pages'], writes: true });
  });
  it('must not contain files, devices, programs, times or unknown options', () => {
    for (const line of [
      'filename=/dev/sda',
      'filename = /dev/sda',
      'directory=/',
      'opendir=/etc',
      'filename_format=/dev/sda',
      'exec_prerun=rm -rf /',
      'include other.fio',
      'write_bw_log=/etc/passwd',
      'ioengine=external:/tmp/x.so',
      'ioengine=exec',
      'ioengine=libpmem',
      'runtime=5',
      'time_based',
      'ramp_time=5',
      'rw=trim',
      'rw=randtrim',
      'allow_mounted_write=1',
      'bs=4x',
      `size=$\{EVIL}`,
      'FILENAME=/dev/sda',
      'unknown=1',
    ])
      expect(() => checkJobFile(`[a]\nrw=read\n${line}\n`), line).toThrow(invalid);
  });
  it('may contain jobs that wait for others, which share the time as stages', () => {
    const staged = '[global]\nsize=1m\nrw=read\n[a]\n[b]\nstonewall\n[c]\n[d]\nwait_for=c\nloops=3\nstartdelay=1s\n';
    const { run } = plan({ source: 'job-file', 'job-file': staged, directory: '/d' });
    expect(run.files[1]?.content).toContain('\nruntime=20\n');
    expect(run.plannedSeconds).toBe(60);
  });
  const timesOf = (...lines: string[]): string[] => {
    const content = plan({ source: 'job-file', 'job-file': lines.join('\n'), directory: '/d' }).run.files[1]?.content;
    return (content ?? '').split('\n').filter((line) => /^(\[|runtime|time_based|startdelay)/.test(line));
  };
  it('ends late-starting jobs with the others, and creates their files at once', () => {
    const late = ['[global]', 'size=1m', 'rw=read', '[a]', '[b]', 'startdelay=20'];
    expect(timesOf(...late)).toEqual([
      ...['[global]', 'time_based', 'runtime=60', '[global]', '[a]', '[b]', 'startdelay=20', 'runtime=40'],
    ]);
    const { prepare } = plan({ source: 'job-file', 'job-file': late.join('\n'), directory: '/d' });
    expect(prepare?.files[1]?.content).not.toContain('startdelay');
    expect(() => timesOf('[a]', 'rw=read', 'size=1m', 'startdelay=2m')).toThrow(/starts after 120 s .* end after 60 s/);
  });
  it('divides the time of the experiment among jobs with different times, here of 90 s in total', () => {
    const shares = [
      '[global]',
      'size=1m',
      'rw=read',
      '[a]',
      'runtime=30',
      '[b]',
      'stonewall',
      'runtime=1m',
      '[c]',
      'runtime=15',
    ];
    expect(timesOf(...shares).slice(3)).toEqual([
      ...['[global]', '[a]', 'runtime=20', '[b]', 'runtime=40', '[c]', 'runtime=10'],
    ]);
  });
  it('ends a job that removes files when they are gone', () => {
    expect(timesOf('[a]', 'ioengine=filedelete', 'filesize=4k').slice(-2)).toEqual(['[a]', 'time_based=0']);
  });
  it('discards blocks of a file with the only suitable engine, and then writes', () => {
    const file = (engine: string) => `[global]\nioengine=${engine}\nsize=1m\n[a]\nrw=randtrim\n`;
    expect(checkJobFile(file('falloc')).writes).toBe(true);
    expect(() => checkJobFile(file('libaio'))).toThrow(
      /^Line 5 of the job file: .* In a file, only ioengine=falloc can/,
    );
    // No further reasons are given for an engine that is refused anyway.
    expect(() => checkJobFile(file('http'))).toThrow(/^Line 2 of the job file: .*uses a network/);
  });
  it('requires a size for each created file, unless another job gives it for the same file', () => {
    const sized =
      (...lines: string[]) =>
      () =>
        plan({
          source: 'job-file',
          'job-file': ['[a]', 'rw=read', 'filename=kneepoint-fio.x', ...lines].join('\n'),
          directory: '/d',
        });
    expect(sized()).toThrow('The job a of the job file has no size');
    expect(sized('[b]', 'rw=write', 'size=1m', 'filename=kneepoint-fio.x')).not.toThrow();
    expect(sized('[b]', 'rw=write', 'size=1m')).toThrow('The job a of the job file has no size');
    expect(() => plan({ source: 'job-file', 'job-file': '[a]\nrw=read\n', device: '/dev/sdb' })).not.toThrow();
    expect(() =>
      plan({ source: 'job-file', 'job-file': '[a]\nioengine=cpuio\ncpuload=50\n', directory: '/d' }),
    ).not.toThrow();
  });
  it('may contain our own files, but not on a device', () => {
    const text = '[a]\nrw=read\nfilename=kneepoint-fio.x:kneepoint-fio.y\nsize=1m\n';
    expect(plan({ source: 'job-file', 'job-file': text, directory: '/d' }).cleanup?.argv).toEqual([
      ...['sh', '@own-files.sh@', '/d'],
    ]);
    for (const own of [text, '[a]\nioengine=filedelete\nrw=read\nsize=1m\n'])
      expect(() => plan({ source: 'job-file', 'job-file': own, device: '/dev/sdb' })).toThrow(invalid);
    for (const file of ['x', '/etc/passwd', 'kneepoint-fio.x:y', 'kneepoint-fio./etc', '../kneepoint-fio.x'])
      expect(() => checkJobFile(`[a]\nrw=read\nfilename=${file}\n`), file).toThrow(invalid);
  });
  it('that creates or removes files counts as writing', () => {
    for (const line of ['ioengine=filecreate', 'ioengine=filedelete', 'unlink=1', 'ioengine=falloc', 'overwrite'])
      expect(checkJobFile(`[a]\nrw=read\n${line}\nsize=1m\n`).writes, line).toBe(true);
  });
  it('explains why a value is not supported', () => {
    const reason = (line: string): string => {
      try {
        checkJobFile(`[a]\nrw=read\n${line}\n`);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(reason('rw=randtrim')).toContain('it discards blocks of a device');
    expect(reason('ioengine=net')).toContain('a network');
    expect(reason('ioengine=exec')).toContain('starts another program');
    expect(reason('filename=/dev/sda:/dev/sdb')).toContain('named in the option “device”');
    expect(reason(`size=$\{SIZE}`)).toContain('environment variable');
    expect(reason('fill_device=1')).toContain('fill the disk');
    expect(reason('ioengine=libcufile')).toContain('graphics card');
    expect(reason('ioengine=nosuch')).toContain('not known to work on files alone');
    expect(reason('port=8888')).toContain('belongs to an engine that uses a network');
    expect(reason('frobnicate=1')).toContain('not known to be safe');
    expect(reason('bs=64')).toBe('');
  });
  it('must not contain names that lead elsewhere', () => {
    for (const name of ['../x', 'a/b', '', 'a b', '-x', '$jobnum'])
      expect(() => checkJobFile(`[${name}]\nrw=read\n`), name).toThrow(invalid);
    for (const whole of ['', '[global]\nsize=1m\n', 'rw=read\n[a]\n', '[a]\nrw=read\n[a]\nrw=read'])
      expect(() => checkJobFile(whole), whole).toThrow(invalid);
  });
  it('is refused with the line and the reason', () => {
    expect(() => checkJobFile('[a]\nrw=read\nruntime=5')).toThrow(
      /^Line 3 of the job file: .*set the run time of the jobs/,
    );
  });
});

describe('several places', () => {
  const folders = { directories: '/mnt/a, /mnt/b: c', rw: 'randwrite', size: '1g', numjobs: 2 };

  it('are a job each that runs at the same time, as a group of its own', () => {
    const { run, prepare, cleanup } = plan(folders);
    expect(run.argv.slice(0, 6)).toEqual(['sh', '@own-files.sh@', '2', '/mnt/a', '/mnt/b: c', 'fio']);
    const jobs = [
      ...['--name=place-1', '--directory=/mnt/a/kneepoint-fio'],
      ...['--name=place-2', '--directory=/mnt/b\\: c/kneepoint-fio', '--new_group=1'],
    ];
    expect(run.argv.slice(-5)).toEqual(jobs);
    expect(prepare?.argv.slice(-5)).toEqual(jobs);
    for (const word of ['--name=global', '--size=1g', '--numjobs=2', '--group_reporting=1', '--time_based'])
      expect(run.argv, word).toContain(word);
    // fio applies options to the jobs that follow them.
    expect(run.argv.indexOf('--name=global')).toBeLessThan(run.argv.indexOf('--rw=randwrite'));
    expect(cleanup?.argv.slice(2)).toEqual([...['2', '/mnt/a', '/mnt/b: c', 'kneepoint-fio.0.0', 'kneepoint-fio.1.0']]);
    expect(run.overwrites).toBeUndefined();
  });

  it('that are devices are all overwritten by patterns that write', () => {
    const { run, prepare } = plan({ devices: '/dev/sdb\n/dev/sdc', rw: 'write', numjobs: 2, size: '50%' });
    expect(run.overwrites).toEqual(['/dev/sdb', '/dev/sdc']);
    expect(run.argv).toContain('--offset_increment=50%');
    expect(run.argv.slice(-5)).toEqual([
      ...['--name=place-1', '--filename=/dev/sdb', '--name=place-2', '--filename=/dev/sdc', '--new_group=1'],
    ]);
    expect(prepare).toBeUndefined();
    expect(plan({ devices: '/dev/sdb, /dev/sdc' }).run).toMatchObject({
      argv: expect.arrayContaining(['--readonly']),
    });
    expect(plan({ devices: '/dev/sdb, /dev/sdc' }).run.overwrites).toBeUndefined();
  });

  it('with one entry are the same as the option for one', () => {
    expect(plan({ directories: '/mnt/a' })).toEqual(plan({ directory: '/mnt/a' }));
    expect(plan({ devices: '/dev/sdb', rw: 'write' })).toEqual(plan({ device: '/dev/sdb', rw: 'write' }));
    expect(plan({ directory: '/mnt/a', directories: '/mnt/b' })).toEqual(plan({ directories: '/mnt/a,/mnt/b' }));
  });

  it.each([
    [{ directories: '/mnt/a', device: '/dev/sdb' }, 'folder and a device'],
    [{ directory: '/mnt/a/', directories: '/mnt/a, /mnt/b' }, 'listed twice'],
    [
      { devices: '/dev/a, /dev/b', source: 'job-file', 'job-file': '[a]\nrw=read\n' },
      'job file measures one folder or device',
    ],
    [{ directories: '/mnt/a, /mnt/b', size: '50%' }, 'share of a device'],
    [{ device: '/dev/sdb', size: '60%', numjobs: 2 }, 'more than the whole device'],
  ])('are refused as %j', (options, words) => {
    expect(() => plan(options)).toThrow(expect.objectContaining({ message: expect.stringContaining(words) }));
  });

  it('are validated as options', () => {
    expect(valid({ directories: '' })).toBe(true);
    for (const directories of ['/mnt/a, /mnt/a/', '/mnt/a, /dev/sdb', 'a, b', '/tmp/../dev'])
      expect(valid({ directories }), directories).toBe(false);
    for (const devices of ['/dev/sdb:/dev/sdc', '/mnt/a', '/dev/sdb, /dev/sdb'])
      expect(valid({ devices }), devices).toBe(false);
    for (const size of ['0%', '101%', '1.5%']) expect(valid({ size }), size).toBe(false);
  });
});

describe('passes', () => {
  it('end a load by its size, with the duration as the limit', () => {
    const { run } = plan({ directory: '/mnt/a', rw: 'write', bs: '1m', size: '8m', passes: 2, numjobs: 2 });
    for (const word of ['--loops=2', '--runtime=60']) expect(run.argv).toContain(word);
    expect(run.argv).not.toContain('--time_based');
    expect(fioTool.endsAfter?.(FioOptions.parse({ bs: '1m', size: '8m', passes: 2, numjobs: 2 }))).toBe(32);
    expect(fioTool.endsAfter?.(FioOptions.parse({ size: '8m' }))).toBeUndefined();
    expect(fioTool.endsAfter?.(FioOptions.parse({ device: '/dev/sdb', size: '100%', passes: 2 }))).toBeUndefined();
  });

  it('over a share of devices have their capacities printed first', () => {
    const script = (options: Record<string, unknown>) => plan(options).run.files[0]?.content ?? '';
    expect(script({ device: '/dev/sdb', size: '100%', passes: 2, rw: 'write' })).toContain('/sys/class/block/');
    expect(script({ device: '/dev/sdb', size: '100%', rw: 'write' })).not.toContain('/sys/class/block/');
  });
});
