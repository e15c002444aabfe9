import { z } from 'zod';
import {
  CatalogueEntry,
  Configuration,
  CostBreakEven,
  CostResult,
  CostSpec,
  Priced,
  ValueForMoney,
} from '../model/cost.ts';
import { call } from '../rpc/define.ts';

export const costs = {
  catalogue: call(
    z.object({}),
    z.object({ compiled: z.string(), disclaimer: z.string(), entries: z.array(CatalogueEntry) }),
  ),
  evaluate: call(z.object({ spec: CostSpec }), Priced),
  /** Those saved, by name. */
  configurations: call(z.object({}), z.array(Configuration)),
  /** Saves under the spec's label, which no other has (`conflict`). Sessions keep the price that they were assigned. */
  saveConfiguration: call(z.object({ id: z.number().optional(), spec: CostSpec }), Configuration),
  removeConfiguration: call(z.object({ id: z.number() }), z.object({})),
  ofSession: call(
    z.object({ sessionId: z.number() }),
    z.object({ spec: CostSpec.optional(), result: CostResult.optional() }),
  ),
  setOfSession: call(
    z.object({ sessionId: z.number(), spec: CostSpec.nullable() }),
    z.object({ result: CostResult.optional() }),
  ),
  /** How much more throughput the dearer one needs, what each pays for, and where their cost lines cross. */
  breakEven: call(z.object({ one: CostSpec, other: CostSpec }), CostBreakEven),
  /**
   * Work per money of each session that has a price: its best cell (`perCell`: every cell), on a scale of its own for each metric and
   * currency. Rates over `metric` or each session's primary one; `warmup`: seconds left out at the start of each run, if not as planned.
   * `configurationIds`: priced with these saved configurations, each in turn, instead of the session's own price.
   */
  valueForMoney: call(
    z.object({
      sessionIds: z.array(z.number()).max(100),
      metric: z.string().optional(),
      warmup: z.number().min(0).optional(),
      perCell: z.boolean().default(false),
      /** Metric of a latency that rows have too. */
      latency: z.string().optional(),
      configurationIds: z.array(z.number()).max(1000).optional(),
    }),
    ValueForMoney,
  ),
};
