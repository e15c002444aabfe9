import { z } from 'zod';
import { CatalogueEntry, CostResult, CostSpec, ValueForMoney } from '../model/cost.ts';
import { call } from '../rpc/define.ts';

export const costs = {
  catalogue: call(
    z.object({}),
    z.object({ compiled: z.string(), disclaimer: z.string(), entries: z.array(CatalogueEntry) }),
  ),
  evaluate: call(z.object({ spec: CostSpec }), CostResult),
  ofSession: call(
    z.object({ sessionId: z.number() }),
    z.object({ spec: CostSpec.optional(), result: CostResult.optional() }),
  ),
  setOfSession: call(
    z.object({ sessionId: z.number(), spec: CostSpec.nullable() }),
    z.object({ result: CostResult.optional() }),
  ),
  /** Best cell of each session that has a price (`perCell`: every cell), best first. Rates over `metric` or the primary one. */
  valueForMoney: call(
    z.object({
      sessionIds: z.array(z.number()).max(100),
      metric: z.string().optional(),
      perCell: z.boolean().default(false),
    }),
    ValueForMoney,
  ),
};
