import type { OperationCost } from '../../model/analysis.ts';
import type { Points } from '../../stats/index.ts';
import type { RunEvidence, Window } from '../evidence.ts';
import { at, type BySecond, bySecond, isServer, stepOf, together } from '../lines.ts';

/** Bytes written to disks for each byte of log: the cost of a change beyond its first record. */
export function amplification(costs: readonly OperationCost[]): OperationCost[] {
  const of = (id: string): OperationCost | undefined => costs.find((cost) => cost.id === id);
  const [written, log] = [of('written_bytes'), of('log_bytes')];
  if (!written || !log || !(log.value > 0)) return [];
  return [
    {
      id: 'write_amplification',
      label: 'Write amplification: device ÷ log',
      unit: '×',
      digits: 1,
      value: written.value / log.value,
      formula: '(bytes written to disks) ÷ (bytes written to the log)',
      from: [...written.from, ...log.from],
    },
  ];
}

/** Data against the cache of the server and the memory of its host: above 1 it does not fit. */
export function workingSet({ servers, hosts }: RunEvidence): OperationCost[] {
  return servers.flatMap(({ name, host, dataMib, cacheMib }) => {
    if (dataMib === undefined) return [];
    const at =
      hosts.find((each) => each.name === host) ??
      (hosts.filter(isServer).length === 1 ? hosts.find(isServer) : undefined);
    const ratio = (id: string, what: string, size: number | undefined): OperationCost[] =>
      size === undefined || !(size > 0)
        ? []
        : [
            {
              id,
              label: `Data ÷ ${what}`,
              unit: '×',
              digits: 2,
              value: dataMib / size,
              source: name,
              formula: `(MiB of data that the workload uses) ÷ (MiB of ${what})`,
              from: [],
            },
          ];
    return [
      ...ratio('data_to_cache', 'cache of the server', cacheMib),
      ...ratio('data_to_memory', 'memory of its host', at?.memoryMib),
    ];
  });
}

/** Numerator of a cost per operation: series added up second by second, times `scale`. */
export interface Part {
  readonly lines: readonly Points[];
  readonly scale: number;
  /** Words for its value per second. */
  readonly words: string;
  readonly from: { source: string; id: string }[];
  /** Host or server, if it belongs to only one. */
  readonly source?: string;
}

/** Minimum number of seconds that represent the window; at least half of it is also required. */
const LEAST_SECONDS = 5;
const LEAST_KNOWN = 0.5;

/** Operations of each second. A rate that a tool reports every ten seconds applies to each of them. */
export function operationsOf(rate: Points): BySecond {
  const step = Math.max(1, Math.round(stepOf(rate.t)));
  const reported = bySecond(rate);
  if (step === 1) return reported;
  const from = reported.from - step + 1;
  const values = new Float64Array(reported.values.length + step - 1).fill(Number.NaN);
  for (const [place, value] of reported.values.entries())
    if (!Number.isNaN(value)) values.fill(value, place, place + step);
  return { from, values };
}

/** Sum ÷ sum over the seconds with values of both; undefined if these are too few, or without an operation. */
export function ratioOf(
  { lines, scale }: Part,
  operations: BySecond,
  { from, to }: Window,
): { value: number; seconds: number } | undefined {
  const line = together(lines, (values) => values.reduce((sum, value) => sum + value, 0));
  const step = Math.max(1, Math.round(stepOf(line.t)));
  let [sum, done, seconds] = [0, 0, 0];
  line.t.forEach((second, index) => {
    if (second <= from || second > to) return;
    // A value that covers several seconds is matched with the operations of the same ones.
    let meant = 0;
    for (let back = 0; back < step; back++) meant += at(operations, second - back);
    if (Number.isNaN(meant)) return;
    sum += (line.v[index] ?? 0) * step;
    done += meant;
    seconds += step;
  });
  if (seconds < Math.max(LEAST_SECONDS, LEAST_KNOWN * (to - from)) || !(done > 0)) return undefined;
  return { value: (sum * scale) / done, seconds };
}
