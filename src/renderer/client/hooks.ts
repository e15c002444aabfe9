import {
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { z } from 'zod';
import type { AppContract } from '../../shared/contract/index.ts';
import { KneepointError, problemOf } from '../../shared/model/problem.ts';
import type { CallDef, CallOptions as CallSettings, Progress, StreamDef } from '../../shared/rpc/define.ts';
import type { EngineLink, LinkStatus } from './link.ts';

export const LinkContext = createContext<EngineLink | undefined>(undefined);

export function useLink(): EngineLink {
  const link = useContext(LinkContext);
  if (!link) throw new Error('There is no engine link above this component.');
  return link;
}

export function useLinkStatus(): LinkStatus {
  const link = useLink();
  return useSyncExternalStore(link.onChanged, link.status);
}

const errorOf = (thrown: unknown): KneepointError =>
  thrown instanceof KneepointError ? thrown : new KneepointError(problemOf(thrown), { cause: thrown });

async function member(link: EngineLink, name: string, signal?: AbortSignal): Promise<unknown> {
  const [topic = '', method = ''] = name.split('.');
  const client: Readonly<Record<string, Readonly<Record<string, unknown>>>> = await link.client(signal);
  return client[topic]?.[method];
}

/** Calls the engine once. Rejects with a `KneepointError`. */
export async function ask<N extends CallName>(
  link: EngineLink,
  name: N,
  input: InputOf<N>,
  signal?: AbortSignal,
): Promise<OutputOf<N>> {
  type Call = (input: InputOf<N>, options?: CallSettings) => Promise<OutputOf<N>>;
  const work = waiting.begin(name);
  try {
    const call = (await member(link, name, signal)) as Call;
    return await call(input, { ...(signal && { signal }), onProgress: (at) => waiting.reached(work, at) });
  } catch (thrown) {
    throw errorOf(thrown);
  } finally {
    waiting.end(work);
  }
}

/** A pending call of the page, or a series of calls, which has no name. */
export interface Work {
  readonly id: number;
  readonly name?: CallName;
  /** Epoch milliseconds. */
  readonly since: number;
  /** Its progress, as far as the engine reports it. */
  readonly at?: Progress;
}

class Waiting {
  #works: readonly Work[] = [];
  #last = 0;
  readonly #listeners = new Set<() => void>();

  readonly all = (): readonly Work[] => this.#works;
  readonly onChanged = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  begin(name?: CallName): number {
    this.#last += 1;
    this.#become([...this.#works, { id: this.#last, ...(name && { name }), since: Date.now() }]);
    return this.#last;
  }

  reached(id: number, at: Progress): void {
    this.#become(this.#works.map((work) => (work.id === id ? { ...work, at } : work)));
  }

  end(id: number): void {
    this.#become(this.#works.filter((work) => work.id !== id));
  }

  #become(works: readonly Work[]): void {
    this.#works = works;
    for (const listener of this.#listeners) listener();
  }
}

const waiting = new Waiting();

/**
 * Calls one after another, with the number of completed ones as the progress of all of them. Those before a refused one are done. `words`:
 * what happens, and the name of one item: “Removing sessions”, “session”.
 */
export async function inSequence<Item>(
  [what, unit]: readonly [what: string, unit: string],
  items: readonly Item[],
  call: (item: Item) => Promise<unknown>,
): Promise<void> {
  const work = waiting.begin();
  try {
    for (const [index, item] of items.entries()) {
      if (items.length > 1) waiting.reached(work, { what, unit, done: index + 1, of: items.length });
      await call(item);
    }
  } finally {
    waiting.end(work);
  }
}

/** All pending calls of the page, oldest first. */
export const useWorks = (): readonly Work[] => useSyncExternalStore(waiting.onChanged, waiting.all);

/** Cache key of a result: topic first, so that a change of a topic refreshes all of it. */
export const callKey = <N extends CallName>(name: N, input?: InputOf<N>): readonly unknown[] =>
  input === undefined ? name.split('.') : [...name.split('.'), input];

type CallOptions<N extends CallName> = Omit<UseQueryOptions<OutputOf<N>, KneepointError>, 'queryKey' | 'queryFn'>;

/** The result of a call, cached and refreshed when the engine reports that its topic changed. */
export function useCall<N extends CallName>(
  name: N,
  input: InputOf<N>,
  options?: CallOptions<N>,
): UseQueryResult<OutputOf<N>, KneepointError> {
  const link = useLink();
  return useQuery<OutputOf<N>, KneepointError>({
    ...options,
    queryKey: callKey(name, input),
    queryFn: ({ signal }) => ask(link, name, input, signal),
  });
}

/** A call that changes something: `action.mutate(input)`, `action.isPending`, `action.error?.problem`. */
export function useAction<N extends CallName>(
  name: N,
  options: { onSuccess?: (output: OutputOf<N>, input: InputOf<N>) => void } = {},
): UseMutationResult<OutputOf<N>, KneepointError, InputOf<N>> {
  const link = useLink();
  return useMutation<OutputOf<N>, KneepointError, InputOf<N>>({
    mutationFn: (input) => ask(link, name, input),
    onSuccess: (output, input) => options.onSuccess?.(output, input),
  });
}

export interface StreamHandlers<Item> {
  onItem(item: Item): void;
  /** Called before the first item of each opening; more than once if the engine was reconnected. */
  onOpen?(): void;
  onEnd?(): void;
  onError?(error: KneepointError): void;
}

/** Subscribes while the component is mounted, and again when the connection was renewed. `input` undefined: not now. */
export function useStream<N extends StreamName>(
  name: N,
  input: InputOf<N> | undefined,
  handlers: StreamHandlers<OutputOf<N>>,
): void {
  const link = useLink();
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const key = input === undefined ? undefined : JSON.stringify(input);
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    void listen(link, name, JSON.parse(key), latest, controller.signal);
    return () => controller.abort();
  }, [link, name, key]);
}

async function listen<N extends StreamName>(
  link: EngineLink,
  name: N,
  input: InputOf<N>,
  handlers: { readonly current: StreamHandlers<OutputOf<N>> },
  signal: AbortSignal,
): Promise<void> {
  type Open = (input: InputOf<N>, options: { signal: AbortSignal }) => AsyncIterable<OutputOf<N>>;
  while (!signal.aborted) {
    try {
      const open = (await member(link, name, signal)) as Open;
      handlers.current.onOpen?.();
      for await (const item of open(input, { signal })) handlers.current.onItem(item);
      if (!signal.aborted) handlers.current.onEnd?.();
      return;
    } catch (thrown) {
      if (signal.aborted) return;
      const error = errorOf(thrown);
      if (error.code !== 'disconnected') return handlers.current.onError?.(error);
    }
  }
}

type Topics = AppContract;
type NamesOf<Kind> = {
  [T in keyof Topics & string]: {
    [M in keyof Topics[T] & string]: Topics[T][M] extends Kind ? `${T}.${M}` : never;
  }[keyof Topics[T] & string];
}[keyof Topics & string];

/** `topic.call` for every call of the engine, and `topic.stream` for every stream. */
export type CallName = NamesOf<CallDef>;
type StreamName = NamesOf<StreamDef>;

type DefinitionOf<N> = N extends `${infer T}.${infer M}`
  ? T extends keyof Topics
    ? M extends keyof Topics[T]
      ? Topics[T][M]
      : never
    : never
  : never;

type InputOf<N> = DefinitionOf<N> extends { input: infer I extends z.ZodType } ? z.input<I> : never;
type OutputOf<N> = DefinitionOf<N> extends { output: infer O extends z.ZodType } ? z.output<O> : never;
