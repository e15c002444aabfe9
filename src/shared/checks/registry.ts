import type { Check } from './check.ts';
import { REST_CHECKS } from './resting.ts';
import { RUN_CHECKS } from './runs/index.ts';
import { UNWATCHED_CHECKS } from './unwatched.ts';
import { COMPARISON_CHECKS } from './words/comparison.ts';
import { SESSION_CHECKS } from './words/session.ts';
import { START_CHECKS } from './words/start.ts';

/** Every check with its explanation: what docs/checks.md is written from. */
export const CHECKS: readonly Check[] = [
  ...START_CHECKS,
  ...REST_CHECKS,
  ...UNWATCHED_CHECKS,
  ...RUN_CHECKS,
  ...SESSION_CHECKS,
  ...COMPARISON_CHECKS,
];

const BY_CODE: ReadonlyMap<string, Check> = new Map(CHECKS.map((check) => [check.code, check]));

/** The explanation of a finding, by its code; undefined of one that is no check: a fault, a refusal. */
export const checkOf = (code: string): Check | undefined => BY_CODE.get(code);
