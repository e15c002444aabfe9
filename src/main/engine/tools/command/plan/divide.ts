import { cannotDivide, shareOf } from '../../divide.ts';
import type { Part } from '../../tool.ts';
import type { CommandOptions } from '../options/index.ts';
import { asksFor } from './values.ts';

/**
 * A generator's part of the threads and the rate that the command asks for; each runs the same command. What else is to be divided,
 * the command says itself (`partValues`).
 */
export function divideCommand(options: CommandOptions, part: Part): CommandOptions {
  const { command, threads, rate, overwrites } = options;
  if (overwrites.trim() !== '')
    throw cannotDivide(
      'A command that overwrites devices runs on one generator: a person allows it for the device of one host.',
      'Name one generator.',
    );
  return {
    ...options,
    ...(asksFor(command, 'threads') && { threads: shareOf(['thread', 'threads'], threads, part) }),
    ...(rate > 0 && asksFor(command, 'rate') && { rate: rateOf(rate, part) }),
  };
}

/** Whole where it was whole: not every program takes decimals. */
const rateOf = (rate: number, part: Part): number =>
  Number.isInteger(rate) ? shareOf(['event per second', 'events per second'], rate, part) : rate / part.count;
