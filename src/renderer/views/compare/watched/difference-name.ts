import type { SeriesDifference } from '../../../../shared/model/analysis.ts';

/** With its device or process, where the label does not have it. */
export const differenceName = ({ label, instance }: Pick<SeriesDifference, 'label' | 'instance'>): string =>
  instance === undefined || label.includes(instance) ? label : `${instance}: ${label}`;
