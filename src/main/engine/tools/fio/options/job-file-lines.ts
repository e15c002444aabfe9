/** A non-empty line of a job file. `number` counts from 1; `text` is trimmed and without its comment. */
export type JobFileLine = { number: number; text: string } & (
  | { kind: 'comment' | 'include' | 'strange' }
  | { kind: 'section'; name: string }
  | { kind: 'option'; name: string; value: string }
);

/** For fio, a semicolon or a hash begins a comment in any position. */
const COMMENT = /[;#].*$/;

/** Reads a job file line by line, as fio does. Omits empty lines; validates nothing. */
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
