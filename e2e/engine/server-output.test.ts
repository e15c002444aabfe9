import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { newLibraryFolder } from '../testbed/library-folder.ts';

const SERVER = path.resolve(import.meta.dirname, '../../src/main/server.ts');
const dataDir = newLibraryFolder('output');

afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

it('keeps running when its output is no longer read', async () => {
  const env = { ...process.env, KNEEPOINT_DATA: dataDir };
  const server = spawn(process.execPath, [SERVER, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [line] = await once(createInterface({ input: server.stdout }), 'line');
    const [, origin = '', secret = ''] = /^READY (http:\/\/[^/]+)\/#link=([\w-]+)$/.exec(String(line)) ?? [];
    server.stdout.destroy();
    // The server then prints that its link was used.
    const ask = (method: string, bearer: string) =>
      fetch(`${origin}/session`, { method, headers: { authorization: `Bearer ${bearer}` } });
    const used = await ask('POST', secret);
    expect(used.status).toBe(200);
    expect((await ask('GET', await used.text())).status).toBe(204);
    expect(server.exitCode).toBeNull();
  } finally {
    const ended = once(server, 'exit');
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await ended;
    }
  }
});
