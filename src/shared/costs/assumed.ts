import { metricOf } from '../metrics/index.ts';
import type { CostResult, ValueRow } from '../model/cost.ts';
import type { HostFacts } from '../model/host.ts';
import { formatCount, formatNumber, formatValue } from '../util/format.ts';
import { amount } from './words.ts';

/** I/O of one operation on the disks of the server; unknown values are absent. */
export interface OperationIo {
  readonly iops?: number | undefined;
  readonly mib?: number | undefined;
}

type Work = Pick<ValueRow, 'rate' | 'interval' | 'volumes'>;

/**
 * Work as the volumes of another system sustain it: with a lower rate if its I/O is more than that. Unchanged if the price has no volume. Bursts do
 * not count: they end.
 */
export function workOnVolumes(
  metricId: string,
  { rate, interval }: Pick<ValueRow, 'rate' | 'interval'>,
  io: OperationIo,
  { items, usable = {}, limitedBy = {} }: Pick<CostResult, 'items' | 'usable' | 'limitedBy'>,
): Work {
  const same: Work = { rate, ...(interval && { interval }) };
  if (!items.some(({ gives }) => gives)) return same;
  const limits = [
    { unit: 'IOPS', digits: 0, each: io.iops, most: usable.iops, of: limitedBy.iops },
    { unit: 'MiB/s', digits: 1, each: io.mib, most: usable.mibS, of: limitedBy.mibS },
  ].flatMap(({ digits, each, most, ...limit }) =>
    each === undefined || most === undefined
      ? []
      : [{ ...limit, most, need: each * rate, words: amount(Number(most.toFixed(digits))) }],
  );
  if (limits.length === 0) {
    const unchecked =
      io.iops === undefined && io.mib === undefined
        ? 'the session did not record the I/O of its server'
        : 'their limits are not in the catalogue';
    return { ...same, volumes: { words: `Its volumes may be too slow: ${unchecked}.`, unchecked } };
  }
  const figure = (value: number): string => amount(Number(value.toPrecision(3)));
  const [tightest] = [...limits].sort((one, other) => one.most / one.need - other.most / other.need);
  if (!tightest || tightest.need <= tightest.most) {
    const both = limits.map(
      ({ unit, words, of, need }) =>
        `${figure(need)} of ${words} ${unit}${of === undefined ? '' : ` (limit of ${of})`}`,
    );
    return { ...same, volumes: { words: `Its volumes sustain this I/O: ${both.join(', ')}.` } };
  }
  const { unit, most, need, of, words } = tightest;
  const lowered = (rate * most) / need;
  const metric = metricOf(metricId);
  return {
    rate: lowered,
    ...(interval && { interval: { low: Math.min(interval.low, lowered), high: Math.min(interval.high, lowered) } }),
    volumes: {
      words: `Lowered from ${formatValue(rate, metric)}: that takes ${figure(need)} ${unit}, ${of === undefined ? 'its volumes sustain' : `the limit of ${of} is`} ${words}.`,
      capped: true,
    },
  };
}

const GIB = 2 ** 30;
/** Memory that a host reports is below that of its machine by what firmware and kernel take. */
const MEMORY_WITHIN = 0.25;

/** A host and its size: “this computer (2 CPUs, 8 GiB)”. */
export function hostSizeWords(name: string, facts: Pick<HostFacts, 'cpuCount' | 'memoryBytes'> | undefined): string {
  if (!facts) return name;
  const { cpuCount, memoryBytes } = facts;
  const memory = memoryBytes === undefined ? '' : `, ${formatNumber(memoryBytes / GIB, 0)} GiB`;
  return `${name} (${formatCount(cpuCount, 'CPU')}${memory})`;
}

/** A machine that is paid for. */
interface PaidMachine {
  readonly title: string;
  readonly vcpu: number;
  readonly memoryGib: number;
}

/** The machines of a price on which work was certainly not measured: all if it is assumed, else those of another size than its host. */
export function notMeasuredOn(
  machines: readonly PaidMachine[],
  facts: Pick<HostFacts, 'cpuCount' | 'memoryBytes'> | undefined,
  isAssumed: boolean,
): string | undefined {
  const others = machines.filter(({ vcpu, memoryGib }) => {
    if (isAssumed) return true;
    if (!facts) return false;
    const { cpuCount, memoryBytes } = facts;
    return (
      cpuCount !== vcpu || (memoryBytes !== undefined && Math.abs(memoryBytes / GIB / memoryGib - 1) > MEMORY_WITHIN)
    );
  });
  // One of several machines may be the measured one.
  const titles = others.length === machines.length ? [...new Set(others.map(({ title }) => title))] : [];
  return titles.length > 0 ? titles.join(', ') : undefined;
}
