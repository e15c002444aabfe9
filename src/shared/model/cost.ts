import { z } from 'zod';
import { FigureBound } from './analysis.ts';
import { Caveats } from './figure.ts';
import { Problem } from './problem.ts';

/**
 * What a session's system costs. Either catalogue ids or own figures; money per hour unless named otherwise.
 * A component's rate is data (see `shared/costs`): there is no code per provider.
 */
export const CostComponent = z.discriminatedUnion('kind', [
  /** From the catalogue: instance id, how many. */
  z.object({ kind: z.literal('instance'), id: z.string(), count: z.number().min(0).default(1) }),
  /**
   * From the catalogue: volume type id with what is provisioned. Sizes in GB as billed (2^30 bytes). Throughput in the unit in which that
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
  /** Own figure; null: not known yet, and then there is no total. */
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
  /** 730 if absent. What is sold by the hour runs so long each month; what is sold by the month is paid for the whole of it. */
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
  /** How it was made: "1,000 GB × 0.125 + 5,000 IOPS × 0.065 per month". */
  how: z.string(),
  source: z.string().optional(),
  asOf: z.string().optional(),
  warnings: z.array(z.string()),
  /** Of a volume: what each of them can do, as far as it is known. */
  gives: z
    .object({
      iops: Performance.optional(),
      throughput: Performance.extend({ unit: z.enum(['MiB/s', 'MB/s']) }).optional(),
    })
    .optional(),
  /** The same in sentences. */
  performance: z.array(z.string()).optional(),
  /** Of volumes: what of the price is for what. */
  shares: z.array(z.object({ what: z.enum(['size', 'IOPS', 'throughput']), perMonth: z.number() })).optional(),
});
export const CostResult = z.object({
  currency: z.string(),
  perHour: z.number(),
  perMonth: z.number(),
  perYear: z.number(),
  items: z.array(CostItem),
  /** Of when the catalogue's prices are: "2024-07-01 to 2026-07-20". Absent: own figures only. */
  asOf: z.string().optional(),
  /**
   * What all volumes together can do on these machines, for long, throughput in MiB/s; absent as far as it is not known. `perThousandIops`:
   * money per month.
   */
  usable: z
    .object({ iops: z.number().optional(), mibS: z.number().optional(), perThousandIops: z.number().optional() })
    .optional(),
  /** The same at most, for a while: as far as volumes and machines burst. */
  burst: z.object({ iops: z.number().optional(), mibS: z.number().optional() }).optional(),
  /** What to know about the sum. */
  notes: z.array(z.string()).optional(),
});
export type CostResult = z.infer<typeof CostResult>;

/** A configuration part by part. A part without a price says why, and then there is no total: what is missing is not free. */
export const Priced = z.object({
  parts: z.array(z.object({ item: CostItem.optional(), problem: Problem.optional() })),
  total: CostResult.optional(),
});
export type Priced = z.infer<typeof Priced>;

/** A configuration saved under its label, with the prices of today. */
export const Configuration = Priced.extend({ id: z.number(), spec: CostSpec, changedAt: z.number() });
export type Configuration = z.infer<typeof Configuration>;

/** A demand on a system: at least this rate, and if named at most this latency at the same time, in the unit of its metric. */
export const CostGoal = z.object({
  rate: z.number().positive(),
  latency: z.object({ metric: z.string(), most: z.number().positive() }).optional(),
});
export type CostGoal = z.infer<typeof CostGoal>;

const ValueRow = z.object({
  sessionId: z.number(),
  name: z.string(),
  /** What it is priced with: the name of a configuration. Absent: the session's own price, without a name. */
  configuration: z.string().optional(),
  /** The system that is paid for: names of its prices, else their parts: "m5.large + gp3 500 GB, 6,000 IOPS". */
  system: z.string(),
  cell: z.number().optional(),
  levels: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  rate: z.number(),
  /** Complete runs that the rate is over. */
  repeats: z.number(),
  /** 95 % interval of the rate over repeats; absent: measured once. */
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  /** The latency that was asked for, with its lowest and highest repeat; absent: its tool does not report it. */
  latency: z.object({ value: z.number(), low: z.number(), high: z.number() }).optional(),
  errors: z.number(),
  /** What bounds its cell. Absent: not known, or its runs differ. */
  bound: FigureBound.optional(),
  caveats: Caveats,
  perHour: z.number(),
  perYear: z.number(),
  /** Of when the prices are; absent: own figures. */
  asOf: z.string().optional(),
  /** Rate × 3600 / money per hour: what one unit of money buys while the system runs. */
  operationsPerDollar: z.number(),
  /** Of the best of its scale. */
  percent: z.number(),
});
export type ValueRow = z.infer<typeof ValueRow>;

/** Rates of one metric, paid in one currency, best first. Others are on another scale: nothing is ranked across them. */
const ValueScale = z.object({ metric: z.string(), currency: z.string(), rows: z.array(ValueRow) });
export type ValueScale = z.infer<typeof ValueScale>;

/** Work per money, as bars of the price–performance chart. `left`: what is not ranked, and why. */
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

/** Along an axis: which of two configurations costs less, from a value to another, both included. Absent: neither can be bought so. */
const CostSegment = z.object({
  from: z.number(),
  to: z.number(),
  cheaper: z.union([Side, z.literal('equal')]).optional(),
  /** The other one cannot be bought so. */
  alone: z.literal(true).optional(),
});

/** What two configurations cost against each other. Money per month unless named otherwise. */
export const CostBreakEven = z.object({
  currency: z.string(),
  perHour: z.object({ one: z.number(), other: z.number() }),
  /** The one that costs more; absent: both cost the same. */
  dearer: Side.optional(),
  /** Its price per hour over that of the other one: so many times the throughput it needs to be worth it. Absent: the other one is free. */
  ratio: z.number().optional(),
  /** What the price is for, and the total at the end. `ratio`: other over one. */
  parts: z.array(z.object({ what: z.string(), one: z.number(), other: z.number(), ratio: z.number().optional() })),
  /** size: GB of each volume. iops: that each volume sustains, with the size that this takes. hours: a month. */
  lines: z.array(
    z.object({
      axis: z.enum(['size', 'iops', 'hours']),
      segments: z.array(CostSegment),
      /** For a picture. Absent of a side: it cannot be bought so. */
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
  /** Words for a list: "16 vCPU, 64 GiB, 0.768 USD/h". */
  summary: z.string(),
  perHour: z.number().nullable(),
  /** Of a volume: in what its throughput is given. */
  throughputUnit: z.enum(['MiB/s', 'MB/s']).optional(),
  /** IOPS and throughput in the price of a volume's size. Absent: it sells none apart, the size decides. */
  included: z.object({ iops: z.number().optional(), throughput: z.number().optional() }).optional(),
  currency: z.string(),
  confidence: z.string(),
  source: z.string(),
  asOf: z.string(),
});
export type CatalogueEntry = z.infer<typeof CatalogueEntry>;
