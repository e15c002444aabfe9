import { z } from 'zod';
import { call, stream } from '../../../src/shared/rpc/define.ts';

/** Responses of the stub engine: enough to see that calls, streams and typed arrays get through, and who responds. */
export const stub = {
  about: call(z.object({}), z.object({ pid: z.number(), name: z.string(), keychain: z.string(), type: z.string() })),
  count: stream(z.object({ to: z.number() }), z.instanceof(Float64Array)),
};
