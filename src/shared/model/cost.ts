import { z } from 'zod';
import { FigureBound } from './analysis.ts';
import { Levels } from './factor.ts';
import { Caveats } from './figure.ts';
import { Problem } from './problem.ts';
import { Durability } from './target.ts';

/**
 * Costs of a session's system: catalogue ids or custom items; money per hour unless named otherwise.
 * A component's rate is data (see `shared/costs`): there is no code per provider.
 */
export const CostComponent = z.discriminatedUnion('kind', [
  /** From the catalogue: instance id and count. */
  z.object({ kind: z.literal('instance'), id: z.string(), count: z.number().min(0).default(1) }),
  /**
   * From the catalogue: volume type id and what is provisioned. Sizes in GB as billed (2^30 bytes). Throughput in the unit in which that
   * volume is sold: `throughputUnit` of its entry, MiB/s or MB/s.
   */
  z.object({
    kind: z.literal('volume'),
    id: z.string(),
    sizeGb: z.number().min(0),
    iops: z.number().min(0).optional(),
    throughputMibS: z.number().min(0).optional(),
    count: z.number().min(0).default(1),
  }),
  /** Custom item. Null: unknown, and then there is no total. */
  z.object({
    kind: z.literal('own'),
    label: z.string(),
    amount: z.number().min(0).nullable(),
    per: z.enum(['hour', 'month', 'year']),
  }),
]);
export type CostComponent = z.infer<typeof CostComponent>;

export const CostSpec = z.object({
  label: z.string().default(''),
  currency: z.string().default('USD'),
  components: z.array(CostComponent),
  /** Default: 730. Items sold by the hour run this long each month; items sold by the month are paid for in full. */
  hoursPerMonth: z.number().min(1).max(744).optional(),
});
export type CostSpec = z.infer<typeof CostSpec>;

/** IOPS or throughput: for long, and for a while. `burstSeconds`: with full credits; absent: for an extra charge. */
const Performance = z.object({
  sustained: z.number(),
  burst: z.number().optional(),
  burstSeconds: z.number().optional(),
});
export type Performance = z.infer<typeof Performance>;

const CostItem = z.object({
  label: z.string(),
  perHour: z.number(),
  perMonth: z.number(),
  perYear: z.number(),
  /** How it was calculated: "1,000 GB × 0.125 + 5,000 IOPS × 0.065 per month". */
  how: z.string(),
  source: z.string().optional(),
  asOf: z.string().optional(),
  warnings: z.array(z.string()),
  /** For volumes: the performance of each one, as far as known. */
  gives: z
    .object({
      iops: Performance.optional(),
      throughput: Performance.extend({ unit: z.enum(['MiB/s', 'MB/s']) }).optional(),
    })
    .optional(),
  /** The same in sentences. */
  performance: z.array(z.string()).optional(),
  /** For volumes: what each part of the price pays for. */
  shares: z.array(z.object({ what: z.enum(['size', 'IOPS', 'throughput']), perMonth: z.number() })).optional(),
});
export const CostResult = z.object({
  currency: z.string(),
  perHour: z.number(),
  perMonth: z.number(),
  perYear: z.number(),
  items: z.array(CostItem),
  /** Dates of the catalogue's prices: "2024-07-01 to 2026-07-20". Absent: custom items only. */
  asOf: z.string().optional(),
  /**
   * Sustained performance of all volumes together on these machines, throughput in MiB/s; unknown values are absent. `perThousandIops`:
   * money per month.
   */
  usable: z
    .object({ iops: z.number().optional(), mibS: z.number().optional(), perThousandIops: z.number().optional() })
    .optional(),
  /** Machines that sustain less of it than the volumes offer: “m5.large”. Absent: the volumes are the limit. */
  limitedBy: z.object({ iops: z.string().optional(), mibS: z.string().optional() }).optional(),
  /** `usable` while volumes and machines burst, at most. */
  burst: z.object({ iops: z.number().optional(), mibS: z.number().optional() }).optional(),
  /** Notes on the total. */
  notes: z.array(z.string()).optional(),
});
export type CostResult = z.infer<typeof CostResult>;

/** A configuration part by part. A part without a price gives the reason, and then there is no total: a missing price is not zero. */
export const Priced = z.object({
  parts: z.array(z.object({ item: CostItem.optional(), problem: Problem.optional() })),
  total: CostResult.optional(),
});
export type Priced = z.infer<typeof Priced>;

/** A configuration saved under its label, at today's prices. */
export const Configuration = Priced.extend({ id: z.number(), spec: CostSpec, changedAt: z.number() });
export type Configuration = z.infer<typeof Configuration>;

/** A demand on a system: at least this rate and optionally at most this latency at the same time, in the unit of its metric. */
export const CostGoal = z.object({
  rate: z.number().positive(),
  latency: z.object({ metric: z.string(), most: z.number().positive() }).optional(),
});
export type CostGoal = z.infer<typeof CostGoal>;

/** The work of a session, assumed for a saved configuration that it was not measured on. `levels`: only of cells with these. */
export const AssumedWork = z.object({ configurationId: z.number(), sessionId: z.number(), levels: Levels.optional() });
export type AssumedWork = z.infer<typeof AssumedWork>;

const ValueRow = z.object({
  sessionId: z.number(),
  name: z.string(),
  /** Name of the configuration that it is priced with. Absent: the session's own price, which has no name. */
  configuration: z.string().optional(),
  /** The system that is paid for: names of its prices, else their parts: "m5.large + gp3 500 GB, 6,000 IOPS". */
  system: z.string(),
  cell: z.number().optional(),
  levels: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  rate: z.number(),
  /** Complete runs behind the rate. */
  repeats: z.number(),
  /** 95 % interval of the rate over repeats; absent if measured once. */
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  /** The requested latency, with its lowest and highest repeat; absent if the tool does not report it. */
  latency: z.object({ value: z.number(), low: z.number(), high: z.number() }).optional(),
  errors: z.number(),
  /** Effect of a power cut on its tables with the settings of its levels. Absent: unknown, or it stores nothing. */
  durability: Durability.omit({ settings: true }).optional(),
  /** The work is assumed for this configuration: it was measured on another system. */
  assumed: z.literal(true).optional(),
  /** Host of its server: “this computer (2 CPUs, 8 GiB)”. Absent: unknown. */
  measuredOn: z.string().optional(),
  /** The priced machines that it was certainly not measured on: “m5.large”. */
  notOn: z.string().optional(),
  /**
   * Assumed work: what the volumes of the configuration sustain of its I/O, a sentence. `capped`: less, so the rate is lowered. `unchecked`: that
   * is unknown, and why, a clause.
   */
  volumes: z
    .object({ words: z.string(), capped: z.literal(true).optional(), unchecked: z.string().optional() })
    .optional(),
  /** Bottleneck of its cell. Absent: unknown, or its runs differ. */
  bound: FigureBound.optional(),
  caveats: Caveats,
  perHour: z.number(),
  perYear: z.number(),
  /** Dates of the prices; absent: custom items only. */
  asOf: z.string().optional(),
  /** Rate × 3600 / money per hour: operations that one unit of money buys while the system runs. */
  operationsPerDollar: z.number(),
  /** Percentage of the best row of its scale. */
  percent: z.number(),
});
export type ValueRow = z.infer<typeof ValueRow>;

/** Rates of one metric, paid in one currency, best first. Rows of different scales are not ranked against each other. */
const ValueScale = z.object({ metric: z.string(), currency: z.string(), rows: z.array(ValueRow) });
export type ValueScale = z.infer<typeof ValueScale>;

/** Work per money, as bars of the price–performance chart. `left`: sessions that are not ranked, with the reason. */
export const ValueForMoney = z.object({
  scales: z.array(ValueScale),
  left: z.array(
    z.object({
      sessionId: z.number(),
      name: z.string(),
      configuration: z.string().optional(),
      levels: ValueRow.shape.levels.optional(),
      why: z.string(),
    }),
  ),
});
export type ValueForMoney = z.infer<typeof ValueForMoney>;

/** Two configurations, `one` and `other`. */
const Side = z.enum(['one', 'other']);

/** A segment of an axis, both ends included, and the configuration that costs less there. Absent: neither can be bought there. */
const CostSegment = z.object({
  from: z.number(),
  to: z.number(),
  cheaper: z.union([Side, z.literal('equal')]).optional(),
  /** The other one cannot be bought there. */
  alone: z.literal(true).optional(),
});

/** Cost comparison of two configurations. Money per month unless named otherwise. */
export const CostBreakEven = z.object({
  currency: z.string(),
  perHour: z.object({ one: z.number(), other: z.number() }),
  /** The one that costs more; absent if both cost the same. */
  dearer: Side.optional(),
  /** Its price per hour over that of the other one: the throughput ratio that makes it worth its price. Absent: the other one is free. */
  ratio: z.number().optional(),
  /** Prices by purpose, with the total at the end. `ratio`: other over one. */
  parts: z.array(z.object({ what: z.string(), one: z.number(), other: z.number(), ratio: z.number().optional() })),
  /** size: GB of each volume. iops: sustained by each volume, with the size that this takes. hours: per month. */
  lines: z.array(
    z.object({
      axis: z.enum(['size', 'iops', 'hours']),
      segments: z.array(CostSegment),
      /** Points of a chart. A side is absent where it cannot be bought. */
      points: z.array(z.object({ at: z.number(), one: z.number().optional(), other: z.number().optional() })),
    }),
  ),
});
export type CostBreakEven = z.infer<typeof CostBreakEven>;

export const CatalogueEntry = z.object({
  id: z.string(),
  kind: z.enum(['instance', 'volume']),
  provider: z.string(),
  region: z.string(),
  title: z.string(),
  /** Summary for a list: "16 vCPU, 64 GiB, 0.768 USD/h". */
  summary: z.string(),
  perHour: z.number().nullable(),
  /** For a volume: the unit of its throughput. */
  throughputUnit: z.enum(['MiB/s', 'MB/s']).optional(),
  /** IOPS and throughput in the price of a volume's size. Absent: none are sold separately, the size decides. */
  included: z.object({ iops: z.number().optional(), throughput: z.number().optional() }).optional(),
  currency: z.string(),
  confidence: z.string(),
  source: z.string(),
  asOf: z.string(),
});
export type CatalogueEntry = z.infer<typeof CatalogueEntry>;
