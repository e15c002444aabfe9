import { describe, expect, it } from 'vitest';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import type { Part } from '../../tool.ts';
import { commandTool, programsOf } from '../index.ts';
import { CommandOptions } from '../options/index.ts';

/** Replaces {size} if a shell would interpret its value. */
const VARIABLE = ['$', '{kneepoint_size}'].join('');
const TARGET: ConnectionFacts = {
  kind: 'mysql',
  host: 'db',
  port: 3306,
  user: 'bench',
  database: 'shop',
  password: 'pw',
};

const planned = (options: Record<string, unknown>, connection: ConnectionFacts = { kind: 'host' }, part?: Part) =>
  commandTool.plan({
    ...(part && { part }),
    options: CommandOptions.parse(options),
    connection,
    warmup: 2,
    duration: 10.5,
    seed: 7,
    nodePath: '/node',
    assetsDir: '/assets',
  });
const argv = (command: string, options: Record<string, unknown> = {}, connection?: ConnectionFacts) =>
  planned({ command, ...options }, connection).run.argv;
const refusal = (options: Record<string, unknown>, connection?: ConnectionFacts): string => {
  try {
    planned(options, connection);
  } catch (error) {
    expect(error).toMatchObject({ problem: { code: 'experiment-invalid', safe: 'Nothing was started.' } });
    return (error as Error).message;
  }
  throw new Error('it was not refused');
};

describe('a command', () => {
  it('contains values of the experiment and of its target', () => {
    expect(
      argv('load -t {seconds} -w {warmup} -d {duration} -s {seed} -c {threads} -r {rate}', { threads: 8, rate: 2.5 }),
    ).toEqual(['sh', '-c', 'load -t 13 -w 2 -d 10.5 -s 7 -c 8 -r 2.5']);
    const { run } = planned({ command: 'load -h {host} -P {port} -u {user} {database}', target: 'mysql' }, TARGET);
    expect(run.argv.slice(-1)).toEqual(['load -h db -P 3306 -u bench shop']);
    expect(run.plannedSeconds).toBe(13);
  });

  it('keeps braces of its own, of the shell and of awk', () => {
    for (const text of ["awk '{print $1}'", `for i in {a,b}; do echo "$\{size}"; done`, '{nothing}', '{ threads; }'])
      expect(argv(text, { size: 'x' })).toEqual(['sh', '-c', text]);
  });

  it('is safe from injection by a value', () => {
    const size = `1'; rm -rf "$HOME" \`id\` $(id)`;
    expect(argv('load {size} "--size={size}" \\"{size}', { size })).toEqual([
      'env',
      `kneepoint_size=${size}`,
      'sh',
      '-c',
      `load "${VARIABLE}" "--size=${VARIABLE}" \\""${VARIABLE}"`,
    ]);
    expect(argv("load '{size}'", { size: '4k' })).toEqual(['sh', '-c', "load '4k'"]);
    expect(refusal({ command: "load '{size}'", size: 'a b' })).toContain('single quotes');
    expect(argv("load {mode} # don't\nload {size}", { size: 'a b' }).at(-1)).toBe(`load  # don't\nload "${VARIABLE}"`);
  });

  it('contains the index of its generator and its share of a number', () => {
    const command =
      'load {generator}/{generators} {share of 10}+{start of 10} {share of size} {share  of 3} # {share of 9}';
    const on = (index: number, count: number) =>
      planned({ command, size: '7' }, undefined, { index, count }).run.argv.at(-1);
    expect([0, 1, 2].map((index) => on(index, 3))).toEqual([
      'load 1/3 4+0 3 {share  of 3} # 3',
      'load 2/3 3+4 2 {share  of 3} # 3',
      'load 3/3 3+7 2 {share  of 3} # 3',
    ]);
    const alone = 'load 1/1 10+0 7 {share  of 3} # 9';
    expect(on(0, 1)).toBe(alone);
    expect(argv(command, { size: '7' }).at(-1)).toBe(alone);
    const refused =
      (text: string, size = '4k') =>
      () =>
        planned({ command: text, size }, undefined, { index: 0, count: 3 });
    expect(refused('load {share of size}')).toThrow('{share of size} needs a whole number, and size is “4k”');
    expect(refused('load {share of threads}')).toThrow('threads is not a number');
    expect(refused('load {share of 2}')).toThrow('2 units cannot be divided between 3 generators');
  });

  it('appends further arguments as separate words', () => {
    expect(argv('load {arguments}', { arguments: '--fast "two words"' }).at(-1)).toBe('load --fast "two words"');
  });

  it('is ended after its time if it would not end by itself', () => {
    expect(argv('load', { 'end-after': true })).toEqual(['timeout', '-k', '10', '13', 'sh', '-c', 'load']);
  });

  it('has prepare and cleanup only if given', () => {
    expect(Object.keys(planned({}))).toEqual(['run']);
    const { prepare, cleanup } = planned({ prepare: 'make {size}', cleanup: 'unmake', size: '1g', 'end-after': true });
    expect(prepare).toMatchObject({ argv: ['sh', '-c', 'make 1g'], plannedSeconds: 0 });
    expect(cleanup?.argv).toEqual(['sh', '-c', 'unmake']);
  });
});

describe('the password', () => {
  it.each([
    [{ target: 'mysql' }, TARGET, 'MYSQL_PWD'],
    [{ target: 'mysql', 'password-variable': 'SLAP_PASS' }, TARGET, 'SLAP_PASS'],
    [{ target: 'postgres' }, { ...TARGET, kind: 'postgres' as const }, 'PGPASSFILE'],
  ])('is read from a file into a variable: %j', (options, connection, variable) => {
    const { run } = planned({ command: 'load', ...options }, connection);
    expect(run.argv.join(' ')).toContain(`${variable}=`);
    expect(run.argv.join(' ')).not.toContain('pw');
    expect(run.files).toEqual([expect.objectContaining({ mode: 0o600, secret: true })]);
  });

  it('is available as a file if requested', () => {
    const { run } = planned({ command: 'load --password-file "{password-file}"', target: 'mysql' }, TARGET);
    expect(run.argv.at(-1)).toBe('load --password-file "@password-alone@"');
    expect(run.files).toContainEqual({ name: 'password-alone', content: 'pw\n', mode: 0o600, secret: true });
  });
});

describe('invalid input', () => {
  it.each([
    [{ command: '  ' }, 'The command is missing'],
    [{ command: 'load {host}' }, '{host}'],
    [{ pattern: 'ops (?<n>\\d+)', metrics: '' }, 'No group of the patterns is a metric'],
    [{ pattern: 'ops (?<n>\\d+)', metrics: 'm = ops' }, '(?<m>'],
    [{ pattern: 'ops (?<n>\\d+)', metrics: 'n ops' }, 'group = metric'],
    [{ pattern: 'lat (?<n>\\d+)', metrics: 'n = latency_avg_ms in parsecs' }, 'parsecs'],
    [{ pattern: 'lat (?<n>\\d+)', metrics: 'n = ops / 0' }, 'zero'],
  ])('is refused before the start: %j', (options, words) => {
    expect(refusal(options)).toContain(words);
  });
});

it('shows the first rate of its patterns first, or the first metric without a rate', () => {
  const first = (options: object) => commandTool.metrics.primary(CommandOptions.parse(options));
  expect(first({})).toBe('latency_avg_ms');
  expect(first({ pattern: '(?<x>\\d+) (?<tps>\\d+)', metrics: 'x = my_own' })).toBe('tps');
  expect(first({ pattern: '(?<x>\\d+)', metrics: 'x = my_own' })).toBe('ops');
  const several = 'lat (?<lat>\\d+) p99 (?<latency_p99_ms>\\d+) errors (?<errors_per_s>\\d+)';
  expect(first({ pattern: several, metrics: 'lat = latency_avg_ms' })).toBe('latency_avg_ms');
  expect(first({ pattern: `${several} tps (?<tps>\\d+)`, metrics: 'lat = latency_avg_ms' })).toBe('tps');
  expect(first({ pattern: `${several} r (?<r>\\d+)`, metrics: 'lat = latency_avg_ms\nr = read_mib_s' })).toBe(
    'read_mib_s',
  );
});

describe('a device', () => {
  it('in a command is overwritten or only read, as declared in the options', () => {
    const dd = { command: 'dd if=/dev/zero of=/dev/sdb bs=1M oflag=direct 2>&1 | tail -n 1' };
    expect(refusal(dd)).toContain('/dev/sdb');
    expect(planned({ ...dd, overwrites: '/dev/sdb' }).run.overwrites).toEqual(['/dev/sdb']);
    expect(planned({ ...dd, overwrites: '/dev/sdb, /dev/mapper/vg-bench' }).run.overwrites).toHaveLength(2);
    const ioping = { command: 'ioping -c {seconds} {arguments}', arguments: '/dev/disk/by-id/nvme-1' };
    expect(refusal(ioping)).toContain('/dev/disk/by-id/nvme-1');
    expect(planned({ ...ioping, 'only-reads': '/dev/disk/by-id/nvme-1' }).run.overwrites).toBeUndefined();
    expect(refusal({ ...dd, overwrites: '/dev/sdb', 'only-reads': '/dev/sdb' })).toContain('read-only');
    expect(refusal({ command: 'true', prepare: 'mkfs.ext4 /dev/sdc' })).toContain('/dev/sdc');
  });

  it('is treated as overwritten by each phase', () => {
    const { prepare, run, cleanup } = planned({ prepare: 'blkdiscard $D', cleanup: 'true', overwrites: '/dev/sdb' });
    for (const step of [prepare, run, cleanup]) expect(step?.overwrites).toEqual(['/dev/sdb']);
  });

  it('other than a disk needs no declaration', () => {
    for (const command of ['x >/dev/null 2>/dev/stderr', 'head -c 9 /dev/urandom', 'x </srv/dev/sdb', 'ls /dev/shm/a'])
      expect(planned({ command }).run.overwrites).toBeUndefined();
    for (const overwrites of ['sdb', '/dev/../etc', '/etc/passwd'])
      expect(CommandOptions.safeParse({ overwrites }).success).toBe(false);
  });
});

const of = (command: string): string[] => programsOf(CommandOptions.parse({ command }));

it.each([
  ['ioping -c {seconds} .', 'ioping'],
  ['  # measured twice\n\n  /opt/tool/bin/tester --fast | cat', '/opt/tool/bin/tester'],
  ['LC_ALL=C NICE=5 vmstat 1', 'vmstat'],
  ['while true; do date; done', 'while'],
  ['mysqlslap', 'mysqlslap'],
])('the program of %j is %s', (command, program) => {
  expect(of(command)).toEqual([program]);
});

it.each([
  '$TOOL run',
  '"my tool" -x',
  './run.sh',
  '(cd /tmp; ls)',
  'measure() { ls; }\nmeasure',
  '{mode} fast',
  'a=$(date) ls',
])('the program of %j is unknown', (command) => {
  expect(of(command)).toEqual([]);
});
