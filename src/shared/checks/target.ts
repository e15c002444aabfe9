import type { Finding } from '../model/finding.ts';
import type { StartFacts } from './facts.ts';

/** A server that does not keep what it confirms is fast for the wrong reason. */
export function targetChecks({ target }: StartFacts): Finding[] {
  const durability = target?.durability;
  if (!durability || durability.level === 'safe' || durability.level === 'unknown') return [];
  return [
    {
      code: 'durability',
      severity: durability.level === 'unsafe' ? 'warn' : 'note',
      message:
        durability.level === 'unsafe'
          ? 'A power cut can lose committed transactions or damage the data with the present settings.'
          : 'A power cut can lose the last moments of committed transactions with the present settings.',
      evidence: durability.why,
      next: 'Compare only with systems that promise the same.',
    },
  ];
}
