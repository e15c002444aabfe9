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
  /** Saved configurations, by name. */
  configurations: call(z.object({}), z.array(Configuration)),
  /** Saves under the spec's label, which must be unique (`conflict`). Sessions keep their assigned price. */
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
  /** The additional throughput that the more expensive one needs, the parts of both prices, and where their cost lines cross. */
  breakEven: call(z.object({ one: CostSpec, other: CostSpec }), CostBreakEven),
  /**
   * Work per money of each session with a price: its best cell (`perCell`: every cell), with a separate scale for each metric and currency.
   * Rates of `metric` or each session's primary one; `warmup`: seconds cut at the start of each run, if not as planned. `configurationIds`:
   * priced with each of these saved configurations instead of the session's own price.
   */
  valueForMoney: call(
    z.object({
      sessionIds: z.array(z.number()).max(100),
      metric: z.string().optional(),
      warmup: z.number().min(0).optional(),
      perCell: z.boolean().default(false),
      /** Metric of a latency to include in the rows. */
      latency: z.string().optional(),
      configurationIds: z.array(z.number()).max(1000).optional(),
    }),
    ValueForMoney,
  ),
};
