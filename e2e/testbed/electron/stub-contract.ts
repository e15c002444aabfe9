import { z } from 'zod';
import { call, stream } from '../../../src/shared/rpc/define.ts';

/** What the stand-in engine answers: enough to see that calls, streams and typed arrays cross, and who answers. */
export const stub = {
  about: call(z.object({}), z.object({ pid: z.number(), name: z.string(), keychain: z.string(), type: z.string() })),
  count: stream(z.object({ to: z.number() }), z.instanceof(Float64Array)),
};
