import type { SeriesRule } from '../../../shared/model/monitored.ts';
export const HOST_RULES: readonly SeriesRule[] = [];
