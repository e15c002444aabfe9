const ELLIPSIS = '…';

/** Long words cut in the middle, as names often differ at their end. */
export function cutInside(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${text.slice(0, head).trimEnd()}${ELLIPSIS}${text.slice(text.length - (most - 1 - head)).trimStart()}`;
}

/** Names of at most so many letters. Names that differ have labels that differ: where a cut hides the difference, they begin with it. */
export function shortLabels(names: readonly string[], most: number): string[] {
  const cut = names.map((name) => cutInside(name, most));
  return names.map((name, index) => {
    const alike = names.filter((other, place) => cut[place] === cut[index] && other !== name);
    if (alike.length === 0) return cut[index] ?? name;
    const from = Math.min(...alike.map((other) => sharedStart(name, other)));
    const to = Math.max(...alike.map((other) => sharedStart(name, other)));
    return cutInside(`${ELLIPSIS}${name.slice(Math.max(0, from - 4), to + most)}`, Math.max(most, to - from + 6));
  });
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Broken between words into lines of so many letters; words that are longer are broken inside. */
export function inLines(text: string, most: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else for (let at = 0; at < Math.max(1, word.length); at += most) lines.push(word.slice(at, at + most));
  }
  return lines.join('\n');
}
