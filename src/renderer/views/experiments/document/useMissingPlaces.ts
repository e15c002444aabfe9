import type { Experiment } from '../../../../shared/model/experiment.ts';
import { type NamedPlace, placesNamed } from '../../../../shared/model/places.ts';
import { useCall } from '../../../client/index.ts';

/** Hosts and targets in the document that are not saved, as far as saved ones are loaded. */
export function useMissingPlaces(experiment: Experiment | undefined): NamedPlace[] {
  const hosts = useCall('hosts.list', {}).data;
  const targets = useCall('targets.list', {}).data;
  if (!experiment) return [];
  return placesNamed(experiment).filter(({ place, name }) => {
    const known = place === 'host' ? hosts : targets;
    return known !== undefined && !known.some(({ spec }) => spec.name === name);
  });
}
