import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../engine/outside.ts';

const LARGEST = 5 * 1024 * 1024;

/**
 * Writes diagnostics as one JSON object per line to `<folder>/kneepoint.log`; the previous file is kept as `kneepoint.1.log`. Warnings and errors
 * also go to `echo` (stderr) as a sentence. A log that cannot be written never stops the app; this is reported once.
 */
export function fileLog(folder: string, echo: (line: string) => void): Log {
  const file = path.join(folder, 'kneepoint.log');
  let broken = false;
  const attempt = (act: () => void): void => {
    if (broken) return;
    try {
      act();
    } catch (error) {
      broken = true;
      echo(
        `The log ${file} cannot be written (${error instanceof Error ? error.message : String(error)}); continuing without it.`,
      );
    }
  };
  attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST)
      renameSync(file, path.join(folder, 'kneepoint.1.log'));
  });

  const write = (level: string, message: string, fields: Record<string, unknown> = {}): void => {
    const entry = redact({ at: new Date().toISOString(), level, pid: process.pid, message, ...fields });
    attempt(() => appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 }));
    if (level !== 'info') echo(`${level}: ${JSON.stringify(redact(message))}`);
  };
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

const SECRET_KEY = /pass(word|phrase|wd)?$|secret|token|private_?key|^authorization$|^cookie$/i;
/** `user:password@` in an address, and `password=…` in an option or a connection string. */
const IN_TEXT: readonly [RegExp, string][] = [
  [/(\/\/[^\s/:@]*):[^\s/@]+@/g, '$1:•••@'],
  [/((?:password|passphrase|passwd|pwd|token|secret)["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*'|[^\s,;&"']+)/gi, '$1•••'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, '•••'],
];

/** A copy with probable secrets removed. Errors become message and stack, bytes become their length, cycles are cut. */
function redact(value: unknown, seen: readonly object[] = []): unknown {
  if (typeof value === 'string') return IN_TEXT.reduce((text, [pattern, by]) => text.replace(pattern, by), value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (seen.includes(value)) return '(itself)';
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  const inner = [...seen, value];
  if (Array.isArray(value)) return value.map((entry) => redact(entry, inner));
  const entries = Object.entries(value);
  if (value instanceof Error) entries.push(['message', value.message], ['stack', value.stack]);
  return Object.fromEntries(entries.map(([key, entry]) => [key, SECRET_KEY.test(key) ? '•••' : redact(entry, inner)]));
}
