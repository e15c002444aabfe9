const NEWLINE = 10;
const RETURN = 13;
/** A line longer than this is cut into pieces: a tool that writes a gigabyte without a newline must not fill our memory. */
const MAX_LINE = 65_536;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Calls `take` for each complete line at the start of `bytes`, one by one: all lines of a flood at once would be many times as large as its bytes.
 * `cut` is true for a piece of a line whose end has not been seen; `end` is where the next one begins. Returns the number of bytes taken; the rest is
 * an incomplete line. Bytes that are not UTF-8 become replacement characters here only: the raw output keeps them.
 */
export function takeLines(bytes: Uint8Array, take: (text: string, cut: boolean, end: number) => void): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  for (;;) {
    const end = buffer.indexOf(NEWLINE, start);
    if (end >= 0 && end - start <= MAX_LINE) {
      take(decoded(buffer, start, end), false, end + 1);
      start = end + 1;
    } else if (buffer.length - start > MAX_LINE) {
      take(decoded(buffer, start, start + MAX_LINE), true, start + MAX_LINE);
      start += MAX_LINE;
    } else return start;
  }
}

export const decodeLine = (bytes: Uint8Array): string =>
  decoded(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length);

/** Decodes straight from the buffer: a view and a decoder per line would create several times as much garbage as the text. */
function decoded(buffer: Buffer, start: number, end: number): string {
  const text = buffer.toString('utf8', start, end > start && buffer[end - 1] === RETURN ? end - 1 : end);
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
