const NEWLINE = 10;
const RETURN = 13;
/** A line longer than this is cut into pieces: a tool that writes a gigabyte without a newline must not fill our memory. */
const MAX_LINE = 65_536;

export interface Line {
  text: string;
  /** True for a piece of a line: the end of it has not been seen. */
  cut: boolean;
}

/**
 * Takes the whole lines at the start of `bytes` one by one: all of a flood's lines at once are many times as large as its bytes. Returns
 * how many bytes belong to them; the rest is a line that has not ended yet. Bytes that are not UTF-8 become replacement characters here
 * only: the raw output keeps them.
 */
export function takeLines(bytes: Uint8Array, take: (line: Line) => void): number {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end >= 0 && end - start <= MAX_LINE) {
      take({ text: decodeLine(bytes.subarray(start, end)), cut: false });
      start = end + 1;
    } else if (bytes.length - start > MAX_LINE) {
      take({ text: decodeLine(bytes.subarray(start, start + MAX_LINE)), cut: true });
      start += MAX_LINE;
    } else return start;
  }
}

const decoder = new TextDecoder();
export const decodeLine = (bytes: Uint8Array): string =>
  decoder.decode(bytes[bytes.length - 1] === RETURN ? bytes.subarray(0, -1) : bytes);
