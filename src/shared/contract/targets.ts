import { z } from 'zod';
import { Target, TargetKindInfo, TargetSpec, TargetTest } from '../model/target.ts';
import { TargetInspection } from '../model/target-details.ts';
import { call } from '../rpc/define.ts';

/** A target as typed, saved or not. `secret` absent: the kept one of `id`; null: none. */
const Typed = z.object({ id: z.number().optional(), spec: TargetSpec, secret: z.string().nullable().optional() });

export const targets = {
  kinds: call(z.object({}), z.array(TargetKindInfo)),
  list: call(z.object({}), z.array(Target)),
  save: call(Typed, Target),
  remove: call(z.object({ id: z.number() }), z.object({})),
  test: call(z.object({ id: z.number() }), TargetTest),
  testSpec: call(Typed, TargetTest),
  /** All settings, sizes, who is connected and the counters, at this moment. */
  inspectSpec: call(Typed, TargetInspection),
};
