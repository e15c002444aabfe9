/** Things that are named in one sentence. */
const NAMED = 5;

/** The first few of these, and how many more there are. */
export function named(what: readonly string[]): string {
  const more = what.length - NAMED;
  return `${what.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
