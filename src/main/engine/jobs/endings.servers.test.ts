import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Bench, KINDS, openBench, processesIn, removeWrittenTo, until } from './testing/bench.ts';

describe.each(KINDS)('endings on $kind', (kind) => {
  /** Most of these wait for processes to end: they do so side by side, each with a host of its own. */
  const on = (test: (bench: Bench) => Promise<void>) => async () => {
    const bench = await openBench(kind, { graceSeconds: 1 });
    try {
      await test(bench);
    } catch (error) {
      await bench.abandon();
      throw error;
    }
    await bench.close();
  };

  /** Starts a job and waits until it has printed something. */
  const started = async (bench: Bench, script: string) => {
    const spec = bench.spec(script);
    const { pid } = await bench.jobs.launch(bench.machine, spec);
    const toolFile = join(bench.directory(spec.id), 'tool');
    await until(() => (bench.read(spec.id, 'stdout').length > 0 && existsSync(toolFile) ? true : undefined));
    const [tool = 0] = readFileSync(toolFile, 'utf8').split(' ').map(Number);
    return { id: spec.id, supervisor: pid, tool };
  };

  it.concurrent(
    'stops the tool and the children that left its group',
    on(async (bench) => {
      const escaped = existsSync('/usr/bin/setsid') ? '/usr/bin/setsid sleep 300 &' : '';
      const { id } = await started(bench, `${escaped} sleep 300 & trap "" TERM; echo up; sleep 300; sleep 300`);
      expect(await bench.jobs.stop(bench.machine, id)).toEqual({ left: 0 });
      expect(processesIn(bench.state).filter(({ command }) => command.includes('300'))).toEqual([]);
      const { end } = await bench.reach(id, 'ended');
      expect(end).toMatchObject({ code: 137, cause: 'stop' });
      expect(await bench.jobs.stop(bench.machine, id)).toEqual({ left: 0 });
    }),
  );

  it.concurrent(
    'lets a tool that takes TERM end in its own way, and keeps the cause that was given',
    on(async (bench) => {
      const { id } = await started(bench, 'trap "echo summary; exit 3" TERM; echo up; while :; do sleep 0.1; done');
      // Whoever waited for the whole of it would wait longer than this test may take.
      expect(await bench.jobs.stop(bench.machine, id, { graceSeconds: 600, cause: 'skip' })).toEqual({ left: 0 });
      const { end } = await bench.reach(id, 'ended');
      expect(end).toMatchObject({ code: 3, cause: 'skip', stdout: 'up\nsummary\n'.length });
    }),
  );

  it.concurrent(
    'ends a tool that is past its limit',
    on(async (bench) => {
      const spec = bench.spec('trap "" TERM; echo up; sleep 300; sleep 300', { limitSeconds: 3 });
      const { end } = await bench.run(spec);
      expect(end).toMatchObject({ code: 137, cause: 'limit' });
    }),
  );

  it.concurrent(
    'ends a tool that floods its output',
    on(async (bench) => {
      const spec = bench.spec('while :; do echo flood; echo flood >&2; done', { outputLimitBytes: 100_000 });
      const { end } = await bench.run(spec);
      expect(end).toMatchObject({ code: 143, cause: 'output-limit' });
      expect(end.stdout + end.stderr).toBeGreaterThan(100_000);
    }),
  );

  it.concurrent(
    'says of a killed supervisor whether the tool lives, and can still end it',
    on(async (bench) => {
      const { id, supervisor } = await started(bench, 'echo up; sleep 300');
      process.kill(supervisor, 'SIGKILL');
      expect((await bench.reach(id, 'lost')).tool).toBe('alive');
      await expect(bench.jobs.remove(bench.machine, id)).rejects.toMatchObject({ problem: { code: 'conflict' } });
      expect(await bench.jobs.stop(bench.machine, id)).toEqual({ left: 0 });
      expect(await bench.jobs.status(bench.machine, id)).toMatchObject({ state: 'lost', tool: 'gone' });
      await bench.jobs.remove(bench.machine, id);
      expect(existsSync(bench.directory(id))).toBe(false);
    }),
  );

  it.concurrent(
    'does not take a zombie for a living supervisor',
    on(async (bench) => {
      const { id } = await started(bench, 'echo up; sleep 300');
      const zombie = await makeZombie();
      try {
        const identity = join(bench.directory(id), 'identity');
        const fields = readFileSync(identity, 'utf8').split(' ');
        const stat = readFileSync(`/proc/${zombie.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        expect(stat[0]).toBe('Z');
        writeFileSync(identity, [zombie.pid, stat[19], ...fields.slice(2)].join(' '));
        expect(await bench.jobs.status(bench.machine, id)).toMatchObject({ state: 'lost', tool: 'alive' });
        writeFileSync(identity, fields.join(' '));
        expect(await bench.jobs.status(bench.machine, id)).toMatchObject({ state: 'running' });
      } finally {
        zombie.release();
      }
      await bench.jobs.stop(bench.machine, id);
    }),
  );

  it.concurrent(
    'knows a restart of the host by its boot id, and then touches no process',
    on(async (bench) => {
      const { id, tool } = await started(bench, 'echo up; sleep 300');
      const identityFile = join(bench.directory(id), 'identity');
      const identity = readFileSync(identityFile, 'utf8');
      const fields = identity.split(' ');
      writeFileSync(identityFile, [...fields.slice(0, 2), 'another-boot', ...fields.slice(3)].join(' '));
      expect(await bench.jobs.status(bench.machine, id)).toMatchObject({ state: 'rebooted', stdout: 3 });
      expect(await bench.jobs.stop(bench.machine, id)).toEqual({ left: 0 });
      expect(() => process.kill(tool, 0)).not.toThrow();
      writeFileSync(identityFile, identity);
      await bench.jobs.stop(bench.machine, id);
    }),
  );

  it.concurrent(
    'tells that the directory is gone, and ends what nobody can reach any more',
    on(async (bench) => {
      const { id } = await started(bench, 'echo up; sleep 300');
      removeWrittenTo(bench.directory(id));
      expect(await bench.jobs.status(bench.machine, id)).toEqual({ state: 'gone' });
      expect(await bench.jobs.stop(bench.machine, id)).toEqual({ left: 0 });
    }),
  );

  it.concurrent(
    'passes a TERM for the supervisor on to the tool and records it',
    on(async (bench) => {
      const { id, supervisor } = await started(bench, 'echo up; sleep 300');
      for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const) process.kill(supervisor, signal);
      expect(await bench.jobs.status(bench.machine, id)).toMatchObject({ state: 'running' });
      process.kill(supervisor, 'SIGTERM');
      const { end } = await bench.reach(id, 'ended');
      expect(end).toMatchObject({ code: 143, cause: 'TERM' });
    }),
  );

  it.skipIf(process.getuid?.() !== 0).concurrent('records the end on a full disk', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'kneepoint-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs', disk]);
    const full = await openBench(kind, { graceSeconds: 1 }, disk);
    try {
      const script = 'while :; do echo 0123456789012345678901234567890123456789; done 2>/dev/null';
      const spec = full.spec(`${script}; exit 5`);
      const { end } = await full.run(spec);
      expect(end.cause).toBe('disk-full');
      expect([5, 137, 143]).toContain(end.code);
      expect(full.read(spec.id, 'stdout').length).toBe(end.stdout);
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
    'removes those that ended, and refuses the others',
    on(async (bench) => {
      const { id } = await started(bench, 'echo up; sleep 300');
      const ended = bench.spec('exit 4');
      await bench.run(ended);
      await bench.jobs.remove(bench.machine, ended.id);
      await bench.jobs.remove(bench.machine, ended.id);
      await expect(bench.jobs.remove(bench.machine, id)).rejects.toMatchObject({ problem: { code: 'conflict' } });
      expect(existsSync(bench.directory(ended.id))).toBe(false);
      expect(existsSync(bench.directory(id))).toBe(true);
      await bench.jobs.stop(bench.machine, id);
    }),
  );

  it.concurrent(
    'removes the secrets that a killed supervisor left, once no tool can read them any more',
    on(async (bench) => {
      const secret = { name: 'my.cnf', content: 'password=hidden', mode: 0o600, secret: true };
      const spec = bench.spec('echo up; exec sleep 300', { files: [secret] });
      const { pid } = await bench.jobs.launch(bench.machine, spec);
      const file = join(bench.directory(spec.id), 'secret', 'my.cnf');
      await until(() => (existsSync(join(bench.directory(spec.id), 'tool')) ? true : undefined));
      expect(await bench.jobs.removeSecrets(bench.machine, spec.id)).toBe('running');
      process.kill(pid, 'SIGKILL');
      await until(async () => ((await bench.jobs.status(bench.machine, spec.id)).state === 'lost' ? true : undefined));
      expect(await bench.jobs.removeSecrets(bench.machine, spec.id)).toBe('running');
      expect(existsSync(file)).toBe(true);
      await bench.jobs.stop(bench.machine, spec.id);
      expect(await bench.jobs.removeSecrets(bench.machine, spec.id)).toBe('removed');
      expect(existsSync(file)).toBe(false);
      expect(await bench.jobs.removeSecrets(bench.machine, spec.id)).toBe('removed');
    }),
  );
});

/** A dead process that its parent never asks for: sh starts it, then becomes a program that does not know of it. */
async function makeZombie(): Promise<{ pid: number; release(): void }> {
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(line);
  await until(() => (readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ') ? true : undefined));
  return { pid, release: () => parent.kill('SIGKILL') };
}
