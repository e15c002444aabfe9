import type { z } from 'zod';
import type { AppContract } from '../../shared/contract/index.ts';
import type { CallDef, StreamDef } from '../../shared/rpc/define.ts';

type Topics = AppContract;
type NamesOf<Kind> = {
  [T in keyof Topics & string]: {
    [M in keyof Topics[T] & string]: Topics[T][M] extends Kind ? `${T}.${M}` : never;
  }[keyof Topics[T] & string];
}[keyof Topics & string];

/** `topic.call` of everything the engine can be asked, and `topic.stream` of what it can be listened to. */
export type CallName = NamesOf<CallDef>;
export type StreamName = NamesOf<StreamDef>;

type DefinitionOf<N> = N extends `${infer T}.${infer M}`
  ? T extends keyof Topics
    ? M extends keyof Topics[T]
      ? Topics[T][M]
      : never
    : never
  : never;

export type InputOf<N> = DefinitionOf<N> extends { input: infer I extends z.ZodType } ? z.input<I> : never;
export type OutputOf<N> = DefinitionOf<N> extends { output: infer O extends z.ZodType } ? z.output<O> : never;
