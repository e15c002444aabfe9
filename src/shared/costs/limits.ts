import type { CostResult, CostSpec } from '../model/cost.ts';
import type { PriceCatalogue } from './catalogue.ts';
import { priceParts } from './evaluate.ts';
import { priceTogether } from './together.ts';
import { amount } from './words.ts';

/** What a system that is paid for lets a disk do. `words`: what has these limits. */
export interface VolumeLimits {
  readonly iops?: number;
  readonly mibS?: number;
  /** For a while, as long as there are credits. */
  readonly burst?: { readonly iops?: number; readonly mibS?: number };
  readonly words: string;
}

/** Of one limit the machine may let through less than the volume offers, and then has no burst of the volume. */
interface Limit {
  readonly sustained: number;
  readonly burst?: number;
  readonly ofMachine?: true;
}

/**
 * Limits of each volume of a system, by what is paid for: those of the volume itself, or of its machine where that lets less through. Undefined
 * where no volume is in the price, volumes of several kinds are, or the prices cannot be put together: nobody could say then which of
 * them a device is.
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
  const usable = volume.component.count === 1 ? total?.usable : undefined;
  const iops = limitOf(gives?.iops, 1, usable?.iops);
  const mibS = limitOf(gives?.throughput, gives?.throughput?.unit === 'MB/s' ? 1e6 / 2 ** 20 : 1, usable?.mibS);
  if (!iops && !mibS) return undefined;
  const burst = {
    ...(iops?.burst !== undefined && { iops: iops.burst }),
    ...(mibS?.burst !== undefined && { mibS: mibS.burst }),
  };
  return {
    ...(iops && { iops: iops.sustained }),
    ...(mibS && { mibS: mibS.sustained }),
    ...(Object.keys(burst).length > 0 && { burst }),
    words: wordsOf(volume, total, [iops, mibS]),
  };
}

function limitOf(
  offered: { sustained: number; burst?: number | undefined } | undefined,
  scale: number,
  usable: number | undefined,
): Limit | undefined {
  if (!offered) return undefined;
  const sustained = offered.sustained * scale;
  if (usable !== undefined && usable < sustained * (1 - 1e-9)) return { sustained: usable, ofMachine: true };
  return { sustained, ...(offered.burst !== undefined && { burst: offered.burst * scale }) };
}

/** “EBS General Purpose SSD gp2, 100 GB”, and on which machine where that is what limits it. */
function wordsOf(
  { item, component }: { item: CostResult['items'][number]; component: { sizeGb: number; count: number } },
  total: CostResult | undefined,
  limits: readonly (Limit | undefined)[],
): string {
  const volume = `${component.count === 1 ? '' : 'each of '}${item.label}, ${amount(component.sizeGb)} GB`;
  const machines = (total?.items ?? []).filter((each) => each.gives === undefined).map(({ label }) => label);
  return limits.some((limit) => limit?.ofMachine) && machines.length > 0
    ? `${volume}, on ${machines.join(', ')}`
    : volume;
}
