import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSshd, type TestSshd } from '../../../../e2e/testbed/sshd/index.ts';
import { createLocalMachine } from './local.ts';
import type { Machine } from './machine.ts';
import { createTestLibrary, problemFrom, specOf, type TestLibrary } from './testing/library.ts';

interface Fixture {
  machine: Machine;
  close(): Promise<void>;
}

const kinds: Record<string, () => Promise<Fixture>> = {
  'this computer': async () => ({ machine: createLocalMachine(), close: async () => undefined }),
  'a host behind SSH': async () => {
    const server = await startSshd();
    return behind(server, createTestLibrary());
  },
};

async function behind(server: TestSshd, library: TestLibrary): Promise<Fixture> {
  library.save(specOf('web-1', server));
  library.trustServer(server);
  return {
    machine: library.machines.get('web-1'),
    async close() {
      await library.machines.close();
      await server.close();
    },
  };
}

/** Waits for an external condition; the test's own timeout ends it. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

for (const [title, make] of Object.entries(kinds)) {
  describe(`a machine: ${title}`, () => {
    let fixture: Fixture;
    let machine: Machine;
    let echo: Server;
    let echoPort = 0;

    beforeAll(async () => {
      fixture = await make();
      machine = fixture.machine;
      echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
      await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
      const address = echo.address();
      echoPort = typeof address === 'object' && address ? address.port : 0;
    });
    afterAll(async () => {
      await fixture.close();
      await new Promise((resolve) => echo.close(resolve));
    });

    // A zombie counts as dead: in a container it may never be reaped.
    const alive = async (pid: string) => /^State:\s+[^Z]/m.test((await machine.exec(`cat /proc/${pid}/status`)).stdout);

    it('returns code, output and errors of a script', async () => {
      const result = await machine.exec('echo out; echo err >&2; exit 7');
      expect(result).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' });
    });

    it('returns the status of the last command if the script does not exit', async () => {
      expect((await machine.exec('true\nfalse')).code).toBe(1);
      expect((await machine.exec('false\n# only a comment at the end')).code).toBe(1);
      expect((await machine.exec('')).code).toBe(0);
    });

    it('names the signal that ended a script', async () => {
      const result = await machine.exec('echo before; kill -KILL $$');
      expect(result).toEqual({ signal: 'SIGKILL', stdout: 'before\n', stderr: '' });
    });

    it('gives commands of a script an empty standard input, never the rest of the script', async () => {
      const result = await machine.exec('cat\necho after');
      expect(result.stdout).toBe('after\n');
    });

    it('runs nothing of a truncated or modified script', async () => {
      const result = await machine.exec('echo started\nif true; then\necho inside');
      expect(result.stdout).toBe('');
      expect(result.code).toBe(2);
    });

    it('preserves every byte of text in any language and of 3 MB of output', async () => {
      expect((await machine.exec("printf '%s' 'Zürich – 東京 “x” \\\\n'")).stdout).toBe('Zürich – 東京 “x” \\\\n');
      const result = await machine.exec('head -c 3000000 /dev/zero | tr "\\0" x');
      expect(result.stdout.length).toBe(3_000_000);
    });

    it('refuses output beyond 4 MiB', async () => {
      const problem = await problemFrom(machine.exec('head -c 5000000 /dev/zero | tr "\\0" x'));
      expect(problem.message).toContain('4 MiB');
    });

    it('ends a script after its time limit', async () => {
      const problem = await problemFrom(machine.exec('sleep 60', { timeoutMs: 300 }));
      expect(problem).toMatchObject({ code: 'host-unreachable', host: machine.name });
      expect(problem.message).toContain('0.3 s');
    });

    it('can be cancelled before and during a script', async () => {
      const abort = new AbortController();
      const running = problemFrom(machine.exec('sleep 60', { signal: abort.signal }));
      setTimeout(() => abort.abort(), 100);
      expect((await running).code).toBe('cancelled');
      expect((await problemFrom(machine.exec('true', { signal: abort.signal }))).code).toBe('cancelled');
    });

    it('runs many scripts at once, each with its own result', async () => {
      const results = await Promise.all(Array.from({ length: 15 }, (_, n) => machine.exec(`sleep 0.05; echo ${n}`)));
      expect(results.map((result) => result.stdout)).toEqual(Array.from({ length: 15 }, (_, n) => `${n}\n`));
    });

    it('streams the output of a spawned script and ends it by closing its input, without remains', async () => {
      const script = 'sleep 300 & t=$!; echo $t\ncat >/dev/null\nkill $t; echo closed; exit 3';
      const spawned = await machine.spawn(script);
      let text = '';
      for await (const chunk of spawned.stdout) {
        text += Buffer.from(chunk).toString();
        if (text.includes('\n')) spawned.close();
      }
      expect(await spawned.done).toEqual({ code: 3 });
      const pid = text.split('\n')[0] ?? '';
      expect(pid).toMatch(/^\d+$/);
      // The signal was sent, but a busy host lets its process die a moment later.
      await until(async () => !(await alive(pid)));
    });

    it('ends a spawned script when its reader stops', async () => {
      const spawned = await machine.spawn('echo $$; cat >/dev/null');
      let pid = '';
      for await (const chunk of spawned.stdout) {
        pid = Buffer.from(chunk).toString().trim();
        break;
      }
      expect(await spawned.done).toEqual({ code: 0 });
      expect(await alive(pid)).toBe(false);
    });

    it('returns the errors and exit code of a spawned script', async () => {
      const spawned = await machine.spawn('echo oops >&2; exit 5');
      for await (const chunk of spawned.stdout) expect(chunk.length).toBe(0);
      expect(await spawned.done).toEqual({ code: 5 });
      expect(spawned.stderr()).toBe('oops\n');
    });

    it('throws in the reader when a spawned script is cancelled', async () => {
      const abort = new AbortController();
      const spawned = await machine.spawn('echo ready; cat >/dev/null', { signal: abort.signal });
      const reading = (async () => {
        for await (const chunk of spawned.stdout) if (chunk.length > 0) abort.abort();
      })();
      expect((await problemFrom(reading)).code).toBe('cancelled');
      await spawned.done;
    });

    it('waits for a slow reader instead of buffering everything', async () => {
      const spawned = await machine.spawn('head -c 50000000 /dev/zero; echo sent >&2; cat >/dev/null');
      let total = 0;
      for await (const chunk of spawned.stdout) {
        if (total === 0) {
          await new Promise((resolve) => setTimeout(resolve, 300));
          // The script blocks in the middle of its output, because it is not read.
          expect(spawned.stderr()).toBe('');
        }
        total += chunk.length;
        if (total >= 50_000_000) break;
      }
      await spawned.done;
      expect(total).toBe(50_000_000);
      expect(spawned.stderr()).toBe('sent\n');
    });

    it('connects to a port and transfers bytes and ends separately in both directions', async () => {
      const stream = await machine.dial('127.0.0.1', echoPort, 'echo');
      const sent = Buffer.alloc(1_000_000, 'abcdefg');
      const received: Buffer[] = [];
      const ended = new Promise((resolve) => stream.once('close', resolve));
      stream.end(sent);
      for await (const chunk of stream) received.push(chunk);
      expect(Buffer.concat(received).equals(sent)).toBe(true);
      await ended;
    });

    it('reports a port without a listener', async () => {
      const free = createServer();
      await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
      const address = free.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      await new Promise((resolve) => free.close(resolve));
      const problem = await problemFrom(machine.dial('127.0.0.1', port, 'nothing'));
      expect(problem.code).toBe('target-unreachable');
      expect(problem.message).toContain(String(port));
    });

    it('connects to a Unix socket', async () => {
      const path = `/tmp/kneepoint-test-${process.pid}-${title.length}.sock`;
      const server = createServer((socket) => socket.end('hello'));
      await new Promise<void>((resolve) => server.listen(path, resolve));
      const stream = await machine.dialSocket(path, 'socket');
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      expect(text).toBe('hello');
      await new Promise((resolve) => server.close(resolve));
    });

    it('is connected', async () => {
      await machine.ready();
      expect(machine.link().state).toBe('up');
      await until(() => machine.link().channels === undefined || machine.link().channels === 0);
    });
  });
}

/** The process has all its files open when it starts a program on this computer. */
it('reports too many open files if no program can be started', () => {
  const program = `import { openSync } from 'node:fs';
import { createLocalMachine } from ${JSON.stringify(path.resolve(import.meta.dirname, 'local.ts'))};
const machine = createLocalMachine();
await machine.exec('true');
try { for (;;) openSync('/dev/null'); } catch {}
try { await machine.exec('true'); } catch (error) { process.stdout.write(JSON.stringify(error.problem)); }
process.exit();`;
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 64; exec "$1" --input-type=module-typescript -e "$2"', 'sh', process.execPath, program],
    { encoding: 'utf8' },
  );
  expect(stdout, stderr).not.toBe('');
  const problem = JSON.parse(stdout);
  expect(problem.message).toMatch(/limit of open files on this computer is reached/);
  expect(problem.next).toMatch(/ulimit -n/);
  expect(JSON.stringify(problem)).not.toMatch(/cannot run|write/);
});
