import type { Scalar } from '../../../shared/model/experiment.ts';

/** Quotes a field (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe; numbers stay numbers (CWE-1236). */
export function csvField(value: Scalar | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = String(value);
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
