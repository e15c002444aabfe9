/** A shorter value is hardly a secret, and hiding it would damage ordinary sentences. */
const SHORTEST = 4;
/**
 * A password that looks like an everyday word, such as `bench`. Inside a longer word (`sysbench`) it is left alone: hiding it there would
 * reveal the password. Longer ones, and those with anything but small letters, are hidden everywhere.
 */
const WORD = /^[a-z]{4,5}$/;
/** This many adjacent letters make it part of a word; a single one may be an option (`-pbench`) or the end of an escape (`\\nbench`). */
const ADJACENT_LETTERS = 2;
/** Letters after any other character may belong to an escape: `%ABbench`, `\\u00efbench`. */
const LETTERS_BEFORE = /(?:^|[\s"'`([{<=:;,./_-]|\\[bfnrt])[A-Za-z]{2,}$/;
const LETTERS_AFTER = /^[A-Za-z]{2}/;
/** Number of already returned characters that are remembered, to recognise a word across pieces. */
const REMEMBERED = 32;
const MASK = '[hidden]';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Hides known secrets in text. No part of a secret gets through, however the text is split. */
export interface Redactor {
  /** Hides it from now on: unchanged, URL-encoded, in base64 (also inside a longer text), JSON-escaped, quoted for a shell. */
  add(secret: string): void;
  /** Redacts a complete text. */
  redact(text: string): string;
  /** Redacts a text that arrives in pieces: `push` holds back a possible beginning of a secret, `end` returns the rest. */
  stream(): { push(piece: string): string; end(): string };
}

export function createRedactor(): Redactor {
  const forms = new Forms();
  const stream = (): { push(piece: string): string; end(): string } => {
    let held = '';
    let before = '';
    /** Characters at the start of `held` that belong to a secret already masked. */
    let covered = 0;
    const advance = (text: string, final: boolean): string => {
      const scan = scanText(forms, { before, text }, covered, final);
      held = text.slice(scan.until);
      before = (before + text.slice(0, scan.until)).slice(-REMEMBERED);
      covered = Math.max(0, scan.covered - scan.until);
      return scan.output;
    };
    return { push: (piece) => advance(held + piece, false), end: () => advance(held, true) };
  };
  return {
    add: (secret) => forms.add(secret),
    redact: (text) => (forms.longest === 0 ? text : scanText(forms, { before: '', text }, 0, true).output),
    stream,
  };
}

/** Copies `text` with a mask for each part covered by secrets; overlapping ones are merged. */
function scanText(
  forms: Forms,
  { before, text }: { before: string; text: string },
  coveredBefore: number,
  final: boolean,
): { output: string; until: number; covered: number } {
  let output = '';
  let covered = coveredBefore;
  let at = 0;
  // From here on, a secret may continue after the end of the text.
  const open = final ? text.length : Math.max(0, text.length - forms.reach + 1);
  while (at < text.length) {
    // Hardly any place can begin a secret: the text between such places is copied as a whole.
    const next = at < open ? Math.min(forms.next(text, at), open) : at;
    if (next > covered) output += text.slice(Math.max(at, covered), next);
    at = next;
    if (at === text.length || (!final && forms.mayBegin(text, at))) break;
    const length = forms.matchAt(text, at, before);
    if (length > 0) {
      if (at >= covered) output += MASK;
      covered = Math.max(covered, at + length);
    } else if (at >= covered) {
      output += text[at];
    }
    at += 1;
  }
  return { output, until: at, covered };
}

class Forms {
  longest = 0;
  /** By first character, the longest first. */
  readonly #byStart = new Map<string, string[]>();
  readonly #words = new Set<string>();
  /** Matches the first characters of each form. */
  #starts: RegExp | undefined;

  /** Characters from the start of a form within which it is recognized. */
  get reach(): number {
    return this.longest + (this.#words.size > 0 ? ADJACENT_LETTERS : 0);
  }

  add(secret: string): void {
    if (secret.length < SHORTEST) return;
    if (WORD.test(secret)) this.#words.add(secret);
    for (const form of formsOf(secret)) {
      const start = form.charAt(0);
      const known = this.#byStart.get(start) ?? [];
      if (known.includes(form)) continue;
      known.push(form);
      known.sort((left, right) => right.length - left.length);
      this.#byStart.set(start, known);
      this.longest = Math.max(this.longest, form.length);
    }
    const starts = [...this.#byStart.values()].flat().map((form) => escaped(form.slice(0, SHORTEST)));
    this.#starts = new RegExp([...new Set(starts)].join('|'), 'g');
  }

  /** The first position, from `at` on, at which a form may begin; the length of the text if there is none. */
  next(text: string, at: number): number {
    if (!this.#starts) return text.length;
    this.#starts.lastIndex = at;
    return this.#starts.exec(text)?.index ?? text.length;
  }

  /** Length of the longest form at this position, or 0. `before`: the preceding text. */
  matchAt(text: string, at: number, before: string): number {
    const hides = (form: string): boolean =>
      text.startsWith(form, at) &&
      !(
        this.#words.has(form) &&
        insideWord(before + text.slice(Math.max(0, at - REMEMBERED), at), text, at + form.length)
      );
    return this.#byStart.get(text.charAt(at))?.find(hides)?.length ?? 0;
  }

  /** Whether more characters are needed to determine if a form is at this position. */
  mayBegin(text: string, at: number): boolean {
    const left = text.length - at;
    if (left >= this.reach) return false;
    const candidates = this.#byStart.get(text.charAt(at));
    if (candidates === undefined) return false;
    const rest = text.slice(at);
    return candidates.some((form) => {
      if (form.length > left) return form.startsWith(rest);
      const after = rest.slice(form.length);
      return (
        this.#words.has(form) && rest.startsWith(form) && after.length < ADJACENT_LETTERS && /^[A-Za-z]*$/.test(after)
      );
    });
  }
}

/** A text as a part of a regular expression. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const insideWord = (before: string, text: string, end: number): boolean =>
  LETTERS_BEFORE.test(before.slice(-REMEMBERED)) || LETTERS_AFTER.test(text.slice(end, end + ADJACENT_LETTERS));

function formsOf(secret: string): string[] {
  const url = encodeURIComponent(secret);
  const strictUrl = url.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const forms = [
    secret,
    url,
    strictUrl,
    ...[url, strictUrl].map((form) => form.replace(/%20/g, '+')),
    ...[url, strictUrl].map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    json,
    ascii,
    json.replace(/\//g, '\\/'),
    secret.replaceAll("'", "'\\''"),
    ...base64Forms(secret),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST);
}

/** In base64 a text depends on whether 0, 1 or 2 bytes precede it; characters that depend on neighbours are omitted. */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const forms = [0, 1, 2].map((before) => {
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return base64(bytes, before).slice(start, end);
  });
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

function base64(bytes: Uint8Array, zerosBefore: number): string {
  const all = new Uint8Array(Math.ceil((zerosBefore + bytes.length) / 3) * 3);
  all.set(bytes, zerosBefore);
  let text = '';
  for (let at = 0; at < all.length; at += 3) {
    const group = ((all[at] ?? 0) << 16) | ((all[at + 1] ?? 0) << 8) | (all[at + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) text += BASE64.charAt((group >> shift) & 63);
  }
  return text;
}
