import type { Experiment } from '../../../../shared/model/experiment.ts';
import { levelsOf } from '../../../../shared/model/factor.ts';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import { useCall } from '../../../client/index.ts';

/** A host or target that the document names and nobody has saved. */
export interface MissingPlace {
  readonly place: 'host' | 'target';
  readonly name: string;
}

/** Those of the document, as far as what is saved is known. */
export function useMissingPlaces(experiment: Experiment | undefined): MissingPlace[] {
  const hosts = useCall('hosts.list', {}).data;
  const targets = useCall('targets.list', {}).data;
  if (!experiment) return [];
  const { where, factors } = experiment;
  const varied = factors.filter(({ kind }) => kind === 'target').flatMap((factor) => levelsOf(factor).map(String));
  const met = varied.length > 0 || where.target === undefined ? varied : [where.target];
  const without = (names: readonly string[], known: readonly { spec: { name: string } }[] | undefined): string[] =>
    known === undefined
      ? []
      : [...new Set(names)].filter((name) => name !== LOCAL_HOST_NAME && !known.some(({ spec }) => spec.name === name));
  return [
    ...without(met, targets).map((name): MissingPlace => ({ place: 'target', name })),
    ...without(where.generators, hosts).map((name): MissingPlace => ({ place: 'host', name })),
  ];
}
