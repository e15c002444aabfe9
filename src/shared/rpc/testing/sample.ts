import { z } from 'zod';
import { KneepointError } from '../../model/problem.ts';
import { call, type Implementation, stream } from '../define.ts';

/** A small contract with one member of each kind, for the tests of every transport. */
export const sampleContract = {
  echo: call(z.object({ value: z.unknown() }), z.object({ value: z.unknown() })),
  columns: call(
    z.object({ points: z.number() }),
    z.object({ v: z.instanceof(Float64Array), raw: z.instanceof(Uint8Array) }),
  ),
  refuse: call(z.object({}), z.never()),
  crash: call(z.object({}), z.never()),
  wait: call(z.object({}), z.object({})),
  work: call(z.object({ steps: z.number() }), z.object({})),
  counters: call(z.object({}), z.object({ produced: z.number(), open: z.number() })),
  numbers: {
    upTo: stream(z.object({ count: z.number() }), z.object({ n: z.number() })),
  },
};

export function sampleImplementation(): Implementation<typeof sampleContract> {
  let produced = 0;
  let open = 0;
  return {
    echo: (input) => input,
    columns: ({ points }) => ({
      v: Float64Array.from({ length: points }, (_, i) => i / 4),
      raw: Uint8Array.of(1, 2, 255),
    }),
    refuse: () => {
      throw new KneepointError({ code: 'conflict', message: 'There is one already.', details: { name: 'a' } });
    },
    crash: () => {
      throw new TypeError('boom');
    },
    wait: async (_input, { signal }) => {
      open++;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      open--;
      return {};
    },
    work: async ({ steps }, { progress }) => {
      open++;
      try {
        for (let done = 1; done <= steps; done++) {
          // Blocks everything else, as calculating figures does.
          for (const start = Date.now(); Date.now() - start < 60; );
          produced++;
          await progress({ what: 'Working', unit: 'step', done, of: steps });
        }
      } finally {
        open--;
      }
      return {};
    },
    counters: () => ({ produced, open }),
    numbers: {
      async *upTo({ count }) {
        open++;
        try {
          for (let n = 0; n < count; n++) {
            produced++;
            yield { n };
          }
        } finally {
          open--;
        }
      },
    },
  };
}
