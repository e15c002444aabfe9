import type { Command } from 'commander';

/** What commander calls: runs a command and keeps its exit code. */
export type Act = <Args extends unknown[]>(
  command: (...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;

/** Adds a command with the options that all commands on a library have. */
export type AddCommand = (parent: Command, usage: string, words: string) => Command;

/** For an option that may be given several times. */
export const collect = (value: string, previous: string[] | undefined): string[] => [...(previous ?? []), value];
