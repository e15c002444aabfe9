/** A carriage return begins the line anew, a terminal's own order to go to its beginning too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are moved by them
const ANEW = /\r+|\u001B\[\d*G/;

/** What a line showed one after the other, where backspaces take some of it back and other letters come in their place. */
function retyped(text: string): string[] {
  if (!text.includes('\b')) return [text];
  const shown: string[] = [];
  const letters: string[] = [];
  let cursor = 0;
  let isNew = false;
  const show = (): void => {
    if (isNew) shown.push(letters.join('').trimEnd());
    isNew = false;
  };
  for (const letter of text) {
    if (letter === '\b') {
      show();
      cursor = Math.max(0, cursor - 1);
      continue;
    }
    // Blanks over what was there only wipe it out.
    if (letter !== ' ') isNew = true;
    if (letter !== ' ' && letters.length > cursor) letters.length = cursor;
    letters[cursor] = letter;
    cursor += 1;
  }
  show();
  return shown;
}

/** A line as it was shown: each update of a progress that is written over and over is one. */
export const updatesOf = (line: string): string[] => {
  const pieces = line.split(ANEW).filter((piece) => piece.trim() !== '');
  return pieces.length === 0 ? [''] : pieces.flatMap(retyped);
};
