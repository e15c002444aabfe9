/** Letters that tell whether every other byte is none, as in UTF-16 without its mark. */
const LOOKED_AT = 4096;
/** Of one half of the bytes, this share is zero in text of plain letters. */
const MOSTLY = 0.7;

const shareOfZero = (bytes: Uint8Array, from: number): number => {
  let [zero, count] = [0, 0];
  for (let at = from; at < Math.min(bytes.length, LOOKED_AT); at += 2) {
    count += 1;
    if (bytes[at] === 0) zero += 1;
  }
  return count === 0 ? 0 : zero / count;
};

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (shareOfZero(bytes, 1) > MOSTLY && shareOfZero(bytes, 0) < 1 - MOSTLY) return 'utf-16le';
  if (shareOfZero(bytes, 0) > MOSTLY && shareOfZero(bytes, 1) < 1 - MOSTLY) return 'utf-16be';
  return 'utf-8';
}

/** A text whose every other letter is none was UTF-16, read as something else. */
function plain(text: string): string {
  const head = text.slice(0, LOOKED_AT);
  const nones = head.length - head.replaceAll('\0', '').length;
  const letters = nones * 3 > head.length ? text.replaceAll('\0', '') : text;
  // Lines that end in carriage returns alone, as of old.
  const lines = letters.includes('\n') ? letters : letters.replaceAll('\r', '\n');
  return lines.startsWith('\uFEFF') ? lines.slice(1) : lines;
}

/** The text of an output: UTF-8, or UTF-16 as Windows PowerShell redirects it, with its mark or without. Bytes that are neither become U+FFFD: a foreign byte costs its line at most. */
export const decoded = (output: string | Uint8Array): string =>
  plain(typeof output === 'string' ? output : new TextDecoder(encodingOf(output)).decode(output));
