import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';

export const pathOf = (file: ExperimentFile): string => `/experiments/${encodeURIComponent(file.id)}`;
