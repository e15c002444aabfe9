/** Number of letters to change, add or leave out, at most, for a name to be taken for a misspelt one. */
const FARTHEST = 4;

/** The name that was probably meant; undefined: none is near. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const best = names
    .map((each) => ({ each, distance: distance(wanted, each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= FARTHEST ? best.each : undefined;
}

/** Levenshtein's. */
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
