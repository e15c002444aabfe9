import { z } from 'zod';
import { option } from '../tool.ts';

/** What is watched is said by the part `monitors` of the document, as for every tool. */
export const ObservationOptions = z.strictObject({
  'until-stopped': option(z.boolean().default(false), {
    title: 'Until it is stopped',
    description:
      'A trial that a person ends before its time is complete: skip it to go on with the next one, stop the session to end both. The duration is then the longest that it lasts. Off: what is ended early counts as stopped, as with every tool.',
    group: 'Length',
  }),
});
export type ObservationOptions = z.infer<typeof ObservationOptions>;
