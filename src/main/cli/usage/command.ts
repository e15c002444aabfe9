import type { Command } from 'commander';

/** Wraps a command for commander, and stores its exit code. */
export type Act = <Args extends unknown[]>(
  command: (...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;

/** Adds a command with the options common to all commands on a library. */
export type AddCommand = (parent: Command, usage: string, words: string) => Command;

/** For a repeatable option. */
export const collect = (value: string, previous: string[] | undefined): string[] => [...(previous ?? []), value];
