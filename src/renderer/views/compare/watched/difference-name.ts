import type { SeriesDifference } from '../../../../shared/model/analysis.ts';

/** Includes the device or process if the label does not have it. */
export const differenceName = ({ label, instance }: Pick<SeriesDifference, 'label' | 'instance'>): string =>
  instance === undefined || label.includes(instance) ? label : `${instance}: ${label}`;
