import type { OperationCost } from '../../model/analysis.ts';
import type { RunEvidence } from '../evidence.ts';
import { isServer } from '../lines.ts';

/** Bytes that went to disks for each byte of log: what a change costs beyond being noted once. */
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

/** Data against the cache of the server and the memory of its host: above 1 they cannot hold all of it. */
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
