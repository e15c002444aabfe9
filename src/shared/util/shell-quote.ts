/**
 * A text as one word of a POSIX shell: in single quotes, where no character is special. Throws for NUL, which no argument can contain. A
 * leading dash is kept: callers that pass a name to a program must put `--` or a path before it.
 */
export function shellQuote(text: string): string {
  if (text.includes('\0')) throw new RangeError('A NUL character cannot be passed to a program.');
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Words of a command line, each quoted. */
export const shellWords = (words: readonly string[]): string => words.map(shellQuote).join(' ');
