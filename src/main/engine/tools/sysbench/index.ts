import { libpqReadable } from '../secret.ts';
import { defineTool, type NeededPath, type ToolIo } from '../tool.ts';
import { dataNeed, tableEngine } from './data/index.ts';
import { fileNeed } from './data/own.ts';
import { rowAccesses } from './options/accesses.ts';
import { readersOf, SysbenchOptions, threadsOf } from './options/index.ts';
import { SysbenchParser } from './parse/index.ts';
import { LARGEST_MS } from './parse/series.ts';
import { furtherAddresses, mysqlReadable, sharesAddresses, wantsMysqlTls } from './plan/connection.ts';
import { divideSysbench, planSysbench, restartsSysbench } from './plan/index.ts';
import { OWN_SCRIPT, statementsOf, usesDatabase } from './scripts/index.ts';

export const sysbenchTool = defineTool(
  {
    id: 'sysbench',
    title: 'sysbench',
    options: SysbenchOptions,
    metrics: { primary: primaryMetric, failures: ['ignored_errors_total', 'deadlocks_total'], longest: LARGEST_MS },
    parser: (phase, options, events) => new SysbenchParser(phase, options, events),
  },
  {
    summary: 'Transactions, single statements and bulk loads on MySQL and PostgreSQL; files, CPU and memory of a host.',
    drives: ['mysql', 'postgres', 'host'],
    probe: {
      argv: ['sysbench', '--version'],
      version: (output) => /^sysbench (\d+\.\d+(?:\.\d+)?)/m.exec(output)?.[1],
      oldest: '1.0.0',
      install:
        'apt-get install sysbench (Debian, Ubuntu), dnf install sysbench (Fedora, EPEL), brew install sysbench (macOS)',
      packages: { 'apt-get': 'sysbench', dnf: 'sysbench', brew: 'sysbench' },
    },
    needs: (options) => (usesDatabase(options.script) ? ['mysql', 'postgres'] : ['host']),
    data: dataNeed,
    storage: tableEngine,
    files: fileNeed,
    paths: pathsOf,
    plan: planSysbench,
    restarts: restartsSysbench,
    accesses: rowAccesses,
    load: {
      workers: { unit: ['thread', 'threads'], count: threadsOf },
      threads: threadsOf,
      connections: (options) => (usesDatabase(options.script) ? threadsOf(options) : 0),
      rate: ({ rate }) => rate || undefined,
      pauses: (options) => options.script === 'own' && /\bu?sleep\b/.test(options['script-text']),
      io: ioOf,
      statements: (options) =>
        statementsOf(options.script, { skipTrx: options['skip-trx'], prepares: options['db-ps-mode'] === 'auto' }),
      furtherAddresses,
      sharesAddresses,
      holds: (version) =>
        version.startsWith('1.0.')
          ? {
              most: 4000,
              why: 'each thread has its own Lua state, and builds with an older LuaJIT run out of memory beyond about 4,000 threads. The build in Debian 12 starts 25,000 threads, with 190 KB each.',
            }
          : undefined,
      divide: divideSysbench,
    },
    readablePassword: ({ options, connection }) => {
      if (!usesDatabase(options.script)) return undefined;
      return connection.kind === 'mysql' ? mysqlReadable(options, connection) : libpqReadable(connection, undefined);
    },
    encrypts: (options, connection) => (connection.kind === 'mysql' ? wantsMysqlTls(options, connection) : undefined),
  },
);

/** In asynchronous mode, latencies are those of submission. A finding of the parser reports this. */
function ioOf(options: SysbenchOptions): ToolIo | undefined {
  if (options.script !== 'fileio') return undefined;
  const { threads } = options;
  return { queueDepth: options['file-io-mode'] === 'async' ? threads * options['file-async-backlog'] : threads };
}

function primaryMetric(options: SysbenchOptions): string {
  if (readersOf(options) > 0) return 'ops_scan';
  if (usesDatabase(options.script)) return 'tps';
  if (options.script === 'cpu') return 'eps';
  if (options.script === 'memory') return 'transfer_mib_s';
  return ['seqwr', 'seqrewr', 'rndwr'].includes(options['file-test-mode']) ? 'write_mib_s' : 'read_mib_s';
}

/** Files in the folder from which sysbench reads its TLS configuration. */
const TLS_FILES = ['cacert.pem', 'client-cert.pem', 'client-key.pem'];

/** The folder of fileio, the file of a script, and the TLS files. */
function pathsOf(options: SysbenchOptions, path: string | undefined): NeededPath[] {
  const { script, 'script-file': file, 'mysql-ssl-directory': folder } = options;
  const base = options.directory ?? path;
  const needed: NeededPath[] = [];
  if (script === 'fileio' && base?.startsWith('/'))
    needed.push({
      what: 'Directory',
      ...(options.directory !== undefined && { option: 'directory' }),
      kind: 'new-folder',
      anyOf: [base],
    });
  if (script === OWN_SCRIPT && file !== undefined)
    needed.push({ what: 'File of the script', option: 'script-file', kind: 'file', anyOf: [file] });
  if (folder !== undefined && options['mysql-ssl'] !== 'off')
    for (const name of TLS_FILES)
      needed.push({
        what: 'Folder of TLS files',
        option: 'mysql-ssl-directory',
        kind: 'file',
        anyOf: [`${folder.replace(/\/+$/, '')}/${name}`],
      });
  return needed;
}
