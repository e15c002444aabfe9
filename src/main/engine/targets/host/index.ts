import { z } from 'zod';
import { defineTarget } from '../target.ts';
import { pathField } from '../wording.ts';
import { HOST_CAPTURES } from './captures.ts';

/** A host itself: processor, memory, and a folder for benchmarks of its storage. Nothing to connect to. */
export const hostTarget = defineTarget({
  kind: 'host',
  title: 'Host',
  family: 'host',
  example: { name: 'second disk of the generator', config: { directory: '/srv/bench' } },
  withoutTarget: 'generator',
  config: z.strictObject({
    directory: pathField('Directory', "Folder on the generator for test files. Empty: the run's own folder.").default(
      '',
    ),
  }),
  captures: HOST_CAPTURES,
  takesSecret: false,
  facts: ({ directory }) => ({ kind: 'host', ...(directory === '' ? {} : { path: directory }) }),
});
