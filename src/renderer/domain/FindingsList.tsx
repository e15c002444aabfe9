import type { Finding } from '../../shared/model/finding.ts';
import { ProblemBanner, type Tone } from '../ui/index.ts';

const TONES: Readonly<Record<Finding['severity'], Tone>> = { block: 'bad', error: 'bad', warn: 'warn', note: 'idle' };
const ORDER = ['block', 'error', 'warn', 'note'] as const;

/** What was noticed, the gravest first. */
export function FindingsList({ findings }: { findings: readonly Finding[] }) {
  const sorted = [...findings].sort((one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity));
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      {sorted.map((finding) => (
        <ProblemBanner key={`${finding.code} ${finding.message}`} tone={TONES[finding.severity]} problem={finding} />
      ))}
    </div>
  );
}
