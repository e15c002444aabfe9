/** Compares the numbers between dots from left to right; suffixes (`-beta`, `+ds`) do not count. */
export function compareVersions(left: string, right: string): number {
  const a = numbersOf(left);
  const b = numbersOf(right);
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const numbersOf = (version: string): number[] => (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
