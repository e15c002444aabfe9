import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { shellWords } from '../../../src/shared/util/shell-quote.ts';
import type { DatabaseServer } from './server.ts';

/** A server that is started and stopped by commands, like those in a user's target. */
export interface CommandedServer {
  readonly start: string;
  readonly stop: string;
  /** The file from which the server reads settings that Kneepoint writes; MySQL and MariaDB. */
  readonly settingsFile: string;
  readonly pidFile: string;
  /** While this file exists, a start waits. */
  readonly gate: string;
  /** Process ids of all starts so far, including failed ones. */
  starts(): number[];
  /** Output of its last start. */
  log(): string;
  remove(): void;
}

/**
 * The commands for a running server. It has to be stopped once: from then on the commands start it. `without`: settings omitted from its command
 * line, where they would override everything else.
 */
export function commanded(database: DatabaseServer, without: readonly string[] = []): CommandedServer {
  const isPostgres = database.product === 'postgres';
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-settings-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'conf.d'));
  writeFileSync(join(folder, 'my.cnf'), `[mysqld]\n!includedir ${folder}/conf.d\n`);
  writeFileSync(join(folder, 'starts'), '');
  const argv = commandOf(database.pid(), without, `--defaults-file=${folder}/my.cnf`);
  const pidFile = isPostgres
    ? join(dirname(database.socket), 'data', 'postmaster.pid')
    : join(dirname(database.socket), 'server.pid');
  // A zombie counts as dead.
  const isUp = `grep -qs '^State:.[^Z]' /proc/$(head -n 1 ${pidFile} 2>/dev/null)/status`;
  // One start at a time: a killed engine leaves its command behind, and the next one runs it again.
  const start = `exec 9>${folder}/lock; flock 9
${isUp} && exit 0
while [ -e ${folder}/gate ]; do sleep 0.05; done
rm -f ${pidFile}
${shellWords([...environment(database.pid()), ...(isPostgres ? AS_POSTGRES : []), ...argv])} >${folder}/log 2>&1 9>&- &
echo $! >>${folder}/starts
i=0; while [ $i -lt 200 ] && kill -0 $! 2>/dev/null && [ ! -s ${pidFile} ]; do sleep 0.05; i=$((i + 1)); done
i=0; while [ $i -lt 10 ] && kill -0 $! 2>/dev/null; do sleep 0.05; i=$((i + 1)); done
kill -0 $! 2>/dev/null || { tail -n 20 ${folder}/log; exit 1; }`;
  const stop = `pid=$(head -n 1 ${pidFile} 2>/dev/null) || exit 0
kill -${isPostgres ? 'INT' : 'TERM'} $pid 2>/dev/null
while [ -d /proc/$pid ] && ! grep -q '^State:.Z' /proc/$pid/status; do sleep 0.05; done`;
  return {
    start,
    stop,
    settingsFile: join(folder, 'conf.d', 'kneepoint.cnf'),
    pidFile,
    gate: join(folder, 'gate'),
    starts: () => readFileSync(join(folder, 'starts'), 'utf8').split('\n').filter(Boolean).map(Number),
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const AS_POSTGRES =
  process.getuid?.() === 0 ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups'] : [];

/** Environment variables by which the server finds its own libraries. */
function environment(pid: number): string[] {
  const all = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return ['env', ...all.filter((each) => each.startsWith('LD_LIBRARY_PATH='))];
}

/** The command of a process without some settings, and with a file of defaults if it had none. */
function commandOf(pid: number, without: readonly string[], defaults: string): string[] {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const isLeftOut = (word = ''): boolean =>
    without.some((name) => word.startsWith(`${name}=`) || word.startsWith(`--${name}=`));
  const left = words.filter((word, index) => !isLeftOut(word) && !(word === '-c' && isLeftOut(words[index + 1])));
  return left.map((word) => (word === '--no-defaults' ? defaults : word));
}
