import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cached } from './folders.ts';
import { runToEnd } from './processes.ts';

const SOURCE = fileURLToPath(new URL('./mongosh/', import.meta.url));

/** The version pinned in the lockfile. */
const version = (): string => {
  const wanted: { dependencies: { mongosh: string } } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'));
  return wanted.dependencies.mongosh;
};

/** The folder with MongoDB's shell as a program, from npm: 150 MB, downloaded once per machine. */
export const fetchMongosh = async (): Promise<string> => {
  const folder = await cached(`mongosh-${version()}`, async (directory) => {
    cpSync(SOURCE, directory, { recursive: true });
    runToEnd(['npm', 'ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', `--prefix=${directory}`]);
  });
  return join(folder, 'node_modules', '.bin');
};
