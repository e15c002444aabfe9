/** Below this a value is no secret worth the name, and hiding it would tear holes into every sentence. */
const SHORTEST = 4;
const MASK = '[hidden]';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Hides known secrets in text. Nothing of a secret leaves it, whole or in part, however the text is cut. */
export interface Redactor {
  /** From now on hidden: as it is, URL-encoded, in base64 (also inside a longer text), JSON-escaped, quoted for a shell. */
  add(secret: string): void;
  /** A text that is complete. */
  redact(text: string): string;
  /** A text that comes in pieces: `push` holds back what may be the beginning of a secret, `end` gives the rest. */
  stream(): { push(piece: string): string; end(): string };
}

export function createRedactor(): Redactor {
  const forms = new Forms();
  const stream = (): { push(piece: string): string; end(): string } => {
    let held = '';
    /** Characters at the start of `held` that belong to a secret already masked. */
    let covered = 0;
    const advance = (text: string, final: boolean): string => {
      const scan = scanText(forms, text, covered, final);
      held = text.slice(scan.until);
      covered = Math.max(0, scan.covered - scan.until);
      return scan.output;
    };
    return { push: (piece) => advance(held + piece, false), end: () => advance(held, true) };
  };
  return {
    add: (secret) => forms.add(secret),
    redact: (text) => (forms.longest === 0 ? text : scanText(forms, text, 0, true).output),
    stream,
  };
}

/** Copies `text`, a mask in place of every stretch covered by secrets; overlapping ones become one stretch. */
function scanText(
  forms: Forms,
  text: string,
  coveredBefore: number,
  final: boolean,
): { output: string; until: number; covered: number } {
  let output = '';
  let covered = coveredBefore;
  let at = 0;
  for (; at < text.length; at += 1) {
    if (!final && forms.mayBegin(text, at)) break;
    const length = forms.matchAt(text, at);
    if (length > 0) {
      if (at >= covered) output += MASK;
      covered = Math.max(covered, at + length);
    } else if (at >= covered) {
      output += text[at];
    }
  }
  return { output, until: at, covered };
}

class Forms {
  longest = 0;
  /** By first character, the longest first. */
  readonly #byStart = new Map<string, string[]>();

  add(secret: string): void {
    if (secret.length < SHORTEST) return;
    for (const form of formsOf(secret)) {
      const start = form.charAt(0);
      const known = this.#byStart.get(start) ?? [];
      if (known.includes(form)) continue;
      known.push(form);
      known.sort((left, right) => right.length - left.length);
      this.#byStart.set(start, known);
      this.longest = Math.max(this.longest, form.length);
    }
  }

  /** Length of the longest form that stands here, or 0. */
  matchAt(text: string, at: number): number {
    return this.#byStart.get(text.charAt(at))?.find((form) => text.startsWith(form, at))?.length ?? 0;
  }

  /** Whether the rest of the text is the beginning of a form that needs more characters. */
  mayBegin(text: string, at: number): boolean {
    const left = text.length - at;
    if (left >= this.longest) return false;
    const candidates = this.#byStart.get(text.charAt(at));
    if (candidates === undefined) return false;
    const rest = text.slice(at);
    return candidates.some((form) => form.length > left && form.startsWith(rest));
  }
}

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

/** In base64 a text looks different after 0, 1 or 2 bytes of something else; the characters that depend on neighbours are left out. */
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
