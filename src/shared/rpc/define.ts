import type { z } from 'zod';

/**
 * A contract is data: a tree of calls and streams, each with an input and an output schema.
 * Types, validation, client and server all derive from it.
 */
export interface CallDef<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> extends Limits {
  readonly kind: 'call';
  readonly input: I;
  readonly output: O;
}
export interface StreamDef<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> extends Limits {
  readonly kind: 'stream';
  readonly input: I;
  readonly output: O;
}
export interface Limits {
  /** Maximum size of the input, as calculated by `sizeOf`. Default: `LARGEST_REQUEST`. */
  readonly largest?: number;
}
export type Definition = CallDef | StreamDef;
export interface Contract {
  readonly [name: string]: Definition | Contract;
}

export const call = <I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
  limits: Limits = {},
): CallDef<I, O> => ({ kind: 'call', input, output, ...limits });
export const stream = <I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
  limits: Limits = {},
): StreamDef<I, O> => ({ kind: 'stream', input, output, ...limits });

export const isDefinition = (node: Definition | Contract): node is Definition =>
  typeof node.kind === 'string' && 'input' in node && 'output' in node;

type StreamPath<C> = {
  [K in keyof C & string]: C[K] extends StreamDef ? K : C[K] extends CallDef ? never : `${K}.${StreamPath<C[K]>}`;
}[keyof C & string];

/** Every stream of a contract by its path, such as `sessions.watch`, and nothing else. */
export type StreamPaths<C> = Readonly<Record<StreamPath<C>, true>>;

/** Progress of a call: “Calculating figures: cell 12 of 64”. */
export interface Progress {
  readonly what: string;
  readonly unit: string;
  readonly done: number;
  readonly of: number;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Called with the progress of a call a few times a second, by calls that may take long. */
  onProgress?: (at: Progress) => void;
}

/** Client of a page: a function per call, an async iterable per stream. Rejections are `KneepointError`. */
export type Client<C> = {
  readonly [K in keyof C]: C[K] extends CallDef<infer I, infer O>
    ? (input: z.input<I>, options?: CallOptions) => Promise<z.output<O>>
    : C[K] extends StreamDef<infer I, infer O>
      ? (input: z.input<I>, options?: CallOptions) => AsyncIterableIterator<z.output<O>>
      : Client<C[K]>;
};

/** Passed to every handler; `signal` aborts when the caller cancels or its connection ends. */
export interface CallContext {
  readonly signal: AbortSignal;
  /**
   * Reports progress and yields to other calls; undefined if it is too early for either. Rejects with `cancelled` once no caller waits for
   * the result.
   */
  progress(at: Progress): Promise<void> | undefined;
}

/** Implementation by the engine: inputs arrive validated, outputs are checked before they are sent. */
export type Implementation<C> = {
  readonly [K in keyof C]: C[K] extends CallDef<infer I, infer O>
    ? (input: z.output<I>, context: CallContext) => z.input<O> | Promise<z.input<O>>
    : C[K] extends StreamDef<infer I, infer O>
      ? (input: z.output<I>, context: CallContext) => AsyncIterable<z.input<O>>
      : Implementation<C[K]>;
};

/** An ordered, reliable pipe of structured messages (typed arrays included), with no knowledge of their meaning. */
export interface Transport {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}
