import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

export interface CheckResult {
  ok: boolean;
  /** What SQLite found, at most a few lines. */
  lines: string[];
}

/*
 * Text, because the engine runs from source as well as from one bundled file, and a worker needs a file of its own otherwise.
 * It opens its own read-only handle: the writer continues while it reads.
 */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.module);
const db = new Database(workerData.path, { readonly: true, fileMustExist: true });
const lines = db.prepare('PRAGMA quick_check(20)').pluck().all();
db.close();
parentPort.postMessage(lines);
`;

export interface RunningCheck {
  readonly result: Promise<CheckResult>;
  stop(): void;
}

/** `PRAGMA quick_check` away from the engine's thread. A file that cannot be read at all is a failed check, not an error. */
export function startCheck(path: string): RunningCheck {
  const module = createRequire(import.meta.url).resolve('better-sqlite3');
  const worker = new Worker(WORKER, { eval: true, workerData: { module, path } });
  worker.unref();
  const result = new Promise<CheckResult>((resolve) => {
    worker.once('message', (lines: string[]) => resolve({ ok: lines.length === 1 && lines[0] === 'ok', lines }));
    worker.once('error', (error) => resolve({ ok: false, lines: [String(error)] }));
  });
  return {
    result,
    stop() {
      void worker.terminate();
    },
  };
}
