import type { CommandOptions } from '../options/index.ts';

/** Settings before a command, then its first word: nothing that a shell would have to work out. */
const FIRST_WORD = /^(?:[A-Za-z_]\w*=[^\s"'`$(){}]*\s+)*(\/?[\w.+-][\w.+/-]*)(?=\s|;|\||$)/;

/** What the command starts first, where that is a plain word: a script can define or choose its programs in ways that cannot be foreseen. */
export function programsOf({ command }: CommandOptions): string[] {
  const line = command
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each !== '' && !each.startsWith('#'));
  const [, word] = FIRST_WORD.exec(line ?? '') ?? [];
  // Below the job's own folder there is nothing before it runs.
  return word === undefined || word.startsWith('.') ? [] : [word];
}
