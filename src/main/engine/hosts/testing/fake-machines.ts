import type { LinkState } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { ExecResult, Machine, Machines, Spawned } from '../machine.ts';

const unreachable = (name: string): KneepointError =>
  new KneepointError({ code: 'host-unreachable', host: name, message: `The fake link to ${name} is down.` });

const cancelled = (name: string): KneepointError =>
  new KneepointError({ code: 'cancelled', host: name, message: `Waiting for ${name} was cancelled.` });

/** A machine in memory whose link a test cuts and restores. It runs no scripts; a test can define their results. */
export class FakeMachine implements Machine {
  readonly name: string;
  /** Result of a script; by default exit code 0 and no output. */
  answer: (script: string) => ExecResult | Promise<ExecResult> = () => ({ code: 0, stdout: '', stderr: '' });
  /** The key that the host presents. */
  key: string | undefined;
  readonly #onChanged: () => void;
  readonly #waiting = new Set<() => void>();
  #link: LinkState;

  constructor(name: string, onChanged: () => void = () => {}) {
    this.name = name;
    this.#onChanged = onChanged;
    this.#link = { host: name, state: 'up', since: 0 };
  }

  cut(message = 'the cable is out'): void {
    this.#set({ host: this.name, state: 'down', since: 0, message });
  }

  restore(): void {
    this.#set({ host: this.name, state: 'up', since: 0 });
  }

  hostKey(): string | undefined {
    return this.key;
  }

  link(): LinkState {
    return this.#link;
  }

  /** Throws the error of every call on a machine whose link is down. */
  requireUp(): void {
    if (this.#link.state !== 'up') throw unreachable(this.name);
  }

  async ready(signal?: AbortSignal): Promise<void> {
    while (this.#link.state !== 'up') {
      if (signal?.aborted) throw cancelled(this.name);
      await this.#change(signal);
    }
  }

  async exec(script: string, { signal }: { signal?: AbortSignal } = {}): Promise<ExecResult> {
    if (signal?.aborted) throw cancelled(this.name);
    this.requireUp();
    return this.answer(script);
  }

  spawn(_script: string): Promise<Spawned> {
    return Promise.reject(new Error('A fake machine keeps no script running.'));
  }

  dial(): Promise<never> {
    return Promise.reject(new Error('A fake machine has no network.'));
  }

  dialSocket(): Promise<never> {
    return Promise.reject(new Error('A fake machine has no sockets.'));
  }

  #set(link: LinkState): void {
    this.#link = link;
    for (const wake of [...this.#waiting]) wake();
    this.#onChanged();
  }

  /** Resolves at the next change of the link, or when the signal fires. */
  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }
}

/** The hosts of a test, by name; any other name is unknown. */
export class FakeMachines implements Machines {
  readonly #machines: ReadonlyMap<string, FakeMachine>;
  readonly #listeners = new Set<(link: LinkState) => void>();

  constructor(names: readonly string[]) {
    this.#machines = new Map(names.map((name) => [name, new FakeMachine(name, () => this.#notify(name))]));
  }

  get(name: string): FakeMachine {
    const machine = this.#machines.get(name);
    if (!machine)
      throw new KneepointError({ code: 'not-found', host: name, message: `There is no host named ${name}.` });
    return machine;
  }

  onLinks(listener: (link: LinkState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  links(): LinkState[] {
    return [...this.#machines.values()].map((machine) => machine.link());
  }

  close(): Promise<void> {
    this.#listeners.clear();
    return Promise.resolve();
  }

  #notify(name: string): void {
    for (const listener of this.#listeners) listener(this.get(name).link());
  }
}
