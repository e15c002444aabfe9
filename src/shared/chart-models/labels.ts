const ELLIPSIS = '…';

/** Long words cut in the middle, as names often differ at the end. */
export function cutInside(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${text.slice(0, head).trimEnd()}${ELLIPSIS}${text.slice(text.length - (most - 1 - head)).trimStart()}`;
}

/** Separators between the levels of a cell, and before additions. */
const BETWEEN_PARTS = /( · |, )/;

/**
 * Each name in full and then in ever shorter forms that are still distinct: without the parts that all names share, then also without the
 * common first words of the remaining parts, beginning with all parts but the last. `synchronous_commit off · threads 8, repeat 1` ends as
 * `off, 1`.
 */
export function shorterForms(names: readonly string[]): string[][] {
  const split = names.map((name) => name.split(BETWEEN_PARTS));
  const count = split[0]?.length ?? 0;
  if (split.some(({ length }) => length !== count)) return names.map((name) => [name]);
  const differing = Array.from({ length: count }, (_, place) => place).filter(
    (place) => place % 2 === 0 && new Set(split.map((parts) => parts[place])).size > 1,
  );
  const shared = differing.map((place) => sharedWords(split.map((parts) => parts[place] ?? '')));
  return split.map((parts, index) => {
    const joined = (without: (column: number) => number): string =>
      differing
        .map((place, column) => {
          const words = (parts[place] ?? '').slice(without(column));
          return column === 0 ? words : `${parts[place - 1]}${words}`;
        })
        .join('');
    const isLast = (column: number): boolean => column === differing.length - 1;
    const forms = [
      joined(() => 0),
      joined((column) => (isLast(column) ? 0 : (shared[column] ?? 0))),
      joined((column) => shared[column] ?? 0),
    ];
    return [...new Set([names[index] ?? '', ...forms])].filter((form) => form !== '');
  });
}

/** Length of the whole words that all of these begin with; never all of a text. */
function sharedWords(texts: readonly string[]): number {
  const [first = ''] = texts;
  const ends = [...first.matchAll(/ /g)].map(({ index }) => index + 1);
  return (
    ends.filter((end) => texts.every((text) => text.length > end && text.startsWith(first.slice(0, end)))).at(-1) ?? 0
  );
}

/**
 * Names of at most this many letters. Different names have different labels: long names first lose their common parts; if a cut would hide
 * the difference, they begin with it.
 */
export function shortLabels(names: readonly string[], most: number): string[] {
  if (names.every(({ length }) => length <= most)) return [...names];
  const forms = shorterForms(names);
  // All in the same form: a mixture of full and shortened names looks like two kinds of things.
  const depth = Math.max(...forms.map(({ length }) => length));
  const labels = Array.from({ length: depth }, (_, at) =>
    forms.map((own) => own[Math.min(at, own.length - 1)] ?? ''),
  ).find((own) => own.every(({ length }) => length <= most));
  return labels && new Set(labels).size === new Set(names).size ? labels : cutLabels(names, most);
}

function cutLabels(names: readonly string[], most: number): string[] {
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

/** Breaks text between words into lines of this many letters; longer words are broken inside. */
export function inLines(text: string, most: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else for (let at = 0; at < Math.max(1, word.length); at += most) lines.push(word.slice(at, at + most));
  }
  return lines.join('\n');
}
