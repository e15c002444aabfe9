import type { MessagePortMain } from 'electron';
import type { EngineProcess } from './engine-process.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** An engine that ran this long did not fail immediately: the wait time is reset. */
const HEALTHY_MS = 60_000;
/** Slightly longer than the engine's own limit (`computer/outside.ts`). */
const END_LIMIT_MS = 6500;

export interface Supervision {
  start(): EngineProcess;
  /** Called when a new engine is ready for pages. */
  up(): void;
  /** Called when the engine ended unexpectedly; another one is being started. */
  lost(): void;
}

/** Keeps one engine running: starts it, restarts it with increasing delays when it ends, and ends it with the app. */
export class Supervisor {
  #plan: Supervision;
  #engine: EngineProcess | undefined;
  #ready = false;
  #ending = false;
  #failures = 0;

  constructor(plan: Supervision) {
    this.#plan = plan;
    this.#start();
  }

  get pid(): number | undefined {
    return this.#engine?.pid;
  }

  /** Connects a page if the engine is ready; otherwise `up` will be called when it is. */
  connect(port: MessagePortMain): boolean {
    if (!this.#ready || !this.#engine) return false;
    this.#engine.connect(port);
    return true;
  }

  get ready(): boolean {
    return this.#ready;
  }

  /** Resolves when the engine has ended, by itself or killed after the time limit. */
  end(): Promise<void> {
    const engine = this.#engine;
    this.#ending = true;
    if (!engine) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => engine.kill(), END_LIMIT_MS);
      engine.onExit(() => {
        clearTimeout(timer);
        resolve();
      });
      engine.end();
    });
  }

  #start(): void {
    if (this.#ending) return;
    const engine = this.#plan.start();
    const began = Date.now();
    this.#engine = engine;
    engine.onReady(() => {
      this.#ready = true;
      this.#plan.up();
    });
    engine.onExit((code) => {
      this.#engine = undefined;
      this.#ready = false;
      if (this.#ending) return;
      if (Date.now() - began > HEALTHY_MS) this.#failures = 0;
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
      process.stderr.write(`kneepoint: the engine ended (code ${code}); restarting it in ${wait} ms.\n`);
      this.#plan.lost();
      setTimeout(() => this.#start(), wait);
    });
  }
}
