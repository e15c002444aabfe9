import type { Finding } from '../model/finding.ts';
import { formatCount } from '../util/format.ts';
import { found, type PlainCheck } from './check.ts';
import type { StartFacts } from './facts.ts';

const NO_REST = {
  code: 'no-rest-between-writes',
  title: 'No rest between trials that write',
  severity: 'note',
  when: 'start',
  traps: ['T49', 'T37', 'T43'],
  why: 'Write-back of dirty pages, checkpoints and garbage collection in flash continue after a trial that writes. Without a rest they overlap the next trial, whose figures then depend on what ran before it.',
  avoid:
    'Set a pause, or wait before each trial until dirty pages and device writes are low. Some published benchmarks pause 15 s between load levels and 60 s between groups of levels.',
} satisfies PlainCheck;

/** Trials that write leave work behind, which the next one should not pay for. */
export function restChecks({ experiment: { measure }, writingTrials = 0 }: StartFacts): Finding[] {
  const { rest = 0, dirty, writes, until } = measure.before ?? {};
  const waits = [dirty, writes, until].some((wanted) => wanted !== undefined);
  if (writingTrials < 2 || measure.pause > 0 || rest > 0 || waits) return [];
  return [
    found(
      NO_REST,
      `${formatCount(writingTrials, 'trial')} write, and the next trial starts at once: pending writes and cleanup overlap it.`,
    ),
  ];
}

export const REST_CHECKS = [NO_REST];
