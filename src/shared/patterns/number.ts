/** A printed number: `1,234.5`, `.5`, `-3`, `1e6`; undefined for anything else. */
export function readNumber(text: string): number | undefined {
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text.trim()) ? text.replaceAll(',', '') : text;
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(plain) ? Number(plain) : undefined;
}
