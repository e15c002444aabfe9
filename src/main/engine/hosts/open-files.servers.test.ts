import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

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
