import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from '../databases/folders.ts';
import { runToEnd } from '../databases/processes.ts';
import { CORE, fetchJars, JDBC_DRIVERS, MONGODB_DRIVER } from './artifacts.ts';

const BINDINGS = {
  jdbc: { jars: JDBC_DRIVERS, main: 'site.ycsb.db.JdbcDBClient' },
  mongodb: { jars: MONGODB_DRIVER, main: 'site.ycsb.db.MongoDbClient' },
} as const;

const noteBindings = (directory: string, lines: readonly string[]): void =>
  writeFileSync(join(directory, 'bin/bindings.properties'), `${['#DATABASE BINDINGS', ...lines].join('\n')}\n`);

/** Folder of an installation of YCSB 0.17.0 in the layout of its releases, with only the binding `basic`. Downloaded once (3 MB). */
export function ycsbInstallation(): Promise<string> {
  return cached('ycsb-core-0.17.0', async (directory) => {
    fetchJars(CORE, join(directory, 'lib'));
    mkdirSync(join(directory, 'bin'));
    noteBindings(directory, ['basic:site.ycsb.BasicDB']);
  });
}

/** The same with a binding: a small one compiled from the sources here, and the drivers that it needs. */
export async function ycsbWith(binding: keyof typeof BINDINGS): Promise<string> {
  const core = await ycsbInstallation();
  return cached(`ycsb-${binding}-0.17.0`, async (directory) => {
    cpSync(core, directory, { recursive: true });
    const { jars, main } = BINDINGS[binding];
    const folder = join(directory, `${binding}-binding`);
    const lib = join(folder, 'lib');
    fetchJars(jars, lib);
    const classes = join(folder, 'classes');
    const source = join(import.meta.dirname, binding);
    const sources = readdirSync(source).map((name) => join(source, name));
    const classPath = `${directory}/lib/*:${lib}/*`;
    runToEnd(['javac', '--release', '8', '-nowarn', '-cp', classPath, '-d', classes, ...sources]);
    runToEnd(['jar', 'cf', join(lib, `${binding}-binding-0.17.0.jar`), '-C', classes, '.']);
    noteBindings(directory, ['basic:site.ycsb.BasicDB', `${binding}:${main}`]);
  });
}

/** Whether programs can be compiled and run here. */
export const hasCompiler = (): boolean => spawnSync('javac', ['-version']).status === 0;
export const hasJava = (): boolean => spawnSync('java', ['-version']).status === 0;
