import type { CostResult, CostSpec } from '../model/cost.ts';
import type { PriceCatalogue } from './catalogue.ts';
import { priceParts } from './evaluate.ts';
import { priceTogether } from './value.ts';
import { amount } from './words.ts';

/** Limits of a disk in the system that is paid for. `words`: the source of the limits. */
export interface VolumeLimits {
  readonly iops?: number;
  readonly mibS?: number;
  /** For a while, as long as there are credits. */
  readonly burst?: { readonly iops?: number; readonly mibS?: number };
  readonly words: string;
}

/** `ofMachine`: the limit of the machine is below that of the volume, sustained or in bursts. */
interface Limit {
  readonly sustained: number;
  readonly burst?: number;
  readonly ofMachine?: true;
}

/**
 * Limits of each volume of a system, as paid for: those of the volume itself, or of its machine if that is lower. Undefined if the price
 * contains no volume or volumes of several kinds, or if the prices cannot be combined: the kind of a device would be ambiguous.
 */
export function volumeLimits(prices: readonly CostSpec[], catalogue: PriceCatalogue): VolumeLimits | undefined {
  const spec = priceTogether(prices);
  if (spec === undefined || typeof spec === 'string') return undefined;
  const { parts, total } = priceParts(spec, catalogue);
  const volumes = parts.flatMap(({ item }, index) => {
    const component = spec.components[index];
    return item?.gives && component?.kind === 'volume' ? [{ item, component }] : [];
  });
  const [volume] = volumes;
  if (!volume || volumes.length > 1) return undefined;
  const { gives } = volume.item;
  const [usable, burst] = volume.component.count === 1 ? [total?.usable, total?.burst] : [];
  const iops = limitOf(gives?.iops, 1, usable?.iops, burst?.iops);
  const scale = gives?.throughput?.unit === 'MB/s' ? 1e6 / 2 ** 20 : 1;
  const mibS = limitOf(gives?.throughput, scale, usable?.mibS, burst?.mibS);
  const machines = parts.flatMap(({ item }, index) =>
    item && spec.components[index]?.kind === 'instance' ? [item.label] : [],
  );
  if (!iops && !mibS) return undefined;
  const forAWhile = {
    ...(iops?.burst !== undefined && { iops: iops.burst }),
    ...(mibS?.burst !== undefined && { mibS: mibS.burst }),
  };
  return {
    ...(iops && { iops: iops.sustained }),
    ...(mibS && { mibS: mibS.sustained }),
    ...(Object.keys(forAWhile).length > 0 && { burst: forAWhile }),
    words: wordsOf(volume, machines, [iops, mibS]),
  };
}

/** `usable`, `burst`: what the machine lets through, sustained and in bursts; absent: unknown. */
function limitOf(
  offered: { sustained: number; burst?: number | undefined } | undefined,
  scale: number,
  usable = Number.POSITIVE_INFINITY,
  burst = Number.POSITIVE_INFINITY,
): Limit | undefined {
  if (!offered) return undefined;
  const own = { sustained: offered.sustained * scale, most: (offered.burst ?? offered.sustained) * scale };
  const sustained = isLess(usable, own.sustained) ? usable : own.sustained;
  const most = isLess(burst, own.most) ? burst : own.most;
  const ofMachine = sustained < own.sustained || most < own.most;
  return {
    sustained,
    ...(isLess(sustained, most) && { burst: most }),
    ...(ofMachine && { ofMachine }),
  };
}

const isLess = (one: number, other: number): boolean => one < other * (1 - 1e-9);

/** “EBS General Purpose SSD gp2, 100 GB”, with its machine if that is the limit. */
function wordsOf(
  { item, component }: { item: CostResult['items'][number]; component: { sizeGb: number; count: number } },
  machines: readonly string[],
  limits: readonly (Limit | undefined)[],
): string {
  const volume = `${component.count === 1 ? '' : 'each of '}${item.label}, ${amount(component.sizeGb)} GB`;
  return limits.some((limit) => limit?.ofMachine) && machines.length > 0
    ? `${volume}, on ${machines.join(', ')}`
    : volume;
}
