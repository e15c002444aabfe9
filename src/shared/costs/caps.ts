import type { CostResult } from '../model/cost.ts';
import type { Instance, Unit, Volume } from './catalogue.ts';
import type { Gives } from './volume.ts';
import { amount } from './words.ts';

/** Machines of one kind. */
export interface Machines {
  entry: Instance;
  count: number;
  /** Its words in the table: "2 × c5.9xlarge". */
  label: string;
}

/** Volumes of one kind, with the performance of each. */
export interface Disks {
  entry: Volume;
  count: number;
  gives: Gives;
}

export interface Capped {
  usable: NonNullable<CostResult['usable']>;
  burst: NonNullable<CostResult['burst']>;
  limitedBy: NonNullable<CostResult['limitedBy']>;
  warnings: string[];
}

/** With more volumes the result is open: placing them would take long. */
const MOST_PLACED = 1_000;
const DIMENSIONS = ['iops', 'throughput'] as const;
type What = (typeof DIMENSIONS)[number];

/** Converts throughput to one scale. */
const mibOf = (value: number, unit: Unit): number => (unit === 'MiB/s' ? value : (value * 1e6) / 2 ** 20);

/**
 * Performance of volumes within the limits of their machines. A volume belongs to one machine; an unknown limit or volume leaves the result
 * open.
 */
export function cap(machines: readonly Machines[], disks: readonly Disks[]): Capped {
  const usable: Capped['usable'] = {};
  const burst: Capped['burst'] = {};
  const limitedBy: Capped['limitedBy'] = {};
  const warnings: string[] = [];
  const incompatible = machines.length === 0 ? [] : disks.filter(({ entry }) => !machines.some(isOf(entry)));
  if (incompatible.length > 0)
    return { usable, burst, limitedBy, warnings: incompatible.map(({ entry }) => incompatibleWords(entry)) };
  const network = disks.filter(({ entry }) => entry.local !== true);
  for (const what of DIMENSIONS) {
    const placed = place(what, machines, network);
    if (!placed) continue;
    const { sustained, most } = placed;
    if (network.length === disks.length) {
      const name = what === 'iops' ? 'iops' : 'mibS';
      usable[name] = sustained;
      burst[name] = most;
      if (isLess(placed)) limitedBy[name] = whoWords(machines);
    }
    if (isLess(placed)) warnings.push(words(what, machines, network.length, placed));
  }
  return { usable, burst, limitedBy, warnings };
}

const isLess = ({ offered, sustained }: Placed): boolean => sustained < offered * (1 - 1e-9);

const whoWords = (machines: readonly Machines[]): string =>
  machines.length === 1 ? (machines[0]?.label ?? '') : 'these machines';

const isOf =
  ({ provider }: Volume) =>
  ({ entry }: Machines): boolean =>
    entry.provider === provider;

const incompatibleWords = ({ title, provider }: Volume): string =>
  `${title} is sold by ${provider}: no machine of this configuration can use it.`;

interface Placed {
  offered: number;
  sustained: number;
  burst: number;
  /** Including the burst of the volumes. */
  most: number;
}

/** IOPS or MiB/s of all volumes, and what the machines let through. Undefined if unknown. */
function place(what: What, machines: readonly Machines[], disks: readonly Disks[]): Placed | undefined {
  const total = (parts: readonly { count: number }[]): number => parts.reduce((sum, { count }) => sum + count, 0);
  if (total(machines) === 0 || total(disks) === 0 || total(machines) + total(disks) > MOST_PLACED) return undefined;
  const provisioned = disks.some(({ entry }) => entry.cap === 'provisioned');
  const caps = machines.map(({ entry, count }) => ({ count, cap: capOf(entry, what, provisioned) }));
  const loads = disks.map(({ gives, count }) => ({ count, ...offeredBy(gives, what) }));
  if (caps.some((machine) => !machine.cap) || loads.some(({ load }) => load === undefined)) return undefined;
  const each = spreadOut(loads.map(({ count, load = 0 }) => ({ count, value: load })));
  const eachAtMost = spreadOut(loads.map(({ count, most = 0 }) => ({ count, value: most })));
  const through = (which: 'sustained' | 'burst', wanted = each): number =>
    shared(wanted, spreadOut(caps.map((machine) => ({ count: machine.count, value: machine.cap?.[which] ?? 0 }))));
  return {
    offered: each.reduce((sum, load) => sum + load, 0),
    sustained: through('sustained'),
    burst: through('burst'),
    most: through('burst', eachAtMost),
  };
}

function capOf(
  { diskCaps }: Instance,
  what: What,
  provisioned: boolean,
): { sustained: number; burst: number } | undefined {
  const caps = (provisioned ? diskCaps?.provisioned : undefined) ?? diskCaps;
  if (what === 'iops') return caps?.iops;
  const found = caps?.throughput;
  return found && { sustained: mibOf(found.sustained, found.unit), burst: mibOf(found.burst, found.unit) };
}

/** Sustained performance of a volume, and its maximum in bursts. */
function offeredBy({ iops, throughput }: Gives, what: What): { load?: number; most?: number } {
  if (what === 'iops') return iops ? { load: iops.sustained, most: iops.burst ?? iops.sustained } : {};
  if (!throughput) return {};
  const { sustained, burst = sustained, unit } = throughput;
  return { load: mibOf(sustained, unit), most: mibOf(burst, unit) };
}

const spreadOut = (parts: readonly { count: number; value: number }[]): number[] =>
  parts.flatMap(({ count, value }) => Array.from({ length: Math.ceil(count) }, () => value));

/** Assigns the largest volume to the machine with the most capacity left, and so on. */
function shared(loads: readonly number[], caps: readonly number[]): number {
  const left = [...caps];
  let sum = 0;
  for (const load of [...loads].sort((one, other) => other - one)) {
    const most = Math.max(...left);
    const used = Math.min(load, most);
    left[left.indexOf(most)] = most - used;
    sum += used;
  }
  return sum;
}

function words(
  what: What,
  machines: readonly Machines[],
  kinds: number,
  { offered, sustained, burst }: Placed,
): string {
  const first = machines[0];
  const unit = what === 'iops' ? 'IOPS' : 'MiB/s';
  const figure = (value: number): string => `${amount(what === 'iops' ? value : Number(value.toFixed(1)))} ${unit}`;
  const who = whoWords(machines);
  const several = machines.length > 1 || (first?.count ?? 1) > 1;
  const volumes = kinds === 1 ? 'The volumes offer' : 'All volumes offer';
  const start = `${volumes} ${figure(offered)}, but ${who} can use`;
  const end = several ? ' A volume belongs to one machine.' : '';
  return offered > burst * (1 + 1e-9)
    ? `${start} ${figure(burst)} at most${burst > sustained ? ` and ${figure(sustained)} sustained` : ''}.${end}`
    : `${start} ${figure(sustained)} sustained (${figure(burst)} for ${first?.entry.diskCaps?.burstFor ?? 'a while'}).${end}`;
}
