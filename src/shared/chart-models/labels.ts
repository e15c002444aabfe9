import type { ChartTheme } from './theme.ts';

const ELLIPSIS = '…';

/** Long words cut in the middle, as names often differ at the end. */
export function cutInside(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${text.slice(0, head).trimEnd()}${ELLIPSIS}${text.slice(text.length - (most - 1 - head)).trimStart()}`;
}

/** Separators between the levels of a cell, and before additions. */
const BETWEEN_PARTS = /( · |, )/;

/** Letters to which the words that all names share are cut before they are dropped, and a level that is cut itself. */
const SHORTEST_WORD = 8;
const SHORTEST_LEVEL = 3;

/** The longest parts cut in the middle until the name has at most so many letters; undefined if they would not be readable. */
export function cutParts(name: string, most: number): string | undefined {
  const parts = name.split(BETWEEN_PARTS);
  const lengths = parts.map(({ length }) => length);
  let over = name.length - most;
  for (; over > 0; over--) {
    const longest = Math.max(...lengths.filter((_, place) => place % 2 === 0));
    if (longest <= SHORTEST_LEVEL) return undefined;
    const place = lengths.findIndex((length, at) => at % 2 === 0 && length === longest);
    lengths[place] = longest - 1;
  }
  return parts.map((part, place) => cutInside(part, lengths[place] ?? part.length)).join('');
}

/**
 * Each name in full and then ever shorter, down to what distinguishes the names: without the parts that all of them share; with the words cut in the
 * middle with which what remains of all of them begins, the longest first; then without these words, again the longest first.
 * `synchronous_commit off · threads 8, repeat 1` ends as `off, 1`.
 */
export function shorterForms(names: readonly string[]): string[][] {
  const split = names.map((name) => name.split(BETWEEN_PARTS));
  const count = split[0]?.length ?? 0;
  if (split.some(({ length }) => length !== count)) return names.map((name) => [name]);
  const differing = Array.from({ length: count }, (_, place) => place).filter(
    (place) => place % 2 === 0 && new Set(split.map((parts) => parts[place])).size > 1,
  );
  const shared = differing.map((place) => {
    const texts = split.map((parts) => parts[place] ?? '');
    return (texts[0] ?? '').slice(0, sharedWords(texts));
  });
  const longest = Math.max(0, ...shared.flatMap((words) => words.split(' ').map(({ length }) => length)));
  const cuts = Array.from({ length: Math.max(0, longest - SHORTEST_WORD) }, (_, step) => longest - 1 - step);
  const order = [...shared.keys()].sort((one, other) => (shared[other] ?? '').length - (shared[one] ?? '').length);
  return split.map((parts, index) => {
    /** `first`: the words with which a part begins in place of the shared ones. */
    const joined = (first: (words: string, column: number) => string): string =>
      differing
        .map((place, column) => {
          const words = shared[column] ?? '';
          const text = `${first(words, column)}${(parts[place] ?? '').slice(words.length)}`;
          return column === 0 ? text : `${parts[place - 1]}${text}`;
        })
        .join('');
    const forms = [
      joined((words) => words),
      ...cuts.map((most) =>
        joined((words) =>
          words
            .split(' ')
            .map((word) => cutInside(word, most))
            .join(' '),
        ),
      ),
      ...order.map((_, last) => joined((words, column) => (order.indexOf(column) <= last ? '' : words))),
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
  const isDistinct = (labels: readonly string[]): boolean => new Set(labels).size === new Set(names).size;
  const labels = Array.from({ length: depth }, (_, at) =>
    forms.map((own) => own[Math.min(at, own.length - 1)] ?? ''),
  ).find((own) => own.every(({ length }) => length <= most));
  if (labels) return isDistinct(labels) ? labels : cutLabels(names, most);
  const shortest = forms.map((own) => own.at(-1) ?? '');
  const cut = shortest.flatMap((name) => cutParts(name, most) ?? []);
  if (cut.length === names.length && isDistinct(cut)) return cut;
  return cutLabels(isDistinct(shortest) ? shortest : names, most);
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

/**
 * Letters of a name that fit next to the bars, and maximum share of a picture that the names may take from the bars; pixels of a letter.
 */
const LONGEST = 44;
const MOST_SHARE = 0.4;
const LETTER = 6.5;

/** Vertical axis of horizontal bars: their names, the first on top. Long ones are cut in the middle. `width`: of the picture. */
export const namesAxis = (theme: ChartTheme, names: readonly string[], width = Number.POSITIVE_INFINITY) => ({
  type: 'category' as const,
  inverse: true,
  data: [...names],
  axisLabel: { color: theme.text, fontSize: 12, width: 270, overflow: 'truncate' as const, ...shortened(names, width) },
  axisLine: { lineStyle: { color: theme.axis } },
  axisTick: { show: false },
});

function shortened(names: readonly string[], width: number) {
  const short = shortLabels(names, Math.min(LONGEST, Math.max(8, Math.floor((MOST_SHARE * width) / LETTER))));
  return { formatter: (name: string, index: number) => short[index] ?? name };
}

/** Index of the row that a tooltip is requested for; -1 if there is none. */
export function rowOf(items: unknown): number {
  const first: unknown = Array.isArray(items) ? items[0] : items;
  return typeof first === 'object' && first !== null && 'dataIndex' in first && typeof first.dataIndex === 'number'
    ? first.dataIndex
    : -1;
}
