import { z } from 'zod';
import { Target, TargetKindInfo, TargetSpec, TargetTest } from '../model/target.ts';
import { call } from '../rpc/define.ts';

export const targets = {
  kinds: call(z.object({}), z.array(TargetKindInfo)),
  list: call(z.object({}), z.array(Target)),
  save: call(
    z.object({ id: z.number().optional(), spec: TargetSpec, secret: z.string().nullable().optional() }),
    Target,
  ),
  remove: call(z.object({ id: z.number() }), z.object({})),
  test: call(z.object({ id: z.number() }), TargetTest),
  testSpec: call(
    z.object({ id: z.number().optional(), spec: TargetSpec, secret: z.string().nullable().optional() }),
    TargetTest,
  ),
};
