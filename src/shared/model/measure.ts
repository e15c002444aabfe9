import { z } from 'zod';
import { Levels } from './factor.ts';
import type { OptionWords } from './tool.ts';

const words = (group: string, title: string, description: string, more: Partial<OptionWords> = {}) =>
  ({ title, description, group, ...more }) satisfies OptionWords;
const beforeTrial = (title: string, description: string, more: Partial<OptionWords> = {}) =>
  words('Before each trial', title, description, more);
const ofTheEnd = (title: string, description: string, more: Partial<OptionWords> = {}) =>
  words('Stop early', title, description, more);

/** One cell that is measured again and again, to see whether the machines drift. */
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
        'One cell is measured before the first trial, again after so many trials, and after the last one. These trials show how the machines drift; they do not count as repeats.',
        { unit: 'trials', unset: 'never' },
      ),
    ),
  /** Levels that name it; what is not named, the first cell has. Absent: the first cell. */
  cell: Levels.optional(),
});

/** What is done before each trial, in this order. */
export const BeforeTrial = z.strictObject({
  restart: z
    .boolean()
    .optional()
    .meta(beforeTrial('Restart the server', 'By the control of the target: systemd, its commands, or managed.')),
  caches: z
    .enum(['none', 'server', 'generators', 'all'])
    .optional()
    .meta(
      beforeTrial(
        'Drop OS caches',
        'Page cache, directory entries and inodes of the host that the server lives on, of the generators, or of all. Needs root or sudo without a password; what was cached before and after is recorded.',
        { unset: 'none' },
      ),
    ),
  statement: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .meta(
      beforeTrial('Statement', 'Sent to the target over the app’s own connection: to warm it up, or to clean up.', {
        multiline: true,
        language: 'sql',
      }),
    ),
  dirty: z
    .number()
    .min(0)
    .max(1e9)
    .optional()
    .meta(
      beforeTrial('Wait for dirty pages', 'Until the host of the server has at most so much that is not written yet.', {
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
      beforeTrial('Wait for device writes', 'Until the devices of the host of the server write at most so much.', {
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
        'A query to the target: the wait ends when its first value is neither 0, empty nor false.',
        { multiline: true, language: 'sql' },
      ),
    ),
  patience: z
    .number()
    .min(1)
    .max(86_400)
    .optional()
    .meta(
      beforeTrial(
        'Wait at most',
        'Then the trial is measured all the same, and flagged with what was still going on.',
        { unit: 's', unset: '300' },
      ),
    ),
  rest: z
    .number()
    .min(0)
    .max(86_400)
    .optional()
    .meta(beforeTrial('Rest', 'After all of that, right before the tool is started.', { unit: 's', unset: '0' })),
});
export type BeforeTrial = z.infer<typeof BeforeTrial>;

/** When a session ends before all of its plan was measured. */
export const Stop = z.strictObject({
  minutes: z
    .number()
    .min(1)
    .max(100_000)
    .optional()
    .meta(
      ofTheEnd('Stop after', 'The session ends with the trial that runs then; the others are skipped.', {
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
        'The same when the session has cost so much, by the price that it has in the currency of that price.',
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
        'A cell is repeated, at least three times and at most as often as “Repeats” says, until the 95 % interval of its mean reaches no further than this to either side. The first metric of the tool counts.',
        { unit: '%', unset: 'never' },
      ),
    ),
});

export type Stop = z.infer<typeof Stop>;

/** Code of the finding of a trial that one of these rules has skipped. */
export const STOP_RULE = 'stop-rule';

/** Groups of settings in `measure` that a form shows among the others, each as `group.name`. */
export const MEASURE_GROUPS = { canary: Canary, before: BeforeTrial, stop: Stop } as const;
