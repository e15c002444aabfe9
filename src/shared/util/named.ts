/** Maximum number of items that one sentence names. */
const NAMED = 5;

/** The first few items, and the number of the others. */
export function named(what: readonly string[]): string {
  const more = what.length - NAMED;
  return `${what.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
