import type { Finding } from '../../../shared/model/finding.ts';

const LONGEST_EVIDENCE = 300;

/** A printed line as the evidence of a finding: trimmed, and cut where it is very long. */
export const evidenceOf = (line: string): string => {
  const text = line.trim();
  return text.length > LONGEST_EVIDENCE ? `${text.slice(0, LONGEST_EVIDENCE)}…` : text;
};

/** From a tool's words for each of its faults: what makes the finding for one, with the line it was read from. */
export const faultFindings =
  <Code extends string>(faults: Readonly<Record<Code, { message: string; next: string }>>) =>
  (code: Code, line?: string): Finding => {
    const { message, next } = faults[code];
    return { code, severity: 'error', message, ...(line ? { evidence: evidenceOf(line) } : {}), next };
  };
