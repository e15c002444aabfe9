/** Findings of what was done before a trial: they are of the run from before its launch on, and stay with it. */
export const BEFORE_CODES: readonly string[] = [
  'server-restarted',
  'caches-dropped',
  'caches-not-dropped',
  'statement-run',
  'waited-until-quiet',
  'not-quiet',
];
