/** Numbers from 0 to 1 that are the same in each test run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** `count` letters of a text, which stand for bytes that are no UTF-8. */
export function withForeignBytes(text: string, count: number, next: () => number): string {
  const letters = [...text];
  for (let round = 0; round < count; round += 1) letters[Math.floor(next() * letters.length)] = '\uFFFD';
  return letters.join('');
}

/** Two outputs in one, whole line by whole line. */
export function mixedLines(first: string, second: string, next: () => number): string {
  const [left, right] = [first.split('\n'), second.split('\n')];
  const mixed: string[] = [];
  while (left.length + right.length > 0)
    mixed.push((next() < 0.5 && left.length > 0 ? left : right.length > 0 ? right : left).shift() ?? '');
  return `${mixed.join('\n')}\n`;
}

/** Text of these letters in no order. */
export const nonsense = (letters: string, length: number, next: () => number): string =>
  Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join('');
