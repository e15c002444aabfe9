/** A line of a job file that says something. `number` counts from 1; `text` is without blanks around it and without its comment. */
export type JobFileLine = { number: number; text: string } & (
  | { kind: 'comment' | 'include' | 'strange' }
  | { kind: 'section'; name: string }
  | { kind: 'option'; name: string; value: string }
);

/** fio takes everything from a semicolon or a hash on for a comment, wherever it stands. */
const COMMENT = /[;#].*$/;

/** Reads a job file line by line, as fio does. Empty lines are left out; nothing is judged. */
export function jobFileLines(text: string): JobFileLine[] {
  return text.split(/\r?\n/).flatMap((raw, index): JobFileLine[] => {
    const number = index + 1;
    const whole = raw.trim();
    const said = whole.replace(COMMENT, '').trim();
    if (whole === '') return [];
    if (said === '') return [{ number, text: whole, kind: 'comment' }];
    if (/^include(\s|$)/.test(said)) return [{ number, text: said, kind: 'include' }];
    const name = /^\[(.*)\]$/.exec(said)?.[1];
    if (name !== undefined) return [{ number, text: said, kind: 'section', name }];
    const option = /^([^=\s]+)\s*(?:=\s*(.*))?$/.exec(said);
    if (!option) return [{ number, text: said, kind: 'strange' }];
    return [{ number, text: said, kind: 'option', name: option[1] ?? '', value: option[2] ?? '' }];
  });
}
