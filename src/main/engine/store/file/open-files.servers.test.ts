import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

/** Leaves more and more files to open, until the library is locked. */
it('reports too many open files, not missing permissions, if its holder file cannot be written', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-lock-'));
  const program = `import { closeSync, openSync } from 'node:fs';
import { lockInstance } from ${JSON.stringify(path.resolve(import.meta.dirname, 'lock.ts'))};
const holder = { pid: 1, mode: 'cli', since: 0 };
const said = [];
lockInstance(${JSON.stringify(folder)}, holder).release(true);
const open = [];
try { for (;;) open.push(openSync('/dev/null')); } catch {}
for (;;) {
  try { lockInstance(${JSON.stringify(folder)}, holder).release(true); break; } catch (error) { said.push(error.problem); }
  closeSync(open.pop());
}
process.stdout.write(JSON.stringify(said));
process.exit();`;
  try {
    const { stdout, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -n 64; exec "$1" --input-type=module-typescript -e "$2"', 'sh', process.execPath, program],
      { encoding: 'utf8' },
    );
    expect(stdout, stderr).not.toBe('');
    const problems: { message: string; next: string }[] = JSON.parse(stdout);
    const ofCard = problems.filter(({ message }) => message.includes('holder.json'));
    expect(ofCard.length).toBeGreaterThan(0);
    for (const { message, next } of ofCard) {
      expect(message).toMatch(/limit of open files on this computer is reached/);
      expect(next).toMatch(/ulimit -n/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
