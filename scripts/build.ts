import { existsSync, mkdirSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { printStatus, root } from './lib/terminal.ts';

interface Part {
  readonly name: string;
  /** Files and folders of the project; if any is newer than the last build, the part is stale. */
  readonly sources: readonly string[];
  readonly build: () => Promise<void>;
  /** Not a part of the app: built only when requested by name. */
  readonly apart?: true;
}

/**
 * Packages of the engine that stay outside its bundle: they need their own files (a compiled part, fonts), or are loaded only when used. All others
 * are bundled, since one file loads faster than a thousand.
 */
const OUTSIDE = ['better-sqlite3', 'echarts', 'mongodb', 'mysql2', 'pdfmake', 'pg', 'ssh2'];

interface Bundle {
  /** One file, or several that share their imports. */
  readonly input: string | readonly string[];
  /** With several inputs, the output of the first one; the others are next to it, under their own names. */
  readonly output: string;
  readonly format: 'esm' | 'cjs';
  readonly target: string;
  readonly external: readonly string[];
  /** Puts dynamic imports into separate files next to the output, so that starting does not load them. */
  readonly split?: boolean;
  /** Minified and without a source map: for programs sent to other machines. */
  readonly small?: boolean;
}

/** Each entry file with all its imports as one file: Electron's main process and sandboxed preload cannot load TypeScript. */
export async function bundle(wanted: Bundle): Promise<void> {
  const { input, output, format, target, external, split = false, small = false } = wanted;
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: [input].flat().map((file) => path.resolve(root, file)),
    platform: 'node',
    external: [...external, ...external.map((name) => new RegExp(`^${name}/`))],
    transform: { target },
  });
  const { dir, base, name, ext } = path.parse(path.resolve(root, output));
  const entryFileNames = typeof input === 'string' ? base : `[name]${ext}`;
  const file = { dir, entryFileNames, chunkFileNames: `${name}-[name]${ext}`, format };
  await build.write({ ...file, codeSplitting: split, minify: small, sourcemap: !small });
  await build.close();
}

/** The program that sends queries, with its drivers. Another process may be reading the previous one, so it is replaced atomically. */
async function bundleQueries(): Promise<void> {
  const [made, output] = [`dist/main/queries.${process.pid}.mjs`, 'dist/main/queries.mjs'];
  const input = 'src/main/engine/tools/queries/program/main.ts';
  // The oldest Node that the drivers and the tool's probe support.
  await bundle({ input, output: made, format: 'esm', target: 'node20.19', external: [], small: true });
  renameSync(path.join(root, made), path.join(root, output));
}

const parts: readonly Part[] = [
  {
    name: 'renderer',
    sources: ['src/renderer', 'src/shared', 'vite.config.ts'],
    build: async () => {
      const { build } = await import('vite');
      const before = process.env.NODE_ENV;
      await build({ configFile: path.join(root, 'vite.config.ts'), logLevel: 'warn' });
      // Vite leaves it at production, in which programs started next could neither test React nor refresh it.
      if (before === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = before;
    },
  },
  {
    name: 'shell',
    sources: ['src/main/electron', 'src/main/electron.ts', 'src/main/preload.ts', 'src/shared'],
    // Node 16 is that of the oldest supported Electron (22, in the tests); a sandboxed preload can load only electron.
    build: async () => {
      const shell = { format: 'cjs', target: 'node16', external: ['electron'] } as const;
      await bundle({ ...shell, input: 'src/main/electron.ts', output: 'dist/main/electron.cjs' });
      await bundle({ ...shell, input: 'src/main/preload.ts', output: 'dist/main/preload.cjs' });
    },
  },
  {
    name: 'engine',
    sources: ['src/main', 'src/shared'],
    build: () =>
      bundle({
        input: ['src/main/engine.ts', 'src/main/server.ts'],
        output: 'dist/main/engine.mjs',
        format: 'esm',
        target: 'node22',
        external: OUTSIDE,
        split: true,
      }),
  },
  // Tests start the command line many times, and a bundle loads in a third of the time.
  {
    name: 'cli',
    sources: ['src/main', 'src/shared'],
    build: () =>
      bundle({
        input: 'src/main/cli.ts',
        output: 'dist/main/cli.mjs',
        format: 'esm',
        target: 'node22',
        external: OUTSIDE,
        split: true,
      }),
    apart: true,
  },
  // Run by a Node that is not part of the app: sent to hosts, where nothing is installed.
  { name: 'programs', sources: ['src/main/engine/tools/queries'], build: bundleQueries },
];

const stampOf = (part: Part): string => path.join(root, 'dist', `.${part.name}`);

/** Whether a file under `entry` is newer than `time`; folders count too, so that a removed file is detected. */
function newerThan(entry: string, time: number): boolean {
  const stat = statSync(entry);
  if (stat.mtimeMs > time) return !/\.test\.tsx?$/.test(entry);
  return stat.isDirectory() && readdirSync(entry).some((name) => newerThan(path.join(entry, name), time));
}

function isStale(part: Part): boolean {
  if (!existsSync(stampOf(part))) return true;
  const built = statSync(stampOf(part)).mtimeMs;
  return ['package-lock.json', 'scripts/build.ts', ...part.sources].some((source) =>
    newerThan(path.join(root, source), built),
  );
}

/** Builds parts that are older than their sources; returns their names. */
export async function buildStale(
  names: readonly string[] = parts.filter(({ apart }) => !apart).map((part) => part.name),
): Promise<string[]> {
  const stale = parts.filter((part) => names.includes(part.name) && isStale(part));
  if (stale.length === 0) return [];
  const began = Date.now();
  printStatus(`building ${stale.map((part) => part.name).join(', ')}.`);
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  for (const part of stale) {
    // The stamp has the time of the start: a file saved during the build makes the part stale again.
    const started = new Date();
    await part.build();
    writeFileSync(stampOf(part), started.toISOString());
    utimesSync(stampOf(part), started, started);
  }
  printStatus(`built ${stale.map((part) => part.name).join(', ')} in ${((Date.now() - began) / 1000).toFixed(1)} s.`);
  return stale.map((part) => part.name);
}

if (import.meta.main) {
  const built = await buildStale();
  if (built.length === 0) printStatus('everything is built already.');
}
