import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectSame, expectSameBytes } from '../../../../scripts/test/recorded.ts';
import { problemOf } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import { type JobBed, kindsByDay, openJobBed } from './testing/job-bed.ts';

const HOSTILE = [
  '',
  ' ',
  "it's",
  `"$HOME" \`id\` $(id) \${PATH} \\ \\n %s %d !! * ? [a] ~ & | ; < > # \t`,
  'line\nbreak\r\nand end\n',
  '\n\n',
  '-n',
  '--',
  '@nobody@ a@b@c',
  'é 漢字 🙂 \u0081\u0088 \u2028',
  "'''\\'''",
  `${'x'.repeat(40_000)}'${'é'.repeat(20_000)}`,
];
const PRINT_ARGUMENTS = 'for word; do printf "%s\\0" "$word"; done';
/** Epoch seconds of a host between then (milliseconds) and now; some hosts have whole seconds only. */
const isSince = (began: number) => (at: number) => at >= Math.floor(began / 1000) && at <= Math.ceil(Date.now() / 1000);

describe.each(kindsByDay('busybox'))('launch on $kind', (kind) => {
  let bed: JobBed;
  beforeEach(async () => {
    bed = await openJobBed(kind);
  });
  afterEach(() => bed.close());

  it('returns the exact exit code', async () => {
    const began = Date.now();
    const endings = { 'exit 0': 0, 'exit 7': 7, 'kill -KILL $$': 137, 'kill -TERM $$': 143, 'kill -SEGV $$': 139 };
    const ends = await Promise.all(
      Object.keys(endings).map(async (script) => {
        const { end } = await bed.run(bed.spec(`echo out; echo err >&2; ${script}`));
        return { ...end, script };
      }),
    );
    expect(Object.fromEntries(ends.map(({ script, code }) => [script, code]))).toEqual(endings);
    for (const end of ends) {
      expect(end.cause).toBeUndefined();
      expect(end).toMatchObject({ stdout: 4, stderr: 4 });
      expect(end.at).toSatisfy(isSince(began));
    }
  });

  it('starts the tool once, however often it is called', async () => {
    const spec = bed.spec('echo started; sleep 0.5');
    const answers = await Promise.all(Array.from({ length: 50 }, () => bed.jobs.launch(bed.machine, spec)));
    expectSame('number of launches', answers.filter(({ how }) => how === 'new').length, 1);
    expectSame('number of tools', new Set(answers.map(({ pid }) => pid)).size, 1);
    await bed.reach(spec.id, 'ended');
    expect(await bed.jobs.launch(bed.machine, spec)).toMatchObject({ how: 'attached', pid: answers[0]?.pid });
    expectSameBytes(bed.read(spec.id, 'stdout'), Buffer.from('started\n'));
    expect(readdirSync(bed.directory(spec.id)).filter((name) => name.startsWith('attempt'))).toEqual([]);
  });

  it('starts the tool once if the shell of a launch is killed after writing its files', async () => {
    const spec = bed.spec('echo started');
    let killed = 0;
    const machine: Machine = Object.assign(Object.create(bed.machine) as Machine, {
      exec: (script: string, options: Parameters<Machine['exec']>[1]) => {
        const [before, after] = script.split(/^(?=# A session of its own)/m);
        const isCut = after !== undefined && killed++ === 0;
        return bed.machine.exec(isCut ? `${before}kill -KILL $$\n` : script, options);
      },
    });
    expect(await bed.jobs.launch(machine, spec)).toMatchObject({ how: 'new' });
    expect(killed).toBe(2);
    await bed.reach(spec.id, 'ended');
    expectSameBytes(bed.read(spec.id, 'stdout'), Buffer.from('started\n'));
    expect(readdirSync(bed.directory(spec.id)).filter((name) => name.startsWith('attempt'))).toEqual([]);
  });

  it('passes arguments, environment and files byte for byte', async () => {
    const content = `${HOSTILE.join('\n')}\0NUL and no newline at the end`;
    const spec = bed.spec('', {
      argv: ['/bin/sh', '-c', `${PRINT_ARGUMENTS}; printf "%s\\0" "$VALUE"; cat "$1"`, 'sh', '@data.cnf@', ...HOSTILE],
      env: { VALUE: HOSTILE.join('\n') },
      files: [{ name: 'data.cnf', content, mode: 0o640, secret: false }],
    });
    await bed.run(spec);
    const path = join(bed.directory(spec.id), 'files', 'data.cnf');
    const expected = [path, ...HOSTILE, HOSTILE.join('\n'), content].join('\0');
    expectSameBytes(bed.read(spec.id, 'stdout'), Buffer.from(expected));
    expectSameBytes(readFileSync(path), Buffer.from(content));
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('starts the tool with limits and on selected CPUs, or not at all if the host refuses them', async () => {
    const script =
      'ulimit -n; ulimit -H -n; while read -r key value; do case $key in Cpus_allowed_list:) echo "$value";; Max) case $value in processes*) set -- $value; echo "$2 $3";; esac;; esac; done';
    const shown = `${script} </proc/self/limits; ${script.slice(script.indexOf('while'))} </proc/self/status`;
    const limits = { n: 321, u: 54_321 };
    const limited = bed.spec(shown, { under: { limits } });
    await bed.run(limited);
    expect(bed.read(limited.id, 'stdout').toString()).toMatch(/^321\n321\n54321 54321\n/);
    const pinned = bed.spec(shown, { under: { cpus: '0' } });
    const { end } = await bed.run(pinned);
    // On the kind without it, the shell reports it; a preflight detects that earlier.
    if (end.code === 127) expect(bed.read(pinned.id, 'stderr').toString()).toContain('taskset');
    else expect(bed.read(pinned.id, 'stdout').toString()).toMatch(/\n0\n$/);
    const { end: refused } = await bed.run(bed.spec('echo started', { under: { limits: { n: 2 ** 50 } } }));
    expect(refused).toMatchObject({ code: 126, stdout: 0 });
  });

  it('keeps secret files private while the tool runs, and removes them afterwards', async () => {
    const spec = bed.spec('', {
      argv: ['/bin/sh', '-c', 'cat "$1"; ls -l "$1"', 'sh', '@p.cnf@'],
      env: { PASSWORD: 'canary-in-environment' },
      files: [{ name: 'p.cnf', content: 'canary-in-file', mode: 0o600, secret: true }],
    });
    const { end } = await bed.run(spec);
    expect(end.code).toBe(0);
    expect(bed.read(spec.id, 'stdout').toString()).toMatch(/^canary-in-file-rw------- /);
    const left = readdirSync(bed.directory(spec.id), { recursive: true, withFileTypes: true });
    expect(left.map(({ name }) => name)).not.toContain('secret');
    for (const entry of left.filter((item) => item.isFile() && item.name !== 'stdout')) {
      expect(readFileSync(join(entry.parentPath, entry.name), 'latin1')).not.toContain('canary');
    }
    expect(statSync(bed.directory(spec.id)).mode & 0o077).toBe(0);
  });

  it('gives the tool the C locale, its cookie, empty input and no extra descriptors', async () => {
    const spec = bed.spec('echo "$LC_ALL $KNEEPOINT_JOB"; cat; umask; ls -l /proc/$$/fd | grep -c /stdout');
    await bed.run(spec);
    expect(bed.read(spec.id, 'stdout').toString()).toBe(`C ${spec.id}\n0077\n1\n`);
  });

  it('resets ignored signals of the tool, except those that a plain shell cannot reset', async () => {
    const spec = bed.spec('grep SigIgn /proc/self/status');
    await bed.run(spec);
    const ignored = Number(`0x${bed.read(spec.id, 'stdout').toString().split(/\s+/)[1]}`);
    // Everything that sh starts with '&' ignores INT and QUIT; GNU env reverts that.
    expect(ignored).toBe(kind.programs === undefined ? 0 : 0x6);
  });

  it('does not start a missing tool', async () => {
    const spec = bed.spec('', { argv: ['kneepoint-no-such-tool', '--version'] });
    const problem = { code: 'tool-missing', host: kind.kind };
    await expect(bed.jobs.launch(bed.machine, spec)).rejects.toMatchObject({ problem });
    const elsewhere = bed.spec('', { argv: ['sh', '-c', 'exit 0'], env: { PATH: '/nowhere' } });
    await expect(bed.jobs.launch(bed.machine, elsewhere)).rejects.toMatchObject({ problem });
    expect(existsSync(bed.directory(spec.id))).toBe(false);
    expect(await bed.jobs.status(bed.machine, spec.id)).toEqual({ state: 'gone' });
  });

  it('writes a line of time index about every second', async () => {
    const began = Date.now();
    // Runs until the index has four lines.
    const spec = bed.spec(
      'until [ "$(grep -c . ../index)" -ge 4 ]; do echo tick; echo tock >&2; echo tock >&2; sleep 0.3; done',
    );
    const { end } = await bed.run(spec);
    const lines = bed
      .read(spec.id, 'index')
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    for (const [epoch = 0] of lines) expect(epoch).toSatisfy(isSince(began));
    // The clock is extrapolated by the uptime, so their difference is constant apart from the time of a fork. BusyBox's date has whole
    // seconds only.
    const exact = kind.kind !== 'busybox';
    const apart = lines.map(([epoch = 0, uptime = 0]) => epoch - uptime);
    expect(lines.some(([epoch = 0]) => !Number.isInteger(epoch))).toBe(exact);
    expect(Math.max(...apart) - Math.min(...apart)).toBeLessThan(exact ? 0.5 : 2);
    // The last line is that of the end, at any time.
    const uptimes = lines.slice(0, -1).map(([, uptime = Number.NaN]) => uptime);
    expect(uptimes.length).toBeGreaterThanOrEqual(3);
    for (const [index, uptime] of uptimes.slice(1).entries()) {
      expect(uptime - (uptimes[index] ?? Number.NaN)).toBeGreaterThanOrEqual(0.99);
    }
    const offsets = lines.map(([, , offset = -1]) => offset);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    expectSame('bytes at the end of the index', offsets.at(-1), end.stdout);
    const ofErrors = lines.map(([, , , size = -1]) => size);
    expect(ofErrors).toEqual([...ofErrors].sort((a, b) => a - b));
    expectSame('bytes at the end of the index', ofErrors.at(-1), end.stderr);
  });

  // The environment of a login behind sshd cannot be changed.
  if (kind.server === undefined)
    it('names every folder it tried if none is usable', async () => {
      const root = bed.env.HOME;
      writeFileSync(join(root, 'file'), '');
      // With another user id, the folders that root can always create under /var do not belong to this user.
      const unrelatedPid = '999999999';
      mkdirSync(join(root, 'stranger'));
      writeFileSync(join(root, 'stranger', 'id'), `#!/bin/sh\necho ${unrelatedPid}\n`, { mode: 0o755 });
      bed.env.PATH = `${join(root, 'stranger')}:${bed.env.PATH}`;
      bed.env.XDG_STATE_HOME = join(root, 'file', 'state');
      bed.env.HOME = join(root, 'file', 'home');
      try {
        const error = await bed.jobs.launch(bed.machine, bed.spec('exit 0')).catch(problemOf);
        expect(error).toMatchObject({ code: 'host-refused', host: kind.kind });
        for (const folder of [
          `${bed.env.XDG_STATE_HOME}/kneepoint`,
          `${bed.env.HOME}/.local/state/kneepoint`,
          `/var/lib/kneepoint-${unrelatedPid}`,
          `/var/tmp/kneepoint-${unrelatedPid}`,
        ]) {
          expect(error).toMatchObject({ message: expect.stringContaining(`${folder}/jobs: `) });
        }
      } finally {
        for (const parent of ['/var/lib', '/var/tmp'])
          rmSync(`${parent}/kneepoint-${unrelatedPid}`, { recursive: true, force: true });
      }
    });
});
