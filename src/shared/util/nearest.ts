/** Maximum edit distance at which a name counts as misspelt. */
const FARTHEST = 4;

/** The name that was probably meant; undefined if none is close. */
export function nearestName(name: string, names: readonly string[], farthest = FARTHEST): string | undefined {
  const wanted = name.toLowerCase();
  const best = names
    .map((each) => ({ each, distance: distance(wanted, each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= farthest ? best.each : undefined;
}

/** Short names are close to everything: half of the letters have to match. */
const farthestOf = (name: string): number => Math.min(3, Math.ceil(name.length / 2));

/** Follows the sentence that refuses a name; empty if no known name is close. */
export function meantWords(name: string, names: readonly string[]): string {
  const meant = nearestName(name, names, farthestOf(name));
  return meant === undefined ? '' : ` Did you mean “${meant}”?`;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
