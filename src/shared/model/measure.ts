import { z } from 'zod';
import { Levels } from './factor.ts';
import type { OptionWords } from './tool.ts';

const words = (group: string, title: string, description: string, more: Partial<OptionWords> = {}) =>
  ({ title, description, group, ...more }) satisfies OptionWords;
const beforeTrial = (title: string, description: string, more: Partial<OptionWords> = {}) =>
  words('Before each trial', title, description, more);
const ofTheEnd = (title: string, description: string, more: Partial<OptionWords> = {}) =>
  words('Stop early', title, description, more);

/** A cell that is measured repeatedly to detect drift of the machines. */
export const Canary = z.strictObject({
  every: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .meta(
      words(
        'Canary',
        'Canary every',
        'Measures one cell before the first trial, after every given number of trials, and after the last one. Canary trials show drift of the machines; they do not count as repeats.',
        { unit: 'trials', unset: 'never' },
      ),
    ),
  /** Levels that identify it; the others are those of the first cell. Absent: the first cell. */
  cell: Levels.optional(),
});

/** Work before each trial, in this order. */
export const BeforeTrial = z.strictObject({
  restart: z
    .boolean()
    .optional()
    .meta(
      beforeTrial('Restart the server', 'Uses the server control of the target: systemd, custom commands, or managed.'),
    ),
  caches: z
    .enum(['none', 'server', 'generators', 'all'])
    .optional()
    .meta(
      beforeTrial(
        'Drop OS caches',
        'Page cache, directory entries and inodes of the server host, the generators, or both. Needs root or passwordless sudo; cache sizes before and after are recorded.',
        { unset: 'none' },
      ),
    ),
  statement: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .meta(
      beforeTrial(
        'Statement',
        'Sent to the target over Kneepoint’s own connection, for example to warm up or clean up.',
        {
          multiline: true,
          language: 'sql',
        },
      ),
    ),
  dirty: z
    .number()
    .min(0)
    .max(1e9)
    .optional()
    .meta(
      beforeTrial('Wait for dirty pages', 'Until the server host has no more dirty pages than this.', {
        unit: 'MiB',
        unset: 'no wait',
      }),
    ),
  writes: z
    .number()
    .min(0)
    .max(1e6)
    .optional()
    .meta(
      beforeTrial('Wait for device writes', 'Until device writes on the server host are at or below this rate.', {
        unit: 'MiB/s',
        unset: 'no wait',
      }),
    ),
  until: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .meta(
      beforeTrial(
        'Wait for a condition',
        'A query on the target; the wait ends when its first value is not 0, empty or false.',
        { multiline: true, language: 'sql' },
      ),
    ),
  patience: z
    .number()
    .min(1)
    .max(86_400)
    .optional()
    .meta(
      beforeTrial('Wait at most', 'After this time the trial is measured anyway, and flagged.', {
        unit: 's',
        unset: '300',
      }),
    ),
  rest: z
    .number()
    .min(0)
    .max(86_400)
    .optional()
    .meta(beforeTrial('Rest', 'Last, right before the tool starts.', { unit: 's', unset: '0' })),
});
export type BeforeTrial = z.infer<typeof BeforeTrial>;

/** When a session ends before its whole plan is measured. */
export const Stop = z.strictObject({
  minutes: z
    .number()
    .min(1)
    .max(100_000)
    .optional()
    .meta(
      ofTheEnd('Stop after', 'The session ends after the current trial; the others are skipped.', {
        unit: 'minutes',
        unset: 'never',
      }),
    ),
  cost: z
    .number()
    .min(0.01)
    .max(1e9)
    .optional()
    .meta(
      ofTheEnd(
        'Stop at cost',
        'The session ends after the current trial when it has cost this much, in the currency of its price.',
        { unset: 'never' },
      ),
    ),
  interval: z
    .number()
    .min(0.1)
    .max(100)
    .optional()
    .meta(
      ofTheEnd(
        'Repeat until within',
        'Repeats a cell three times or more, up to “Repeats”, until the 95 % interval of its mean is within ± this. Uses the first metric of the tool.',
        { unit: '%', unset: 'never' },
      ),
    ),
});

export type Stop = z.infer<typeof Stop>;

/** Groups of settings in `measure` that a form shows in line, each as `group.name`. */
export const MEASURE_GROUPS = { canary: Canary, before: BeforeTrial, stop: Stop } as const;

/**
 * Rule for the figure that a cell shows. `best` and `second-best` follow the better direction of the metric; `all`: each repeat by itself,
 * without a figure for the cell.
 */
export const PickRule = z.enum(['mean', 'median', 'best', 'second-best', 'all']);
export type PickRule = z.infer<typeof PickRule>;

/** Every rule except the default. */
export const ChosenPick = PickRule.exclude(['mean']);
export type ChosenPick = z.infer<typeof ChosenPick>;

/** Words for the head of a column, or following the name of a metric. */
export const PICK_WORDS: Readonly<Record<ChosenPick, string>> = {
  median: 'median of the repeats',
  best: 'best repeat',
  'second-best': 'second-best repeat',
  all: 'each repeat',
};

/** The rule in force for a metric; undefined for the default, and for `best` if the metric has no better direction. */
export function pickFor(
  rule: PickRule | undefined,
  { better }: { better: 'higher' | 'lower' | 'neither' },
): ChosenPick | undefined {
  if (rule === undefined || rule === 'mean') return undefined;
  return better === 'neither' && (rule === 'best' || rule === 'second-best') ? undefined : rule;
}

/** The figure that a rule picks; undefined if there is none: with `all`, or without a second repeat. */
export function picked(
  rule: ChosenPick,
  repeats: readonly number[],
  { better }: { better: 'higher' | 'lower' | 'neither' },
): number | undefined {
  const ascending = [...repeats].sort((one, other) => one - other);
  switch (rule) {
    case 'all':
      return undefined;
    case 'median': {
      const [low, high] = [Math.floor, Math.ceil].map((round) => ascending[round((ascending.length - 1) / 2)]);
      return low === undefined || high === undefined ? undefined : (low + high) / 2;
    }
    default: {
      const place = rule === 'best' ? 0 : 1;
      return better === 'lower' ? ascending[place] : ascending.at(-1 - place);
    }
  }
}
