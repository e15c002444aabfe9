import { Worker } from 'node:worker_threads';
import type { Settings } from './settings.ts';
import { GO, type SharedMemory, STOP } from './shared.ts';
import type { WorkerInput, WorkerMessage } from './worker.ts';

export interface Failure {
  code: string;
  message: string;
}
export interface Durability {
  journal: string;
  synchronous: string;
}

/** The worker threads of a run. */
export interface Team {
  /** What the connections say, once all are open; undefined if one failed. */
  ready: Promise<Durability | undefined>;
  /** Resolves when the last operation of every thread has ended. */
  done: Promise<void>;
  /** Resolves when every thread has closed its connection and is gone. */
  gone: Promise<void>;
  failures: readonly Failure[];
  go(): void;
  stop(): void;
}

const each = <Value>(
  count: number,
  settled: (index: number, resolve: (value: Value) => void) => void,
): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => new Promise<Value>((resolve) => settled(index, resolve))));

/** Starts one thread per connection; a failure of one stops the others. */
export function teamOf(file: string, settings: Settings, memory: SharedMemory): Team {
  const { control, start } = memory;
  const failures: Failure[] = [];
  const release = (): void => {
    Atomics.store(control, GO, 1);
    Atomics.notify(control, GO);
  };
  const stop = (): void => {
    Atomics.store(control, STOP, 1);
    Atomics.notify(control, STOP);
    release();
  };
  const fail = (failure: Failure): void => {
    failures.push(failure);
    stop();
  };
  const workers = memory.threads.map((thread, index) => {
    const workerData: WorkerInput = { thread: index, file, settings, control, start, memory: thread };
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
    worker.on('error', (error) =>
      fail({ code: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
    return worker;
  });
  const ready = each<Durability | undefined>(workers.length, (index, resolve) => {
    workers[index]?.on('message', (message: WorkerMessage) =>
      resolve(message.kind === 'ready' ? message.durability : undefined),
    );
    workers[index]?.once('exit', () => resolve(undefined));
  });
  const done = each<void>(workers.length, (index, resolve) => {
    workers[index]?.on('message', (message: WorkerMessage) => {
      if (message.kind === 'failed') fail(message);
      if (message.kind !== 'ready') resolve();
    });
    workers[index]?.once('exit', () => resolve());
  });
  const gone = each<void>(workers.length, (index, resolve) => workers[index]?.once('exit', () => resolve()));
  return {
    ready: ready.then((all) => (all.includes(undefined) ? undefined : all[0])),
    done: done.then(() => undefined),
    gone: gone.then(() => undefined),
    failures,
    go: release,
    stop,
  };
}
