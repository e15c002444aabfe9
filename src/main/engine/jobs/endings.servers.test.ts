import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSame } from '../../../../scripts/test/recorded.ts';
import { type JobBed, kindsByDay, openJobBed, processesIn, removeWrittenTo, until } from './testing/job-bed.ts';

/** About 100 KB per second: more would only take CPU from other tests. */
const FLOOD = 'while :; do dd if=/dev/zero bs=10000 count=1 2>/dev/null; echo flood >&2; sleep 0.1; done';

describe.each(kindsByDay('dash'))('endings on $kind', (kind) => {
  /** Most of these wait for processes to end, so they run concurrently, each with its own host. */
  const on = (test: (bed: JobBed) => Promise<void>) => async () => {
    const bed = await openJobBed(kind, { graceSeconds: 1 });
    try {
      await test(bed);
    } catch (error) {
      await bed.abandon();
      throw error;
    }
    await bed.close();
  };

  /** Starts a job and waits until it has printed something. */
  const started = async (bed: JobBed, script: string) => {
    const spec = bed.spec(script);
    const { pid } = await bed.jobs.launch(bed.machine, spec);
    const toolFile = join(bed.directory(spec.id), 'tool');
    await until(() => (bed.read(spec.id, 'stdout').length > 0 && existsSync(toolFile) ? true : undefined));
    const [tool = 0] = readFileSync(toolFile, 'utf8').split(' ').map(Number);
    return { id: spec.id, supervisor: pid, tool };
  };

  it.concurrent(
    'stops the tool and children that left its group',
    on(async (bed) => {
      const escaped = existsSync('/usr/bin/setsid') ? '/usr/bin/setsid sleep 300 &' : '';
      const { id } = await started(bed, `${escaped} sleep 300 & trap "" TERM; echo up; sleep 300; sleep 300`);
      expect(await bed.jobs.stop(bed.machine, id)).toEqual({ left: 0 });
      expect(processesIn(bed.state).filter(({ command }) => command.includes('300'))).toEqual([]);
      const { end } = await bed.reach(id, 'ended');
      expect(end).toMatchObject({ code: 137, cause: 'stop' });
      expect(await bed.jobs.stop(bed.machine, id)).toEqual({ left: 0 });
    }),
  );

  it.concurrent(
    'lets a tool that handles TERM exit by itself, and keeps the given cause',
    on(async (bed) => {
      const { id } = await started(bed, 'trap "echo summary; exit 3" TERM; echo up; while :; do sleep 0.1; done');
      // Waiting for the full grace period would exceed this test's timeout.
      expect(await bed.jobs.stop(bed.machine, id, { graceSeconds: 600, cause: 'skip' })).toEqual({ left: 0 });
      const { end } = await bed.reach(id, 'ended');
      expect(end).toMatchObject({ code: 3, cause: 'skip', stdout: 'up\nsummary\n'.length });
    }),
  );

  it.concurrent(
    'ends a tool at its time limit',
    on(async (bed) => {
      const spec = bed.spec('trap "" TERM; echo up; sleep 300; sleep 300', { limitSeconds: 3 });
      const { end } = await bed.run(spec);
      expect(end).toMatchObject({ code: 137, cause: 'limit' });
    }),
  );

  it.concurrent(
    'replaces the time limit, longer or shorter',
    on(async (bed) => {
      const spec = bed.spec('echo up; sleep 300; sleep 300', { limitSeconds: 4 });
      await bed.jobs.launch(bed.machine, spec);
      await bed.jobs.limit(bed.machine, spec.id, 600);
      await until(() => (bed.read(spec.id, 'index').toString().split('\n').length > 7 ? true : undefined));
      expect(await bed.jobs.status(bed.machine, spec.id)).toMatchObject({ state: 'running' });
      await bed.jobs.limit(bed.machine, spec.id, 1);
      const { end } = await bed.reach(spec.id, 'ended');
      expect(end).toMatchObject({ cause: 'limit' });
      await bed.jobs.limit(bed.machine, spec.id, 1);
      await bed.jobs.limit(bed.machine, randomUUID(), 1);
    }),
  );

  it.concurrent(
    'completes a stop whose caller is gone',
    on(async (bed) => {
      const { id } = await started(bed, 'trap "" TERM; echo up; sleep 300; sleep 300');
      const caller = new AbortController();
      const stopped = bed.jobs.stop(bed.machine, id, { signal: caller.signal });
      const folder = bed.directory(id);
      await until(() => (existsSync(join(folder, 'cause.stop')) ? true : undefined), 5);
      caller.abort();
      await expect(stopped).rejects.toMatchObject({ problem: { code: 'cancelled' } });
      // It ignores TERM: only the rest of the script can end it.
      const { end } = await bed.reach(id, 'ended');
      expect(end).toMatchObject({ code: 137, cause: 'stop' });
    }),
  );

  it.concurrent(
    'ends a tool at its output limit',
    on(async (bed) => {
      const spec = bed.spec(FLOOD, { outputLimitBytes: 100_000 });
      const { end } = await bed.run(spec);
      expect(end).toMatchObject({ code: 143, cause: 'output-limit' });
      expect(end.stdout + end.stderr).toBeGreaterThan(100_000);
    }),
  );

  it.concurrent(
    'reports whether the tool of a killed supervisor is alive, and can still end it',
    on(async (bed) => {
      const { id, supervisor } = await started(bed, 'echo up; sleep 300');
      process.kill(supervisor, 'SIGKILL');
      expect((await bed.reach(id, 'lost')).tool).toBe('alive');
      await expect(bed.jobs.remove(bed.machine, id)).rejects.toMatchObject({ problem: { code: 'conflict' } });
      expect(await bed.jobs.stop(bed.machine, id)).toEqual({ left: 0 });
      expect(await bed.jobs.status(bed.machine, id)).toMatchObject({ state: 'lost', tool: 'gone' });
      await bed.jobs.remove(bed.machine, id);
      expect(existsSync(bed.directory(id))).toBe(false);
    }),
  );

  it.concurrent(
    'does not take a zombie for a living supervisor',
    on(async (bed) => {
      const { id } = await started(bed, 'echo up; sleep 300');
      const zombie = await makeZombie();
      try {
        const identity = join(bed.directory(id), 'identity');
        const fields = readFileSync(identity, 'utf8').split(' ');
        const stat = readFileSync(`/proc/${zombie.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        expect(stat[0]).toBe('Z');
        writeFileSync(identity, [zombie.pid, stat[19], ...fields.slice(2)].join(' '));
        expect(await bed.jobs.status(bed.machine, id)).toMatchObject({ state: 'lost', tool: 'alive' });
        writeFileSync(identity, fields.join(' '));
        expect(await bed.jobs.status(bed.machine, id)).toMatchObject({ state: 'running' });
      } finally {
        zombie.release();
      }
      await bed.jobs.stop(bed.machine, id);
    }),
  );

  it.concurrent(
    'detects a reboot of the host by its boot id, and then signals no process',
    on(async (bed) => {
      const { id, tool } = await started(bed, 'echo up; sleep 300');
      const identityFile = join(bed.directory(id), 'identity');
      const identity = readFileSync(identityFile, 'utf8');
      const fields = identity.split(' ');
      writeFileSync(identityFile, [...fields.slice(0, 2), 'another-boot', ...fields.slice(3)].join(' '));
      expect(await bed.jobs.status(bed.machine, id)).toMatchObject({ state: 'rebooted', stdout: 3 });
      expect(await bed.jobs.stop(bed.machine, id)).toEqual({ left: 0 });
      expect(() => process.kill(tool, 0)).not.toThrow();
      writeFileSync(identityFile, identity);
      await bed.jobs.stop(bed.machine, id);
    }),
  );

  it.concurrent(
    'reports a removed directory and ends its unreachable processes',
    on(async (bed) => {
      const { id } = await started(bed, 'echo up; sleep 300');
      removeWrittenTo(bed.directory(id));
      expect(await bed.jobs.status(bed.machine, id)).toEqual({ state: 'gone' });
      expect(await bed.jobs.stop(bed.machine, id)).toEqual({ left: 0 });
    }),
  );

  it.concurrent(
    'forwards TERM from the supervisor to the tool and records it',
    on(async (bed) => {
      const { id, supervisor } = await started(bed, 'echo up; sleep 300');
      for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const) process.kill(supervisor, signal);
      expect(await bed.jobs.status(bed.machine, id)).toMatchObject({ state: 'running' });
      process.kill(supervisor, 'SIGTERM');
      const { end } = await bed.reach(id, 'ended');
      expect(end).toMatchObject({ code: 143, cause: 'TERM' });
    }),
  );

  it.skipIf(process.getuid?.() !== 0).concurrent('records the end on a full disk', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'kneepoint-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs', disk]);
    const full = await openJobBed(kind, { graceSeconds: 1 }, disk);
    try {
      const script = 'while :; do echo 0123456789012345678901234567890123456789 || sleep 0.1; done 2>/dev/null';
      const spec = full.spec(`${script}; exit 5`);
      const { end } = await full.run(spec);
      expect(end.cause).toBe('disk-full');
      expect([5, 137, 143]).toContain(end.code);
      expectSame('bytes of the output', full.read(spec.id, 'stdout').length, end.stdout);
      writeFileSync(join(disk, 'rest'), Buffer.alloc(50_000));
      await expect(full.jobs.launch(full.machine, full.spec('exit 0'))).rejects.toMatchObject({
        problem: { code: 'disk-full', host: kind.kind },
      });
      expect(readdirSync(dirname(full.directory(spec.id)))).toEqual([spec.id]);
    } finally {
      await full.close();
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    }
  });

  it.concurrent(
    'removes ended jobs and refuses the others',
    on(async (bed) => {
      const { id } = await started(bed, 'echo up; sleep 300');
      const ended = bed.spec('exit 4');
      await bed.run(ended);
      await bed.jobs.remove(bed.machine, ended.id);
      await bed.jobs.remove(bed.machine, ended.id);
      await expect(bed.jobs.remove(bed.machine, id)).rejects.toMatchObject({ problem: { code: 'conflict' } });
      expect(existsSync(bed.directory(ended.id))).toBe(false);
      expect(existsSync(bed.directory(id))).toBe(true);
      await bed.jobs.stop(bed.machine, id);
    }),
  );

  it.concurrent(
    'removes secrets left by a killed supervisor, once no tool can read them',
    on(async (bed) => {
      const secret = { name: 'my.cnf', content: 'password=hidden', mode: 0o600, secret: true };
      const spec = bed.spec('echo up; exec sleep 300', { files: [secret] });
      const { pid } = await bed.jobs.launch(bed.machine, spec);
      const file = join(bed.directory(spec.id), 'secret', 'my.cnf');
      await until(() => (existsSync(join(bed.directory(spec.id), 'tool')) ? true : undefined));
      expect(await bed.jobs.removeSecrets(bed.machine, spec.id)).toBe('running');
      process.kill(pid, 'SIGKILL');
      await until(async () => ((await bed.jobs.status(bed.machine, spec.id)).state === 'lost' ? true : undefined));
      expect(await bed.jobs.removeSecrets(bed.machine, spec.id)).toBe('running');
      expect(existsSync(file)).toBe(true);
      await bed.jobs.stop(bed.machine, spec.id);
      expect(await bed.jobs.removeSecrets(bed.machine, spec.id)).toBe('removed');
      expect(existsSync(file)).toBe(false);
      expect(await bed.jobs.removeSecrets(bed.machine, spec.id)).toBe('removed');
    }),
  );
});

/** A zombie that its parent never reaps: sh starts it, then becomes a program that does not know about it. */
async function makeZombie(): Promise<{ pid: number; release(): void }> {
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(line);
  await until(() => (readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ') ? true : undefined));
  return { pid, release: () => parent.kill('SIGKILL') };
}
