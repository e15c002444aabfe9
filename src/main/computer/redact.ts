const SECRET_KEY = /pass(word|phrase|wd)?$|secret|token|private_?key|^authorization$|^cookie$/i;
/** `user:password@` of an address, and `password=…` of an option or a connection string. */
const IN_TEXT: readonly [RegExp, string][] = [
  [/(\/\/[^\s/:@]*):[^\s/@]+@/g, '$1:•••@'],
  [/((?:password|passphrase|passwd|pwd|token|secret)["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*'|[^\s,;&"']+)/gi, '$1•••'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, '•••'],
];

/** A copy without what looks like a secret. Errors become their words and stack; bytes their length; cycles end. */
export function redact(value: unknown, seen: readonly object[] = []): unknown {
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
