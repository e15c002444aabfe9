import { z } from 'zod';

const at = z
  .number()
  .min(0)
  .max(864_000)
  .meta({ description: 'Seconds since the start of the tool, its warm-up included.' });

/** Something that is done while a trial runs, to see what it does to it. */
export const ScenarioEvent = z.discriminatedUnion('do', [
  /** By the control of the target. */
  z.strictObject({ at, do: z.literal('restart') }),
  z.strictObject({ at, do: z.literal('stop') }),
  z.strictObject({ at, do: z.literal('start') }),
  /** Over the app’s own connection. */
  z.strictObject({ at, do: z.literal('statement'), statement: z.string().min(1).max(10_000) }),
  /** POSIX sh on a host; absent: the one that the server lives on, without a target the first generator. */
  z.strictObject({
    at,
    do: z.literal('run'),
    command: z.string().min(1).max(10_000),
    host: z.string().min(1).optional(),
  }),
]);
export type ScenarioEvent = z.infer<typeof ScenarioEvent>;

/** In the order in which they are due; those of the same second as they stand. */
export const inTheirOrder = (events: readonly ScenarioEvent[] = []): ScenarioEvent[] =>
  [...events].sort((one, other) => one.at - other.at);
